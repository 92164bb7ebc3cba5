#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# comms.sh RANKS (2 or 3): every communicator once, with its members and the names the program gave; who exchanged what with whom in
# global ranks; postings and completions carry the same number.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/mpi/calls/expect.sh
. "$source/tests/mpi/calls/expect.sh"
ranks=$1

record() { # record PROGRAM RANKS
    rm -f run.h5
    holds "$1 runs" run_mpi "$2" "LD_PRELOAD=$build_preload" SP_OUTPUT=run.h5 SP_TRACE_LIMIT=1G "$build_folder/tests/$1"
}

world=0,1 evens='1 0' odds='1 1' merged=0,1
if [ "$ranks" = 3 ]; then world=0,1,2 evens='2 0,2' merged=0,2,1; fi
{
    echo "$ranks $world 'MPI_COMM_WORLD'"
    echo "$ranks $world 'ocean, \"deep\"'"
    echo "$ranks $world 'later'"
    for ((i = 0; i < 20; i++)); do echo "$ranks $world ''"; done
    echo "$evens ''"
    echo "$odds ''"
    for i in 1 2; do # the bridge between the halves, of which one side is listed, and both merged
        echo "$evens ''"
        echo "$ranks $merged ''"
    done
    for i in 1 2 3; do echo "1 0 ''"; done # made by one process alone
} | sort >expected
record comms "$ranks"
list_calls run.h5 communicators | sort >found
same "communicators on $ranks ranks" expected found

# right: 3 puts of 40, an accumulate of 16, atomics of 32, 0 and 8, a put of 48; back come 56, 2 x 32 and 8. The window on the
# communicator whose ranks are turned round takes 8 at its rank 0, which is the last of the world.
for ((r = 0; r < ranks; r++)); do
    for ((p = 0; p < ranks; p++)); do
        to=$(((p == (r + 1) % ranks) * 224 + (p == ranks - 1) * 8)) from=$(((p == (r + 1) % ranks) * 128))
        if [ $((to + from)) -gt 0 ]; then echo "$r $p $to $from"; fi
    done
done >expected
record rma "$ranks"
list_calls run.h5 peers >found
same "one-sided traffic by peer on $ranks ranks" expected found

# 10^5 receives and as many sends; 2 x 2 starts of persistent ones; a cancelled receive and a thousand given up; 2 sends and 1
# receive of probed messages: all but the given up appear twice, at the posting and at the completion.
record requests 1
echo "0 $((2 * (200000 + 1 + 2 + 1) + 2 * 4 + 1000)) $((200000 + 2 + 1 + 1000 + 3))" >expected
list_calls run.h5 requests >found
same "requests by number" expected found
finish
