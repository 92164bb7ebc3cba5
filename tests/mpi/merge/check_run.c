/* SPDX-License-Identifier: BSD-3-Clause */
/* check_run FILE RANKS STEPS [rank]: whether a file holds what make_spills' run is by hand, histograms of ranks too. */
#include "sp_test.h"
#include "file_fixture.h"

#include <stdlib.h>

static char **arguments;

static void the_file_is_that_run(void **state)
{
    (void)state;
    fixture_check(arguments[1], atoi(arguments[2]), strtoull(arguments[3], NULL, 10), arguments[4] != NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_file_is_that_run)};
    if (argc < 4)
        return 2;
    arguments = argv;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
