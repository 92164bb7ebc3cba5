#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Functions of a program compiled with -finstrument-functions, by the names their authors gave them.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"
hooks=$build_folder/lib/libsp_functions.so
linked_hooks=(-L"$build_folder/lib" "-Wl,--no-as-needed" -lsp_functions "-Wl,-rpath,$build_folder/lib")
record() { # record NAME [VARIABLE=VALUE ...] PROGRAM
    local name=$1
    shift
    run "$name" LD_PRELOAD="$hooks" SP_ENABLE=1 "$@"
}

same "libsp_functions.so exports the two hooks and dlclose" <(printf '%s\n' __cyg_profile_func_enter __cyg_profile_func_exit dlclose) \
    <(nm -D --defined-only --format=posix "$hooks" | awk '{print $1}' | sort)

# What other tools say of the functions: "NAME FILE:LINE" of every function of the program that nm lists and the file names.
if grep -q '^SP_LIBDW_FOUND:INTERNAL=1$' "$build_folder/CMakeCache.txt"; then has_lines=yes; else has_lines=no; fi
as_tools_say() { # as_tools_say WHAT FILE...: names and lines are those of nm and addr2line
    local what=$1 file address name
    shift
    [ $has_lines = yes ] || return 0
    for file in "$@"; do
        nm --defined-only "$file" | awk '$2 ~ /[tTwW]/ {print $1}' | sort -u | while read -r address; do
            addr2line -C -f -e "$file" "0x$address" | paste -d ' ' - -
        done
    done | sed -E 's/^__([a-z]*)\.([a-z]*)_MOD_/\1:\2::/; s/^__([a-z]*)_MOD_/\1::/; s/^([a-z]+)\.[0-9]+ /\1 /; s/ \(discriminator [0-9]+\)$//; s| [^ ]*/([^/ ]*)$| \1|' | sort -u >tools
    dump regions | sed -E 's/^[0-9]+ 4 (.*) \[(.*)\]$/\1 \2/' | sort -u >ours
    holds "$what: something is named" test -s ours
    same "$what: names and lines are those of nm and addr2line" /dev/null <(comm -23 ours tools)
}

cat >expected.c <<'LIST'
1 4 before_main
1 4 in_library
1 4 main
100 4 jumps
400 4 leaves_by_jump
6 4 recursive
8 4 in_thread
8000 4 small
LIST
build() { "$build_cc" -O1 -g -finstrument-functions "$@" -lpthread; }
build -pie -fPIE "$here/functions.c" -o pie
build -no-pie -fno-pie "$here/functions.c" -o no_pie
build "$here/functions.c" -o with_hooks "${linked_hooks[@]}"
run plain ./pie
for kind in pie no_pie; do
    record recorded ./$kind
    same_program "C, $kind" recorded
    same "C, $kind: functions and their calls" expected.c <(sums)
    holds "C, $kind: recursion is nested" grep -q '^0 1 main > recursive > recursive > recursive > recursive > recursive > recursive$' <(dump paths)
done
run recorded SP_ENABLE=1 ./with_hooks
same_program "C, linked" recorded
same "C, linked: functions and their calls" expected.c <(sums)
record recorded ./pie
"$BIN/sp-pproc" inspect "$(file_of)" >inspected
id=$(readelf -n pie | sed -n 's/.*Build ID: //p')
holds "build id and load address are kept" grep -q "functions_module_0: base=0x[0-9a-f]* build_id=$id path=/" inspected

record off SP_FUNCTIONS=off ./pie
same_program "SP_FUNCTIONS=off" off
same "SP_FUNCTIONS=off: nothing is recorded" /dev/null <(dump regions 2>/dev/null)
record chosen SP_INCLUDE='small,in_*' ./pie
same "SP_INCLUDE knows the names" <(printf '%s\n' '1 4 in_library' '8 4 in_thread' '8000 4 small') <(sums)
record chosen SP_EXCLUDE='small,*ump*,recursive' ./pie
same "SP_EXCLUDE too" <(grep -v 'small\|jump\|recursive' expected.c) <(sums)
record recorded SP_INCLUDE='nothing' ./pie
same "SP_INCLUDE of another name: nothing" /dev/null <(dump regions 2>/dev/null)
record recorded ./pie
as_tools_say "C" pie
objcopy --only-keep-debug pie pie.debug
strip -o with_link pie
objcopy --add-gnu-debuglink=pie.debug with_link
record recorded ./with_link
if [ $has_lines = yes ]; then
    same "a debug file by its link: names" expected.c <(sums)
    as_tools_say "a debug file by its link" pie
