#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes one small run in every format of the Python scope-profiler, and broken relatives of it, into a folder.

    make_foreign.py DIR
    make_foreign.py DIR many NUMBER     one file with NUMBER calls, in schema 3

The run is data (RUN): what must come out of a reader follows from it by plain Python, see check_foreign.py.
"""
import gzip
import json
import os
import struct
import sys

import h5py
import numpy

BASE = 9_100_000_000_000_000_123  # a double would lose the last digits
TEXT = h5py.string_dtype("utf-8")
SOURCE = {"main": ("solver.py", 3, ["phase", "top"]), "größe/teil": ("solver.py", 17, []), "instant": ("", -1, [])}
SECOND_LANE = {"worker": 2}  # region -> thread, where a format knows threads


def calls_of(rank):
    """(region, start, end) in entry order, relative to BASE."""
    calls = [("main", 0, 10_000 + 1000 * rank)]
    for step in range(3):
        at = 100 + 3000 * step
        calls.append(("step", at, at + 2500 + 10 * step + rank))
        calls.append(("größe/teil", at, at + 1000))
        calls.append(("größe/teil", at + 1000, at + 1700 + rank))
        calls.append(("instant", at + 1800, at + 1800))
    if rank == 1:
        calls.append(("only on 1", 9500, 9501))
    return calls


RUN = {rank: calls_of(rank) for rank in range(2)}
OVERLAP = {0: [("outer", 0, 100), ("first", 10, 60), ("second", 50, 90), ("inside", 55, 58), ("late", 80, 120)]}
BACKWARD = {0: [("good", 0, 100), ("bad", 50, 20)]}
THREADS = {0: [("main", 0, 1000), ("worker", 100, 1500), ("worker", 1600, 1700), ("main", 1100, 1200)]}


def by_region(run):
    """[(rank, region, starts, ends)], rank after rank, regions in order of appearance."""
    rows = []
    for rank, calls in sorted(run.items()):
        for name in dict.fromkeys(call[0] for call in calls):
            mine = [call for call in calls if call[0] == name]
            rows.append((rank, name, [BASE + call[1] for call in mine], [BASE + call[2] for call in mine]))
    return rows


def metadata(out, run):
    group = out.create_group("metadata")
    group.attrs["mpi_size"] = len(run)
    group.attrs["hostname"] = "node01"
    group.attrs["scope_profiler_version"] = "0.7"
    group.attrs["load"] = 0.5
    group.attrs.create("modules", ["gcc/12", "openmpi/4"], dtype=TEXT)


def schema1(path, run):
    with h5py.File(path, "w") as out:
        metadata(out, run)
        for rank, name, starts, ends in by_region(run):
            group = out.create_group("rank%d/regions/%s" % (rank, name))
            group.create_dataset("start_times", data=numpy.array(starts, "i8"), maxshape=(None,), chunks=(1024,))
            group.create_dataset("end_times", data=numpy.array(ends, "i8"), maxshape=(None,), chunks=(1024,))
            if name in SOURCE:
                group.attrs["source_file"], group.attrs["source_lineno"] = SOURCE[name][:2]
                group.attrs.create("tags", SOURCE[name][2], dtype=TEXT)


def index(out, run, schema, layout="columnar"):
    rows = by_region(run)
    names = list(dict.fromkeys(row[1] for row in rows))
    out.attrs["scope_profiler_schema"] = schema
    out.attrs["storage_layout"] = layout
    metadata(out, run)
    out.create_dataset("region_table/names", data=names, dtype=TEXT)
    table = out.create_group("rank_region_index")
    table["region_ids"] = numpy.array([names.index(row[1]) for row in rows], "u4")
    table["ranks"] = numpy.array([row[0] for row in rows], "u4")
    known = [SOURCE.get(row[1], ("", -1, [])) for row in rows]
    table["source_lines"] = numpy.array([k[1] for k in known], "i8")
    table.create_dataset("source_files", data=[k[0] for k in known], dtype=TEXT)
    table.create_dataset("tags", data=[json.dumps(k[2]) for k in known], dtype=TEXT)
    return rows, table


def columnar(path, run, schema=3, compression=None, break_it=None):
    with h5py.File(path, "w") as out:
        rows, table = index(out, run, schema)
        counts = numpy.array([len(row[2]) for row in rows], "u8")
        table["event_counts"] = counts
        table["event_offsets"] = numpy.cumsum(counts) - counts
        starts = numpy.array([s for row in rows for s in row[2]], "i8")
        ends = numpy.array([e for row in rows for e in row[3]], "i8")
        if schema == 2:
            columns = {"start_times": starts, "end_times": ends}
        else:
            deltas = numpy.concatenate([numpy.diff(row[2], prepend=0) for row in rows]).astype("i8")
            columns = {"start_deltas": deltas, "durations": ends - starts}
        if run is THREADS:
            columns["thread_ids"] = numpy.array([SECOND_LANE.get(row[1], 0) for row in rows for _ in row[2]], "i8")
            out.create_group("thread_table")
            out["thread_table/ranks"] = numpy.array([0, 0], "u4")
            out["thread_table/index"] = numpy.array([0, 2], "i8")
            out.create_dataset("thread_table/name", data=["MainThread", "pool-1"], dtype=TEXT)
        for name, values in columns.items():
            out.create_dataset("events/" + name, data=values, compression=compression, shuffle=bool(compression) or None)
        if break_it:
            break_it(out)


def aggregate(path, run):
    with h5py.File(path, "w") as out:
        rows, table = index(out, run, 3, "aggregate")
        durations = [[e - s for s, e in zip(row[2], row[3])] for row in rows]
        table["aggregate_counts"] = numpy.array([len(d) for d in durations], "u8")
        for name, function in (("totals", sum), ("minimums", min), ("maximums", max), ("exclusives", lambda d: sum(d) // 2)):
            table["aggregate_" + name] = numpy.array([function(d) for d in durations], "i8")


def spt(path, run, version=2, order="<", tail=b""):
    (rank, _), = run.items()
    rows = by_region(run)
    out = b"SCOPEPRF" + struct.pack(order + "iiq", version, rank, len(rows))
    for _, name, starts, ends in rows:
        encoded = name.encode()
        out += struct.pack(order + "i", len(encoded)) + encoded
        if version > 1:
            source = SOURCE.get(name, ("", -1, []))
            out += struct.pack(order + "i", len(source[0])) + source[0].encode() + struct.pack(order + "i", source[1])
        out += struct.pack("%sq%dq" % (order, 2 * len(starts)), len(starts), *starts, *ends)
    with open(path, "wb") as file:
        file.write(out + tail)


def document(run, aggregated=False, version=1):
    regions = []
    for rank, name, starts, ends in by_region(run):
        region = {"name": name, "rank": rank}
        if name in SOURCE:
            region.update(source_file=SOURCE[name][0], source_lineno=SOURCE[name][1], tags=SOURCE[name][2])
        if aggregated:
            durations = [e - s for s, e in zip(starts, ends)]
            region["aggregate"] = {"count": len(durations), "total": sum(durations), "minimum": min(durations), "maximum": max(durations)}
        else:
            region.update(start_times_ns=starts, end_times_ns=ends)
        if run is THREADS:
            region["thread_ids"] = [SECOND_LANE.get(name, 0)] * len(starts)
        regions.append(region)
    return {"format": "scope-profiler-profile", "format_version": version, "exporter": "scope-profiler@0.7", "time_unit": "nanoseconds",
            "num_ranks": len(run), "event_data_available": True, "metadata": {"mpi_size": len(run), "hostname": "node01"},
            "regions": regions, "threads": {"0": [{"index": 2, "name": "pool-1"}]}}


def text(path, content, compressed=False):
    data = content.encode()
    with open(path, "wb") as out:
        out.write(gzip.compress(data, mtime=0) if compressed else data)


def replaced(name, values):
    def apply(out):
        del out[name]
        out[name] = values
    return apply


def removed(name):
    return lambda out: out.__delitem__(name)


def good(folder):
    schema1(folder + "/schema1.h5", RUN)
    columnar(folder + "/schema2.h5", RUN, 2)
    columnar(folder + "/schema3.h5", RUN, 3)
    columnar(folder + "/packed.h5", RUN, 3, "gzip")
    text(folder + "/profile.json", json.dumps(document(RUN), ensure_ascii=False))
    text(folder + "/indented.json", json.dumps(document(RUN), indent=2))
    text(folder + "/profile.json.gz", json.dumps(document(RUN)), True)
    aggregate(folder + "/aggregate.h5", RUN)
    text(folder + "/aggregate.json", json.dumps(document(RUN, True)))
    for rank in RUN:
        for version in (1, 2):
            for order in "<>":
                spt("%s/v%d_%s_%d.spt" % (folder, version, "little" if order == "<" else "big", rank), {rank: RUN[rank]}, version, order)
    columnar(folder + "/overlap.h5", OVERLAP)
    spt(folder + "/backward.spt", BACKWARD)
    columnar(folder + "/threads.h5", THREADS)
    text(folder + "/threads.json", json.dumps(document(THREADS)))


def bad(folder):
    columnar(folder + "/newer.h5", RUN, 4)
    spt(folder + "/newer.spt", {0: RUN[0]}, 3)
    text(folder + "/newer.json", json.dumps(document(RUN, version=2)))
    spt(folder + "/tail.spt", {0: RUN[0]}, 2, "<", b"x")
    text(folder + "/other.json", '{"name": "package", "version": "1.0"}')
    text(folder + "/cut.json", json.dumps(document(RUN))[:-10])
    text(folder + "/real.json", json.dumps(document(RUN)).replace(str(BASE), str(BASE) + ".5"))
    with open(folder + "/profile.json.gz", "rb") as whole:
        data = whole.read()
    with open(folder + "/cut.json.gz", "wb") as out:
        out.write(data[:-4])
    with open(folder + "/flipped.json.gz", "wb") as out:
        out.write(data[:-6] + bytes([data[-6] ^ 1]) + data[-5:])
    with h5py.File(folder + "/foreign.h5", "w") as out:
        out["temperature"] = numpy.zeros(10)
    columnar(folder + "/beyond.h5", RUN, break_it=replaced("rank_region_index/event_offsets", numpy.full(9, 27, "u8")))
    columnar(folder + "/region.h5", RUN, break_it=replaced("rank_region_index/region_ids", numpy.full(9, 77, "u4")))
    columnar(folder + "/rank.h5", RUN, break_it=replaced("rank_region_index/ranks", numpy.full(9, 2**31, "u4")))
    columnar(folder + "/events.h5", RUN, break_it=removed("events"))
    columnar(folder + "/column.h5", RUN, break_it=removed("events/durations"))
    columnar(folder + "/floats.h5", RUN, break_it=replaced("events/durations", numpy.zeros(28)))
    spt(folder + "/centuries.spt", {0: [("a", 0, 1), ("b", -2 * BASE, 1 - 2 * BASE)]})


def many(folder, number):
    starts = BASE + 100 * numpy.arange(number // 2, dtype="i8")
    rows = [("outer", starts, starts + 90), ("inner", starts + 10, starts + 30 + numpy.arange(number // 2) % 7)]
    with h5py.File(folder + "/many.h5", "w") as out:
        out.attrs["scope_profiler_schema"], out.attrs["storage_layout"] = 3, "columnar"
        out.create_dataset("region_table/names", data=[row[0] for row in rows], dtype=TEXT)
        out["rank_region_index/region_ids"] = numpy.array([0, 1], "u4")
        out["rank_region_index/ranks"] = numpy.array([0, 0], "u4")
        out["rank_region_index/event_counts"] = numpy.array([number // 2] * 2, "u8")
        out["rank_region_index/event_offsets"] = numpy.array([0, number // 2], "u8")
        out["events/start_deltas"] = numpy.concatenate([numpy.diff(row[1], prepend=0) for row in rows]).astype("i8")
        out["events/durations"] = numpy.concatenate([row[2] - row[1] for row in rows]).astype("i8")


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    if len(sys.argv) > 3:
        many(sys.argv[1], int(sys.argv[3]))
    else:
        good(sys.argv[1])
        bad(sys.argv[1])
