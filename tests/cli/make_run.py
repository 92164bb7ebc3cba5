#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes run files for the tests of sp-pproc: a second, independent writer of the format (h5py), whose numbers are known in
closed form.

    make_run.py KIND OUT.h5 [NUMBER]
    make_run.py layout OUT.h5 RANKS:THREADS:NODES:MS[:KEY=VALUE...]

KIND: solver (NUMBER ranks of a mock solver), names (names that break things), profile (the solver without a trace),
truncated (the solver, the last 12 events of each rank cut off), cut (all events cut off), once (two MPI calls,
none inside the run), empty (no calls), threads (two lanes a rank), many (NUMBER calls), wide (NUMBER ranks),
regions (NUMBER regions), timed (work of NUMBER ms, then io of 10 ms), killed (no end of the run known), short (1000 calls of 100 ns in 900 us of work), alternating (10 and 30 ms
of work in turn on two ranks), open (a call still open at the end).
"""
import json
import os
import re
import sys

import h5py
import numpy

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "merge", "scope_profiler_format.h")
USER, MPI = 0, 1
MS = 1000000


def crc_table():
    table = []
    for i in range(256):
        for _ in range(8):
            i = (i >> 1) ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    return table


CRC = crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC[(crc ^ byte) & 255] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def layouts():
    """The tables as the format's header declares them: {name: numpy dtype}."""
    kinds = {"int32_t": "<i4", "uint32_t": "<u4", "int64_t": "<i8", "uint64_t": "<u8"}
    text = open(HEADER).read().replace("\\\n", " ")
    found = {}
    for name, body in re.findall(r"#define SP_(?:TABLE|COLUMNS)_(\w+)\(F(?:, S)?\)(.*)", text):
        fields = []
        for letter, first, field in re.findall(r'([FS])\((\w+), (\w+), "', body):
            kind = kinds[first] if letter == "F" else h5py.string_dtype("utf-8", int(first))
            fields.append((field, kind))
        found[name.lower()] = numpy.dtype(fields)
    return found


LAYOUTS = layouts()


class Lane:
    def __init__(self, run, rank, index=0, kind=0):
        self.run, self.rank, self.index, self.kind = run, rank, index, kind
        self.events = []     # [start, end, call path]
        self.stack = []      # event numbers
        self.now = 0
        self.statistics = {}  # call path -> dict
        self.children = []   # time of direct children of the open calls
        self.finalize_begin = None

    def begin(self, name, kind=USER):
        parent = self.events[self.stack[-1]][2] if self.stack else -1
        path = self.run.callpath(parent, self.run.region(name, kind))
        self.stack.append(len(self.events))
        self.events.append([self.now, -1, path])
        self.children.append(0)

    def end(self, sent=0, received=0):
        event = self.events[self.stack.pop()]
        event[1] = self.now
        duration = event[1] - event[0]
        own = duration - self.children.pop()
        if self.children:
            self.children[-1] += duration
        s = self.statistics.setdefault(event[2], dict(calls=0, total=0, own=0, low=duration, high=0, first=duration, start=event[0],
                                                      squares=0, sent=0, received=0))
        s["calls"] += 1
        s["total"] += duration
        s["own"] += own
        s["low"] = min(s["low"], duration)
        s["high"] = max(s["high"], duration)
        s["last"], s["end"] = duration, event[1]
        s["squares"] += duration * duration
        s["sent"] += sent
        s["received"] += received

    def call(self, name, duration, kind=USER, sent=0, received=0):
        self.begin(name, kind)
        self.now += round(duration)
        self.end(sent, received)

    def wait(self, duration):
        self.now += round(duration)

    def finalize(self):
        """Of MPI_Finalize the record has the beginning."""
        self.finalize_begin = self.now
        self.call("MPI_Finalize", 300, MPI)