fi
build -Wl,--build-id=none "$here/functions.c" -o no_id
record recorded ./no_id
same "without a build id: functions and their calls" expected.c <(sums)
cp pie stripped
strip stripped
record stripped ./stripped
same_program "stripped" stripped
holds "stripped: addresses stand for names" test "$(dump regions | grep -c '^[0-9]* 4 stripped+0x[0-9a-f]*$')" = 8
holds "stripped: one line says so" test "$(grep -cx 'scope-profiler: 8 of 8 instrumented functions stay without a name: stripped has no symbols for them (was it stripped?)' stripped.err)" = 1
"$BIN/sp-pproc" inspect "$(file_of)" >inspected
holds "who looked names up is kept" grep -qE 'functions_named: (with libdw [0-9.]+|without lines: .*)$' inspected

if command -v clang >/dev/null; then # which writes no index of addresses
    clang -g -O1 -finstrument-functions "$here/functions.c" -o by_clang -lpthread
    run plain ./by_clang
    record recorded ./by_clang
    same_program "clang" recorded
    as_tools_say "clang" by_clang
fi

echo 'int in_library(int x); static int deeper(int x) { return x; } int in_library(int x) { return deeper(x); }' >library.c
build -shared -fPIC library.c -o libinstrumented.so
build -DWITH_LIBRARY "$here/functions.c" -o with_library -L. -linstrumented -Wl,-rpath,"$work"
record recorded ./with_library
same "functions of libraries are not recorded" <(grep -v in_library expected.c) <(sums)
record recorded SP_FUNCTIONS=all ./with_library
holds "SP_FUNCTIONS=all: they are" grep -q '^0 1 main > in_library > deeper$' <(dump paths)

echo 'static int first(int x) { return x; } int enter(int x) { return first(x); }' >one.c
echo 'static int other(int x) { return x; } int enter(int x) { return other(x); }' >two.c
cat >loads.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
static int call(const char *file)
{
    void *library = dlopen(file, RTLD_NOW);
    int (*enter)(int);
    *(void **)&enter = dlsym(library, "enter");
    printf("%p\n", (void *)((long)(void *)enter & 0));
    int result = enter(3);
    return dlclose(library) + result;
}
int main(void)
{
    return call("./one.so") + call("./two.so") + call("./one.so");
}
C
build -shared -fPIC one.c -o one.so
build -shared -fPIC two.c -o two.so
build loads.c -o loads -ldl
run plain ./loads
record recorded SP_FUNCTIONS=all ./loads
same_program "libraries that come and go" recorded
cat >expected <<'LIST'
0 1 main
0 1 main > call > enter > other
0 2 main > call > enter > first
0 3 main > call
LIST
same "libraries that come and go keep their functions apart" expected <(dump paths | grep -v 'enter$')
as_tools_say "libraries that come and go" loads one.so two.so

# The program was built anew while it ran, or its file is gone, or damaged: names of other functions would be wrong.
record recorded SP_FUNCTIONS=all sh -c './pie; exit 0'
cat >replaces.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    return system(argv[argc - 1]) != 0;
}
C
build replaces.c -o replaces
while IFS='|' read -r command said; do
    cp replaces victim
    record recorded ./victim "$command"
    holds "$command: $said" grep -qF "scope-profiler: 1 of 1 instrumented functions stay without a name: victim $said" recorded.err
    holds "$command: the exit code stays" test "$(cat recorded.code)" = 0
    holds "$command: the function has its address" grep -qE '^1 4 victim\+0x[0-9a-f]+$' <(dump regions)
done <<'TABLE'
rm victim|cannot be read any more
rm victim; cp loads victim|has changed since it ran
rm victim; head -c 3000 replaces >victim|has no symbols for them
TABLE

