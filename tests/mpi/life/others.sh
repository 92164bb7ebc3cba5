#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Where not every process has the library, and where other tools are in the process too.
# shellcheck source=tests/mpi/life/life.sh
. "$(dirname "$0")/life.sh"

set_for_one() { # set_for_one NAME=VALUE...: launcher arguments for the next program only
    local setting
    for setting in "$@"; do
        if [ "$build_mpi" = openmpi ]; then printf '%s\n' -x "$setting"; else printf '%s\n' -env "${setting%%=*}" "${setting#*=}"; fi
    done
}
mapfile -t preload < <(set_for_one "LD_PRELOAD=$build_preload" "SP_SPILL_DIR=$SP_SPILL_DIR" SP_OUTPUT=run.h5)

mpirun() { # mpirun ARGUMENTS
    # shellcheck disable=SC2086
    timeout -k 5 "$PATIENCE" $build_mpirun "$@"
}

one_run() { # one_run NAME RANKS-IN-FILE: unharmed, and one file with the ranks that took part
    unharmed "$1"
    if [ ! -s run.h5 ]; then
        fail "$1: no file"
        cat recorded.err >&2
    else
        count_is "$1" $((10 * $2)) run.h5
    fi
    holds "$1: nothing else stays" test -z "$(find spill -name '*.spill')$(find . -maxdepth 1 -name '*.part*')"
    tidy
}

# Several programs, one side without the library.
observe plain mpirun -n 1 "$life" normal : -n 2 "$life" normal
observe recorded mpirun -n 1 "${preload[@]}" "$life" normal : -n 2 "$life" normal
one_run "two programs, the first recorded" 1
observe recorded mpirun -n 1 "$life" normal : -n 2 "${preload[@]}" "$life" normal
one_run "two programs, the second recorded" 2
observe recorded mpirun -n 1 "${preload[@]}" "$life" normal : -n 2 "${preload[@]}" "$life" normal
one_run "two programs, both recorded" 3

speaks() { # speaks NAME TEXT RANKS: one line says where the file is, one other has the text
    holds "$1: the first recorded rank says that there is a file, and of whom" \
        grep -qE "^scope-profiler: wrote $work/run.h5 \\($3 rank\\(s\\), " recorded.err
    holds "$1: it alone" test "$(grep -c '^scope-profiler: wrote' recorded.err)" = 1
    holds "$1: what it had to say before, once" test "$(grep -cF "$2" recorded.err)" = 1
    rm -f run.h5
}

# Who speaks for the run, also of what is known before MPI is there: a setting that is none.
mapfile -t wrong < <(set_for_one SP_TRACE_LIMIT=much)
observe recorded mpirun -n 1 "$life" normal : -n 2 "${preload[@]}" "${wrong[@]}" "$life" normal
speaks "two programs, the second recorded" SP_TRACE_LIMIT=much "2 of 3"
observe recorded mpirun -n 2 "${preload[@]}" "${wrong[@]}" "$life" normal
speaks "one program" SP_TRACE_LIMIT=much 2
mapfile -t off < <(set_for_one SP_ENABLE=0)
observe recorded mpirun -n 1 "${preload[@]}" "${off[@]}" "$life" normal : -n 2 "${preload[@]}" "${wrong[@]}" "$life" normal
speaks "two programs, the first one switched off" SP_TRACE_LIMIT=much "2 of 3"

# A wrapper script that preloads some ranks only.
cat >wrapper <<'SH'
#!/bin/sh
rank=${PMIX_RANK:-$PMI_RANK}
case $rank in $RECORDED) LD_PRELOAD=$LIBRARY; export LD_PRELOAD ;; esac
exec "$@"
SH
chmod +x wrapper
export LIBRARY=$build_preload SP_OUTPUT=run.h5
observe plain run_mpi 3 "$life" normal
for row in 0:1 1:1 2:1 '[02]:2' '[12]:2'; do
    observe recorded run_mpi 3 "RECORDED=${row%:*}" ./wrapper "$life" normal
    one_run "a wrapper that preloads rank ${row%:*} of 3" "${row#*:}"
done
unset SP_OUTPUT

# One of the recorded dies, with the others unrecorded: nobody waits for anybody.
observe plain mpirun -n 1 "$life" sigkill : -n 1 "$life" sigkill
observe recorded mpirun -n 1 "$life" sigkill : -n 1 "${preload[@]}" "$life" sigkill
unharmed "two programs, the recorded one is killed"
recovered "two programs, the recorded one is killed" 10
tidy

# Another tool of our kind, before and behind us.
cat >tool.c <<'C'
#include <mpi.h>
#include <stdio.h>
static int barriers;
int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}
__attribute__((destructor)) static void tell(void)
{
    if (barriers)
        printf("the tool saw %d barriers\n", barriers);
}
C
"$build_mpicc" -shared -fPIC tool.c -o libtool.so 2>/dev/null || fail "compiling the tool"
observe plain run_mpi 2 "LD_PRELOAD=$work/libtool.so" "$life" normal
holds "the tool works alone" grep -q '^the tool saw' plain.out
observe recorded run_mpi 2 "LD_PRELOAD=$build_preload:$work/libtool.so" SP_OUTPUT=run.h5 "$life" normal
grep -o 'the tool saw [0-9]* barriers' plain.raw | LC_ALL=C sort >expected.txt
grep -o 'the tool saw [0-9]* barriers' recorded.raw | LC_ALL=C sort >got.txt || true
same "a tool behind us sees what it sees alone" expected.txt got.txt
one_run "a tool behind us" 2
observe recorded run_mpi 2 "LD_PRELOAD=$work/libtool.so:$build_preload" SP_OUTPUT=run.h5 "$life" normal
grep -o 'the tool saw [0-9]* barriers' recorded.raw | LC_ALL=C sort >got.txt || true
same "a tool before us sees what it sees alone" expected.txt got.txt
one_run "a tool before us (what it takes for itself is not ours)" 0

# A tool that ends the run behind our back: PMPI_Finalize without us.
sed 's/MPI_Barrier(MPI_Comm comm)/MPI_Finalize(void)/; s/PMPI_Barrier(comm)/PMPI_Finalize()/' tool.c >ender.c
"$build_mpicc" -shared -fPIC ender.c -o libender.so 2>/dev/null || fail "compiling the tool"
observe plain run_mpi 2 "LD_PRELOAD=$work/libender.so" "$life" normal
observe recorded run_mpi 2 "LD_PRELOAD=$work/libender.so:$build_preload" SP_OUTPUT=run.h5 "$life" normal
unharmed "a tool that calls PMPI_Finalize before us"
recovered "a tool that calls PMPI_Finalize before us" 20
tidy

# Ctrl-C, and the launcher ended by the batch system.
for signal in INT TERM; do
    # shellcheck disable=SC2086
    observe plain timeout --preserve-status -s $signal 2 $build_mpirun -n 2 "$life" wait_long
    # shellcheck disable=SC2086
    observe recorded timeout --preserve-status -s $signal 2 $build_mpirun -n 2 "${preload[@]}" "$life" wait_long
    if [ "$build_mpi" = mpich ]; then # Hydra tells the same end in one of two ways
        cp recorded.out plain.out
        holds "SIG$signal to the launcher: exit code" grep -qxE '0|2|15' recorded.code
        cp recorded.code plain.code
    fi
    unharmed "SIG$signal to the launcher"
    sleep 0.5
    recovered "SIG$signal to the launcher" 20
    tidy
done
finish
