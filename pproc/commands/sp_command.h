/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_COMMAND_H
#define SP_COMMAND_H

/* What a user can ask for: one row in the table, one file in this folder. */

#include "sp_crew.h"
#include "sp_options.h"

#include <jansson.h>

struct sp_error;

struct sp_call {
    const struct sp_crew *crew;
    const struct sp_options *options;
    FILE *out;        /* for results; written to by process 0 alone */
    json_t *document; /* --json: an object, on process 0, for the command to fill; else NULL */
    int exit_code;    /* of a command that did its work and has bad news, the same on all processes; 0 at first */
};

struct sp_command {
    const char *name;                                       /* NULL: the default command */
    const char *operands;                                   /* for the help */
    const char *summary;                                    /* one line */
    unsigned sets;                                          /* options it takes, enum sp_option_set */
    int (*run)(struct sp_call *call, struct sp_error *err); /* Collective; the same result on all processes */
};

/* By name; NULL gives the default command. Returns NULL if there is none of that name. Local. */
const struct sp_command *sp_command_find(const char *name);

/* The help of the program, or that of one command. Local. */
void sp_command_help(FILE *out, const struct sp_command *command);

int sp_command_summary(struct sp_call *call, struct sp_error *err);
int sp_command_inspect(struct sp_call *call, struct sp_error *err);
int sp_command_plot(struct sp_call *call, struct sp_error *err);
int sp_command_diff(struct sp_call *call, struct sp_error *err);
int sp_command_check(struct sp_call *call, struct sp_error *err);
int sp_command_verify(struct sp_call *call, struct sp_error *err);
int sp_command_export(struct sp_call *call, struct sp_error *err);

#endif
