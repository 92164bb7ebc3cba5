#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every function of the MPI library is recorded or stands in pmpi/not_wrapped.txt ("Name reason ...", without MPI_), in C and in Fortran.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
list=$source/pmpi/not_wrapped.txt

functions() { nm -D --defined-only --format=posix "$1" | awk '$2 ~ /^[TWi]$/ {sub(/@.*/, "", $1); print $1}' | sort -u; }
library_of() { ldd "$1" 2>/dev/null | awk -v name="$2" 'index($1, name) == 1 {print $3; exit}'; }

sed 's/#.*//' "$list" | awk 'NF {print "MPI_" $1}' | sort >listed
awk '/^[^#]/ && NF == 1' "$list" >unexplained
holds "every exception has its reason" test ! -s unexplained
cat unexplained
holds "every exception stands once" test -z "$(uniq -d listed)"
functions "$build_preload" >ours

missing_from() { # missing_from WHAT: names on stdin that are neither ours nor listed
    local missing
    missing=$(sort -u | comm -23 - <(sort -u ours listed))
    if [ -z "$missing" ]; then pass "$1: all recorded or listed"; else fail "$1: neither recorded nor listed: $(echo "$missing" | tr '\n' ' ')"; fi
}

mpi=$(library_of "$build_folder/examples/heat" libmpi)
[ -n "$mpi" ] || skip "libmpi is not shared"
functions "$mpi" | sed -n 's/^PMPI_/MPI_/p' >all
later='.*_c|MPI_(All|Alltoall|Bar|Bcast|Exscan|Gather|Neighbor|Reduce|Scan|Scatter).*_init|MPI_(Psend|Precv)_init|MPI_P(ready|arrived).*|MPI_Isendrecv.*'
later+='|MPI_.*_from_(session_pset|groups?)|MPI_Session_.*|MPI_T_(event|source|category_get_(num_)?events).*|MPI_Info_(create_env|get_string)|MPI_Comm_idup_with_info'
grep -vxE "$later" all >there
echo "of MPI-4 there, neither recorded nor listed: $(grep -xE "$later" all | sort | comm -23 - <(sort -u ours listed) | wc -l)"
missing_from "C" <there
holds "nothing is listed and recorded" test -z "$(comm -12 listed ours)"
comm -12 listed ours
stale=$(grep '^MPI_' listed | comm -23 - there)
[ -z "$stale" ] || echo "listed, but not in this MPI: $(echo "$stale" | tr '\n' ' ')"

# Fortran: the bindings of all that is recorded in C.
lower() { tr '[:upper:]' '[:lower:]'; }
if [ "$build_mpi" = mpich ] && [ -x "$build_folder/examples/heat_f08" ]; then
    functions "$(library_of "$build_folder/examples/heat_f08" libmpichfort)" >fortran
    for ending in f08 f08ts; do
        comm -12 <(grep '^MPI_' ours | lower | sed "s/\$/_${ending}_/" | sort) fortran | missing_from "mpi_f08 ($ending)"
    done
    holds "all Fortran names are MPICH's" test -z "$(grep '^mpi_' ours | comm -23 - fortran)"
    grep '^mpi_' ours | comm -23 - fortran
elif [ -x "$build_folder/examples/ring_mpifh" ]; then
    fortran=$(library_of "$build_folder/examples/ring_mpifh" libmpi_mpifh)
    if [ -n "$fortran" ]; then
        comm -12 <(grep '^MPI_' ours | lower | sed 's/$/_/' | sort) <(functions "$fortran") | missing_from "mpif.h"
    fi
    fortran=$(library_of "$build_folder/examples/heat_f08" libmpi_usempif08)
    if [ -n "$fortran" ]; then
        comm -12 <(grep '^MPI_' ours | lower | sed 's/$/_f08_/' | sort) <(functions "$fortran") | missing_from "mpi_f08"
    fi
fi
finish
