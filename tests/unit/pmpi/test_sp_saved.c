/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_fortran.h"
#include "sp_key.h"
#include "sp_requests.h"
#include "sp_saved.h"

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

static void add(uintptr_t n)
{
    struct sp_request request = {.key = sp_key_of_request(handle_of(n)), .is_active = 1};
    sp_requests_add(&request);
}

static void complete(uintptr_t n)
{
    struct sp_request request;
    assert_true(sp_requests_complete(sp_key_of_request(handle_of(n)), &request));
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
    add(16);
    sp_saved_take(&saved, 100, handles);
    assert_int_equal(saved.count, 100);
    assert_memory_equal(&saved.handles[99], &handles[99], sizeof handles[0]);
    assert_non_null(sp_saved_statuses(&saved, MPI_STATUSES_IGNORE));
    sp_saved_drop(&saved);
    sp_saved_take(&saved, -1, handles);
    assert_int_equal(saved.count, 0);
    sp_saved_drop(&saved);
    complete(16);
}

static void the_programs_statuses_are_used_where_it_wants_them(void **state)
{
    (void)state;
    MPI_Request handles[2] = {handle_of(16), handle_of(32)};
    MPI_Status statuses[2];
    struct sp_saved saved;
    add(16);
    sp_saved_take(&saved, 2, handles);
    assert_ptr_equal(sp_saved_statuses(&saved, statuses), statuses);
    sp_saved_drop(&saved);
    complete(16);
    sp_saved_take(&saved, 2, handles); /* nothing known: nobody needs statuses */
    assert_true(sp_saved_statuses(&saved, MPI_STATUSES_IGNORE) == MPI_STATUSES_IGNORE);
    sp_saved_drop(&saved);
}

static void a_sentinel_of_fortran_is_known_by_its_address(void **state)
{
    (void)state;
    static MPI_Fint ignore[8], program[64];
    MPI_Request handles[2] = {handle_of(16), handle_of(32)};
    MPI_Status own;
    struct sp_saved saved;
    sp_mpi.status_ignore = sp_mpi.statuses_ignore = ignore;
    assert_ptr_equal(sp_fortran_status(ignore, &own), &own);
    assert_ptr_equal(sp_fortran_status(program, &own), program);
    add(16);
    sp_saved_take(&saved, 2, handles);
    assert_ptr_equal(sp_fortran_passed_all(sp_saved_statuses_fortran(&saved, ignore), ignore), saved.few_statuses);
    assert_ptr_equal(sp_fortran_passed_all(sp_saved_statuses_fortran(&saved, program), program), program);
    sp_saved_drop(&saved);
    complete(16);
    sp_saved_take(&saved, 2, handles);
    assert_ptr_equal(sp_fortran_passed_all(sp_saved_statuses_fortran(&saved, ignore), ignore), ignore);
    sp_saved_drop(&saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_are_saved_only_where_something_is_known),
        cmocka_unit_test(the_programs_statuses_are_used_where_it_wants_them),
        cmocka_unit_test(a_sentinel_of_fortran_is_known_by_its_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