# DWARF that says nonsense costs lines at most.
objcopy --dump-section .debug_line=line pie
objcopy --dump-section .debug_info=info pie
for section in line info; do
    LC_ALL=C tr '\000-\377' '\125-\377\000-\124' <$section >damaged
    objcopy --update-section .debug_$section=damaged pie broken
    chmod +x broken
    run plain ./pie
    record recorded ./broken
    same_program "damaged .debug_$section" recorded
    same "damaged .debug_$section: names" expected.c <(sums)
done

# What a killed process left is named by sp-merge.
mkdir spill
echo 'static int before(int x) { return x; } int main(void) { before(0); __builtin_trap(); }' >dies.c
build dies.c -o dies
record killed SP_SPILL_DIR=spill ./dies || true
"$BIN/sp-merge" -o merged.h5 spill/sp-* >merged.out
holds "sp-merge names functions" grep -qE '^1 4 before( \[dies.c:1\])?$' <(dump regions)

# Where sp-names does not run there are addresses, and the file is whole.
mkdir elsewhere
cp "$build_folder"/lib/libsp{,_functions,_writer}.so elsewhere
run plain ./pie
run recorded LD_PRELOAD="$work/elsewhere/libsp_functions.so" SP_ENABLE=1 ./pie
same_program "without sp-names" recorded
holds "without sp-names: one line says so" test "$(grep -c '8 of 8 instrumented functions stay without a name: sp-names, which' recorded.err)" = 1
holds "without sp-names: addresses stand for names" test "$(dump regions | grep -c '^[0-9]* 4 pie+0x[0-9a-f]*$')" = 8

# Where DWARF brings it down, it is asked for symbols only.
mkdir elsewhere/scope-profiler
cat >elsewhere/scope-profiler/sp-names <<LIST
#!/bin/sh
[ "\$1" = --symbols ] || kill -SEGV \$\$
exec "$build_folder/lib/scope-profiler/sp-names" "\$@"
LIST
chmod +x elsewhere/scope-profiler/sp-names
run recorded LD_PRELOAD="$work/elsewhere/libsp_functions.so" SP_ENABLE=1 ./pie
same_program "sp-names ends by a signal" recorded
same "sp-names ends by a signal: names, no lines" expected.c <(dump regions)

# The program does not notice: it waits for its own children only, gets no signal, and keeps its descriptors.
cat >waits.c <<'C'
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t signals;
static void count(int number)
{
    (void)number;
    signals++;
}
static __attribute__((no_instrument_function, destructor)) void at_the_end(void)
{
    int status, next = dup(0);
    int found = waitpid(-1, &status, 0) >= 0 || errno != ECHILD;
    dprintf(1, "%d signals, %d children, descriptor %d\n", (int)signals, found, next);
}
int main(void)
{
    signal(SIGCHLD, count);
    signal(SIGPIPE, count);
    return 0;
}
C
build waits.c -o waits
run plain ./waits
record recorded ./waits
same_program "a program that watches its children" recorded
holds "... and the functions have names" grep -qE '^1 4 main' <(dump regions)

if command -v c++ >/dev/null; then
    c++ -std=c++11 -g -O1 -finstrument-functions "$here/functions.cpp" -o cxx
    run plain ./cxx
    record recorded ./cxx
    same_program "C++" recorded
    cat >expected <<'LIST'
1 4 double solver::twice<double>(double)
1 4 int solver::twice<int>(int)
1 4 main
1 4 solver::(anonymous namespace)::hidden(int)
1 4 solver::Grid::Grid(int)
1 4 solver::Grid::size() const
30 4 solver::throws(int)
LIST
    as_tools_say "C++" cxx
    same "C++: names are demangled" expected <(sums | grep -v 'std::\|operator')
    holds "C++: exceptions close frames" grep -q '^0 10 main > solver::throws(int) > solver::throws(int) > solver::throws(int)$' <(dump paths)
fi
if command -v gfortran >/dev/null; then
    gfortran -g -O1 -fno-inline -finstrument-functions "$here/functions.f90" -o fortran
    run plain ./fortran
    record recorded ./fortran
    same_program "Fortran" recorded
    cat >expected <<'LIST'
1 4 MAIN__
1 4 main
1 4 grid:fine::refine_twice
1 4 grid::refine
3 4 alone_
3 4 grid::cells
3 4 twice
6 4 edge
LIST
    LC_ALL=C sort -o expected expected
    same "Fortran: module::procedure" expected <(sums)
    as_tools_say "Fortran" fortran
fi
finish
