# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by the tests of sp-pproc, after lib.sh: run files and golden outputs.
here=$source/tests/cli
pproc=$BIN/sp-pproc
python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import h5py' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || skip "python3 with h5py is not installed"

make_run() { # make_run KIND FILE [NUMBER]
    PYTHONDONTWRITEBYTECODE=1 "$python" "$here/make_run.py" "$@"
}

golden() { # golden NAME COMMAND...: stdout is expected/NAME; SP_UPDATE=1 writes it
    local name=$1 status=0
    shift
    "$@" >"$work/golden.out" 2>"$work/golden.err" || status=$?
    [ "$status" = 0 ] || { fail "$name: exit status $status: $(cat "$work/golden.err")"; return; }
    sed -i "s|$work|WORK|g" "$work/golden.out"
    if [ -n "${SP_UPDATE:-}" ]; then cp "$work/golden.out" "$here/expected/$name"; fi
    same "$name" "$here/expected/$name" "$work/golden.out"
}

refuses() { # refuses STATUS TEXT ARGS...: this exit status, this one line on stderr, nothing on stdout
    local status=$1 text=$2 got=0
    shift 2
    "$pproc" "$@" >out.txt 2>err.txt || got=$?
    if [ "$got" != "$status" ]; then
        fail "sp-pproc $*: exit status $got instead of $status"
    elif [ "$(cat err.txt)" != "sp-pproc: $text" ]; then
        fail "sp-pproc $*: says '$(cat err.txt)' instead of 'sp-pproc: $text'"
    elif [ -s out.txt ]; then
        fail "sp-pproc $*: writes to stdout: $(head -1 out.txt)"
    else
        pass "sp-pproc $*"
    fi
}
