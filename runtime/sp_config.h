/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CONFIG_H
#define SP_CONFIG_H

/* The settings of the run, from SP_* environment variables and the file SP_CONFIG, read once; const afterwards. All Local.
 *
 * TEXT(field, variable, default, meaning), SIZE(...) in bytes with binary suffixes K M G T,
 * FLAG(...) 0/1/on/off/yes/no/true/false, CHOICE(field, variable, "a|b|c", meaning): the first word is the default. */

#include <stdint.h>

#define SP_OUTPUT_STANDARD "sp_%e_%p.h5"

#define SP_SETTINGS(TEXT, SIZE, FLAG, CHOICE) \
    CHOICE(enable, "SP_ENABLE", "auto|1|0", "auto: record MPI programs, others after sp_init; 1: every program with regions; 0: nothing") \
    CHOICE(mode, "SP_MODE", "trace|profile", "trace: events and statistics; profile: statistics only") \
    TEXT(output, "SP_OUTPUT", SP_OUTPUT_STANDARD, "name of the file: %e program, %p ranks, %j job id, %s step, %h host, %t time, %% percent; none: no file") \
    TEXT(label, "SP_LABEL", "", "name of the run") \
    TEXT(work, "SP_WORK", "", "work per rank, a number") \
    TEXT(include, "SP_INCLUDE", "", "globs on region and MPI function names: only these") \
    TEXT(exclude, "SP_EXCLUDE", "", "globs on region and MPI function names: all but these") \
    TEXT(tags, "SP_TAGS", "", "globs on tags: of user regions only those with one of these") \
    TEXT(enable_tags, "SP_ENABLE_TAGS", "", "globs on tags: opt-in tags to record; *: all") \
    CHOICE(functions, "SP_FUNCTIONS", "executable|all|off", "instrumented functions of the executable, of its libraries too, or none") \
    CHOICE(callsite, "SP_CALLSITE", "0|1|2|3|4|5|6|7|8", "statistics of MPI calls by the place in the program that calls, and so many levels of callers less one; 0: not") \
    SIZE(trace_limit, "SP_TRACE_LIMIT", "256M", "event bytes a rank may keep; 0: unlimited") \
    CHOICE(clock, "SP_CLOCK", "auto|tsc|monotonic", "clock of the time stamps") \
    TEXT(mpi_groups, "SP_MPI_GROUPS", "", "groups of MPI functions to record; all: the local queries too") \
    TEXT(spill_dir, "SP_SPILL_DIR", "", "where spill files live; empty: TMPDIR, else /tmp") \
    TEXT(compression, "SP_COMPRESSION", "auto", "auto, none or gzip:N") \
    CHOICE(histograms, "SP_HISTOGRAMS", "auto|rank", "auto: of all ranks, and of each of up to 1024 where the trace is not complete; rank: of each") \
    CHOICE(io, "SP_IO", "auto|collective|gather", "how the ranks write the file") \
    TEXT(mpiio_hints, "SP_MPIIO_HINTS", "", "hints for MPI-IO: key=value;key=value") \
    CHOICE(start, "SP_START", "on|off", "off: record from sp_resume or MPI_Pcontrol(1) on") \
    SIZE(snapshot, "SP_SNAPSHOT", "0", "seconds between copies of the record beside the output, for crashes of a node; 0: none") \
    FLAG(sync, "SP_SYNC", "0", "1: a barrier before each blocking collective, timed apart as \"MPI_... (sync)\"") \
    CHOICE(nesting, "SP_NESTING", "unwind|ignore|strict", "an end that is not of the innermost open region: closes what is open inside, is passed over, or that and told at once") \
    CHOICE(metadata, "SP_METADATA", "full|minimal", "minimal leaves out user, hosts, paths, environment") \
    FLAG(summary, "SP_SUMMARY", "1", "0: at the end only trouble is told, not the name of the file") \
    TEXT(config, "SP_CONFIG", "", "file whose table [profiling] has these settings too, as in: output = run.h5; the environment wins") \
    FLAG(help, "SP_HELP", "0", "1: these lines")

#define SP_CONFIG_TEXT(field, variable, standard, meaning) char *field;
#define SP_CONFIG_SIZE(field, variable, standard, meaning) uint64_t field;
#define SP_CONFIG_FLAG(field, variable, standard, meaning) int field;

struct sp_config {
    SP_SETTINGS(SP_CONFIG_TEXT, SP_CONFIG_SIZE, SP_CONFIG_FLAG, SP_CONFIG_TEXT)
    char *config_path; /* absolute, of the file that was read; NULL where none was */
};

/* Reads the environment and the file it names; values that make no sense are reported through say and replaced by the default. Texts are copies. -1
 * without memory. */
int sp_config_read(struct sp_config *config, void (*say)(const char *format, ...));
/* Reads one setting again; its old text, if it is one, is the caller's to free. -1 without memory. */
int sp_config_reread(struct sp_config *config, const char *variable, void (*say)(const char *format, ...), char **old);

/* Is there a setting of that variable? */
int sp_config_knows(const char *variable);

void sp_config_release(struct sp_config *config);

/* Prints all settings with their values and meanings through say, a line each. */
void sp_config_explain(const struct sp_config *config, void (*say)(const char *format, ...));

/* Bytes of "64M", "1.5G"... are refused: whole numbers and one binary suffix. -1 where it is none; pure. */
int sp_config_parse_size(const char *text, uint64_t *bytes);

/* Expands %e and its like in a file name; pure but for its arguments. -1 when the result would be longer than room. */
struct sp_name_values {
    const char *executable, *job, *step, *host, *time;
    int rank_count;
};
int sp_config_expand_name(const char *pattern, const struct sp_name_values *values, char *name, int room);

/* How many edits turn one name into the other; pure. */
int sp_config_distance(const char *a, const char *b);

#endif
