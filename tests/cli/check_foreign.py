#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What sp-pproc says about files of make_foreign.py against the run they were made of, worked out here by brute force.

    check_foreign.py SP-PPROC DIR           all sound files of the folder
    check_foreign.py SP-PPROC DIR upstream EXPECTED    DIR/run_{1,2,4}.h5 against what the Python scope-profiler made of them
"""
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

import make_foreign

FAILED = []


def check(what, got, expected, absolute=0.0):
    same = got == expected
    if not same and isinstance(got, (int, float)) and isinstance(expected, (int, float)):
        same = abs(got - expected) <= max(absolute, 1e-12 * max(abs(got), abs(expected)))
    if not same:
        FAILED.append(what)
        print("%s: %r instead of %r" % (what, got, expected))


def analyse(pproc, files):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([pproc, "-q", "--no-pictures", "-o", folder + "/o"] + files, check=True)
        found = {name: json.load(open("%s/o/%s" % (folder, name))) for name in os.listdir(folder + "/o") if name.endswith(".json")}
        found["regions.csv"] = list(csv.DictReader(open(folder + "/o/regions.csv", encoding="utf-8")))
        return found


def parent_of(calls, number):
    """The smallest call that holds this one whole; of equal ones the one before it."""
    name, start, end = calls[number]
    best = None
    for other, (_, a, b) in enumerate(calls):
        if other == number or a > start or b < end or (b == start and not (a == b == start)):
            continue
        if (a, b) == (start, end) and other > number:
            continue
        if best is None or (calls[best][2] - calls[best][1], -best) >= (b - a, -other):
            best = other
    return best


def expect(calls):
    """{region: (calls, total, self, min, max, first, last, std)} of one lane, and the set of its call paths."""
    own = [end - start for _, start, end in calls]
    parents = [parent_of(calls, i) for i in range(len(calls))]
    for i, parent in enumerate(parents):
        if parent is not None:
            own[parent] -= calls[i][2] - calls[i][1]
    regions, paths = {}, set()
    for i, (name, start, end) in enumerate(calls):
        path, at = [], i
        while at is not None:
            path.insert(0, calls[at][0])
            at = parents[at]
        paths.add(tuple(path))
        regions.setdefault(name, []).append((end - start, own[i]))
    return {name: [len(d), sum(x for x, _ in d), sum(x for _, x in d), min(x for x, _ in d), max(x for x, _ in d), d[0][0], d[-1][0],
                   statistics.pstdev(x for x, _ in d)] for name, d in regions.items()}, paths


KEYS = ["average", "min", "max", "first", "last", "std", "total"]


def check_statistics(what, found, expected, sums_only=False):
    calls, total, _, low, high, first, last, std = expected
    values = [total / calls, low, high, first, last, std, total]
    check(what + " count", found["count"], calls)
    for key, value in zip(KEYS, values):
        seconds = None if sums_only and key in ("first", "last", "std") else value / 1e9
        check("%s %s" % (what, key), found[key + "_duration_seconds"], seconds)


def check_file(pproc, path, run, sums_only=False):
    name = os.path.basename(path)
    found = analyse(pproc, [path])
    file = found["region_statistics.json"]["files"][0]
    check(name + " ranks", file["num_ranks"], max(run) + 1)
    own = {}
    for rank, calls in run.items():
        regions, _ = expect(calls)
        for region, values in regions.items():
            own[region] = own.get(region, 0) + values[2]
            check_statistics("%s %s on %d" % (name, region, rank), file["region_statistics"][region]["per_rank"][str(rank)], values, sums_only)
    check(name + " regions", sorted(file["region_statistics"]), sorted(own))
    if not sums_only:
        for row in found["regions.csv"]:
            check("%s %s self" % (name, row["region"]), float(row["self_seconds"]), own[row["region"]] / 1e9)
        check_paths(pproc, path, set().union(*(expect(calls)[1] for calls in run.values())))


def inspect(pproc, path):
    return json.loads(subprocess.run([pproc, "inspect", "--json", path], check=True, capture_output=True).stdout)["files"][0]


def check_paths(pproc, path, expected):
    stack, found = [], set()
    for row in inspect(pproc, path)["call_paths"]:
        if row["region"] != "(own)":
            stack[row["depth"]:] = [row["region"]]
            found.add(tuple(stack))
    check(os.path.basename(path) + " call paths", sorted(found), sorted(expected))


def check_all(pproc, folder):
    run, path = make_foreign.RUN, lambda name: os.path.join(folder, name)
    for name in ("schema1.h5", "schema2.h5", "schema3.h5", "packed.h5", "profile.json", "indented.json", "profile.json.gz"):
        check_file(pproc, path(name), run)
    for name in ("aggregate.h5", "aggregate.json"):
        check_file(pproc, path(name), run, True)
    for rank in run:
        for kind in ("v1_little", "v1_big", "v2_little", "v2_big"):
            check_file(pproc, path("%s_%d.spt" % (kind, rank)), {rank: run[rank]})
    outer = {("outer",), ("outer", "first"), ("outer", "second"), ("outer", "second", "inside"), ("late",)}
    check_paths(pproc, path("overlap.h5"), outer)
    own = {row["region"]: float(row["self_seconds"]) for row in analyse(pproc, [path("overlap.h5")])["regions.csv"]}
    # outer lasts 100 and its children cover 10..90 of it
    check("overlap self", own, {"outer": 20e-9, "first": 50e-9, "second": 37e-9, "inside": 3e-9, "late": 40e-9})
    check("a call that ends before it starts counts for nothing",
          list(analyse(pproc, [path("backward.spt")])["region_statistics.json"]["files"][0]["region_statistics"]), ["good"])
    for name in ("threads.h5", "threads.json"):
        check_paths(pproc, path(name), {("main",), ("worker",)})
    metadata = {"mpi_size": 2, "hostname": "node01", "scope_profiler_version": "0.7", "load": 0.5, "modules": ["gcc/12", "openmpi/4"]}
    for name in ("schema1.h5", "schema3.h5"):
        check(name + " metadata", inspect(pproc, path(name))["metadata"], metadata)


def check_upstream(pproc, folder, expected):
    found = analyse(pproc, ["%s/run_%d.h5" % (folder, n) for n in (1, 2, 4)])
    wanted = {name: json.load(open("%s/%s.json" % (expected, name)))
              for name in ("region_statistics", "gantt_data", "durations_data", "speedup_data")}
    compare("region_statistics", found["region_statistics.json"], wanted["region_statistics"])
    # theirs are differences of doubles of 400 s, whose last digit is 6e-14
    compare("gantt", found["gantt_data.json"]["intervals"], wanted["gantt_data"]["intervals"], 2e-13)
    totals = [bar for bar in wanted["durations_data"]["bars"] if bar["metric"] == "total"]
    compare("durations", found["durations_data.json"]["bars"], totals)
    points = [point for point in found["speedup_data.json"]["points"] if point["region"] != "(run)"]
    key = lambda point: (point["region"], point["num_ranks"])
    compare("speedup", sorted(points, key=key), sorted(wanted["speedup_data"]["points"], key=key))


def compare(where, got, wanted, absolute=0.0):
    """Everything that is wanted, and nothing missing; what we say besides is ours."""
    if isinstance(wanted, dict):
        for key in wanted:
            if key != "file_path":
                compare("%s %s" % (where, key), got.get(key), wanted[key], absolute)
    elif isinstance(wanted, list):
        check(where + " length", len(got), len(wanted))
        for i, (a, b) in enumerate(zip(got, wanted)):
            compare("%s %d" % (where, i), a, b, absolute)
    else:
        check(where, got, wanted, absolute)


if len(sys.argv) > 3:
    check_upstream(sys.argv[1], sys.argv[2], sys.argv[4])
else:
    check_all(sys.argv[1], sys.argv[2])
sys.exit(1 if FAILED else 0)
