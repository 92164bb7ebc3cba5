/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCOPE_PROFILER_FORMAT_H
#define SCOPE_PROFILER_FORMAT_H

/* The tables of a run file, format version 1: every field once, with its type, unit and meaning. From these rows come the C
 * structs here, the HDF5 types, the CSV headers and the format page. Times are int64 ns on the run's global clock, 0 = run start.
 * F(C type, name, "meaning"), S(bytes, name, "meaning") for fixed-length text padded with zeros. */

#include <stdint.h>

#define SP_FORMAT_NAME "scope-profiler-mpi"
#define SP_FORMAT_VERSION_NUMBER 1

/* /hosts */
#define SP_TABLE_HOSTS(F, S) \
    S(64, name, "host name") \
    S(40, boot_id, "kernel boot id: tells two hosts of one name apart")

/* /ranks: row = rank */
#define SP_TABLE_RANKS(F, S) \
    F(int32_t, host, "row of /hosts; -1 nothing was found of this rank") \
    F(int32_t, pid, "process id") \
    F(int64_t, start_ns, "process seen first") \
    F(int64_t, mpi_init_end_ns, "MPI_Init returned; -1 unknown") \
    F(int64_t, finalize_begin_ns, "MPI_Finalize entered; -1 unknown") \
    F(int64_t, end_ns, "record closed") \
    F(int64_t, offset_first_ns, "host clock minus global clock at init") \
    F(int64_t, offset_last_ns, "host clock minus global clock at the end") \
    F(int64_t, offset_error_ns, "bound of the error of the two") \
    F(uint64_t, events_dropped, "events beyond the trace limit") \
    F(int64_t, region_cost_ps, "calibrated cost of one begin/end pair, picoseconds") \
    F(int64_t, init_ns, "the tool's work at MPI_Init") \
    F(int64_t, max_rss_bytes, "peak resident memory") \
    F(int32_t, state, "0 running (killed), 1 finalized, 2 exited, 3 aborted; -1 nothing was found of this rank") \
    F(int32_t, thread_level, "MPI_THREAD_* provided; -1 unknown") \
    F(int32_t, lane_count, "lanes of the rank: consecutive rows of /lanes")

/* /lanes: ordered by rank, then index */
#define SP_TABLE_LANES(F, S) \
    F(int32_t, rank, "row of /ranks") \
    F(int32_t, kind, "0 main, 1 thread, 2 OpenMP thread") \
    F(int32_t, index, "number within the rank, 0 the main thread") \
    S(32, name, "thread name") \
    F(int64_t, start_ns, "lane seen first") \
    F(int64_t, end_ns, "lane seen last") \
    F(uint64_t, first_event, "first row of /events") \
    F(uint64_t, event_count, "rows of /events") \
    F(uint64_t, first_message, "first row of /messages") \
    F(uint64_t, message_count, "rows of /messages") \
    F(uint64_t, first_statistic, "first row of /statistics") \
    F(uint64_t, statistic_count, "rows of /statistics") \
    F(uint64_t, events_dropped, "events not kept") \
    F(uint64_t, unmatched_ends, "ends without a begin")

/* /regions: texts are slices of /strings */
#define SP_TABLE_REGIONS(F, S) \
    F(uint64_t, name_offset, "first byte of the name in /strings") \
    F(uint64_t, file_offset, "first byte of the source file's name in /strings") \
    F(uint64_t, tags_offset, "first byte of the comma-separated tags in /strings") \
    F(uint32_t, name_bytes, "bytes of the name") \
    F(uint32_t, file_bytes, "bytes of the file name, 0 unknown") \
    F(uint32_t, tags_bytes, "bytes of the tags, 0 none") \
    F(int32_t, line, "source line, -1 unknown") \
    F(int32_t, kind, "0 user, 1 mpi, 2 openmp, 3 io, 4 function") \
    F(int32_t, group, "group of an MPI function, 0 none")

/* /callpaths: a parent stands before its children */
#define SP_TABLE_CALLPATHS(F, S) \
    F(int32_t, parent, "row of /callpaths, -1 root") \
    F(int32_t, region, "row of /regions") \
    F(int32_t, depth, "0 at the root")

/* /event_blocks: at most 65 536 consecutive events of one lane */
#define SP_TABLE_EVENT_BLOCKS(F, S) \
    F(int32_t, lane, "row of /lanes") \
    F(uint64_t, first_event, "row of /events") \
    F(uint64_t, event_count, "events in the block") \
    F(int64_t, min_start_ns, "start of the first event") \
    F(int64_t, max_end_ns, "latest end; of open events the lane's end") \
    F(uint32_t, crc_start_delta, "CRC-32C of the column's bytes (little endian)") \
    F(uint32_t, crc_duration, "CRC-32C") \
    F(uint32_t, crc_callpath, "CRC-32C")

/* /message_blocks: at most 65 536 consecutive messages of one lane */
#define SP_TABLE_MESSAGE_BLOCKS(F, S) \
    F(int32_t, lane, "row of /lanes") \
    F(uint64_t, first_message, "row of /messages") \
    F(uint64_t, message_count, "messages in the block") \
    F(uint32_t, crc, "CRC-32C over the columns' bytes, one column after another")

/* /communicators */
#define SP_TABLE_COMMUNICATORS(F, S) \
    F(uint64_t, identity, "equal on all members") \
    F(int32_t, parent, "row of /communicators, -1 none or unknown") \
    F(int32_t, size, "members") \
    F(uint64_t, name_offset, "first byte of the name in /strings") \
    F(uint32_t, name_bytes, "bytes of the name, 0 none") \
    F(uint64_t, first_member, "first row of /members") \
    F(uint32_t, member_count, "rows of /members; 0 unknown")

