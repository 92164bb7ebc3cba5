/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_verdict.h"

#include "sp_number.h"
#include "sp_utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number of the findings: what it counts, for people ("%" is the number), and its key. A fault makes the file unsound. */
struct finding {
    const char *key, *text;
    int64_t count;
    bool is_fault;
};

#define FINDINGS 16

static void list_findings(const struct sp_file_info *info, const struct sp_verification *result, struct finding findings[FINDINGS])
{
    const struct sp_verify_counts *counts = &result->counts;
    const struct finding list[FINDINGS] = {
        {"unreadable_blocks", "block(s) damaged or unreadable", counts->unreadable, true},
        {"events_out_of_order", "event(s) start before the one before them", counts->disordered, true},
        {"negative_durations", "call(s) end before they start", counts->backward, true},
        {"events_outside_parent", "call(s) reach beyond the call they were made in", counts->outside, true},
        {"inconsistent_statistics", "row(s) of statistics that no calls can have", counts->inconsistent, true},
        {"misplaced_messages", "message(s) of events that are not theirs", counts->misplaced, true},
        {"miscounted_calls", "call(s) by which histograms and statistics differ", counts->miscounted, true},
        {"mismatched_messages", "region(s) or operation(s) whose messages are not those of their calls", counts->mismatched, true},
        {"events_dropped", "event(s) beyond the trace limit were not kept", result->dropped_events, false},
        {"calls_without_event", "call(s) are in the statistics but have no event (as tests and probes that MPI answered with no)",
            result->calls_without_event, false},
        {"events_open", "call(s) were still open when the record ended", counts->open_events, false},
        {"calls_without_bin", "call(s) stand in no histogram", counts->without_bin, false},
        {"unmatched_ends", "end(s) without a begin", result->unmatched_ends, false},
        {"ranks_without_end", "rank(s) ended before MPI_Finalize", result->running_ranks, false},
        {"ranks_absent", "rank(s) left nothing", result->absent_ranks, false},
        {"events_overlapping", "call(s) overlap another one partially and stand beside it", (int64_t)info->overlap_count, false},
    };
    memcpy(findings, list, sizeof list);
}

static const char *state_name(const struct sp_file_info *info)
{
    static const char *const names[] = {"complete", "incomplete", "recovered"};
    return names[info->state];
}

static const char *trace_name(const struct sp_file_info *info)
{
    static const char *const names[] = {"complete", "truncated", "off"};
    return names[info->trace];
}

static void write_shown(FILE *out, const char *text)
{
    char *valid = sp_utf8_valid(text, strlen(text)), *shown = valid ? sp_utf8_show(valid, 0) : NULL;
    fputs(shown ? shown : "?", out);
    free(valid);
    free(shown);
}

static void write_findings(const struct finding *findings, bool faults, const char *title, FILE *out)
{
    int written = 0;
    for (size_t i = 0; i < FINDINGS; i++)
        if (findings[i].is_fault == faults && findings[i].count > 0)
            fprintf(out, "  %-11s %" PRId64 " %s\n", written++ ? "" : title, findings[i].count, findings[i].text);
    if (!written)
        fprintf(out, "  %-11s none\n", title);
}

static void write_contents(const struct sp_file_info *info, const struct sp_verification *result, FILE *out)
{
    char bytes[SP_NUMBER_SIZE];
    fprintf(
        out, "  %-11s %s, %s, %s, written by ", "format", info->format, state_name(info), sp_number_bytes(bytes, (double)info->file_bytes));
    write_shown(out, info->creator);
    fprintf(out, "\n  %-11s %d rank(s) on %d host(s), %d lane(s), %d region(s), %d call path(s), %" PRId64 " call(s)\n", "holds",
        (int)info->rank_count, (int)info->host_count, (int)info->lane_count, (int)info->region_count, (int)info->callpath_count,
        result->counts.calls);
    fprintf(out, "  %-11s %s, %" PRIu64 " event(s), %" PRIu64 " message(s)%s\n", "trace", trace_name(info), info->event_count,
        info->message_count, info->sums_only ? "; sums only: no deviation, first and last call" : "");
    fprintf(out, "  %-11s %s\n", "checksums",
        !info->has_checksums            ? "this format has none"
            : result->counts.unreadable ? "do not fit everywhere"
                                        : "all compared");
}

