/* SPDX-License-Identifier: BSD-3-Clause */
/* make_spills DIRECTORY RANKS STEPS: the spill files of a synthetic run, for scripts and benchmarks. */
#include "spill_fixture.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: make_spills DIRECTORY RANKS STEPS\n", stderr);
        return 2;
    }
    if (spill_run_save(argv[1], "fixture-run", atoi(argv[2]), strtoull(argv[3], NULL, 10)) < 0) {
        perror(argv[1]);
        return 1;
    }
    return 0;
}
