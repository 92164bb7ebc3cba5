#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What our shared objects export and need. A preloaded library overrides functions of the same name in the solver's own
# libraries, so it exports what it must and nothing else.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
lib=$build_folder/lib

for file in libsp.so libsp_functions.so libsp_pmpi.so libsp_writer.so libsp_file.so; do
    holds "$file is built" test -f "$lib/$file"
done
[ "$failures" = 0 ] || finish

exported() { nm -D --defined-only --format=posix "$1" | sed 's/[@ ].*//' | sort -u; }
undefined() { nm -D --undefined-only --format=posix "$1" | sed 's/[@ ].*//' | sort -u; }
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

exports_only() { # exports_only FILE PATTERN
    local odd
    odd=$(exported "$1" | grep -vxE "$2" || true)
    if [ -z "$odd" ]; then pass "${1##*/} exports only $2"; else fail "${1##*/} exports also: $(echo "$odd" | tr '\n' ' ')"; fi
}

needs_no_symbol() { # needs_no_symbol FILE PATTERN
    local odd
    odd=$(undefined "$1" | grep -xE "$2" || true)
    if [ -z "$odd" ]; then pass "${1##*/} needs no $2"; else fail "${1##*/} needs: $(echo "$odd" | tr '\n' ' ')"; fi
}

needs_only_libraries() { # needs_only_libraries FILE PATTERN
    local odd
    odd=$(needed "$1" | grep -vxE "$2" || true)
    if [ -z "$odd" ]; then pass "${1##*/} needs only $2"; else fail "${1##*/} needs also: $(echo "$odd" | tr '\n' ' ')"; fi
}

libc='lib(c|m|dl|pthread|rt)\.so\.[0-9]+|ld-linux.*'
exports_only "$lib/libsp.so" 'scope_profiler_runtime_1'
needs_no_symbol "$lib/libsp.so" '(P?MPI_|H5|ompi_|mpi_).*'
needs_only_libraries "$lib/libsp.so" "$libc"

# dlclose, so that a library's functions are not taken for those of one that lay there before.
exports_only "$lib/libsp_functions.so" '__cyg_profile_func_(enter|exit)|dlclose'
needs_no_symbol "$lib/libsp_functions.so" '(P?MPI_|H5|ompi_|mpi_|dwfl?_|elf_).*'
needs_only_libraries "$lib/libsp_functions.so" "libsp\.so.*|$libc"

exports_only "$lib/libsp_pmpi.so" 'MPI_[A-Z][A-Za-z0-9_]*|mpi_[a-z0-9_]*_'
needs_no_symbol "$lib/libsp_pmpi.so" '(P?MPI_|H5|ompi_|p?mpi_).*'
needs_only_libraries "$lib/libsp_pmpi.so" "libsp\.so.*|$libc"

exports_only "$lib/libsp_writer.so" 'scope_profiler_writer_1'
needs_no_symbol "$lib/libsp_writer.so" 'MPI_.*'
if ! needed "$lib/libsp_writer.so" | grep -q hdf5; then needs_no_symbol "$lib/libsp_writer.so" 'H5.*'; fi
needs_only_libraries "$lib/libsp_writer.so" "lib(mpi|hdf5|z)[-_a-z]*\.so.*|$libc"

exports_only "$lib/libsp_file.so" 'sp_file_[a-z_]*|SP_FILE_[0-9]*'
needs_no_symbol "$lib/libsp_file.so" 'MPI_.*'

for file in "$lib"/libsp*.so "$BIN"/sp-*; do
    [ -x "$file" ] || continue
    echo "${file##*/}: runs with $(objdump -T "$file" 2>/dev/null | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1) and newer"
done
finish
