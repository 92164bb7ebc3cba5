/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, syscall */
#include "sp_bench_writes.h"

#include <dirent.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, STACK = 1 << 20, THREADS = 8, PAGES = 256, RANGES = 1024 };

struct range {
    uintptr_t start, end;
};

struct pages {
    uintptr_t at[PAGES];
    size_t count;
};

struct traced {
    pthread_t thread;
    sem_t may_run, has_run;
    struct range stack;
    struct pages written, touched;
};

/* All that the fault handler needs, in pages of its own, which stay accessible. */
static union {
    struct {
        struct traced threads[THREADS];
        struct range ranges[RANGES];
        size_t range_count;
        struct pages *noted;
        void (*subject)(void *data, int count);
        void *data;
        int count;
        int has_failed;
    } s;
    char pages[64 * PAGE];
} state __attribute__((aligned(PAGE)));

static void note(int number, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t page = (uintptr_t)info->si_addr / PAGE * PAGE;
    struct pages *noted = state.s.noted;
    if (!noted || noted->count == PAGES || mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE) < 0) {
        state.s.has_failed = 1;
        signal(number, SIG_DFL);
        return;
    }
    noted->at[noted->count++] = page;
}

static int overlaps(struct range a, struct range b)
{
    return a.start < b.end && b.start < a.end;
}

static void add_range(struct range range)
{
    if (range.start < range.end && state.s.range_count < RANGES)
        state.s.ranges[state.s.range_count++] = range;
}

/* The writable mappings without what a thread needs for itself. */
static void read_ranges(const struct traced *own)
{
    struct range ours = {(uintptr_t)&state, (uintptr_t)&state + sizeof state};
    char line[512], rights[8];
    FILE *maps = fopen("/proc/self/maps", "r");
    state.s.range_count = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        struct range r;
        if (sscanf(line, "%lx-%lx %7s", &r.start, &r.end, rights) != 3 || rights[0] != 'r' || rights[1] != 'w')
            continue;
        struct range hole = overlaps(r, ours) ? ours : own->stack;
        if (overlaps(r, hole)) {
            add_range((struct range){r.start, hole.start});
            add_range((struct range){hole.end, r.end});
        } else {
            add_range(r);
        }
    }
    if (maps)
        fclose(maps);
}

static void protect(int rights)
{
    for (size_t i = 0; i < state.s.range_count; i++)
        mprotect((void *)state.s.ranges[i].start, state.s.ranges[i].end - state.s.ranges[i].start, rights);
}

static int sleeps(const char *task)
{
    char path[300], line[512] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", task);
    FILE *file = fopen(path, "r");
    if (!file)
        return 1; /* it has just ended */
    if (!fgets(line, sizeof line, file))
        line[0] = '\0';
    fclose(file);
    const char *behind_name = strrchr(line, ')');
    return behind_name && behind_name[1] == ' ' && behind_name[2] == 'S';
}

/* Until the other threads all wait for their turn: one that still runs could not even take a fault, without its stack. */
static void await_sleep(void)
{
    char own[16];
    int is_awake = 1;
    snprintf(own, sizeof own, "%ld", (long)syscall(SYS_gettid));
    while (is_awake) {
        DIR *tasks = opendir("/proc/self/task");
        is_awake = 0;
        for (const struct dirent *task; tasks && (task = readdir(tasks));)
            if (task->d_name[0] != '.' && strcmp(task->d_name, own) != 0 && !sleeps(task->d_name))
                is_awake = 1;
        if (tasks)
            closedir(tasks);
    }
}

static void run_with(struct traced *own, int rights, struct pages *noted)
{
    await_sleep();
    read_ranges(own);
    state.s.noted = noted;
    protect(rights);
    state.s.subject(state.s.data, state.s.count);
    protect(PROT_READ | PROT_WRITE);
    state.s.noted = NULL;
}

static void *run(void *data)
{
    struct traced *own = data;
    while (sem_wait(&own->may_run) != 0)
        continue;
    state.s.subject(state.s.data, state.s.count);
    sem_post(&own->has_run);
    while (sem_wait(&own->may_run) != 0)
        continue;
    run_with(own, PROT_READ, &own->written);
    run_with(own, PROT_NONE, &own->touched);
    sem_post(&own->has_run);
    return NULL;
}

/* A stack of our own making has pages that nothing else lies in, and no access before and behind it. */
static int start(struct traced *t)
{
    pthread_attr_t attributes;
    char *memory = mmap(NULL, STACK + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + PAGE, STACK, PROT_READ | PROT_WRITE) < 0)
        return -1;
    t->stack = (struct range){(uintptr_t)memory + PAGE, (uintptr_t)memory + PAGE + STACK};
    sem_init(&t->may_run, 0, 0);
    sem_init(&t->has_run, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory + PAGE, STACK);
    int status = pthread_create(&t->thread, &attributes, run, t);
    pthread_attr_destroy(&attributes);
    return status ? -1 : 0;
}

static int let_run(struct traced *t)
{
    sem_post(&t->may_run);
    while (sem_wait(&t->has_run) != 0)
        continue;
    return state.s.has_failed ? -1 : 0;
}

static void finish(struct traced *t)
{
    pthread_join(t->thread, NULL);
    munmap((char *)t->stack.start - PAGE, STACK + 2 * PAGE);
}

static int has(const struct pages *pages, uintptr_t page)
{
    for (size_t i = 0; i < pages->count; i++)
        if (pages->at[i] == page)
            return 1;
    return 0;
}

static size_t shared_with(const struct traced *a, const struct traced *b)
{
    size_t shared = 0;
    for (size_t i = 0; i < a->written.count; i++)
        shared += (size_t)(has(&b->touched, a->written.at[i]) || has(&b->written, a->written.at[i]));
    for (size_t i = 0; i < b->touched.count; i++)
        shared += b->touched.at[i] >= a->stack.start && b->touched.at[i] < a->stack.end;
    return shared;
}

static void compare_all(int thread_count, struct sp_bench_writes *found)
{
    for (int i = 0; i < thread_count; i++) {
        const struct traced *a = &state.s.threads[i];
        found->written_pages = a->written.count > found->written_pages ? a->written.count : found->written_pages;
        found->touched_pages = a->touched.count > found->touched_pages ? a->touched.count : found->touched_pages;
        for (int j = 0; j < thread_count; j++)
            found->shared_pages += i != j ? shared_with(a, &state.s.threads[j]) : 0;
    }
}

int sp_bench_writes_trace(void (*subject)(void *data, int count), void *data, int count, int thread_count, struct sp_bench_writes *found)
{
    struct sigaction action, before;
    int status = sysconf(_SC_PAGESIZE) == PAGE && thread_count <= THREADS ? 0 : -1;
    memset(&action, 0, sizeof action);
    memset(found, 0, sizeof *found);
    memset(&state, 0, sizeof state);
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO;
    state.s.subject = subject;
    state.s.data = data;
    state.s.count = count;
    if (status < 0 || sigaction(SIGSEGV, &action, &before) < 0)
        return -1;
    int started = 0;
    while (started < thread_count && start(&state.s.threads[started]) == 0)
        started++;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < started; i++)
            status |= let_run(&state.s.threads[i]);
    for (int i = 0; i < started; i++)
        finish(&state.s.threads[i]);
    sigaction(SIGSEGV, &before, NULL);
    compare_all(started, found);
    return status == 0 && started == thread_count ? 0 : -1;
}
