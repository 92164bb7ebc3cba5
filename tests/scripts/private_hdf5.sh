#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# scripts/private-hdf5 says what is wrong with what it was given, and leaves nothing behind.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
export SP_CACHE=$work/cache

refuses() { # refuses TEXT ARGUMENTS...
    local text=$1 code=0
    shift
    "$source/scripts/private-hdf5" --cc "$build_mpicc" --mpi "$build_mpi" "$@" >out 2>err || code=$?
    holds "fails: $text" test "$code" != 0
    holds "says: $text" grep -qF -- "$text" err
    holds "prints no prefix" test ! -s out
    holds "leaves nothing in the cache" test -z "$(find cache -mindepth 1 -not -name .lock 2>/dev/null)"
}

refuses "cannot read" --source "$work/absent.tar.gz"
mkdir other && echo hello >other/README
tar -czf other.tar.gz other
refuses "not an HDF5 release tarball" --source "$work/other.tar.gz"
refuses "no-such-compiler: not found" --cc no-such-compiler
finish