/* /histograms: calls by duration, ordered by rank, region and bin; rows of single ranks only where events cannot answer for them */
#define SP_TABLE_HISTOGRAMS(F, S) \
    F(int32_t, rank, "row of /ranks; -1 all ranks summed; others of up to 1024 ranks where the trace is not complete, and with SP_HISTOGRAMS=rank") \
    F(int32_t, region, "row of /regions; -1 any of them (bin -1 only)") \
    F(int32_t, bin, "64 e + m: from 2^e (1 + m/64) ns to below 2^e (1 + (m+1)/64) ns, so at most 1/64 (1.6 %) of its lower edge wide; 0 also shorter calls, 4095 also longer ones; -1 calls that no bin counts, for want of memory") \
    F(uint64_t, calls, "calls on all lanes and call paths")

/* /traffic: messages between ranks, without collectives, by source, destination and operation; without events too */
#define SP_TABLE_TRAFFIC(F, S) \
    F(int32_t, source, "rank that the data left, a row of /ranks") \
    F(int32_t, destination, "rank that the data were for, a row of /ranks") \
    F(int32_t, operation, "of the rank that counted it: 1 send, 5 put, 7 accumulate: the source; 2 receive, 6 get, 8 result of an atomic access: the destination") \
    F(uint64_t, messages, "number of messages") \
    F(int64_t, bytes, "payload") \
    F(int64_t, time_ns, "time of the calls that carried them; of a call with several messages it stands with the first")

/* /message_sizes: messages on all ranks by region, direction and size, collectives and files too; without events too */
#define SP_TABLE_MESSAGE_SIZES(F, S) \
    F(int32_t, region, "row of /regions") \
    F(int32_t, direction, "1 sent or written, -1 received or read") \
    F(int32_t, bin, "0: no bytes; b: 2^(b-1) to 2^b - 1 bytes") \
    F(uint64_t, messages, "number of messages") \
    F(int64_t, bytes, "payload") \
    F(int64_t, time_ns, "time of the calls that carried them; of a call with several messages it stands with the first")

/* /checksums: one row for every other dataset that has no block checksums */
#define SP_TABLE_CHECKSUMS(F, S) \
    S(32, dataset, "name without the leading slash") \
    F(uint64_t, bytes, "bytes of the dataset in the file's types") \
    F(uint32_t, crc, "CRC-32C of these bytes")

/* /statistics/<name>: one row per (lane, call path) that was called, by lane, then call path */
#define SP_COLUMNS_STATISTICS(F) \
    F(int32_t, lane, "row of /lanes") \
    F(int32_t, callpath, "row of /callpaths") \
    F(uint64_t, calls, "number of calls") \
    F(int64_t, total_ns, "sum of durations") \
    F(int64_t, self_ns, "total minus that of direct children") \
    F(int64_t, min_ns, "shortest call") \
    F(int64_t, max_ns, "longest call") \
    F(int64_t, first_ns, "duration of the first call") \
    F(int64_t, last_ns, "duration of the last call") \
    F(int64_t, first_start_ns, "start of the first call") \
    F(int64_t, last_end_ns, "end of the last call") \
    F(uint64_t, squares_low, "sum of squared durations, low 64 bits") \
    F(uint64_t, squares_high, "high 64 bits") \
    F(int64_t, bytes_sent, "bytes sent by the calls") \
    F(int64_t, bytes_received, "bytes received by the calls")

/* /events/<name>: in entry order within a lane, a parent before its children */
#define SP_COLUMNS_EVENTS(F) \
    F(int64_t, start_delta, "ns since the previous event's start; first of a block: since 0") \
    F(int64_t, duration, "ns; -1 still open when the record ended") \
    F(int32_t, callpath, "row of /callpaths")

/* /messages/<name>: what MPI events carried, in event order */
#define SP_COLUMNS_MESSAGES(F) \
    F(uint64_t, event, "row of /events; 2^64-1 where the event was not kept") \
    F(int64_t, bytes, "payload") \
    F(uint64_t, request, "number shared by a posting and its completion in a rank; 0 none") \
    F(int32_t, peer, "global rank; -1 none, -2 unknown") \
    F(int32_t, tag, "-1 none") \
    F(int32_t, communicator, "row of /communicators; -1 unknown") \
    F(int32_t, operation, "1 send, 2 receive, 3 collective, bytes sent, 4 collective, bytes received, 5 put, 6 get, 7 accumulate, 8 result of an atomic access, 9 file write, 10 file read (odd: sent, even: received), 11 send completed, 12 receive posted, bytes it has room for (of a blocking receive only where less came)")

#define SP_STRUCT_FIELD(type, name, meaning) type name;
#define SP_STRUCT_TEXT(bytes, name, meaning) char name[bytes];

struct sp_host { SP_TABLE_HOSTS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_rank { SP_TABLE_RANKS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_lane { SP_TABLE_LANES(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_region_row { SP_TABLE_REGIONS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_callpath { SP_TABLE_CALLPATHS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_event_block { SP_TABLE_EVENT_BLOCKS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_message_block { SP_TABLE_MESSAGE_BLOCKS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_communicator { SP_TABLE_COMMUNICATORS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_histogram { SP_TABLE_HISTOGRAMS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_traffic_row { SP_TABLE_TRAFFIC(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_message_size { SP_TABLE_MESSAGE_SIZES(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_checksum { SP_TABLE_CHECKSUMS(SP_STRUCT_FIELD, SP_STRUCT_TEXT) };
struct sp_statistic { SP_COLUMNS_STATISTICS(SP_STRUCT_FIELD) };
struct sp_message { SP_COLUMNS_MESSAGES(SP_STRUCT_FIELD) };

#endif
