#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The reader as others get it: installed, moved, and an example built against it as its first lines say.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

cmake --install "$build_folder" --prefix "$work/first" >install.log 2>&1 || { tail -n 20 install.log >&2; fail "installing"; finish; }
mv first moved
library=$(find moved -name libsp_file.so)
lib=$(dirname "$library")
holds "there is a library, by the name others link" test -L "$library"
holds "and one by the name they load" test -e "$lib/$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')"
nm -D --defined-only "$library" | awk '{sub(/@.*/, "", $3); print $3}' | grep -v '^SP_FILE_' | sort >exported
grep -oE '\bsp_file_[a-z_]+\(' moved/include/scope_profiler_file.h | tr -d '(' | sort -u >declared
same "it exports what the header declares, and nothing else" declared exported
page=moved/share/man/man3/scope_profiler_file.3
sed -n 's/^\.Fn \(sp_file_[a-z_]*\).*/\1/p' $page | sort -u >described
same "all of it is in the manual page" declared described
if command -v groff >/dev/null; then holds "which is a page" test -z "$(groff -mdoc -Tutf8 -ww $page 2>&1 >page.txt)"; fi

example=moved/share/scope-profiler/examples/read_run.c
"${build_cc:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror -I moved/include "$example" -o read_run -L "$lib" -lsp_file "-Wl,-rpath,$work/$lib" ||
    { fail "the example builds by hand"; finish; }
make_run solver run_2.h5 2
./read_run run_2.h5 >out.txt
holds "it names the run" grep -q '^run_2.h5: 2 ranks, scope-profiler-mpi 1$' out.txt
# 2 ranks x 3 steps of 25 ms x (0.15 + 0.85 / 2)
holds "and the regions with their times" grep -qE '^ +6 +0\.086250000 +0\.086250000  assemble$' out.txt
if [ -d "$source/../shared/cases/upstream" ]; then
    ./read_run "$source/../shared/cases/upstream/v2.spt" >out.txt
    holds "of other formats too" grep -qE '^ +3 +0\.000000033 +0\.000000033  solve$' out.txt
fi
status=0
./read_run missing.h5 2>err.txt || status=$?
holds "or says why not" test "$status" = 3 -a "$(cat err.txt)" = "read_run: missing.h5: No such file or directory"
cat >header.cpp <<'EOF'
#include <scope_profiler_file.h>
int main() { sp_file *file = nullptr; return sp_file_open("missing", &file, nullptr) == -1 && !file ? 0 : 1; }
EOF
if command -v c++ >/dev/null; then
    c++ -Wall -Wextra -Werror -I moved/include header.cpp -o header -L "$lib" -lsp_file "-Wl,-rpath,$work/$lib"
    holds "C++ takes the header, and an error need not be wanted" ./header
fi
finish
