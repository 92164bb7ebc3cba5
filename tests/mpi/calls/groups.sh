#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# SP_MPI_GROUPS: only the calls of the groups named are recorded, and what they say of bytes is right though the calls they depend on
# (types that are freed, receives that are posted, windows that are made) are not recorded themselves.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/mpi/calls/expect.sh
. "$source/tests/mpi/calls/expect.sh"

with_groups() { # with_groups PROGRAM RANKS GROUPS PATTERN [MORE]: the expected rows whose functions fit, and MORE of each rank
    local r
    {
        expect "$1" "$2" trace | grep -E " (MPI_(Init|Init_thread|Finalize)|$4) " || true
        for ((r = 0; r < $2; r++)); do for more in "${@:5}"; do echo "$r $more"; done; done
    } | LC_ALL=C sort -k1,1n -k2,2 >expected
    rm -f run.h5
    run_mpi "$2" "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 SP_TRACE_LIMIT=1G "SP_MPI_GROUPS=$3" "$build_folder/tests/$1" >out 2>err || fail "$1 with $3"
    list_calls run.h5 >found || fail "$1 with $3: no file"
    same "$1 with SP_MPI_GROUPS=$3" expected found
}

with_groups sizes 2 collective 'MPI_(Bcast|Alltoallw)'
with_groups sizes 2 completion 'MPI_Wait'
with_groups sizes 2 p2p,datatype 'MPI_(Ssend|Irecv|Send|Type_.*)'
with_groups requests 1 p2p 'MPI_(Irecv|Isend|Recv_init|Send_init|Start|Cancel|Send|Mrecv|Imrecv)'
with_groups requests 1 completion 'MPI_(Wait.*|Test.*|Request_free)'
with_groups requests 1 probe 'MPI_(Mprobe|Iprobe)'
with_groups rma 2 rma 'MPI_(Win_.*|Put|Get|Rput|Accumulate|Get_accumulate|Fetch_and_op)'
with_groups io 2 io 'MPI_File_.*'
with_groups in_place 2 all '.*' 'MPI_Comm_rank 1 0 0' 'MPI_Comm_size 1 0 0'
with_groups in_place 2 local 'none' 'MPI_Comm_rank 1 0 0' 'MPI_Comm_size 1 0 0'
finish
