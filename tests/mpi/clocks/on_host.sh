#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# on_host.sh "HOST PID..." PROGRAM: runs the program on the host of this rank, in the name and time space of that process (0: here).
read -ra hosts <<<"$1"
shift
pid=${hosts[${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}]}
[ "$pid" = 0 ] && exec "$@"
exec nsenter --target "$pid" --uts --time "$@"
