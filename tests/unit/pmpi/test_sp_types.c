/* SPDX-License-Identifier: BSD-3-Clause */
#include "../sp_test.h"
#include "sp_types.h"

#include <string.h>

struct sp_mpi sp_mpi;

/* A handle that only has to be equal to itself. */
static MPI_Datatype handle_of(uintptr_t n)
{
    MPI_Datatype handle;
    memset(&handle, 0, sizeof handle);
    memcpy(&handle, &n, sizeof handle < sizeof n ? sizeof handle : sizeof n);
    return handle;
}

static int asked;
static MPI_Count size_of_all;

static int type_size(MPI_Datatype type, MPI_Count *size)
{
    (void)type;
    asked++;
    *size = size_of_all;
    return MPI_SUCCESS;
}

static int setup(void **state)
{
    (void)state;
    sp_mpi.Type_size_x = type_size;
    sp_types_forget();
    asked = 0;
    return 0;
}

static void a_size_is_asked_for_once(void **state)
{
    (void)state;
    size_of_all = 8;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(sp_types_size(handle_of(4096)), 8);
    assert_int_equal(asked, 1);
}

static void a_handle_that_comes_again_has_its_new_size(void **state)
{
    (void)state;
    size_of_all = 8;
    assert_int_equal(sp_types_size(handle_of(4096)), 8);
    sp_types_forget();
    size_of_all = 24;
    assert_int_equal(sp_types_size(handle_of(4096)), 24);
}

static void sizes_are_of_64_bits(void **state)
{
    (void)state;
    size_of_all = (MPI_Count)5 << 40;
    assert_int_equal(sp_types_size(handle_of(64)), (int64_t)5 << 40);
    assert_int_equal(sp_types_size(handle_of(64)), (int64_t)5 << 40);
    size_of_all = -1; /* MPI cannot say */
    assert_int_equal(sp_types_size(handle_of(80)), 0);
}

static void nothing_is_asked_about_no_type(void **state)
{
    (void)state;
    size_of_all = 8;
    sp_mpi.type_null = handle_of(48);
    assert_int_equal(sp_types_size(handle_of(48)), 0);
    assert_int_equal(asked, 0);
}

static void many_types_are_told_apart(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++)
        for (uintptr_t i = 1; i <= 1000; i++) {
            size_of_all = (MPI_Count)i;
            assert_int_equal(sp_types_size(handle_of(i * 352)), (int64_t)i);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_size_is_asked_for_once, setup),
        cmocka_unit_test_setup(a_handle_that_comes_again_has_its_new_size, setup),
        cmocka_unit_test_setup(sizes_are_of_64_bits, setup),
        cmocka_unit_test_setup(nothing_is_asked_about_no_type, setup),
        cmocka_unit_test_setup(many_types_are_told_apart, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
