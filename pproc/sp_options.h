/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_OPTIONS_H
#define SP_OPTIONS_H

#include "sp_crew.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct sp_error;

/* Texts given one by one, owned by the command line. */
struct sp_texts {
    const char **items;
    size_t count;
};

/* Tables that inspect shows on request. */
enum sp_view {
    SP_VIEW_TREE,
    SP_VIEW_REGIONS,
    SP_VIEW_RANKS,
    SP_VIEW_IMBALANCE,
    SP_VIEW_MPI,
    SP_VIEW_MPI_PATHS,
    SP_VIEW_CALL_SITES,
    SP_VIEW_COMMUNICATORS,
    SP_VIEW_COMM_MATRIX,
    SP_VIEW_MESSAGE_SIZES,
    SP_VIEWS
};

/* What the options of a call said; the defaults are those of sp_options_init. Texts are owned by the command line. */
struct sp_options {
    struct sp_texts include, exclude, ranks, labels;
    struct sp_texts operands; /* after the command: kinds and files */
    const char *command;      /* NULL: the default command */
    const char *output;       /* NULL: the command's default */
    const char *scaling;      /* NULL: not given, which is strong */
    const char *x;
    const char *baseline;            /* NULL: the smallest x */
    const char *of;                  /* NULL: the command's default */
    const char *sort;                /* NULL: the command's default */
    const char *time, *min_duration; /* NULL: all */
    const char *pop;                 /* NULL: multiplicative */
    const char *mpi;
    const char *metric, *by; /* NULL: the command's default */
    const char *format;      /* NULL: the command's default */
    struct sp_texts base, candidate;
    double threshold, max_regression; /* percent */
    long top_n;                       /* 0: the command's default */
    bool exit_code, fail_on_new, markdown;
    bool views[SP_VIEWS];
    bool json, no_pictures, force, full, quiet, help, version;
};

/* Which options a command takes. */
enum sp_option_set {
    SP_OPTION_ALWAYS = 1 << 0,
    SP_OPTION_FILTERS = 1 << 1,
    SP_OPTION_SCALING = 1 << 2,
    SP_OPTION_TABLE = 1 << 3,
    SP_OPTION_OUTPUT = 1 << 4,
    SP_OPTION_PICTURES = 1 << 5,
    SP_OPTION_JSON = 1 << 6,
    SP_OPTION_LABELS = 1 << 7,
    SP_OPTION_INSPECT = 1 << 8,
    SP_OPTION_COMPARE = 1 << 9,
    SP_OPTION_DIFF = 1 << 10,
    SP_OPTION_GATE = 1 << 11,
    SP_OPTION_EFFICIENCY = 1 << 12,
    SP_OPTION_WINDOW = 1 << 13,
};

void sp_options_init(struct sp_options *options);
void sp_options_free(struct sp_options *options);

/* Parses the arguments. The first operand is the command if is_command says so. Which options the command takes is not checked
 * here: see sp_options_check. Returns 0 or -1 (usage). Local. */
int sp_options_parse(struct sp_options *options, int argc, char **argv, bool (*is_command)(const char *name), struct sp_error *err);

/* Fails if an option was given that is in none of the sets (an OR of enum sp_option_set); command: NULL is the default one. Local. */
int sp_options_check(int argc, char **argv, unsigned sets, const char *command, struct sp_error *err);

/* One line an option of the sets. Local. */
void sp_options_help(FILE *out, unsigned sets);

#endif
