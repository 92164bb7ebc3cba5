#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Four processes on two nodes whose clocks are set apart: the offsets that are measured are those that were set, and the calls on both
# sides of a message come in order, within the error that the file states.
nodes=2
# shellcheck source=tests/slurm/slurm.sh
. "$(dirname "$0")/slurm.sh"
export OMPI_MCA_btl=tcp,self,vader OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_pml=ob1

cat >skewed <<'SH'
#!/bin/sh
case $(hostname) in n2) SP_TEST_CLOCK_SKEW_NS=$AHEAD; export SP_TEST_CLOCK_SKEW_NS ;; esac
exec "$@"
SH
chmod +x skewed

try() { # try SECONDS: node n2 is that far ahead
    rm -f run.h5
    AHEAD=$(($1 * 1000000000)) SP_OUTPUT=$work/run.h5 timeout -k 5 60 srun -N 2 -n 4 --ntasks-per-node 2 -t 1 \
        --export="ALL,LD_PRELOAD=$build_preload" "$work/skewed" "$build_folder/tests/token" >out 2>err || { cat err >&2; fail "$1 s apart: it runs"; }
    holds "$1 s apart: offsets are as set, calls in order" "$build_folder/tests/check_clocks" run.h5 measured 0 0 "$1" "$1"
}
try 0
try 5
try -7200
finish
