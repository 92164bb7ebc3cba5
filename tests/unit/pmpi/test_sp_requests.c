/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_requests.h"

#include <string.h>

struct sp_mpi sp_mpi;

/* A handle that only has to be equal to itself. */
static MPI_Request handle_of(uintptr_t n)
{
    MPI_Request handle;
    memset(&handle, 0, sizeof handle);
    memcpy(&handle, &n, sizeof handle < sizeof n ? sizeof handle : sizeof n);
    return handle;
}

static void add(uintptr_t n, int64_t bytes, int is_persistent)
{
    struct sp_request request = {.handle = handle_of(n), .bytes = bytes, .is_persistent = is_persistent, .is_active = !is_persistent};
    sp_requests_add(&request);
}

static int64_t complete(uintptr_t n)
{
    struct sp_request request = {0};
    return sp_requests_complete(handle_of(n), &request) ? request.bytes : -1;
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
        assert_true(sp_requests_start(handle_of(48), &request));
        assert_false(sp_requests_start(handle_of(48), &request));
        assert_int_equal(complete(48), 20);
    }
    sp_requests_forget(handle_of(48));
    assert_false(sp_requests_start(handle_of(48), &request));
    assert_false(sp_requests_any());
}

static void every_request_has_a_number_of_its_own(void **state)
{
    (void)state;
    struct sp_request a, b;
    add(16, 1, 0);
    add(16, 1, 0);
    assert_true(sp_requests_complete(handle_of(16), &a));
    assert_true(sp_requests_complete(handle_of(16), &b));
    assert_int_equal(b.number, a.number + 1);
    assert_true(a.number > 0);
}

static void a_hundred_thousand_are_found_again(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    for (uintptr_t i = 0; i < COUNT; i++)
        add((i + 1) * 16, (int64_t)i, 0);
    for (uintptr_t i = COUNT; i-- > 0;)
        assert_int_equal(complete((i + 1) * 16), i);
    assert_false(sp_requests_any());
}

static void freeing_a_million_active_ones_leaves_none(void **state)
{
    (void)state;
    for (int i = 0; i < 1000000; i++) {
        add(64, i, 0);
        sp_requests_forget(handle_of(64));
    }
    assert_false(sp_requests_any());
}

static void handles_are_saved_only_where_something_is_known(void **state)
{
    (void)state;
    MPI_Request handles[100];
    struct sp_saved saved;
    for (int i = 0; i < 100; i++)
        handles[i] = handle_of((uintptr_t)(i + 1) * 16);
    sp_saved_take(&saved, 100, handles);
    assert_int_equal(saved.count, 0);
    sp_saved_drop(&saved);
    add(16, 1, 0);
    sp_saved_take(&saved, 100, handles);
    assert_int_equal(saved.count, 100);
    assert_memory_equal(&saved.handles[99], &handles[99], sizeof handles[0]);
    assert_non_null(sp_saved_statuses(&saved, MPI_STATUSES_IGNORE));
    sp_saved_drop(&saved);
    sp_saved_take(&saved, -1, handles);
    assert_int_equal(saved.count, 0);
    sp_saved_drop(&saved);
    assert_int_equal(complete(16), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_requests_of_one_handle_complete_in_order),
        cmocka_unit_test(a_persistent_request_is_there_until_it_is_freed),
        cmocka_unit_test(every_request_has_a_number_of_its_own),
        cmocka_unit_test(a_hundred_thousand_are_found_again),
        cmocka_unit_test(freeing_a_million_active_ones_leaves_none),
        cmocka_unit_test(handles_are_saved_only_where_something_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
