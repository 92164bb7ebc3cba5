/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_options.h"

#include "sp_error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_TEXTS, OPTION_FILES, OPTION_COUNT, OPTION_NUMBER };

struct option {
    char letter; /* 0: none */
    const char *name;
    const char *value; /* name of the value in the help, NULL: none */
    enum option_kind kind;
    size_t offset;
    unsigned sets;
    const char *help;
};

#define FLAG(letter, name, field, sets, help)                                                                                              \
    {                                                                                                                                      \
        letter, name, NULL, OPTION_FLAG, offsetof(struct sp_options, field), sets, help                                                    \
    }
#define TEXT(letter, name, value, field, sets, help)                                                                                       \
    {                                                                                                                                      \
        letter, name, value, OPTION_TEXT, offsetof(struct sp_options, field), sets, help                                                   \
    }
#define TEXTS(letter, name, value, field, sets, help)                                                                                      \
    {                                                                                                                                      \
        letter, name, value, OPTION_TEXTS, offsetof(struct sp_options, field), sets, help                                                  \
    }
#define COUNT(letter, name, value, field, sets, help)                                                                                      \
    {                                                                                                                                      \
        letter, name, value, OPTION_COUNT, offsetof(struct sp_options, field), sets, help                                                  \
    }

#define FILES(letter, name, value, field, sets, help)                                                                                      \
    {                                                                                                                                      \
        letter, name, value, OPTION_FILES, offsetof(struct sp_options, field), sets, help                                                  \
    }
#define NUMBER(letter, name, value, field, sets, help)                                                                                     \
    {                                                                                                                                      \
        letter, name, value, OPTION_NUMBER, offsetof(struct sp_options, field), sets, help                                                 \
    }