class Run:
    def __init__(self, rank_count, hosts=("node01",), metadata=None):
        self.rank_count, self.hosts = rank_count, hosts
        self.regions, self.callpaths = {}, {}
        self.lanes = []
        self.metadata = dict(metadata or {})
        self.trace, self.state, self.dropped = "complete", "complete", 0
        self.known_init = self.known_end = True
        self.histograms = False

    def region(self, name, kind):
        name = name if isinstance(name, bytes) else name.encode()
        return self.regions.setdefault((name, kind), len(self.regions))

    def callpath(self, parent, region):
        return self.callpaths.setdefault((parent, region), len(self.callpaths))

    def lane(self, rank, index=0, kind=0):
        self.lanes.append(Lane(self, rank, index, kind))
        return self.lanes[-1]

    def end_of(self, rank):
        return max([lane.now for lane in self.lanes if lane.rank == rank] or [0])

    def finalize_of(self, rank):
        begins = [lane.finalize_begin for lane in self.lanes if lane.rank == rank and lane.finalize_begin is not None]
        return begins[0] if begins else self.end_of(rank)

    def kept(self, lane):
        """The events that the trace has room for."""
        return lane.events[:max(0, len(lane.events) - self.dropped)] if lane.index == 0 else lane.events

    def histogram_rows(self):
        """A bin of e and the next six binary digits of a duration of 2^e ns and more."""
        calls = {}
        for lane in self.lanes:
            for start, end, path in lane.events:
                ns = end - start
                e = ns.bit_length() - 1
                key = (list(self.callpaths)[path][1], 64 * e + ((ns << 6) >> e) - 64)
                for rank in (-1, lane.rank):
                    calls[(rank,) + key] = calls.get((rank,) + key, 0) + 1
        return [key + (count,) for key, count in sorted(calls.items())]

    # the tables, as lists of rows

    def rank_rows(self):
        rows = []
        for rank in range(self.rank_count):
            end = self.end_of(rank)
            init = 1 * MS if self.known_init else -1
            finalize = self.finalize_of(rank) if self.known_end else -1
            lanes = sum(lane.rank == rank for lane in self.lanes)
            rows.append((rank * len(self.hosts) // self.rank_count, 1000 + rank, 0, init, finalize, end + MS, 0, 0, 0,
                         self.dropped, 40000, 0, 1 << 20, 1 if self.known_end else 0, 0, lanes))
        return rows

    def lane_rows(self):
        rows, events, statistics = [], 0, 0
        for lane in self.lanes:
            count = 0 if self.trace == "off" else len(self.kept(lane))
            name = b"main" if lane.index == 0 else b"worker %d" % lane.index
            rows.append((lane.rank, lane.kind, lane.index, name, 0, lane.now, events, count, 0, 0, statistics,
                         len(lane.statistics), self.dropped if lane.index == 0 else 0, 0))
            events += count
            statistics += len(lane.statistics)
        return rows

    def statistic_rows(self):
        rows = []
        for number, lane in enumerate(self.lanes):
            for path, s in sorted(lane.statistics.items()):
                rows.append((number, path, s["calls"], s["total"], s["own"], s["low"], s["high"], s["first"], s["last"], s["start"],
                             s["end"], s["squares"] & (2**64 - 1), s["squares"] >> 64, s["sent"], s["received"]))
        return rows

    def event_blocks(self):
        """Columns of the events and the table of their blocks."""
        deltas, durations, paths, blocks, first = [], [], [], [], 0
        for number, lane in enumerate(self.lanes if self.trace != "off" else []):
            events = self.kept(lane)
            for begin in range(0, len(events), 65536):
                part = numpy.array(events[begin:begin + 65536], dtype="<i8")
                delta = numpy.diff(part[:, 0], prepend=0).astype("<i8")
                duration = numpy.where(part[:, 1] < 0, -1, part[:, 1] - part[:, 0]).astype("<i8")
                path = part[:, 2].astype("<i4")
                end = int(max(part[:, 1].max(), lane.now if part[:, 1].min() < 0 else 0))
                blocks.append((number, first, len(part), int(part[0, 0]), end, crc32c(delta.tobytes()), crc32c(duration.tobytes()),
                               crc32c(path.tobytes())))
                first += len(part)
                deltas.append(delta)
                durations.append(duration)
                paths.append(path)
        join = lambda columns, kind: numpy.concatenate(columns) if columns else numpy.zeros(0, kind)
        return join(deltas, "<i8"), join(durations, "<i8"), join(paths, "<i4"), blocks

    def region_rows(self):
        rows, strings = [], b""
        for name, kind in self.regions:
            rows.append((len(strings), 0, 0, len(name), 0, 0, -1, kind, 0))
            strings += name
        return rows, strings

    def callpath_rows(self):
        rows = []
        for parent, region in self.callpaths:
            rows.append((parent, region, rows[parent][2] + 1 if parent >= 0 else 0))
        return rows

    def write(self, path):
        self.lanes.sort(key=lambda lane: (lane.rank, lane.index))
        regions, strings = self.region_rows()
        deltas, durations, paths, blocks = self.event_blocks()
        tables = {"hosts": [(host.encode(), b"boot") for host in self.hosts], "ranks": self.rank_rows(), "lanes": self.lane_rows(),
                  "regions": regions, "callpaths": self.callpath_rows(), "event_blocks": blocks, "message_blocks": [],
                  "communicators": []}
        if self.histograms:
            tables["histograms"] = self.histogram_rows()
        raw = {"metadata": numpy.frombuffer(json.dumps(self.metadata).encode(), "u1"), "strings": numpy.frombuffer(strings, "u1"),
               "members": numpy.zeros(0, "<i4")}
        sums = []
        with h5py.File(path, "w") as out:
            attributes(out, self)
            for name, rows in tables.items():
                save(out, name, numpy.array(rows, dtype=LAYOUTS[name]), sums)
            for name, values in raw.items():
                save(out, name, values, sums)
            for name, values in (("start_delta", deltas), ("duration", durations), ("callpath", paths)):
                out.create_dataset("events/" + name, data=values)
            columns(out, "messages", [], None)
            columns(out, "statistics", self.statistic_rows(), sums)
            out.create_dataset("checksums", data=numpy.array(sums, dtype=LAYOUTS["checksums"]))


