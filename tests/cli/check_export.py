#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What sp-pproc exported, read with other means.

    check_export.py schema3 X.h5 EVENTS.csv [SAMPLE.h5]    layout field by field; the calls against the CSV; types against a sample
    check_export.py same DIR DIR                           region statistics of two output folders of sp-pproc, but for the session
    check_export.py csv EVENTS.csv RUN.h5                  the lines against the columns of the run file
"""
import csv
import json
import sys

import h5py
import numpy

SESSION = "scope_profiler.session"
TEXT = "text"
SUMMARY = numpy.dtype([(name, "<i8") for name in ("total", "minimum", "maximum", "first", "last", "start_minimum", "end_maximum")] +
                      [("gpu_count", "<u8"), ("gpu_total", "<i8"), ("mean", "<f8"), ("m2", "<f8")])
INDEX = {"region_ids": "<u4", "ranks": "<u4", "source_lines": "<i8", "source_files": TEXT, "source_texts": TEXT, "tags": TEXT,
         "event_metadata": TEXT}
COLUMNAR = {"event_offsets": "<u8", "event_counts": "<u8", "exclusive_totals": "<i8", "summary_statistics": SUMMARY}
AGGREGATE = {"aggregate_counts": "<u8", "aggregate_totals": "<i8", "aggregate_minimums": "<i8", "aggregate_maximums": "<i8",
             "aggregate_exclusives": "<i8"}
THREADS = {"ranks": "<u4", "index": "<i8", "ident": "<i8", "native_id": "<i8", "start_ns": "<i8", "end_ns": "<i8", "cpu_ns": "<i8",
           "daemon": "i1", "name": TEXT}


def kind(dataset):
    text = h5py.check_string_dtype(dataset.dtype)
    if text:
        assert text.encoding == "utf-8" and text.length is None, dataset
        return TEXT
    return dataset.dtype


def check_columns(group, expected, rows):
    assert set(group) == set(expected), (sorted(group), sorted(expected))
    for name, wanted in expected.items():
        dataset = group[name]
        assert kind(dataset) == wanted, (name, dataset.dtype, wanted)
        assert dataset.shape == (rows,), (name, dataset.shape, rows)
        if dataset.nbytes <= 65536:
            assert dataset.chunks is None, name


def check_layout(file):
    assert file.attrs.get_id("scope_profiler_schema").dtype == "<i8" and file.attrs.get_id("scope_profiler_schema").shape == ()
    assert file.attrs["scope_profiler_schema"] == 3
    layout = file.attrs["storage_layout"]
    assert layout in ("columnar", "aggregate"), layout
    columnar = layout == "columnar"
    groups = {"metadata", "region_table", "rank_region_index", "thread_table"} | ({"events"} if columnar else set())
    assert set(file) == groups, set(file)
    check_columns(file["region_table"], {"names": TEXT}, file["region_table/names"].shape[0])
    check_columns(file["rank_region_index"], INDEX | (COLUMNAR if columnar else AGGREGATE), file["rank_region_index/ranks"].shape[0])
    check_columns(file["thread_table"], THREADS, file["thread_table/ranks"].shape[0])
    if columnar:
        total = int(file["rank_region_index/event_counts"][...].sum())
        threads = {"thread_ids": "<i8"} if "thread_ids" in file["events"] else {}
        check_columns(file["events"], {"start_deltas": "<i8", "durations": "<i8"} | threads, total)
    for name in ("mpi_size", "start_time_ns", "finalize_time_ns"):
        assert file["metadata"].attrs.get_id(name).dtype == "<i8" and file["metadata"].attrs.get_id(name).shape == (), name
    return columnar


def check_sample(file, sample):
    """Types and ranks of everything that the sample of the real program has."""
    def compare(name, theirs):
        assert name in file, name
        if isinstance(theirs, h5py.Dataset):
            ours = file[name]
            assert kind(ours) == kind(theirs) and ours.ndim == theirs.ndim, (name, ours.dtype, theirs.dtype)
        for attribute in theirs.attrs:
            mine, other = file[name].attrs.get_id(attribute), theirs.attrs.get_id(attribute)
            assert (mine.dtype, mine.shape) == (other.dtype, other.shape), (name, attribute)
    sample.visititems(compare)
    compare("/", sample)


def rows_of(file):
    """{(rank, region): [(start, end)]} and what the index says of each row."""
    index, names = file["rank_region_index"], [name.decode() for name in file["region_table/names"][...]]
    deltas, durations = file["events/start_deltas"][...], file["events/durations"][...]
    found, rows, expected_offset = {}, {}, 0
    for i in range(len(index["ranks"])):
        first, count = int(index["event_offsets"][i]), int(index["event_counts"][i])
        assert first == expected_offset, "rows follow each other"
        expected_offset += count
        starts = numpy.cumsum(deltas[first:first + count])
        key = int(index["ranks"][i]), names[index["region_ids"][i]]
        assert key not in found, key
        found[key] = [(int(s), int(s + d)) for s, d in zip(starts, durations[first:first + count])]
        rows[key] = {name: index[name][i] for name in index}
    assert sorted(key[0] for key in found) == [key[0] for key in found], "ranks ascend"
    return found, rows


def check_summaries(calls, rows):
    for key, pairs in calls.items():
        durations = numpy.array([end - start for start, end in pairs], "f8")
        summary = rows[key]["summary_statistics"]
        assert summary["total"] == durations.sum() and summary["minimum"] == durations.min() and summary["maximum"] == durations.max(), key
        assert summary["first"] == durations[0] and summary["last"] == durations[-1], key
        assert summary["start_minimum"] == min(p[0] for p in pairs) and summary["end_maximum"] == max(p[1] for p in pairs), key
        assert summary["gpu_count"] == 0 and summary["gpu_total"] == 0
        assert abs(summary["mean"] - durations.mean()) <= 1e-12 * durations.mean(), key
        m2 = ((durations - durations.mean()) ** 2).sum()
        assert abs(summary["m2"] - m2) <= 1e-9 * max(m2, 1) + 1e-12 * durations.mean() ** 2, (key, summary["m2"], m2)


def nanoseconds(text):
    whole, digits = text.split(".")
    assert len(digits) == 9
    return int(whole) * 10**9 + int(digits) * (-1 if whole.startswith("-") else 1)


def lines(path):
    data = open(path, newline="", encoding="utf-8").read()
    assert data.endswith("\r\n")
    return list(csv.DictReader(data.splitlines(keepends=True)))


def check_calls(calls, path):
    expected = {}
    for line in lines(path):
        if line["end"]:
            expected.setdefault((int(line["rank"]), line["region"]), []).append((nanoseconds(line["start"]), nanoseconds(line["end"])))
    session = {key: pairs for key, pairs in calls.items() if key[1] == SESSION}
    assert {key: pairs for key, pairs in calls.items() if key[1] != SESSION} == expected
    for (rank, _), ((start, end),) in session.items():
        for key, pairs in calls.items():
            if key[0] == rank:
                assert start <= min(p[0] for p in pairs) and max(p[1] for p in pairs) <= end, key
    assert {key[0] for key in session} >= {key[0] for key in expected}


def schema3(path, events, sample=None):
    with h5py.File(path) as file:
        if check_layout(file):
            calls, rows = rows_of(file)
            check_summaries(calls, rows)
            check_calls(calls, events)
            tags = {key[1]: json.loads(row["tags"]) for key, row in rows.items()}
            assert all(tag == ["mpi"] for name, tag in tags.items() if name.startswith("MPI_") and "(" not in name)
        if sample:
            with h5py.File(sample) as theirs:
                check_sample(file, theirs)


def statistics(folder):
    file, = json.load(open(folder + "/region_statistics.json", encoding="utf-8"))["files"]
    return {name: value for name, value in file["region_statistics"].items() if name != SESSION}


def same(one, other):
    a, b = statistics(one), statistics(other)
    assert sorted(a) == sorted(b), (sorted(a), sorted(b))
    for name in a:
        assert a[name] == b[name], (name, a[name], b[name])


def csv_lines(path, run):
    found = lines(path)
    with h5py.File(run) as file:
        blocks, deltas = file["event_blocks"][...], file["events/start_delta"][...]
        starts = numpy.concatenate([numpy.cumsum(deltas[b["first_event"]:b["first_event"] + b["event_count"]]) for b in blocks])
        durations, paths, table = file["events/duration"][...], file["events/callpath"][...], file["callpaths"][...]
        lanes = file["lanes"][...]
        lane_of = numpy.concatenate([[number] * int(lane["event_count"]) for number, lane in enumerate(lanes)]).astype(int)
    expected = sorted((int(lanes["rank"][lane]), int(s), int(lanes["index"][lane]), int(d), int(table["depth"][p]))
                      for lane, s, d, p in zip(lane_of, starts, durations, paths))
    got = sorted((int(line["rank"]), nanoseconds(line["start"]), int(line["lane"]),
                  nanoseconds(line["duration"]) if line["duration"] else -1, line["call_path"].count(" > ")) for line in found)
    assert got == expected, [pair for pair in zip(got, expected) if pair[0] != pair[1]][:3]
    seen = {}
    for line in found:
        key = line["file"], line["rank"], line["region"]
        assert int(line["call_index"]) == seen.get(key, 0), line
        seen[key] = seen.get(key, 0) + 1
        assert line["call_path"].endswith(line["region"])


{"schema3": schema3, "same": same, "csv": csv_lines}[sys.argv[1]](*sys.argv[2:])
