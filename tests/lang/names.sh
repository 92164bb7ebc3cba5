#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A name is any bytes up to 64 KiB; none of them harms the record or who reads it.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/lang/lang.sh
. "$source/tests/lang/lang.sh"

all_names() {
    cat >expected <<'LIST'
1 0 @
1 0 @ @
1 0 "quoted"
1 0 --help
1 0 -minus
1 0 ../../etc/passwd
1 0 100%s%n
1 0 </svg>
1 0 =1+1
1 0 NULL
1 0 \x01\x1b[31m
1 0 \x5c
1 0 \xe6\x97\xa5\xe6\x9c\xac
1 0 \xff\xfe invalid
1 0 a b
1 0 a,b
1 0 a/b/c
1 0 a;b
1 0 h\xc3\xa4user
1 0 it's
1 0 new\x0aline
1 0 tab\x09
1 0 {}[]$`
1 0 %e_%p
10000 0 recursion
LIST
    sed -i 's/^1 0 @ @$/1 0  /; s/^1 0 @$/1 0 /' expected
    LC_ALL=C sort -o expected expected
    dump regions >found
    same "$1: names as they were given" expected <(grep -v 'many\|xxxx' found)
    same "$1: lengths of the long names" <(printf '10004\n65540\n') <(grep xxxx found | awk '{print length($0)}' | sort -n)
    holds "$1: 20 000 regions of one call each" test "$(grep -c '^1 0 many [0-9]*$' found)" = 20000
    holds "$1: sp-pproc reads them" "$BIN/sp-pproc" inspect run_rank00000.h5 >/dev/null
}
compile_c "$here/names.c" -o names
compile_c "$here/names.c" -o names_linked "${linked[@]}"
three_ways "torture names" ./names ./names_linked all_names
finish