static const struct option table[] = {
    TEXTS('i', "include", "REGEX", include, SP_OPTION_FILTERS, "only regions whose name matches from its start (repeatable)"),
    TEXTS('e', "exclude", "REGEX", exclude, SP_OPTION_FILTERS, "not the regions that match (repeatable, after include)"),
    TEXTS('r', "ranks", "LIST", ranks, SP_OPTION_FILTERS, "only these ranks: 0-3,5 (repeatable)"),
    TEXT(0, "time", "FROM:TO", time, SP_OPTION_WINDOW,
        "only what happens from FROM to TO, seconds since the first call; either may be missing"),
    TEXT(0, "min-duration", "SEC", min_duration, SP_OPTION_WINDOW, "only calls that last at least as long"),
    TEXTS(0, "label", "TEXT", labels, SP_OPTION_LABELS, "name of a run, once a file, in the order of the files"),
    TEXT(0, "scaling", "KIND", scaling, SP_OPTION_SCALING,
        "how several runs compare: strong (the same problem; default), weak (more work), both"),
    TEXT(0, "x", "FIELD", x, SP_OPTION_SCALING,
        "what they differ in: num_ranks, omp_num_threads, num_nodes (default: the first that does), total_cores, any of the metadata"),
    TEXT(0, "baseline", "X", baseline, SP_OPTION_SCALING, "the run that counts as 1 (default: the smallest)"),
    TEXT(0, "of", "WHICH", of, SP_OPTION_SCALING | SP_OPTION_COMPARE,
        "time compared: mean (of a call, default; of a rank in diff and check), max (slowest rank), total"),
    TEXT(0, "pop", "KIND", pop, SP_OPTION_EFFICIENCY, "efficiency factors: multiplicative (default) or additive"),
    TEXT(0, "metric", "NAME", metric, SP_OPTION_COMPARE, "what is compared: total (default), self, avg, min, max, calls, imbalance"),
    TEXT(0, "by", "WHAT", by, SP_OPTION_COMPARE, "region (default) or path: call paths"),
    NUMBER(0, "threshold", "PCT", threshold, SP_OPTION_COMPARE, "leave out what changed by less"),
    NUMBER(0, "max-regression", "PCT", max_regression, SP_OPTION_GATE, "the budget: more than this fails (default 0)"),
    FLAG(0, "fail-on-new", fail_on_new, SP_OPTION_GATE, "what A does not have fails too"),
    FILES(0, "base", "FILES", base, SP_OPTION_GATE, "repeats of the run to compare with (patterns too)"),
    FILES(0, "candidate", "FILES", candidate, SP_OPTION_GATE, "repeats of the run to judge (patterns too)"),
    FLAG(0, "exit-code", exit_code, SP_OPTION_DIFF, "exit status 1 where anything that is shown changed"),
    FLAG(0, "tree", views[SP_VIEW_TREE], SP_OPTION_INSPECT, "only what is named: call paths, with what they spend themselves"),
    FLAG(0, "regions", views[SP_VIEW_REGIONS], SP_OPTION_INSPECT, "... regions"),
    FLAG(0, "per-rank", views[SP_VIEW_RANKS], SP_OPTION_INSPECT, "... regions on every rank"),
    FLAG(0, "imbalance", views[SP_VIEW_IMBALANCE], SP_OPTION_INSPECT, "... how evenly the ranks share each region's own time"),
    FLAG(0, "mpi-functions", views[SP_VIEW_MPI], SP_OPTION_INSPECT, "... MPI functions"),
    FLAG(0, "mpi-paths", views[SP_VIEW_MPI_PATHS], SP_OPTION_INSPECT, "... MPI functions by call path"),
    FLAG(0, "call-sites", views[SP_VIEW_CALL_SITES], SP_OPTION_INSPECT, "... by the line that calls them, of runs with SP_CALLSITE=1"),
    FLAG(0, "communicators", views[SP_VIEW_COMMUNICATORS], SP_OPTION_INSPECT, "... by communicator, of runs with a trace"),
    FLAG(0, "comm-matrix", views[SP_VIEW_COMM_MATRIX], SP_OPTION_INSPECT, "... messages and bytes from rank to rank"),
    FLAG(0, "message-sizes", views[SP_VIEW_MESSAGE_SIZES], SP_OPTION_INSPECT, "... messages by function and size"),
    COUNT(0, "top-n", "N", top_n, SP_OPTION_TABLE | SP_OPTION_INSPECT, "rows of a table, regions of a picture (default 10; inspect: all)"),
    TEXT(0, "sort", "COLUMN", sort, SP_OPTION_TABLE | SP_OPTION_COMPARE,
        "order of the region table: self (default), total, calls, imbalance, name; of diff and check: delta (default), pct, name"),
    TEXT('o', "output", "PATH", output, SP_OPTION_OUTPUT, "where the files go"),
    FLAG(0, "no-pictures", no_pictures, SP_OPTION_PICTURES, "write scripts and data, do not run gnuplot"),
    FLAG('f', "force", force, SP_OPTION_OUTPUT, "replace files that are not ours too"),
    FLAG(0, "full", full, SP_OPTION_INSPECT, "long values in full"),
    TEXT(0, "format", "NAME", format, SP_OPTION_COMPARE, "table (default), markdown or csv"),
    FLAG(0, "markdown", markdown, SP_OPTION_COMPARE, "for the page of a merge request: --format markdown"),
    FLAG(0, "json", json, SP_OPTION_JSON, "one JSON document on stdout, errors included"),
    FLAG('q', "quiet", quiet, SP_OPTION_ALWAYS, "no tables, no notes"),
    TEXT(0, "mpi", "on|off", mpi, SP_OPTION_ALWAYS, "start MPI or not (default: when a launcher started us)"),
    FLAG('h', "help", help, SP_OPTION_ALWAYS, "this text"),
    FLAG('V', "version", version, SP_OPTION_ALWAYS, "the version"),
};

#define TABLE_SIZE (sizeof table / sizeof table[0])

void sp_options_init(struct sp_options *options)
{
    *options = (struct sp_options){.x = "auto", .mpi = "auto"};
}

void sp_options_free(struct sp_options *options)
{
    free(options->include.items);
    free(options->exclude.items);
    free(options->ranks.items);
    free(options->labels.items);
    free(options->operands.items);
    free(options->base.items);
    free(options->candidate.items);
    *options = (struct sp_options){0};
}

static int texts_add(struct sp_texts *texts, const char *text, struct sp_error *err)
{
    const char **items = realloc(texts->items, (texts->count + 1) * sizeof *items);
    if (!items)
        return sp_fail(err, "out of memory");
    items[texts->count++] = text;
    texts->items = items;
    return 0;
}

static const struct option *find_letter(char letter)
{
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (table[i].letter == letter)
            return &table[i];
    return NULL;
}

static const struct option *find_name(const char *name, size_t length)
{
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (strlen(table[i].name) == length && !memcmp(table[i].name, name, length))
            return &table[i];
    return NULL;
}

static int parse_count(const char *text, const char *name, long *value, struct sp_error *err)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (errno || end == text || *end || *value < 1)
        return sp_fail_as(err, SP_EXIT_USAGE, "--%s %s: must be a positive number", name, text);
    return 0;
}

static int parse_number(const char *text, const char *name, double *value, struct sp_error *err)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !isfinite(*value) || *value < 0)
        return sp_fail_as(err, SP_EXIT_USAGE, "--%s %.100s: must be a number, 0 or more", name, text);
    return 0;
}

