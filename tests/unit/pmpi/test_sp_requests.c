/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_requests.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static void add(uint64_t n, int64_t bytes, uint8_t is_persistent)
{
    struct sp_request request = {.key = n, .bytes = bytes, .is_persistent = is_persistent, .is_active = !is_persistent};
    sp_requests_add(&request);
}

static int64_t complete(uint64_t n)
{
    struct sp_request request = {0};
    return sp_requests_complete(n, &request) ? request.bytes : -1;
}

static void live_requests_of_one_handle_complete_in_order(void **state)
{
    (void)state;
    add(16, 1, 0);
    add(32, 100, 0);
    add(16, 2, 0);
    add(16, 3, 0);
    assert_int_equal(complete(16), 1);
    assert_int_equal(complete(16), 2);
    assert_int_equal(complete(32), 100);
    assert_int_equal(complete(16), 3);
    assert_int_equal(complete(16), -1);
    assert_false(sp_requests_any());
}

static void a_persistent_request_is_there_until_it_is_freed(void **state)
{
    (void)state;
    struct sp_request request;
    add(48, 20, 1);
    assert_int_equal(complete(48), -1); /* inactive: a Waitall over it says nothing */
    for (int i = 0; i < 3; i++) {
        assert_true(sp_requests_start(48, &request));
        assert_int_equal(complete(48), 20);
    }
    assert_true(sp_requests_start(48, &request));
    assert_true(sp_requests_start(48, &request)); /* its completion was not seen */
    sp_requests_forget(48);
    assert_false(sp_requests_start(48, &request));
    assert_false(sp_requests_any());
}

static void every_request_has_a_number_of_its_own(void **state)
{
    (void)state;
    struct sp_request a, b;
    add(16, 1, 0);
    add(16, 1, 0);
    assert_true(sp_requests_complete(16, &a));
    assert_true(sp_requests_complete(16, &b));
    assert_true(a.number > 0 && b.number > 0 && a.number != b.number);
}

static void a_hundred_thousand_are_found_again(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    for (uint64_t i = 0; i < COUNT; i++)
        add((i + 1) * 16, (int64_t)i, 0);
    for (uint64_t i = COUNT; i-- > 0;)
        assert_int_equal(complete((i + 1) * 16), i);
    assert_false(sp_requests_any());
}

static void freeing_a_million_active_ones_leaves_none(void **state)
{
    (void)state;
    for (int i = 0; i < 1000000; i++) {
        add(64, i, 0);
        sp_requests_forget(64);
    }
    assert_false(sp_requests_any());
}

enum { THREADS = 4, EACH = 20000 };

/* Each thread posts under handles of its own and completes its neighbour's. */
static void *post_and_complete(void *number)
{
    uint64_t own = *(const uint64_t *)number, other = (own + 1) % THREADS, completed = 0;
    for (uint64_t i = 0; i < EACH; i++)
        add(((own * EACH + i) + 1) * 16, 1, 0);
    while (completed < EACH)
        if (complete((other * EACH + completed + 1) * 16) == 1)
            completed++;
        else
            sched_yield();
    return NULL;
}

static void threads_complete_what_they_and_others_posted(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    uint64_t numbers[THREADS];
    for (uint64_t i = 0; i < THREADS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, post_and_complete, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_false(sp_requests_any());
}

static long resident_pages(void)
{
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld %ld", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident;
}

static void memory_is_that_of_the_most_alive_together(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100000; i++)
        add(i * 16 + 16, 1, 0);
    for (uint64_t i = 0; i < 100000; i++)
        complete(i * 16 + 16);
    long before = resident_pages();
    for (uint64_t i = 0; i < 1000000; i++) {
        add(i * 16 + 16, 1, 0);
        assert_int_equal(complete(i * 16 + 16), 1);
    }
    assert_true(resident_pages() - before < 256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_requests_of_one_handle_complete_in_order),
        cmocka_unit_test(a_persistent_request_is_there_until_it_is_freed),
        cmocka_unit_test(every_request_has_a_number_of_its_own),
        cmocka_unit_test(a_hundred_thousand_are_found_again),
        cmocka_unit_test(freeing_a_million_active_ones_leaves_none),
        cmocka_unit_test(threads_complete_what_they_and_others_posted),
        cmocka_unit_test(memory_is_that_of_the_most_alive_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
