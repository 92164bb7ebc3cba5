#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Includes go only pproc -> merge -> runtime and pmpi -> runtime, and MPI and HDF5 stay where they belong.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$source"

# What merge/ may know of runtime/, and pproc/ of both: what two sides must agree on.
runtime_shared='sp_error.h sp_histogram.h sp_stats.h sp_spill.h sp_writer.h sp_names.h'
merge_public='scope_profiler_file.h scope_profiler_format.h sp_schema3.h'

headers_of() { find "$1" -name '*.h' -printf '%f\n' -o -name '*.def' -printf '%f\n' | tr '\n' ' '; }

includes_of() { # includes_of FOLDER: "file:header" with the header as it is written, "x.h" or <x.h>
    find "$1" \( -name '*.[ch]' -o -name '*.def' -o -name '*.in' \) -exec grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]*[>"]' {} + |
        sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*/:/' || true
}

own_headers() { # own_headers FOLDER ALLOWED...: every "x.h" is one of these, or made by the folder's CMakeLists.txt
    local folder=$1 file header allowed
    shift
    allowed=" $* "
    while IFS=: read -r file header; do
        case $header in \"*) ;; *) continue ;; esac
        header=${header//\"/}
        if grep -qwF "${header##*/}" "$folder/CMakeLists.txt"; then continue; fi
        case $allowed in *" ${header##*/} "*) ;; *) fail "$file includes $header, which $folder/ may not know" ;; esac
    done < <(includes_of "$folder")
}

no_header() { # no_header PATTERN FOLDER...
    local pattern=$1 folder found
    shift
    for folder in "$@"; do
        [ -d "$folder" ] || continue
        found=$(includes_of "$folder" | grep -E ":[<\"]($pattern)[>\"]" || true)
        [ -z "$found" ] || fail "$folder/ must not include $pattern: $found"
    done
}

# shellcheck disable=SC2046
{
    own_headers runtime $(headers_of runtime)
    own_headers pmpi $(headers_of pmpi) $(headers_of runtime)
    own_headers merge $(headers_of merge) $runtime_shared
    own_headers pproc $(headers_of pproc) $merge_public $runtime_shared
}
no_header 'mpi\.h' runtime pproc/outputs
no_header 'hdf5\.h|H5.*\.h' runtime pmpi pproc
no_header 'jansson\.h' runtime pmpi

printing=$(grep -rnE '\b(printf|fprintf|puts|fputs|putchar)[[:space:]]*\(' pproc/analyses --include='*.c' || true)
[ -z "$printing" ] || fail "analyses do not print: $printing"
leaving=$(grep -rnwE '(exit|abort|_exit)[[:space:]]*\(' runtime merge pmpi --include='*.c' | grep -vE '(^|/)(sp[-_]merge|main)[^/]*\.c:|^[^:]*:[0-9]+:[[:space:]]*(\*|/\*)' || true)
[ -z "$leaving" ] || fail "libraries do not end the process: $leaving"
finish
