#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that uses MPI in sessions only runs as it does alone, and is told once that there is no file.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
program=$build_folder/tests/sessions_only

code=0
run_mpi 2 "$program" >plain 2>plain.err || code=$?
[ "$code" = 77 ] && skip "this MPI has no sessions"
[ "$code" = 0 ] || skip "sessions do not work here"
holds "it runs" run_mpi 2 "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 "$program" >recorded 2>recorded.err
same "its output is its own" <(sort plain) <(sort recorded | grep -v '^ok:')
echo "scope-profiler: MPI was used in sessions only, without MPI_Init: there is no file" >wanted
same "one line says that there is no file" wanted recorded.err
holds "and nothing is left" test -z "$(find . -name '*.h5' -o -name '*.part*')"
finish
