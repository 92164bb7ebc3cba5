#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# LAMMPS, which nobody here wrote, on $1 ranks: same output but for its timings, calls as an independent counter sees
# them, and MPI times within LAMMPS's own timing.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/apps.sh"
need lmp

ranks=${1:-2}
input=$source/tests/apps/melt.lmp
export OMP_NUM_THREADS=1

steady() { sed -e '/^Loop time of/,/^Nlocal:/{/^Nlocal:/!d;}' -e '/^Total wall time/d' -e '/ CPU = /d'; }

# Seconds of one section of LAMMPS's breakdown: mean over the ranks.
section() { awk -F'|' -v name="$1" '$1 ~ "^"name {print $3 + 0}' recorded.out; }

# An upper bound, as LAMMPS's timers hold packing and waiting too; what it sends before the timed loop is not in them.
compare_times() {
    local comm inside others
    comm=$(section Comm)
    others=$(awk -v a="$(section Output)" -v b="$(section Neigh)" -v c="$(section Modify)" -v d="$(section Other)" 'BEGIN {print a + b + c + d}')
    inside=$(regions '[.MPI_Send, .MPI_Irecv, .MPI_Wait, .MPI_Sendrecv | .total_duration_seconds // 0] | add' | awk -v n="$ranks" '{print $1 / n}')
    echo "a rank: point-to-point MPI $inside s, LAMMPS: Comm $comm s, others $others s"
    holds "point-to-point time within LAMMPS's Comm time" within "$(awk -v c="$comm" 'BEGIN {print c / 10}')" "$inside" \
        "$(awk -v c="$comm" -v o="$others" 'BEGIN {print 1.1 * c + o + 0.01}')"
}

both lammps "$ranks" lmp -in "$input" -log none
analyse run.h5
if [ "$ranks" -gt 1 ]; then compare_times; fi
count_calls lammps "$ranks" lmp -in "$input" -log none
finish