static void write_quality(const struct sp_file_info *info, const struct sp_verification *result, FILE *out)
{
    char error[SP_NUMBER_SIZE], drift[SP_NUMBER_SIZE];
    if (result->clock_error_ns < 0)
        fprintf(out, "  %-11s %s, error between hosts not known\n", "clock", info->clock_source);
    else
        fprintf(out, "  %-11s %s, error between hosts at most %s, drift %s\n", "clock", info->clock_source,
            sp_number_duration(error, (double)result->clock_error_ns), sp_number_duration(drift, (double)result->clock_drift_ns));
    if (isnan(result->overhead_percent))
        fprintf(out, "  %-11s not known\n", "overhead");
    else
        fprintf(out, "  %-11s %.3f %% of the run%s\n", "overhead", result->overhead_percent,
            result->overhead_percent > 2 ? ": more than 2 %, exclude short regions" : "");
}

void sp_verdict_write(const struct sp_file_info *info, const struct sp_verification *result, FILE *out)
{
    struct finding findings[FINDINGS];
    list_findings(info, result, findings);
    write_shown(out, info->path);
    fputs(sp_verify_faults(result) ? ": NOT sound\n" : ": sound\n", out);
    write_contents(info, result, out);
    write_quality(info, result, out);
    write_findings(findings, false, "remarks", out);
    write_findings(findings, true, "faults", out);
    if (result->damage.code) {
        fprintf(out, "  %-11s ", "first");
        write_shown(out, result->damage.text);
        fputc('\n', out);
    }
}

void sp_verdict_write_refused(const char *path, const struct sp_error *reason, FILE *out)
{
    size_t length = strlen(path);
    bool named = !strncmp(reason->text, path, length) && !strncmp(reason->text + length, ": ", 2);
    write_shown(out, path);
    fputs(reason->code == SP_EXIT_CORRUPT ? ": NOT sound\n  " : ": cannot be read\n  ", out);
    write_shown(out, named ? reason->text + length + 2 : reason->text);
    fputc('\n', out);
}

static json_t *text_value(const char *text)
{
    char *valid = sp_utf8_valid(text, strlen(text));
    json_t *value = valid ? json_string(valid) : NULL;
    free(valid);
    return value;
}

json_t *sp_verdict_document(const struct sp_file_info *info, const struct sp_verification *result)
{
    struct finding findings[FINDINGS];
    json_t *faults = json_object(), *remarks = json_object(), *percent = json_null();
    json_t *error = result->clock_error_ns < 0 ? json_null() : json_integer(result->clock_error_ns);
    list_findings(info, result, findings);
    for (size_t i = 0; i < FINDINGS; i++)
        json_object_set_new(findings[i].is_fault ? faults : remarks, findings[i].key, json_integer(findings[i].count));
    if (!isnan(result->overhead_percent))
        percent = json_real(result->overhead_percent);
    return json_pack("{s:o, s:b, s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:I, s:b, s:s, s:o, s:I, s:o, s:o, s:o, s:o}",
        "file_path", text_value(info->path), "sound", sp_verify_faults(result) == 0, "format", info->format, "state", state_name(info),
        "trace", trace_name(info), "creator", text_value(info->creator), "hosts", (int)info->host_count, "ranks", (int)info->rank_count,
        "lanes", (int)info->lane_count, "regions", (int)info->region_count, "call_paths", (int)info->callpath_count, "calls",
        (json_int_t)result->counts.calls, "events", (json_int_t)info->event_count, "messages", (json_int_t)info->message_count,
        "has_checksums", info->has_checksums, "clock_source", info->clock_source, "clock_error_ns", error, "clock_drift_ns",
        (json_int_t)result->clock_drift_ns, "overhead_percent", percent, "remarks", remarks, "faults", faults, "error",
        result->damage.code ? text_value(result->damage.text) : json_null());
}

json_t *sp_verdict_document_refused(const char *path, const struct sp_error *reason)
{
    return json_pack(
        "{s:o, s:b, s:i, s:o}", "file_path", text_value(path), "sound", 0, "code", reason->code, "error", text_value(reason->text));
}
