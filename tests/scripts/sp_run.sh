#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# sp-run: where it puts the preload on launchers' command lines, what reaches the program, exit codes, what is left is merged.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

sp_run=$BIN/sp-run
# shellcheck disable=SC2206
mpirun=($build_mpirun)
unset LD_PRELOAD SP_OUTPUT
declare -A others=([openmpi]=mpich [mpich]=openmpi)

# --- where the preload goes: @ stands for it
mkdir launchers
for name in srun mpirun.openmpi mpiexec.hydra; do printf '#!/bin/sh\nexit 0\n' >launchers/$name; done
cat >solver.c <<'C'
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, code = argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "kill") == 0) {
        if (rank == 0)
            raise(SIGKILL);
        sleep(30);
    }
    if (argc > 1 && strcmp(argv[1], "linger") == 0)
        sleep(60);
    if (rank == 0)
        printf("preload %s, argument '%s'\n", getenv("LD_PRELOAD") ? "set" : "not set", argc > 1 ? argv[1] : "");
    MPI_Finalize();
    return code;
}
C
"$build_mpicc" -O1 solver.c -o solver 2>compile.log || { cat compile.log >&2; fail "compiling"; finish; }
chmod +x launchers/*

where() { # where EXPECTED COMMAND...
    local expected=$1
    shift
    echo "$expected" >expected.txt
    # shellcheck disable=SC2001
    PATH=$PWD/launchers:$PATH "$sp_run" --dry-run "$@" 2>&1 |
        sed -e "s#/usr/bin/env /bin/sh -c '[^']*' [^ ]*/libsp_pmpi.so#@#g" -e 's# /[^ ]*/libsp_pmpi.so# libsp_pmpi.so#' >got.txt || true
    same "sp-run $*" expected.txt got.txt
}

while IFS='|' read -r expected line; do
    read -ra words <<<"$line"
    where "$expected" "${words[@]}"
done <<'TABLE'
@ ./solver|./solver
@ ./solver -n 4 : x|./solver -n 4 : x
srun @ ./solver|srun ./solver
srun -n4 -N 2 @ ./solver x|srun -n4 -N 2 ./solver x
srun -lu --mpi=pmix --time 5 --export=ALL,A=1 @ ./solver|srun -lu --mpi=pmix --time 5 --export=ALL,A=1 ./solver
srun --exclusive --ntasks 2 -c 1 --kill-on-bad-exit @ ./solver|srun --exclusive --ntasks 2 -c 1 --kill-on-bad-exit ./solver
srun -n 1 @ ./solver : -n 2 @ ./solver b|srun -n 1 ./solver : -n 2 ./solver b
srun --new-option value @ ./solver|srun --new-option value ./solver
srun --new-flag @ ./solver|srun --new-flag ./solver
mpirun.openmpi -np 2 --oversubscribe @ ./solver -x 1|mpirun.openmpi -np 2 --oversubscribe ./solver -x 1
mpirun.openmpi --mca btl self,vader -x A=1 --bind-to none @ ./solver|mpirun.openmpi --mca btl self,vader -x A=1 --bind-to none ./solver
mpirun.openmpi -n 1 @ ./solver a : -n 1 @ ./solver b|mpirun.openmpi -n 1 ./solver a : -n 1 ./solver b
mpirun.openmpi -H a,b -map-by ppr:1:node -- @ ./solver|mpirun.openmpi -H a,b -map-by ppr:1:node -- ./solver
mpiexec.hydra -n 2 -genv A B -ppn 1 @ ./solver|mpiexec.hydra -n 2 -genv A B -ppn 1 ./solver
mpiexec.hydra -genv A=B -l -n 2 @ ./solver : -env C D -n 1 @ ./solver|mpiexec.hydra -genv A=B -l -n 2 ./solver : -env C D -n 1 ./solver
mpiexec.hydra -f hosts -verbose @ /bin/cat x|mpiexec.hydra -f hosts -verbose /bin/cat x
mpirun.openmpi -wdir /nowhere -n 1 @ ./absent|mpirun.openmpi -wdir /nowhere -n 1 ./absent
sp-run: --multi-prog: programs named in a file are not understood: preload libsp_pmpi.so there|srun --multi-prog file
TABLE

