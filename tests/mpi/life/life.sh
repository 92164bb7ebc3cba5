# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034
# Sourced by the tests on how programs start and end: a run with and one without the library, and what they leave.
# shellcheck source=tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"

life=$build_folder/tests/life
export SP_SPILL_DIR=$work/spill PATIENCE=40
mkdir spill

# observe NAME COMMAND...: NAME.out, NAME.code, NAME.ms, NAME.own (its stderr without our lines), NAME.said (our lines).
# Launchers say on stderr which process died: numbers, and their order, differ from run to run. Hydra sometimes loses a race against
# a process that is just ending and hangs up on it: its own word and code then stand in place of the program's, with us and without.
# Such a run tells nothing, and is made again; no program here ends by that signal.
observe() {
    local name=$1 code begin try
    shift
    if [ "$name" = plain ]; then plain_command=("$@"); fi
    for try in 1 2 3 4 5; do
        code=0 begin=$(date +%s%N)
        "$@" >"$name.raw" 2>"$name.err" </dev/null || code=$?
        echo $((($(date +%s%N) - begin) / 1000000)) >"$name.ms"
        grep -q 'EXIT STRING: Hangup' "$name.raw" "$name.err" || break
        echo "the launcher hung up on $name: once more ($try)"
        [ "$name" = plain ] || tidy
    done
    echo "$code" >"$name.code"
    # Hydra tells of an end on stdout, and may join lines of two processes
    sed -E 's/the tool saw/\n&/; s/[0-9]+/N/g' "$name.raw" | sed -E '/^(=|-|$)/d' | LC_ALL=C sort >"$name.out"
    grep -v '^scope-profiler:' "$name.err" | sed -E 's/[0-9]+/N/g; /^(=|-)/d' | LC_ALL=C sort -u >"$name.own" || true
    grep '^scope-profiler:' "$name.err" >"$name.said" || true
}

are_alike() { cmp -s plain.out recorded.out && cmp -s plain.code recorded.code; }

# unharmed NAME: the two runs observed as plain and recorded are alike. Where processes end abruptly a launcher may lose what they said
# last, with us and without: what the recorded run did must be something that the program does without us, in one of twenty runs.
unharmed() {
    local try
    for try in $(seq 20); do
        if are_alike; then break; fi
        echo "$1: unlike this run without us; the next ($try)"
        observe plain "${plain_command[@]}"
    done
    same "$1: stdout" plain.out recorded.out
    same "$1: exit code" plain.code recorded.code
    if [ "$(cat recorded.code)" = 124 ] || [ "$(cat recorded.code)" = 137 ] && [ "$(cat recorded.ms)" -gt $((PATIENCE * 1000)) ]; then
        fail "$1: it hung"
    fi
    if [ "$(cat recorded.ms)" -lt $(($(cat plain.ms) * 2 + 5000)) ]; then
        pass "$1: duration ($(cat plain.ms) ms, recorded $(cat recorded.ms) ms)"
    else
        fail "$1: duration: $(cat plain.ms) ms, recorded $(cat recorded.ms) ms"
    fi
}

tidy() { rm -rf spill/* ./*.h5 ./*.part ./*.part.h5 report; }

# barriers FILE: how many are in it, all ranks together.
barriers() {
    rm -rf report
    "$BIN/sp-pproc" --no-pictures -o report "$1" >pproc.out 2>&1 || { cat pproc.out >&2; echo none; return; }
    jq -r '.files[0].region_statistics.MPI_Barrier.count // 0' report/region_statistics.json
}

count_is() { # count_is NAME EXPECTED FILE
    local found
    found=$(barriers "$3")
    if [ "$found" = "$2" ]; then pass "$1: $2 barriers in the file"; else fail "$1: $found barriers in $3, not $2"; fi
}

# recovered NAME EXPECTED: the spill files survived, and sp-merge makes a file of them that holds all barriers.
recovered() {
    local part code=0
    part=$(find . -maxdepth 1 -name '*.part')
    holds "$1: says where its spill files are" test -s "${part:-none}"
    holds "$1: they are there" test -n "$(find spill -name '*.spill')"
    "$BIN/sp-merge" -o merged.h5 ${part:+"$part"} >merge.out 2>&1 || code=$?
    if [ $code != 0 ]; then
        cat merge.out >&2
        fail "$1: sp-merge returns $code"
        return
    fi
    count_is "$1, recovered" "$2" merged.h5
}
