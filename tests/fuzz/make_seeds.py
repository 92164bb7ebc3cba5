#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""make_seeds.py FOLDER MAKE_SPILLS MAKE_FOREIGN: inputs to start from, FOLDER/{spt,json,heap,spill}/."""
import glob
import os
import re
import struct
import subprocess
import sys

folder, make_spills, make_foreign = sys.argv[1:]
for kind in ("spt", "json", "heap", "spill", "files"):
    os.makedirs(os.path.join(folder, kind), exist_ok=True)


def save(kind, name, data):
    with open(os.path.join(folder, kind, name), "wb") as out:
        out.write(data)


subprocess.run([sys.executable, make_foreign, folder + "/files"], check=True)
for path in glob.glob(folder + "/files/*.spt") + glob.glob(folder + "/files/*.json"):
    save(path.rsplit(".", 1)[1], os.path.basename(path), open(path, "rb").read())

data = open(folder + "/files/schema3.h5", "rb").read()
for number, match in enumerate(re.finditer(b"GCOL", data)):
    size, = struct.unpack_from("<Q", data, match.start() + 8)
    save("heap", str(number), struct.pack("<IQI", 4, 0, 1) + data[match.start():match.start() + size])

os.makedirs(folder + "/files/spills", exist_ok=True)
subprocess.run([make_spills, folder + "/files/spills", "2", "20"], check=True)
HEADER = 512  # as in fuzz_spill.c
RINGS = [(4096, 65536 * 16 + 64, 64 * 16), (0, 16384 * 40, 64 * 40), (0, 4096 * 16, 64 * 16), (0, 256 * 24, 64 * 24)]
for path in glob.glob(folder + "/files/spills/**/*", recursive=True):
    if not os.path.isfile(path):
        continue
    data = open(path, "rb").read()
    kind, = struct.unpack_from("<I", data, 16)
    seed, at = data[:HEADER], 4096
    if len(data) > 1 << 20:
        for _, whole, part in RINGS:
            seed += data[at:at + part]
            at += whole
    save("spill", os.path.basename(path), seed + data[at:])