# --- what reaches the program
settings_of() { "$sp_run" "$@" env | grep -E '^(SP_(OUTPUT|MODE|LABEL|INCLUDE|EXCLUDE|SUMMARY)|LD_PRELOAD)=' | LC_ALL=C sort; }
settings_of -q -o 'my run.h5' --label "a 'b'" --mode profile --include 'x*' --include 'a,b' --exclude MPI_Wait | grep -v LD_PRELOAD >got.txt
cat >expected.txt <<'TEXT'
SP_EXCLUDE=MPI_Wait
SP_INCLUDE=x*,a\,b
SP_LABEL=a 'b'
SP_MODE=profile
SP_OUTPUT=my run.h5
SP_SUMMARY=0
TEXT
same "options become settings" expected.txt got.txt
SP_MODE=trace SP_LABEL=env settings_of --mode profile | grep -v LD_PRELOAD >got.txt
printf 'SP_LABEL=env\nSP_MODE=profile\n' >expected.txt
same "an option goes before the environment" expected.txt got.txt
printf '[profiling]\noutput = of_file.h5\nlabel = of the file\n' >profiling.ini
SP_CONFIG=other.ini "$sp_run" --config profiling.ini env | grep '^SP_CONFIG=' >got.txt
echo "SP_CONFIG=$PWD/profiling.ini" >expected.txt
same "--config goes before the environment, and holds in other folders" expected.txt got.txt
own=$(ldd "$(command -v "$build_cc")" | awk '$1 ~ /^libc\.so/ {print $3}')
LD_PRELOAD=$own settings_of >got.txt
echo "LD_PRELOAD=$(cd "$BIN/../lib" && pwd)/libsp_pmpi.so:$own" >expected.txt
same "the user's own preload stays" expected.txt got.txt

# shellcheck disable=SC2016
"$sp_run" --dry-run -o "it's" "${mpirun[@]}" -n 1 printf '%s|' 'a  b' "c'd" '$x' >dry.txt
bash dry.txt >got.txt 2>/dev/null
# shellcheck disable=SC2016
printf '%s|' 'a  b' "c'd" '$x' >expected.txt
same "what --dry-run prints is a command" expected.txt got.txt

# --- exit codes
code_is() { # code_is CODE NAME COMMAND...
    local expected=$1 name=$2 code=0
    shift 2
    timeout 60 "$@" >out.txt 2>err.txt </dev/null || code=$?
    if [ $code = "$expected" ]; then pass "$name: exit $code"; else fail "$name: exit $code instead of $expected"; cat out.txt err.txt >&2; fi
}
says() { holds "... and says: $1" grep -qF -- "$1" err.txt; }

code_is 0 "an MPI program" "$sp_run" -o one.h5 "${mpirun[@]}" -n 2 ./solver "two words"
holds "the program got its arguments, and the preload" grep -qx "preload set, argument 'two words'" out.txt
holds "its file is there" test -s one.h5
code_is 7 "the program's own code" "$sp_run" --no-output ./solver x 7
holds "no file" test -z "$(find . -name '*.h5' ! -name one.h5)"
code_is 5 "a program without MPI" "$sp_run" bash -c 'exit 5'
code_is 143 "a program ended by a signal" "$sp_run" bash -c 'kill -TERM $$'
code_is 127 "no such launcher" "$sp_run" ./nosuch
says "./nosuch: not found"
code_is 127 "no such program" "$sp_run" "${mpirun[@]}" -n 2 ./nosuch
says "./nosuch: not found"
code_is 125 "unknown option" "$sp_run" --wrong ./solver
says "unknown option --wrong"
code_is 125 "bad mode" "$sp_run" --mode fast ./solver
says "must be trace or profile"
code_is 125 "nothing to run" "$sp_run"
code_is 2 "no such configuration file" "$sp_run" --config nosuch.ini ./solver
says "--config nosuch.ini: no such file, or it cannot be read"
code_is 2 "a folder as configuration file" "$sp_run" --config=launchers ./solver
code_is 0 "help" "$sp_run" --help
code_is 0 "version" "$sp_run" --version

# --- functions of the compiler's
cat >functions.c <<'C'
int in_library(int x);
static int own(int x) { return x; }
int main(void) { return own(2) + in_library(3); }
C
echo 'int in_library(int x) { return x; }' >library.c
"$build_cc" -shared -fPIC -finstrument-functions library.c -o libinstrumented.so
"$build_cc" -finstrument-functions functions.c -o functions -L. -linstrumented -Wl,-rpath,"$PWD"
functions_are() { # functions_are NAMES OPTIONS...
    local names=$1 got
    shift
    code_is 5 "sp-run $*" "$sp_run" -o functions.h5 "$@" ./functions
    got=$("$build_folder/tests/lang_dump" regions functions.h5 2>/dev/null | sed 's/^[0-9]* 4 //; s/ \[.*//' | sort | paste -sd ' ') || true
    if [ "$got" = "$names" ]; then pass "... records: $names"; else fail "... records '$got' instead of '$names'"; fi
    rm -f functions.h5
}
functions_are "main own" --functions
functions_are "in_library main own" --all
functions_are "in_library main own" --all --functions
functions_are "main" --functions --include 'm*'
functions_are "in_library own" --all --exclude main
functions_are "" --functions --no-functions
SP_FUNCTIONS=all functions_are "in_library main own"
SP_FUNCTIONS=all functions_are "" --no-functions
printf '[other]\nfunctions = all\n[profiling]\nrecursive_profile = true # of the executable\n' >some.ini
printf '[profiling]\nfunctions = "all"\n[other]\nfunctions = executable\n' >all.ini
printf '[other]\nfunctions = all\n[profiling]\nlabel = x\n' >none.ini
functions_are "main own" --config some.ini
functions_are "in_library main own" --config all.ini
functions_are "" --config none.ini
functions_are "" --config all.ini --no-functions
functions_are "main own" --config all.ini --functions
code_is 0 "--functions of an MPI program" "$sp_run" --functions -o two.h5 "${mpirun[@]}" -n 1 ./solver
says "solver is not compiled with -finstrument-functions: it has no functions to record"
rm -f two.h5
code_is 0 "--check" "$sp_run" --check ./functions
holds "--check knows them" grep -qE '^functions +instrumented: sp-run --functions records them$' out.txt

