#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Others' tools read what the writer wrote, compressed or not.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../../lib.sh"
tests=$build_folder/tests
mkdir spills
"$tests/make_spills" spills 2 20000
for compression in none gzip:6; do
    run_mpi 2 "$tests/write_run" "$build_folder/lib/libsp_writer.so" spills 2 "$compression.h5" "$compression" collective >out 2>err ||
        fail "writing $compression: $(head -n 3 err)"
done
holds "compression makes the file smaller" test "$(stat -c %s gzip:6.h5)" -lt "$(($(stat -c %s none.h5) / 10))"

if command -v h5dump >/dev/null; then
    for file in none.h5 gzip:6.h5; do
        holds "h5dump reads $file" eval "h5dump -d /events/duration -d /statistics/calls -d /ranks '$file' >'$file.txt'"
        sed -i 1d "$file.txt" # its name
    done
    same "h5dump shows the same data" none.h5.txt gzip:6.h5.txt
else
    echo "no h5dump here"
fi

python=/usr/bin/python3
if $python -c 'import h5py' 2>/dev/null; then
    cat >check.py <<'PYTHON'
import sys, h5py
# a step is 1000 ns; rank r does 20000 (r + 1) of them
with h5py.File(sys.argv[1], "r") as f:
    assert f.attrs["format"] == b"scope-profiler-mpi" and f.attrs["format_version"] == 1
    assert f.attrs["state"].rstrip(b"\0") == b"complete"
    text = bytes(f["strings"][:])
    names = [text[r["name_offset"]:][:r["name_bytes"]].decode() for r in f["regions"][:]]
    assert names == ["step", "compute", "own of 0", "MPI_Sendrecv", "MPI_Allreduce", "own of 1"], names
    region = f["callpaths"]["region"]
    steps = [i for i, r in enumerate(region) if names[r] == "step"]
    duration, callpath = f["events/duration"][:], f["events/callpath"][:]
    assert len(steps) == 1 and (duration[callpath == steps[0]] == 1000).all()
    assert (callpath == steps[0]).sum() == 60000
    assert [int(c) for c, p in zip(f["statistics/calls"][:], f["statistics/callpath"][:]) if p == steps[0]] == [20000, 40000]
    assert f["lanes"]["name"][0] == b"lane 0" and list(f["ranks"]["pid"]) == [1000, 1001]
PYTHON
    for file in none.h5 gzip:6.h5; do holds "h5py reads $file" $python check.py "$file"; done
else
    echo "no h5py here"
fi
finish
