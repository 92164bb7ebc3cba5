#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Changes a copy of a run file so that it says what cannot be true, with checksums that fit, or (damaged) without.

    break_run.py KIND IN.h5 OUT.h5

KIND: disordered (an event starts before the one before it), outside (a call ends after its caller), backward (a duration of -5),
statistics (calls shorter than the shortest), histograms (a call too many in one bin), damaged (a byte of the durations changed), lanes (a byte of a small table changed).
"""
import shutil
import sys

import h5py
import numpy


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in bytearray(data):
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def renew(out, name):
    """The checksum of a whole dataset."""
    sums = out["checksums"][...]
    data = out[name][...].tobytes()
    row, = numpy.flatnonzero(sums["dataset"] == name.encode())
    sums["crc"][row] = crc32c(data)
    out["checksums"][...] = sums


def change(out, name, row, value):
    """One value of a column of events, and the checksums above it."""
    out["events/" + name][row] = value
    blocks = out["event_blocks"][...]
    for block in blocks:
        first, end = int(block["first_event"]), int(block["first_event"] + block["event_count"])
        if first <= row < end:
            block["crc_" + name] = crc32c(out["events/" + name][first:end].tobytes())
    out["event_blocks"][...] = blocks
    renew(out, "event_blocks")


def main():
    kind, source, path = sys.argv[1:]
    shutil.copy(source, path)
    with h5py.File(path, "r+") as out:
        depth = out["callpaths"]["depth"][...][out["events/callpath"][...]]
        inner = int(numpy.flatnonzero(depth == 1)[0])
        if kind == "disordered":
            change(out, "start_delta", inner + 1, -1)
        elif kind == "outside":
            change(out, "duration", inner, int(out["events/duration"][inner - 1]) + 1000)
        elif kind == "backward":
            change(out, "duration", inner, -5)
        elif kind == "statistics":
            out["statistics/min_ns"][0] = out["statistics/max_ns"][0] + 1
            renew(out, "statistics/min_ns")
        elif kind == "histograms":
            rows = out["histograms"][...]
            rows["calls"][0] += 1
            out["histograms"][...] = rows
            renew(out, "histograms")
        elif kind == "damaged":
            out["events/duration"][inner] += 1
        elif kind == "lanes":
            lanes = out["lanes"][...]
            lanes["end_ns"][0] += 1
            out["lanes"][...] = lanes


main()
