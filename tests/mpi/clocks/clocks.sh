#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Hosts whose clocks are known to differ: spaces with a name and a CLOCK_MONOTONIC_RAW of their own on this machine. The offsets that
# ping-pongs find are those that were set, and calls on both sides of a message come in order.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
here=$source/tests/mpi/clocks

unshare --uts --time --monotonic 1000 --fork true 2>/dev/null || skip "no time namespaces here (Linux 5.6, util-linux 2.36, root)"
nsenter --help | grep -q -- --time || skip "this nsenter knows no time namespaces"

host_pids=(0)
start_host() { # start_host NAME SECONDS: a process in spaces of its own, its pid in host_pids
    unshare --uts --time --monotonic "$2" bash -c 'hostname "$1" && echo up >"$1.up" && exec sleep 300' _ "$1" &
    host_pids+=($!)
    cleanup+=("kill $!")
    for _ in $(seq 100); do
        [ -s "$1.up" ] && return
        sleep 0.05
    done
    skip "a host of our own does not start"
}
start_host sp-one 1000
start_host sp-two 2000000
start_host sp-three 50
ahead=(0 1000 2000000 50)

try() { # try NAME "HOST OF RANK 0 ..." [SETTING...]
    local name=$1 pids=() shifts=() host hosts
    read -ra hosts <<<"$2"
    shift 2
    for host in "${hosts[@]}"; do pids+=("${host_pids[$host]}") shifts+=("${ahead[$host]}"); done
    rm -f run.h5
    holds "$name: it runs" run_mpi "${#hosts[@]}" "LD_PRELOAD=$preload" SP_OUTPUT=run.h5 "$@" \
        bash "$here/on_host.sh" "${pids[*]}" "$build_folder/tests/token"
    holds "$name: offsets are as set, calls in order" "$build_folder/tests/check_clocks" run.h5 "$way" "${shifts[@]}"
}
preload=$build_preload way=measured
try "one host" "0 0"
try "two hosts" "0 1"
try "two hosts, the first one ahead" "1 0"
try "two hosts of two" "0 0 1 1"
try "two hosts, ranks in turn" "1 2 1 2"
try "four hosts" "0 1 2 3"
try "two hosts, SP_CLOCK=monotonic" "0 1" SP_CLOCK=monotonic

preload=$build_preload:$build_folder/tests/libno_split.so way=calendar
try "an MPI that refuses communicators" "0 1"
finish
