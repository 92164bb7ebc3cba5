#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Two ranks with a configuration file: what it sets, what goes before it, and that one rank speaks.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need jq

program=$build_folder/tests/config_file

record() { # record NAME=VALUE...
    code=0
    rm -f ./*.h5
    run_mpi 2 "LD_PRELOAD=$build_preload" "$@" "$program" recorded >out.txt 2>err.txt </dev/null || code=$?
    grep '^scope-profiler:' err.txt >said.txt || true
    if [ "$code" != 0 ]; then cat err.txt >&2; fi
}

is() { # is NAME EXPECTED: a value of the run's metadata
    local found
    found=$(jq -r --arg name "$1" '[.. | objects | select(has($name))][0][$name]' metadata.json)
    if [ "$found" = "$2" ]; then pass "$1 is $2"; else fail "$1 is $found instead of $2"; fi
}

inspect() { "$BIN/sp-pproc" inspect --json "$1" >metadata.json; }

# --- a TOML file of another tool's project: byte order mark, CRLF, comments, quotes
printf '\xEF\xBB\xBF[project]\r\nname = "x"\r\ndependencies = [\r\n  "a",\r\n]\r\n' >project.toml
printf '[profiling]\r\nfile_path = "of file.h5"   # the file\r\nlabel = "of the file"\r\nexclude = ["drop*", "a,b"]\r\n' >>project.toml
printf "clock = 'monotonic'\r\nbuffer_limit = 1024\r\nincldue = 'x'\r\n[tool.x]\r\nlabel = 'not ours'\r\n" >>project.toml
record SP_CONFIG=project.toml SP_SUMMARY=0
holds "the program runs as ever" test "$code$(cat out.txt)" = 07
cat >expected.txt <<'TEXT'
scope-profiler: project.toml:11: buffer_limit = 1024 has no counterpart here: passed over
scope-profiler: project.toml:12: incldue is not a setting of this program; the nearest is include
TEXT
same "one rank says what is not understood, once" expected.txt said.txt
inspect "of file.h5"
is SP_LABEL "of the file"
is SP_WORK 12
is SP_CLOCK monotonic
is SP_EXCLUDE 'drop*,a\,b'
is SP_CONFIG project.toml
is config_file "$PWD/project.toml"
"$BIN/sp-pproc" inspect "of file.h5" >tree.txt
holds "the file chooses regions" test "$(grep -c kept tree.txt)$(grep -c dropped tree.txt)" = 10

# --- the environment goes before it
record SP_CONFIG=project.toml SP_SUMMARY=0 SP_OUTPUT=environment.h5 "SP_LABEL=of the environment"
inspect environment.h5
is SP_LABEL "of the environment"

# --- nothing is read that was not asked for
cp project.toml profiling.ini
record SP_OUTPUT=plain.h5 SP_SUMMARY=0
holds "without SP_CONFIG nothing is said" test ! -s said.txt
inspect plain.h5
is SP_LABEL "of the program"
is config_file null

# --- a file that is none: one line, and a run
mkdir folder
printf '[profiling]\nlabel = a\0b\n' >binary
printf '[other]\nlabel = x\n' >foreign
while IFS='|' read -r file line; do
    record "SP_CONFIG=$file" SP_OUTPUT=run.h5 SP_SUMMARY=0
    echo "scope-profiler: $line" >expected.txt
    same "SP_CONFIG=$file" expected.txt said.txt
    holds "... the program runs as ever" test "$code$(cat out.txt)" = 07
    holds "... and has its file" test -s run.h5
done <<'TABLE'
absent.ini|SP_CONFIG=absent.ini: No such file or directory: not read
folder|SP_CONFIG=folder: is a directory: not read
binary|SP_CONFIG=binary: holds binary data: not read
foreign|foreign: has no table [profiling]: nothing is set by it
TABLE

# --- the list of settings names it
record SP_HELP=1 SP_OUTPUT=none
holds "SP_HELP=1 lists SP_CONFIG" grep -q '^scope-profiler: SP_CONFIG=' said.txt
finish
