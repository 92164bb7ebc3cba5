# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Sourced by the Slurm tests: a cluster of $nodes nodes (1) is up afterwards, and ends with the script.
# shellcheck source=tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
PATH=$PATH:/usr/sbin

[ "$(id -u)" = 0 ] || skip "starting a Slurm cluster needs root"
for program in slurmctld slurmd munged srun; do need "$program"; done
[ "$build_mpi" = openmpi ] || skip "this cluster starts programs by PMIx"

cluster_failed() {
    cat "$work"/cluster/log/* >&2
    fail "$*"
    finish
}

cleanup+=("$source/tests/slurm/cluster stop $work/cluster")
if ! "$source/tests/slurm/cluster" start "$work/cluster" "${nodes:=1}" >/dev/null; then
    if grep -qs "Unable to initialize cgroup plugin" "$work"/cluster/log/*; then skip "slurmd cannot use the cgroups of this machine"; fi
    cluster_failed "the cluster starts"
fi
export SLURM_CONF=$work/cluster/etc/slurm.conf
export OMPI_MCA_mpi_yield_when_idle=1
for _ in $(seq 100); do
    [ "$(sinfo -h -o "%t %D" 2>/dev/null)" = "idle $nodes" ] && break
    sleep 0.1
done
