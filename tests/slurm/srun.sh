#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The example solver by srun on one node, recorded by the preload alone.
# shellcheck source=tests/slurm/slurm.sh
. "$(dirname "$0")/slurm.sh"

job() { timeout -k 5 60 srun -n 2 -t 1 "$@"; }
solver=("$build_folder/examples/heat" --size 48 --steps 2 --sweeps 2)

job "${solver[@]}" >plain.out || cluster_failed "srun runs the solver"
SP_OUTPUT=$work/run.h5 job --export="ALL,LD_PRELOAD=$build_preload" "${solver[@]}" >recorded.out 2>recorded.err || fail "srun runs the solver with the preload"
same "the solver prints the same" plain.out recorded.out
holds "the file is there" test -s run.h5
[ "$failures" = 0 ] || { cat recorded.err >&2; finish; }
"$BIN/sp-pproc" --no-pictures -o report run.h5 >/dev/null
holds "the file holds both ranks" test "$(jq '.files[0].region_statistics.step.per_rank | length' report/region_statistics.json)" = 2

"$BIN/sp-run" -o by_run.h5 srun -n 2 -t 1 --export=NONE "${solver[@]}" >by_run.out 2>by_run.err || fail "sp-run srun"
same "under sp-run it prints the same" plain.out by_run.out
holds "sp-run's file is there" test -s by_run.h5
[ "$failures" = 0 ] || cat by_run.err >&2
finish
