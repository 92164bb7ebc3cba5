#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every way to start, to have children and to end ($1: start, children, end) on $2 ranks: the program does what it does without us,
# and what can be kept is kept.
# shellcheck source=tests/mpi/life/life.sh
. "$(dirname "$0")/life.sh"
kind=$1 ranks=$2

# kind, mode, what it leaves (file; spill: to be merged; none; either: a file, unless this MPI refuses it), barriers of a rank
rows='
start     normal                file   10
start     own_code              file   10
start     never                 none   0
start     initialized_only      none   0
start     pcontrol_early        either 10
start     pcontrol_off          file   10
start     thread_level          file   10
start     early_regions         file   10
start     close_all_before      file   10
start     close_files_after     file   20
start     close_stderr          file   10
children  with_fork             file   10
children  with_exec             file   10
children  with_system           file   10
children  spawn                 either 10
end       exit_early            spill  10
end       return_early          spill  10
end       exit_at_once          spill  10
end       abort_one             spill  10
end       abort_c               spill  10
end       sigterm               spill  10
end       sigkill               spill  10
end       sigsegv               spill  10
end       error_in_mpi          spill  10
end       own_handler           file   10
end       region_late           file   10
end       region_in_destructor  file   10
end       finalize_in_thread    file   10
'

check() { # check MODE LEAVES BARRIERS
    local mode=$1 leaves=$2 barriers=$3 file=run.h5
    tidy
    observe plain run_mpi "$ranks" "$life" "$mode"
    if [ "$leaves" = either ]; then
        [ "$(cat plain.code)" = 0 ] || { echo "$mode: this MPI refuses it"; return; }
        leaves="file"
    fi
    observe recorded run_mpi "$ranks" "LD_PRELOAD=$build_preload" "SP_SPILL_DIR=$SP_SPILL_DIR" SP_OUTPUT=run.h5 "$life" "$mode"
    unharmed "$mode on $ranks"
    case $leaves in
    file)
        [ -f run.h5 ] || { fail "$mode on $ranks: no file"; cat recorded.err >&2; ls -R . >&2; return; }
        if [ "$mode" = spawn ]; then
            holds "spawn: the children have their own file" test "$(find . -maxdepth 1 -name 'run*.h5' | wc -l)" = 2
            file=$(parents_file)
        fi
        count_is "$mode on $ranks" $((barriers * ranks)) "$file"
        same "$mode on $ranks: stderr of its own" plain.own recorded.own
        holds "$mode on $ranks: nothing else stays" test -z "$(find spill -name '*.spill')$(find . -maxdepth 1 -name '*.part*')"
        ;;
    spill) recovered "$mode on $ranks" $((barriers * ranks)) ;;
    none) holds "$mode on $ranks: leaves nothing" test -z "$(find . -name '*.spill' -o -name '*.h5*')" ;;
    esac
}

# Parents and children are runs of their own: of the two files, the one with the parents' ranks.
parents_file() {
    local file
    for file in run*.h5; do
        if "$BIN/sp-pproc" inspect "$file" 2>/dev/null | grep 'MPI_Comm_spawn' >/dev/null; then echo "$file"; return; fi
    done
    echo run.h5
}

while read -r row_kind mode leaves barriers; do
    if [ "$row_kind" = "$kind" ] && [[ $mode =~ ${3:-.} ]]; then check "$mode" "$leaves" "$barriers"; fi
done <<<"$rows"
finish
