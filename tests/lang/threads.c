/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that come and go while others record, and a region that begins on one thread and ends on another. */
#define _POSIX_C_SOURCE 200809L
#include <scope_profiler.h>

#include <pthread.h>
#include <stdio.h>

enum { COMING = 64, CALLS = 1000, STEADY = 2, STEADY_CALLS = 100000, AT_ONCE = 8 };

static int shared, foreign;

static void *record_some(void *data)
{
    for (int i = 0; i < CALLS; i++) {
        sp_begin(shared);
        SP_BEGIN("inner");
        SP_END("inner");
        sp_end(shared);
    }
    return data;
}

static void *record_all_along(void *data)
{
    for (int i = 0; i < STEADY_CALLS; i++) {
        SP_BEGIN("steady");
        SP_END("steady");
    }
    return data;
}

static void *end_for_others(void *data)
{
    sp_end(foreign);
    SP_BEGIN("after a foreign end");
    SP_END("after a foreign end");
    return data;
}

static void *look_up(void *data)
{
    char name[32];
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "common %d", i);
        sp_begin(sp_region(name));
        sp_end_last();
        sp_num_calls(shared);
    }
    return data;
}

static void start(pthread_t *threads, int count, void *(*function)(void *))
{
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, function, NULL);
}

static void join(pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    pthread_t steady[STEADY], others[AT_ONCE];
    sp_init("run", 0);
    shared = sp_region("shared");
    foreign = sp_region("foreign");
    start(steady, STEADY, record_all_along);
    for (int i = 0; i < COMING; i += AT_ONCE) {
        start(others, AT_ONCE, record_some);
        join(others, AT_ONCE);
    }
    start(others, AT_ONCE, look_up);
    join(others, AT_ONCE);
    sp_begin(foreign);
    start(others, 1, end_for_others);
    join(others, 1);
    sp_end(foreign);
    join(steady, STEADY);
    sp_region_stats stats;
    sp_get_region_stats(shared, &stats);
    if (sp_is_active() && (stats.calls != COMING * CALLS || sp_num_calls(shared) != COMING * CALLS))
        printf("threads that have ended count %d calls\n", (int)stats.calls);
    puts("done");
    return 5;
}
