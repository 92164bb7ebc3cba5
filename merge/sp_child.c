/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* clone, memfd_create */
#include "sp_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { STACK_BYTES = 64 * 1024, FIRST_FD = 10 };

/* Input and output lie in memory, so that nobody waits for the other to read or write; the pipe's end says that it has ended. */
struct child {
    char *const *argv;
    char **environment;
    char *stack; /* for two */
    int input, output, done[2];
    int has_failed;
};

/* Shares our memory until it executes: system calls only. */
static int become_program(void *data)
{
    struct child *child = data;
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0 && dup2(child->input, 0) == 0 && dup2(child->output, 1) == 1 && dup2(nowhere, 2) == 2 &&
        dup2(child->done[1], 3) == 3) {
#ifdef SYS_close_range
        syscall(SYS_close_range, 4u, ~0u, 0u);
#endif
        execve(child->argv[0], child->argv, child->environment);
    }
    __atomic_store_n(&child->has_failed, 1, __ATOMIC_RELAXED);
    syscall(SYS_exit_group, 1);
    return 1;
}

/* A child between, so that the program is not ours to wait for. */
static int start_program(void *data)
{
    struct child *child = data;
    if (clone(become_program, child->stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, child) < 0)
        __atomic_store_n(&child->has_failed, 1, __ATOMIC_RELAXED);
    syscall(SYS_exit_group, 0);
    return 0;
}

/* A descriptor that is none of 0 to 3. */
static int moved(int fd)
{
    int higher = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
    if (fd >= 0)
        close(fd);
    return higher;
}

static int write_all(int fd, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t n = write(fd, text, bytes);
        if (n < 0 && errno != EINTR)
            return -1;
        text += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return lseek(fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

static char **environment_for_it(void)
{
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0 && strncmp(environ[i], "LD_AUDIT=", 9) != 0)
            copy[kept++] = environ[i];
    return copy;
}

static int prepare(struct child *child, const void *input, size_t input_bytes)
{
    int ends[2];
    *child = (struct child){.argv = child->argv, .input = -1, .output = -1, .done = {-1, -1}};
    child->environment = environment_for_it();
    child->stack = malloc(2 * (size_t)STACK_BYTES);
    child->input = moved(memfd_create("sp-names", MFD_CLOEXEC));
    child->output = moved(memfd_create("sp-names", MFD_CLOEXEC));
    if (pipe2(ends, O_CLOEXEC) == 0) {
        child->done[0] = moved(ends[0]);
        child->done[1] = moved(ends[1]);
    }
    if (!child->environment || !child->stack || child->input < 0 || child->output < 0 || child->done[0] < 0 || child->done[1] < 0)
        return -1;
    return write_all(child->input, input, input_bytes);
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void clear(struct child *child)
{
    close_fd(&child->input);
    close_fd(&child->output);
    close_fd(&child->done[0]);
    close_fd(&child->done[1]);
    free(child->environment);
    free(child->stack);
}

static int start(struct child *child)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    /* No signal at its end, so that only __WCLONE waits for it. */
    pid_t pid = clone(start_program, child->stack + 2 * STACK_BYTES, CLONE_VM | CLONE_VFORK, child);
    while (pid > 0 && waitpid(pid, NULL, (int)__WCLONE) < 0 && errno == EINTR)
        continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close_fd(&child->done[1]);
    return pid < 0 || __atomic_load_n(&child->has_failed, __ATOMIC_RELAXED) ? -1 : 0;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int wait_for_end(const struct child *child, int seconds)
{
    int64_t last = now_ms() + (int64_t)seconds * 1000, left;
    while ((left = last - now_ms()) > 0) {
        struct pollfd end = {.fd = child->done[0], .events = POLLIN};
        int count = poll(&end, 1, (int)left);
        if (count > 0)
            return 0;
        if (count < 0 && errno != EINTR)
            return -1;
    }
    return -1;
}

static int take_output(const struct child *child, char **output, size_t *bytes)
{
    off_t end = lseek(child->output, 0, SEEK_END);
    char *text = end < 0 ? NULL : malloc((size_t)end + 1);
    size_t n = 0;
    ssize_t more = 1;
    while (text && n < (size_t)end && (more = pread(child->output, text + n, (size_t)end - n, (off_t)n)) > 0)
        n += (size_t)more;
    if (!text || more < 0) {
        free(text);
        return -1;
    }
    text[n] = '\0';
    *output = text;
    *bytes = n;
    return 0;
}

int sp_child_run(char *const *argv, const void *input, size_t input_bytes, int seconds, char **output, size_t *output_bytes)
{
    struct child child = {.argv = argv};
    int status = -1;
    *output = NULL;
    *output_bytes = 0;
    if (prepare(&child, input, input_bytes) == 0 && start(&child) == 0 && wait_for_end(&child, seconds) == 0)
        status = take_output(&child, output, output_bytes);
    clear(&child);
    return status;
}