def attributes(out, run):
    for name, text in (("format", "scope-profiler-mpi"), ("creator", "make_run.py"), ("state", run.state), ("trace", run.trace),
                       ("clock_source", "monotonic")):
        out.attrs.create(name, text.encode(), dtype=h5py.string_dtype("utf-8", len(text) + 1))
    out.attrs.create("format_version", 1, dtype="<i4")
    out.attrs.create("clock_error_ns", 0, dtype="<i8")


def save(out, name, values, sums):
    dataset = out.create_dataset(name, data=values)
    data = values.tobytes()
    assert dataset.shape == values.shape
    sums.append((name.encode(), len(data), crc32c(data)))


def columns(out, group, rows, sums):
    layout = LAYOUTS[group]
    table = numpy.array(rows, dtype=layout)
    for field in layout.names:
        values = numpy.ascontiguousarray(table[field])
        out.create_dataset("%s/%s" % (group, field), data=values)
        if sums is not None:
            sums.append((("%s/%s" % (group, field)).encode(), values.nbytes, crc32c(values.tobytes())))


def exchange(lane, n, peers):
    """A halo exchange of 64 KiB with each neighbour."""
    lane.begin("halo")
    for _ in range(peers):
        lane.call("MPI_Irecv", 20000, MPI)
        lane.call("MPI_Isend", 30000, MPI, sent=65536)
    lane.call("MPI_Waitall", 4 * MS * n - 50000 * peers, MPI, received=65536 * peers)
    lane.end()


def solver(n, label=None, finalize=True):
    """setup 60 ms x (0.15 + 0.85/n), three steps of assemble 25 ms and solve 60 ms scaled alike, halo 4 ms x n, io 12 ms on every
    second step. On the last of several ranks solve takes a fifth more and the others wait for it in MPI_Allreduce."""
    run = Run(n, hosts=("node01",) if n < 4 else ("node01", "node02"), metadata={"label": label or "run_%d" % n, "mpi_size": n})
    scale = 0.15 + 0.85 / n
    for rank in range(n):
        lane = run.lane(rank)
        slow = 1.2 if n > 1 and rank == n - 1 else 1.0
        lane.call("MPI_Init", 1 * MS, MPI)
        lane.call("setup", 60 * MS * scale)
        for step in range(3):
            lane.begin("step")
            lane.call("assemble", 25 * MS * scale)
            lane.begin("solve")
            lane.wait(60 * MS * scale * slow)
            lane.call("MPI_Allreduce", 60 * MS * scale * ((1.2 if n > 1 else 1.0) - slow) + 50000, MPI, sent=8, received=8)
            lane.end()
            exchange(lane, n, min(n - 1, 2))
            if step % 2 == 0:
                lane.call("io", 12 * MS)
            lane.end()
        if finalize:
            lane.finalize()
    return run


TORTURE = ["a,b", 'say "hi"', "two\nlines", "tab\there", "</svg>", "semi;colon", "sl/ash", "größe ∑", b"bad\xff\xfebytes", b"bad\xff\xfdbytes",
           "x" * 10000, "", "=1+1", "-minus", "under_score^{2}", "it's `date` $HOME @x %d %s \\n", "漢字", "MPI_Send"]


def names(_):
    run = Run(1, metadata={"label": 'na"me, it\'s'})
    lane = run.lane(0)
    for number, name in enumerate(TORTURE):
        lane.call(name, (number + 1) * MS)
    lane.call("MPI_Send", MS, MPI, sent=100)
    return run


def profile(n):
    run = solver(n or 2)
    run.trace, run.histograms = "off", True
    return run


