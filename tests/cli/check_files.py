#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_files.py SOLVER_DIR NAMES_DIR: what sp-pproc wrote about make_run.py's solver on 1, 2, 4 ranks, and about its names,
against values worked by hand; and that CSV and JSON say the same."""
import csv
import json
import math
import os
import sys


def table(folder, name):
    with open(os.path.join(folder, name + ".csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return rows


def document(folder, name):
    def refuse(text):
        raise ValueError("not JSON: " + text)
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        return json.load(file, parse_constant=refuse)


def close(a, b):
    assert math.isclose(float(a), b, rel_tol=1e-12), (a, b)


def twins(folder, name, key="rows"):
    rows, objects = table(folder, name), document(folder, name)[key]
    assert len(rows) == len(objects), name
    for row, thing in zip(rows, objects):
        assert list(row) == list(thing), name
        for field, text in row.items():
            value = thing[field]
            if value is None:
                assert text == ""
            elif isinstance(value, str):
                assert text == value, (name, field, text, value)
            else:
                assert float(text) == value, (name, field, text, value)


def scale(n):
    return 0.15 + 0.85 / n


def solver(folder):
    for name in ("regions", "regions_per_rank", "mpi", "scaling"):
        twins(folder, name)
    twins(folder, "durations_data", "bars")
    twins(folder, "gantt_data", "intervals")
    twins(folder, "speedup_data", "points")
    regions = {(row["file"], row["region"]): row for row in table(folder, "regions")}
    mpi = {(row["file"], row["function"]): row for row in table(folder, "mpi")}
    for n in (1, 2, 4):
        label = "run_%d" % n
        close(regions[label, "setup"]["total_seconds"], n * 0.06 * scale(n))
        close(regions[label, "assemble"]["avg_seconds"], 0.025 * scale(n))
        close(regions[label, "io"]["total_seconds"], n * 2 * 0.012)
        slow = 1.2 if n > 1 else 1.0
        close(regions[label, "solve"]["self_seconds"], 3 * 0.06 * scale(n) * (n - 1 + slow))
        close(regions[label, "solve"]["imbalance_self_percent"], (slow / ((n - 1 + slow) / n) - 1) * 100) if n > 1 else None
        close(regions[label, "halo"]["avg_seconds"], 0.004 * n)
        sent = 3 * n * min(n - 1, 2) * 65536
        assert ("run_1", "MPI_Isend") not in mpi
        if n > 1:
            assert int(mpi[label, "MPI_Isend"]["bytes_sent"]) == sent
            assert int(mpi[label, "MPI_Waitall"]["bytes_received"]) == sent
        assert mpi[label, "MPI_Init"]["run_percent"] == ""
    points = {(row["region"], row["num_ranks"]): float(row["speedup"]) for row in table(folder, "speedup_data")}
    for n in (1, 2, 4):
        close(points["setup", str(n)], 1 / scale(n))
        close(points["halo", str(n)], 1 / n)
        close(points["io", str(n)], 1)
    scaling = {(row["region"], row["x"]): row for row in table(folder, "scaling")}
    close(scaling["assemble", "4"]["efficiency"], 1 / scale(4) / 4)
    assert scaling["MPI_Isend", "1"]["time_seconds"] == "" and scaling["MPI_Isend", "2"]["speedup"] == ""
    # T = last MPI_Finalize - first MPI_Init: setup, three steps, 50 us in each allreduce
    for n in (1, 2, 4):
        slow = 1.2 if n > 1 else 1.0
        time = scale(n) * (0.06 + 3 * (0.025 + 0.06 * slow)) + 3 * (0.004 * n + 50e-6) + 2 * 0.012
        close(scaling["(run)", str(n)]["time_seconds"], time)
    statistics = document(folder, "region_statistics")
    assert statistics["plot"] == "region_statistics" and statistics["units"] == {"durations": "seconds"}
    assert statistics["filters"] == {"include": None, "exclude": None, "ranks": None}
    assert statistics["common_regions"][:3] == ["MPI_Init", "setup", "step"]
    four = statistics["files"][2]
    assert four["label"] == "run_4" and four["num_ranks"] == 4 and os.path.isabs(four["file_path"])
    setup = four["region_statistics"]["setup"]
    assert setup["count"] == 4 and sorted(setup["per_rank"]) == ["0", "1", "2", "3"]
    close(setup["per_rank"]["2"]["total_duration_seconds"], 0.06 * scale(4))
    assert setup["std_duration_seconds"] == 0
    assert four["region_statistics"]["MPI_Allreduce"]["tags"] == ["mpi"]


def names(folder):
    twins(folder, "regions")
    twins(folder, "regions_per_rank")
    rows = table(folder, "regions")
    found = [row["region"] for row in rows]
    assert len(set(found)) == len(found) == 19
    for name in ("a,b", 'say "hi"', "two\nlines", "tab\there", "", "x" * 10000, "größe ∑", "漢字", "=1+1"):
        assert name in found, name
    bad = {row["region"]: row["name_bytes"] for row in rows if row["name_bytes"]}
    assert bad == {"bad\ufffd\ufffdbytes": b"bad\xff\xfebytes".hex(), "bad\ufffd\ufffdbytes (2)": b"bad\xff\xfdbytes".hex()}, bad
    kinds = {row["region"]: row["kind"] for row in rows}
    assert kinds["MPI_Send"] == "mpi" and kinds["MPI_Send (2)"] == "user"
    assert len(document(folder, "region_statistics")["files"][0]["region_statistics"]) == len(found)


solver(sys.argv[1])
names(sys.argv[2])
