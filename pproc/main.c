/* SPDX-License-Identifier: BSD-3-Clause */
/* sp-pproc: what the run files say. Reads the command line, starts the processes, runs one command, speaks for all. */
#include "sp_command.h"
#include "sp_crew.h"
#include "sp_error.h"
#include "sp_options.h"
#include "sp_utf8.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#ifndef SP_VERSION
#define SP_VERSION "0"
#endif

static bool is_command(const char *name)
{
    return sp_command_find(name) != NULL;
}

/* Even a command line that cannot be read may ask for JSON. */
static bool asks_for_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--json"))
            return true;
    return false;
}

static json_t *new_document(void)
{
    json_t *document = json_object();
    json_object_set_new(document, "format", json_string("scope-profiler-result"));
    json_object_set_new(document, "format_version", json_integer(1));
    return document;
}

static void dump(json_t *document, FILE *out)
{
    json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    fputc('\n', out);
}

static void report_error(const struct sp_error *err, bool json)
{
    if (!json) {
        fprintf(stderr, "sp-pproc: %s\n", err->text);
        return;
    }
    char *text = sp_utf8_valid(err->text, strlen(err->text));
    json_t *document = new_document();
    json_object_set_new(document, "error", json_pack("{s:i, s:s}", "code", err->code, "message", text ? text : ""));
    dump(document, stdout);
    json_decref(document);
    free(text);
}

static int crew_mode(const char *mpi, enum sp_crew_mode *mode, struct sp_error *err)
{
    *mode = !strcmp(mpi, "on") ? SP_CREW_ON : !strcmp(mpi, "off") ? SP_CREW_OFF : SP_CREW_AUTO;
    if (*mode == SP_CREW_AUTO && strcmp(mpi, "auto"))
        return sp_fail_as(err, SP_EXIT_USAGE, "--mpi %.100s: must be on or off", mpi);
    return 0;
}

/* Runs the command; on process 0 its document, if one is asked for, goes to stdout. err->code is the exit status. Collective. */
static int run_command(const struct sp_command *command, const struct sp_options *options, const struct sp_crew *crew, struct sp_error *err)
{
    struct sp_call call = {.crew = crew, .options = options, .out = stdout};
    if (options->json && crew->rank == 0)
        call.document = new_document();
    int status = command->run(&call, err);
    if (!status && call.document)
        dump(call.document, stdout);
    json_decref(call.document);
    if (!status && crew->rank == 0 && (fflush(stdout) || ferror(stdout)))
        status = sp_fail_as(err, SP_EXIT_OUTPUT, "standard output cannot be written");
    status = sp_crew_agree(crew, status, err);
    if (!status)
        err->code = call.exit_code;
    return status;
}

static int read_arguments(
    struct sp_options *options, int argc, char **argv, const struct sp_command **command, enum sp_crew_mode *mode, struct sp_error *err)
{
    sp_options_init(options);
    if (sp_options_parse(options, argc, argv, is_command, err) || crew_mode(options->mpi, mode, err))
        return -1;
    *command = sp_command_find(options->command);
    return sp_options_check(argc, argv, (*command)->sets, options->command, err);
}

int main(int argc, char **argv)
{
    struct sp_options options;
    struct sp_error err = {0};
    struct sp_crew crew;
    const struct sp_command *command = NULL;
    enum sp_crew_mode mode = SP_CREW_AUTO;
    int status = read_arguments(&options, argc, argv, &command, &mode, &err);
    sp_crew_start(&crew, mode);
    if (status)
        status = -1;
    else if (options.help && crew.rank == 0)
        sp_command_help(stdout, command);
    else if (options.version && crew.rank == 0)
        printf("sp-pproc %s\n", SP_VERSION);
    else if (!options.help && !options.version)
        status = run_command(command, &options, &crew, &err);
    if (status && crew.rank == 0)
        report_error(&err, options.json || asks_for_json(argc, argv));
    sp_options_free(&options);
    sp_crew_stop(&crew);
    return err.code;
}