static int option_set(struct sp_options *options, const struct option *option, const char *value, struct sp_error *err)
{
    void *field = (char *)options + option->offset;
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)field = true; return 0;
    case OPTION_TEXT: *(const char **)field = value; return 0;
    case OPTION_TEXTS:
    case OPTION_FILES: return texts_add(field, value, err);
    case OPTION_COUNT: return parse_count(value, option->name, field, err);
    case OPTION_NUMBER: return parse_number(value, option->name, field, err);
    }
    return 0;
}

/* One argument taken apart. */
struct token {
    const struct option *option; /* NULL: an operand */
    const char *value;
    int taken; /* arguments used */
};

static int token_long(const char *argument, const char *next, struct token *token, struct sp_error *err)
{
    const char *name = argument + 2;
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    token->option = find_name(name, length);
    if (!token->option)
        return sp_fail_as(err, SP_EXIT_USAGE, "unknown option --%.*s; see --help", (int)length, name);
    if (!token->option->value)
        return equals ? sp_fail_as(err, SP_EXIT_USAGE, "--%s takes no value", token->option->name) : 0;
    token->value = equals ? equals + 1 : next;
    token->taken = equals ? 1 : 2;
    return token->value ? 0 : sp_fail_as(err, SP_EXIT_USAGE, "--%s needs a value: %s", token->option->name, token->option->value);
}

static int token_short(const char *argument, const char *next, struct token *token, struct sp_error *err)
{
    token->option = find_letter(argument[1]);
    if (!token->option)
        return sp_fail_as(err, SP_EXIT_USAGE, "unknown option -%c; see --help", argument[1]);
    if (!token->option->value)
        return argument[2] ? sp_fail_as(err, SP_EXIT_USAGE, "-%c takes no value; see --help", argument[1]) : 0;
    token->value = argument[2] ? argument + 2 : next;
    token->taken = argument[2] ? 1 : 2;
    return token->value ? 0 : sp_fail_as(err, SP_EXIT_USAGE, "-%c needs a value: %s", argument[1], token->option->value);
}

static int token_read(char **argv, int argc, int at, struct token *token, struct sp_error *err)
{
    const char *argument = argv[at];
    const char *next = at + 1 < argc ? argv[at + 1] : NULL;
    *token = (struct token){.taken = 1};
    if (argument[0] != '-' || !argument[1])
        return 0;
    return argument[1] == '-' ? token_long(argument, next, token, err) : token_short(argument, next, token, err);
}

int sp_options_parse(struct sp_options *options, int argc, char **argv, bool (*is_command)(const char *name), struct sp_error *err)
{
    bool operands_only = false;
    struct sp_texts *files = &options->operands; /* those behind an option that takes several are its */
    for (int at = 1; at < argc;) {
        struct token token = {.taken = 1};
        if (!operands_only && !strcmp(argv[at], "--")) {
            operands_only = true;
            at++;
            continue;
        }
        if (!operands_only && token_read(argv, argc, at, &token, err))
            return -1;
        if (token.option) {
            if (option_set(options, token.option, token.value, err))
                return -1;
            if (token.option->kind == OPTION_FILES)
                files = (struct sp_texts *)(void *)((char *)options + token.option->offset);
        } else if (!options->command && !options->operands.count && !operands_only && is_command(argv[at])) {
            options->command = argv[at];
        } else if (texts_add(files, argv[at], err)) {
            return -1;
        }
        at += token.taken;
    }
    return 0;
}

int sp_options_check(int argc, char **argv, unsigned sets, const char *command, struct sp_error *err)
{
    for (int at = 1; at < argc && strcmp(argv[at], "--");) {
        struct token token;
        if (token_read(argv, argc, at, &token, err))
            return -1;
        if (token.option && !(token.option->sets & sets))
            return sp_fail_as(err, SP_EXIT_USAGE, "%s does not take --%s; see sp-pproc %s%s--help",
                command ? command : "without a command sp-pproc", token.option->name, command ? command : "", command ? " " : "");
        at += token.taken;
    }
    return 0;
}

void sp_options_help(FILE *out, unsigned sets)
{
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        if (!(table[i].sets & sets))
            continue;
        char left[40];
        const char *value = table[i].value ? table[i].value : "";
        if (table[i].letter)
            snprintf(left, sizeof left, "-%c, --%s %s", table[i].letter, table[i].name, value);
        else
            snprintf(left, sizeof left, "    --%s %s", table[i].name, value);
        fprintf(out, "  %-24s %s\n", left, table[i].help);
    }
}
