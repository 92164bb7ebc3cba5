#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The installed tree works from wherever it is moved to, and an example builds against it as its first lines say.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/apps.sh"

cmake --install "$build_folder" --prefix "$work/first" >install.log 2>&1 || { tail -n 20 install.log >&2; fail "installing"; finish; }
mv first moved
for file in moved/lib*/libsp*.so moved/lib/*/libsp*.so moved/bin/sp-*; do
    [ -f "$file" ] && [ "$(head -c 2 "$file")" != '#!' ] || continue
    runpath=$(readelf -d "$file" | sed -n 's/.*(RUNPATH).*\[\(.*\)\]/\1/p')
    case :$runpath in
    *":$build_folder"* | *":$source"* | *":$work"*) fail "$file looks for libraries in the build folder: $runpath" ;;
    esac
done

examples=moved/share/scope-profiler/examples
holds "the examples are installed" test -f $examples/heat.c
"$build_mpicc" -O2 -Imoved/include $examples/heat.c -o heat -lm -ldl || { fail "the example builds by hand"; finish; }
build_preload=$(find "$work/moved" -name libsp_pmpi.so)
BIN=$work/moved/bin
both heat 2 ./heat --size 32 --steps 2 --sweeps 2
analyse run.h5
holds "both ranks are in the file" test "$(regions '.step.per_rank | length')" = 2

# shellcheck disable=SC2086
holds "sp-run runs it" "$BIN/sp-run" -o by_run.h5 $build_mpirun -n 2 ./heat --size 32 --steps 2 --sweeps 2 >/dev/null
holds "sp-run's file is there" test -s by_run.h5
finish
