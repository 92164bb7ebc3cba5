#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Python, where MPI comes by dlopen, on $1 ranks: point-to-point, collectives and pickled objects; with and without h5py in the process.
# shellcheck source=tests/apps/apps.sh
. "$(dirname "$0")/../apps.sh"
python=/usr/bin/python3
module=$("$python" -c 'import importlib.util as u; s = u.find_spec("mpi4py.MPI"); print(s.origin)' 2>/dev/null) || skip "no mpi4py"
needs_this_mpi "$module"

ranks=${1:-2}
cat >script.py <<'PY'
import sys
if "h5py" in sys.argv:
    import h5py
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
buffer = bytearray(80)
for i in range(10):
    request = comm.Irecv([buffer, MPI.BYTE], left, i)
    comm.Send([bytes([rank]) * 80, MPI.BYTE], right, i)
    request.Wait()
objects = comm.sendrecv({"from": rank, "what": [1, 2.5, "x"]}, dest=right, source=left)
everything = comm.allgather((rank, objects["from"]))
total = comm.allreduce(rank + 1)
shared = comm.bcast({"key": list(range(100))} if rank == 0 else None)
parts = comm.scatter([i * i for i in range(size)] if rank == 0 else None)
comm.Barrier()
half = comm.Split(rank % 2, rank)
inside = half.allreduce(1)
half.Free()
if "h5py" in sys.argv:
    with h5py.File("py%d.data" % rank, "w") as file:
        file["values"] = shared["key"]
results = comm.gather((parts, inside, buffer[0]))
if rank == 0:
    print(everything, total, len(shared["key"]), results)
if "leave" in sys.argv:
    sys.exit(4)
PY
both "mpi4py" "$ranks" "$python" script.py
analyse run.h5
holds "ten messages a rank of the loop" test "$(regions '.MPI_Irecv.per_rank["0"].count')" -ge 10
holds "one barrier a rank" test "$(regions '.MPI_Barrier.count')" = "$ranks"
LATE='MPI_Comm_free(_keyval)?' # also in callbacks of MPI_Finalize
count_calls mpi4py "$ranks" "$python" script.py

if "$python" -c 'import h5py' 2>/dev/null; then
    rm -rf run.h5 report
    both "mpi4py with h5py" "$ranks" "$python" script.py h5py
    holds "h5py's file is right" "$python" -c 'import h5py; assert list(h5py.File("py0.data")["values"]) == list(range(100))'
    analyse run.h5
    holds "one barrier a rank, beside h5py" test "$(regions '.MPI_Barrier.count')" = "$ranks"
else
    echo "no h5py here"
fi

for name in plain recorded; do
    settings=()
    if [ $name = recorded ]; then settings=("LD_PRELOAD=$build_preload" SP_OUTPUT=left.h5); fi
    code=0
    run_mpi "$ranks" ${settings[@]+"${settings[@]}"} "$python" script.py leave >$name.left 2>/dev/null || code=$?
    echo "exit code $code" >>$name.left
done
same "exit code of a script that leaves with one" plain.left recorded.left
finish
