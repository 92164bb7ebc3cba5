#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The manual pages: without a fault, as the headers say, with the options that the programs have, and each where others refer to it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
pages=$source/share/man

holds "pages made from headers are up to date" "$pages/make_pages" --check
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wstyle "$pages"/man*/* >lint 2>&1 || true
    grep -v 'referenced manual not found\|cross reference to a missing' lint >faults || true
    holds "mandoc finds nothing" test ! -s faults || cat faults >&2
fi

# options PROGRAM PAGE: those of --help and those of the page
options() {
    "$BIN/$1" -h | grep -E '^ +-' | sed 's/  [a-z].*//' | grep -oE '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,' | sort -u >has
    grep -E '^\.It Fl|^\.Fl|^\.Op Fl' "$pages/$2" | grep -oE 'Fl -?[a-zA-Z-]+|, -[a-z-]+' | sed -E 's/^(Fl |, )/-/; s/^---/--/' | sort -u >told
    comm -23 has told >untold
    holds "$1: every option is in its page" test ! -s untold || cat untold >&2
}
options sp-merge man1/sp-merge.1
options sp-run man1/sp-run.1

grep -oE '^\.It Ev SP_[A-Z_]+' "$pages/man7/sp-environment.7" | sed 's/.* //' | sort -u >described
grep -oE '"SP_[A-Z_]+"' "$source/runtime/sp_config.h" | tr -d '"' | sort -u >known
same "every setting is described" known described

grep -hoE '^\.Xr [a-z_-]+ [0-9]' "$pages"/man*/* | sort -u | while read -r _ name section; do
    [ -f "$pages/man$section/$name.$section" ] || echo "$name($section)"
done >absent
holds "what pages refer to is there" test ! -s absent || cat absent >&2
finish