def truncated(n):
    run = solver(n or 2)
    run.trace, run.dropped, run.histograms = "truncated", 12, True
    return run


def cut(n):
    run = solver(n or 2)
    run.trace, run.dropped = "truncated", 1000
    return run


def once(_):
    run = Run(1)
    lane = run.lane(0)
    lane.call("MPI_Init", 1 * MS, MPI)
    lane.call("work", 4 * MS)
    lane.finalize()
    return run


def empty(n):
    run = Run(n or 1)
    for rank in range(run.rank_count):
        run.lane(rank)
    return run


def threads(n):
    run = Run(n or 2)
    for rank in range(run.rank_count):
        for index in range(2):
            lane = run.lane(rank, index, 0 if index == 0 else 1)
            for _ in range(5):
                lane.call("work", (3 + index + rank) * MS)
                lane.wait(MS)
    return run


def many(n):
    run = Run(2)
    for rank in range(2):
        lane = run.lane(rank)
        for call in range((n or 200000) // 4):
            lane.begin("outer")
            lane.call("inner", 1000 + 100 * (call % 7 + rank))
            lane.end()
            if call % 1000 == 0:
                lane.wait(200000)
    return run


def wide(n):
    run = Run(n or 500, hosts=tuple("node%03d" % host for host in range((n or 500) // 50)))
    for rank in range(run.rank_count):
        lane = run.lane(rank)
        for step in range(4):
            lane.wait(0 if step else MS)
            lane.call("compute", (10 + rank * 4 / run.rank_count) * MS)
            lane.call("exchange", 2 * MS)
            lane.call("MPI_Barrier", (4 - rank * 4 / run.rank_count) * MS, MPI)
    return run


def regions(n):
    run = Run(2)
    for rank in range(2):
        lane = run.lane(rank)
        for number in range(n or 200):
            lane.call("region_%03d" % number, (number % 37 + 1 + rank) * 100000)
    return run


def timed(n):
    run = Run(1)
    lane = run.lane(0)
    lane.call("work", (n or 100) * MS)
    lane.call("io", 10 * MS)
    return run


def killed(n):
    run = solver(n or 2, finalize=False)
    run.known_end, run.state = False, "recovered"
    return run


def short(_):
    run = Run(1)
    lane = run.lane(0)
    lane.call("MPI_Init", MS, MPI)
    lane.begin("work")
    for _ in range(1000):
        lane.call("tiny,one", 100)
        lane.wait(900)
    lane.end()
    lane.finalize()
    return run


def alternating(_):
    run = Run(2)
    for rank in range(2):
        lane = run.lane(rank)
        lane.call("MPI_Init", MS, MPI)
        for step in range(4):
            lane.begin("work")
            lane.wait(5 * MS)
            lane.call("MPI_Bcast", (1 + step) * MS, MPI)
            lane.wait((5 if step % 2 == rank else 25) * MS)
            lane.end()
        lane.finalize()
    return run


def still_open(_):
    run = Run(1)
    lane = run.lane(0)
    lane.call("done", 5 * MS)
    lane.begin("pending")
    lane.call("inside", 3 * MS)
    lane.wait(2 * MS)
    return run


def layout(spec):
    """RANKS:THREADS:NODES:MS[:KEY=VALUE...]: so many ranks on so many nodes; all compute MS ms, then what is on rank 0 alone 1 ms."""
    ranks, threads, nodes, ms, *said = spec.split(":")
    metadata = dict(pair.split("=") for pair in said)
    run = Run(int(ranks), ["node%02d" % i for i in range(int(nodes))], dict(metadata, omp_num_threads=int(threads)))
    for rank in range(int(ranks)):
        lane = run.lane(rank)
        lane.call("MPI_Init", 1 * MS, MPI)
        lane.call("compute", float(ms) * MS)
        if rank == 0:
            lane.call("root", MS)
        lane.finalize()
    return run


def main():
    if sys.argv[1:2] == ["layout"]:
        layout(sys.argv[3]).write(sys.argv[2])
        return
    kinds = {"solver": solver, "names": names, "profile": profile, "truncated": truncated, "cut": cut, "once": once, "empty": empty, "threads": threads,
             "many": many, "wide": wide, "regions": regions, "killed": killed, "timed": timed, "short": short, "alternating": alternating, "open": still_open}
    if len(sys.argv) < 3 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    kinds[sys.argv[1]](int(sys.argv[3]) if len(sys.argv) > 3 else None or (1 if sys.argv[1] == "solver" else None)).write(sys.argv[2])


main()
