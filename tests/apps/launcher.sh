#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A preload that was exported reaches mpirun too: the launcher must not mind, the program is recorded.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/apps.sh"
solver=("$build_folder/examples/heat" --size 32 --steps 2 --sweeps 2)

run_mpi 2 "${solver[@]}" >plain.out
(
    export LD_PRELOAD=$build_preload SP_OUTPUT=$work/run.h5
    run_mpi 2 "${solver[@]}" >recorded.out 2>recorded.err
) || fail "mpirun under the preload"
same "the solver prints the same" plain.out recorded.out
holds "the file is there" test -s run.h5
holds "one file only" test "$(find . -name '*.h5*' | wc -l)" = 1
[ "$failures" = 0 ] || cat recorded.err >&2
finish
