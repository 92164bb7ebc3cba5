/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_command.h"

#include <string.h>

static const struct sp_command table[] = {
    {NULL, "RUN.h5...", "summary on stdout; CSV, JSON, gnuplot scripts and pictures under -o DIR (default sp-out/)",
        SP_OPTION_ALWAYS | SP_OPTION_FILTERS | SP_OPTION_WINDOW | SP_OPTION_SCALING | SP_OPTION_TABLE | SP_OPTION_OUTPUT |
            SP_OPTION_PICTURES | SP_OPTION_JSON | SP_OPTION_LABELS | SP_OPTION_EFFICIENCY,
        sp_command_summary},
    {"inspect", "RUN.h5...", "what a file holds: head, metadata, call paths with what they spend themselves",
        SP_OPTION_ALWAYS | SP_OPTION_FILTERS | SP_OPTION_WINDOW | SP_OPTION_JSON | SP_OPTION_LABELS | SP_OPTION_INSPECT,
        sp_command_inspect},
    {"plot", "[KIND] RUN.h5... -o DIR", "one kind of picture (durations, gantt, speedup), all, or default; list tells them",
        SP_OPTION_ALWAYS | SP_OPTION_FILTERS | SP_OPTION_WINDOW | SP_OPTION_SCALING | SP_OPTION_TABLE | SP_OPTION_OUTPUT |
            SP_OPTION_PICTURES | SP_OPTION_JSON | SP_OPTION_LABELS,
        sp_command_plot},
    {"export", "FORMAT RUN.h5... -o FILE", "in the format of another program: events (CSV), scope-profiler (its HDF5 schema 3)",
        SP_OPTION_ALWAYS | SP_OPTION_FILTERS | SP_OPTION_WINDOW | SP_OPTION_OUTPUT | SP_OPTION_JSON | SP_OPTION_LABELS, sp_command_export},
    {"diff", "A.h5 B.h5", "two runs side by side: what takes longer, what less, what is new; --exit-code says 1 where they differ",
        SP_OPTION_ALWAYS | SP_OPTION_FILTERS | SP_OPTION_WINDOW | SP_OPTION_JSON | SP_OPTION_LABELS | SP_OPTION_COMPARE | SP_OPTION_DIFF,
        sp_command_diff},
    {"check", "A.h5 B.h5 | --base FILES... --candidate FILES...", "exit status 1 where B is slower than A by more than a budget; for CI",
        SP_OPTION_ALWAYS | SP_OPTION_FILTERS | SP_OPTION_WINDOW | SP_OPTION_JSON | SP_OPTION_LABELS | SP_OPTION_COMPARE | SP_OPTION_GATE,
        sp_command_check},
    {"verify", "RUN.h5...", "is a file sound: what it holds, what is missing, checksums, order and nesting of the calls",
        SP_OPTION_ALWAYS | SP_OPTION_JSON, sp_command_verify},
};

#define TABLE_SIZE (sizeof table / sizeof table[0])

const struct sp_command *sp_command_find(const char *name)
{
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (name && table[i].name ? !strcmp(name, table[i].name) : name == table[i].name)
            return &table[i];
    return NULL;
}

void sp_command_help(FILE *out, const struct sp_command *command)
{
    fprintf(out, "usage: sp-pproc %s%s[OPTIONS] %s\n", command->name ? command->name : "", command->name ? " " : "", command->operands);
    for (size_t i = 0; !command->name && i < TABLE_SIZE; i++)
        if (table[i].name)
            fprintf(out, "       sp-pproc %s [OPTIONS] %s\n", table[i].name, table[i].operands);
    fprintf(out, "       mpirun -n N sp-pproc ...   the same, in parallel\n\n");
    if (command->name) {
        fprintf(out, "%s\n", command->summary);
    } else {
        fprintf(out, "Without a command: %s.\n", command->summary);
        for (size_t i = 0; i < TABLE_SIZE; i++)
            if (table[i].name)
                fprintf(out, "  %-10s %s\n", table[i].name, table[i].summary);
    }
    fprintf(out, "\nOptions:\n");
    sp_options_help(out, command->sets);
    if (!command->name)
        fprintf(out,
            "\nsp-pproc COMMAND --help tells the options of a command. Exit status: 0 ok, 1 a check failed, 2 usage, 3 input missing\n"
            "or unreadable (a pattern that matches nothing too), 4 not ours, corrupt or truncated, 5 inputs cannot be combined or\n"
            "of a newer format, 6 output cannot be written.\n");
}
