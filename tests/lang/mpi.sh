#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Regions, contexts and instrumented functions of an MPI program: one runtime, whose run is MPI's.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"

"$build_mpicc" -g -O1 -finstrument-functions "-finstrument-functions-exclude-function-list=sp_" -I"$include" "$here/mpi.c" -o solver -ldl
run_mpi 2 ./solver >plain.out
run_mpi 2 LD_PRELOAD="$build_preload:$build_folder/lib/libsp_functions.so" ./solver >recorded.out 2>recorded.err
same "stdout" plain.out recorded.out
holds "one file, named before MPI_Init" test "$(basename "$(file_of)")" = set.h5
cat >expected <<'LIST'
0 1 main > after sp_finalize
0 1 main > before the run
0 1 main
0 5 main > of a library
0 5 main > of a library > step
0 5 main > of a library > step > step
0 5 main > of a library > step > step > MPI_Allreduce
LIST
LC_ALL=C sort -o expected expected
same "call paths, once a rank" expected <(dump paths | grep -v 'MPI_[CFI][a-z_]*$' | LC_ALL=C sort -u)
holds "both ranks have them" test "$(dump paths | grep -c '^0 5 main > of a library > step > step$')" = 2
line=$(addr2line -e solver "0x$(nm solver | awk '$3 == "main" {print $1}')" | sed 's/.*://; s/ .*//')
dump regions >regions
holds "a function of both ranks is one region, with its line" grep -qE "^2 4 main( \[mpi\.c:$line\])?$" regions
finish
