#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# scripts/deps is silent when nothing is missing, and otherwise names it for every way of getting it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

mkdir scripts empty
cp "$source/scripts/deps" scripts/
chmod -R a+rX "$work"

table() { cat >scripts/packages.txt; }
# No apt-get on the path, so that nothing is installed here.
for program in bash dirname sed awk sort tr id cat; do ln -s "$(command -v $program)" empty/; done
deps() { PATH=$work/empty scripts/deps "$@" >out 2>err && code=0 || code=$?; }
sed -i 's|^PATH=.*||' scripts/deps

table <<'T'
# a comment
build   command:no-such|bash       bash-deb      bash-spack     bash-module
build   command:no-such-a|no-such  first-deb     first-spack    first-module
test    file:/no/such/*            second-deb    second-spack   -
test    command:sed                third-deb     third-spack    third-module
demo    command:other-missing      fourth-deb    fourth-spack   fourth-module
T
deps test
holds "something missing: exit code 1" test "$code" = 1
holds "nothing on stdout" test ! -s out
for word in first-deb first-spack first-module second-deb second-spack; do holds "names $word" grep -qw -- "$word" err; done
for word in bash-deb third-deb fourth-deb; do holds "does not name $word" test -z "$(grep -w -- "$word" err)"; done
holds "one line to install with" grep -qE 'apt-get install .*first-deb second-deb' err

table <<'T'
build   command:bash       bash-deb      bash-spack     bash-module
T
deps test demo
holds "nothing missing: exit code 0" test "$code" = 0
holds "nothing missing: silent" test ! -s err
deps nonsense
holds "an unknown word: exit code 2" test "$code" = 2

# Every row of the real table is complete.
grep -vE '^(#|$)' "$source/scripts/packages.txt" >rows
holds "five columns in every row" test -z "$(awk 'NF != 5' rows)"
holds "known kinds of probe only" test -z "$(awk '$2 !~ /^(command|cmake|library|python|file):/' rows)"
holds "known purposes only" test -z "$(awk '$1 !~ /^((build|demo|test|mpich|apps|apps-optional|bench)(,|$))+$/' rows)"
finish
