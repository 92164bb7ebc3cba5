/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that come and go record random programs into the real tool object, while others ask, flush and pause: every call is counted
 * once. Under the thread sanitizer this is what shows a race. */
#define _GNU_SOURCE /* setenv, usleep */
#include "../sp_test.h"
#include "sp_process.h"
#include "sp_record.h"
#include "sp_tally.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REGIONS = 12, THREADS = 4, ROUNDS = 6, STEPS = 60000 };

static int regions[REGIONS];
static uint64_t counted[REGIONS]; /* atomic */
static int is_over;               /* atomic */

static int region_named(const char *name)
{
    const struct sp_region_key key = {.name = name, .name_bytes = strlen(name), .line = -1};
    return sp_registry_id(sp_process_get()->registry, &key);
}

/* A well nested program of random regions, never deeper than 20. */
static void *work(void *seed)
{
    uint64_t random = (uint64_t)(uintptr_t)seed, own[REGIONS] = {0};
    int stack[20], depth = 0;
    for (int i = 0; i < STEPS || depth > 0; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int region = (int)((random >> 33) % REGIONS), is_begin = (random >> 40) % 2 == 0;
        if (i < STEPS && is_begin && depth < 20) {
            sp_record_begin(regions[region]);
            stack[depth++] = region;
        } else if (depth > 0) {
            sp_record_end(regions[stack[--depth]]);
            own[stack[depth]]++;
        }
    }
    for (int r = 0; r < REGIONS; r++)
        __atomic_fetch_add(&counted[r], own[r], __ATOMIC_RELAXED);
    return NULL;
}

/* Asks what a program can ask at any time. */
static void *ask(void *unused)
{
    (void)unused;
    for (int i = 0; !__atomic_load_n(&is_over, __ATOMIC_RELAXED); i++) {
        sp_region_stats stats;
        sp_record_begin(regions[i % REGIONS]);
        sp_record_end(regions[i % REGIONS]);
        __atomic_fetch_add(&counted[i % REGIONS], 1, __ATOMIC_RELAXED);
        assert_int_equal(sp_tally_stats(regions[i % REGIONS], &stats), SP_OK);
        if (i % 16 == 0)
            assert_int_equal(sp_tally_flush(), SP_OK);
        char name[32];
        snprintf(name, sizeof name, "new %d", i % 300);
        region_named(name);
        usleep(200);
    }
    return NULL;
}

static void start_run(void)
{
    struct sp_error err = {0};
    struct sp_run run = {
        .rank_count = 1, .speaks = 1, .local_count = 1, .run_id = "threads", .output_path = "", .work_path = "", .thread_level = -1};
    if (sp_process_start(&run, &err) < 0)
        fail_msg("%s", err.text);
}

/* They live as long as the process, in memory where the leak checker does not look for pointers. */
static void free_lanes(void)
{
    struct sp_process *process = sp_process_get();
    for (struct sp_lane *lane = process->lanes, *next; lane; lane = next) {
        next = lane->next;
        sp_lane_destroy(lane);
    }
    process->lanes = process->idle_lanes = NULL;
}

static void every_call_of_every_thread_counts_once(void **state)
{
    (void)state;
    pthread_t asker, threads[THREADS];
    for (int r = 0; r < REGIONS; r++) {
        char name[32];
        snprintf(name, sizeof name, "region %d", r);
        regions[r] = region_named(name);
    }
    assert_int_equal(pthread_create(&asker, NULL, ask, NULL), 0);
    for (int round = 0; round < ROUNDS; round++) {
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, work, (void *)(uintptr_t)(1 + round * THREADS + t)), 0);
        if (round == 1)
            start_run(); /* in the middle of their work, as MPI_Init is */
        for (int t = 0; t < THREADS; t++)
            pthread_join(threads[t], NULL);
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    pthread_join(asker, NULL);
    sp_process_stop(0, 0);
    for (int r = 0; r < REGIONS; r++) {
        sp_region_stats stats;
        assert_int_equal(sp_tally_stats(regions[r], &stats), SP_OK);
        assert_int_equal(stats.calls, counted[r]);
    }
    sp_process_discard();
    free_lanes();
}

int main(void)
{
    char folder[] = "sp-threads-XXXXXX";
    if (!mkdtemp(folder))
        return 2;
    setenv("SP_ENABLE", "1", 1);
    setenv("SP_SPILL_DIR", folder, 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_of_every_thread_counts_once)};
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return status;
}
