#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The job scripts a user submits: a scaling series and its analysis.
# shellcheck source=tests/slurm/slurm.sh
. "$(dirname "$0")/slurm.sh"

export SP_PREFIX=$build_folder SBATCH_TIMELIMIT=1
"$source/slurm/scaling" "1 2" "$build_folder/examples/heat" --mock || cluster_failed "the series is submitted"
for _ in $(seq 300); do
    [ -n "$(squeue -h)" ] || break
    sleep 0.2
done
for file in run_1.h5 run_2.h5 sp-out/region_statistics.json; do holds "$file was written" test -s "$file"; done
if [ "$failures" -gt 0 ]; then
    squeue >&2
    cat slurm-*.out >&2
fi
finish
