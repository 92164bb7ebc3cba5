#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The generated wrappers fit headers of MPI-4: the stub in mpi4/, and that of an MPI-4 that is installed beside ours. What a header
# does not declare is left out.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

compile() { # compile NAME FLAVOUR FOLDER...: generates and compiles
    local name=$1 flavour=$2 file includes=()
    shift 2
    for file in "$@"; do includes+=("-I$file"); done
    holds "$name: wrappers are made" "$source/pmpi/generate_wrappers" "$source/pmpi/mpi_table.def" "$name" "$flavour" "$build_cc" "$@"
    for file in sp_wrappers sp_wrappers_fortran; do
        holds "$name: $file.c fits" "$build_cc" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only \
            -I"$source/pmpi" -I"$name" "${includes[@]}" -I"$source/runtime" -I"$source/runtime/include" "$name/$file.c"
    done
}

has() { # has NAME FUNCTION...: they have a wrapper
    local name=$1 function
    shift
    for function in "$@"; do holds "$name: $function has a wrapper" grep -q "\[SP_ENTRY_MPI_$function\]" "$name/sp_wrappers.c"; done
}

compile stub openmpi "$source/tests/lint/mpi4"
sed -n 's/^.* PMPI_\([A-Za-z_]*\)(.*/\1/p' "$source/tests/lint/mpi4/mpi.h" | sort >declared
sed -n 's/^    \[SP_ENTRY_MPI_\([A-Za-z_]*\)\].*/\1/p' stub/sp_wrappers.c | sort >wrapped
grep -oE '^[A-Za-z_0-9]+' "$source/pmpi/not_wrapped.txt" | sort >listed
holds "stub: every function it declares has a wrapper or a reason" test -z "$(comm -23 declared <(sort wrapped listed))"
comm -23 declared <(sort wrapped listed)
holds "stub: nothing else has one" test -z "$(comm -13 declared wrapped)"
has stub Send_c Allreduce_init_c Psend_init Parrived Session_init Comm_create_from_group

installed=$(mpicc.mpich -show 2>/dev/null | tr ' ' '\n' | sed -n 's/^-I//p' | head -n 1 || true)
if [ -n "$installed" ] && grep -q 'MPI_VERSION *4' "$installed/mpi.h"; then
    compile mpich mpich "$installed"
    has mpich Send_c Neighbor_alltoallw_init_c Type_get_contents_c Session_finalize File_iread_at_all_c
fi
finish