# --- programs that cannot be recorded run all the same
printf '#include <stdio.h>\nint main(void)\n{\n    puts("hello");\n    return 6;\n}\n' >plain.c
if "$build_cc" -static plain.c -o static 2>/dev/null; then
    code_is 6 "a static program" "$sp_run" ./static
    says "statically linked"
    holds "... and printed" grep -qx hello out.txt
    code_is 1 "--check of it" "$sp_run" --check ./static
fi
if command -v "mpicc.${others[$build_mpi]}" >/dev/null; then
    "mpicc.${others[$build_mpi]}" -O1 solver.c -o other 2>/dev/null
    code_is 3 "a program of the other MPI" "$sp_run" ./other x 3
    says "is linked to ${others[$build_mpi]}"
    holds "... without the preload" grep -q "preload not set" out.txt
    code_is 1 "--check of it" "$sp_run" --check ./other
    holds "... names both" grep -q "^verdict .*${others[$build_mpi]}.*$build_mpi" out.txt
fi

# --- regions without MPI
cat >regions.c <<'C'
#include <scope_profiler.h>
int main(void)
{
    SP_BEGIN("outer");
    SP_END("outer");
    return 2;
}
C
"$build_cc" -I"$source/runtime/include" regions.c -o regions -ldl
code_is 2 "a program with regions and without MPI" "$sp_run" -o regions.h5 ./regions
holds "... has its file" test -s regions.h5
code_is 2 "the same with a configuration file" "$sp_run" --config profiling.ini ./regions
holds "... has the file that it names" test -s of_file.h5

# --- check
code_is 0 "--check" "$sp_run" --check "${mpirun[@]}" -n 2 ./solver
for row in "program *./solver" "MPI *$build_mpi" "bindings *C" "regions *none" "HDF5 *ours" "spill space *.*free" "participation *.*PM" "launcher *[a-z]" \
    "verdict *it can be recorded"; do
    holds "--check says: $row" grep -qE "^$row" out.txt
done
holds "--check fits on a screen" test "$(wc -l <out.txt)" -lt 24
for program in traffic_f08:"Fortran mpi_f08" traffic_mpifh:"Fortran mpif.h"; do
    [ -x "$build_folder/tests/${program%%:*}" ] || continue
    code_is 0 "--check of ${program%%:*}" "$sp_run" --check "$build_folder/tests/${program%%:*}"
    holds "... finds ${program#*:}" grep -qE "^bindings *.*${program#*:}" out.txt
done

# --- a killed run
mkdir "killed here"
export SP_SPILL_DIR=$work/spill
mkdir spill
code=0
timeout 60 "${mpirun[@]}" -n 2 ./solver kill >out.txt 2>err.txt </dev/null || code=$?
code_is $code "a killed run" "$sp_run" -o "killed here/run.h5" "${mpirun[@]}" -n 2 ./solver kill
says "the run did not come to its end: what its spill files hold is in killed here/run.h5"
holds "its file is there" test -s "killed here/run.h5"
holds "nothing else stays" test -z "$(ls spill)$(find . -name '*.part')"
"$BIN/sp-pproc" --no-pictures -o report "killed here/run.h5" >pproc.out 2>&1 || { cat pproc.out >&2; fail "sp-pproc reads it"; }
holds "both ranks are in it" test "$(jq '.files[0].region_statistics.MPI_Barrier.count' report/region_statistics.json)" = 20

# --- what outlives the run is not taken for its end
code_is 4 "a program that stays behind" "$sp_run" -o lingers.h5 bash -c './solver linger & echo $! >pid; sleep 2; exit 4'
says "processes of lingers.h5 still run: once they are gone: sp-merge -o lingers.h5 lingers.h5.part"
kill -KILL "$(cat pid)"
holds "no file so far" test ! -e lingers.h5
"$BIN/sp-merge" -o lingers.h5 lingers.h5.part >merge.out 2>&1 || { cat merge.out >&2; fail "the command it names works"; }
holds "... its file is there" test -s lingers.h5

# --- a part of somebody else's run is left alone
: >old.h5.part
printf 'scope-profiler-part 1\nrun_id x\nspill_dir %s\nranks 1\n' "$work/none" >foreign.h5.part
touch -d '1 hour ago' foreign.h5.part
code_is 0 "beside an older part" "$sp_run" -o fresh.h5 ./solver
holds "the older part stays" test -f foreign.h5.part
finish
