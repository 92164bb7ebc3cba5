/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with -finstrument-functions: static and recursive functions, one before main, threads, frames that longjmp leaves, a
 * library's function, a forked child. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef WITH_LIBRARY
int in_library(int x);
#else
static int in_library(int x)
{
    return x;
}
#endif

static jmp_buf back;
static volatile int sink;

static __attribute__((constructor, noinline)) void before_main(void)
{
    __atomic_fetch_add(&sink, 1, __ATOMIC_RELAXED);
}

static __attribute__((destructor, noinline)) void after_main(void)
{
    __atomic_fetch_add(&sink, 1, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) int recursive(int depth)
{
    return depth > 0 ? 1 + recursive(depth - 1) : 0;
}

static __attribute__((noinline)) void leaves_by_jump(int depth)
{
    if (depth == 0)
        longjmp(back, 1);
    leaves_by_jump(depth - 1);
    __atomic_fetch_add(&sink, 1, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) void jumps(void)
{
    if (setjmp(back) == 0)
        leaves_by_jump(3);
}

static __attribute__((noinline)) void small(void)
{
    __atomic_fetch_add(&sink, 1, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) void *in_thread(void *data)
{
    for (int i = 0; i < 1000; i++)
        small();
    return data;
}

int main(void)
{
    pthread_t threads[8];
    printf("recursive %d\n", recursive(5));
    for (int i = 0; i < 100; i++)
        jumps();
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, in_thread, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        small();
        _exit(in_library(0));
    }
    waitpid(child, NULL, 0);
    printf("library %d\n", in_library(2));
    return 5;
}
