/* SPDX-License-Identifier: BSD-3-Clause */
/* verify: is a file sound. Goes on to the next file where one is not. */
#include "sp_command.h"

#include "sp_error.h"
#include "sp_inputs.h"
#include "sp_verdict.h"

#include <stdlib.h>

static int add_document(json_t *files, json_t *document, struct sp_error *err)
{
    return json_array_append_new(files, document) ? sp_fail(err, "out of memory") : 0;
}

static int say(
    struct sp_call *call, json_t *files, const struct sp_file_info *info, const struct sp_verification *result, struct sp_error *err)
{
    if (files)
        return add_document(files, sp_verdict_document(info, result), err);
    if (!call->options->quiet)
        sp_verdict_write(info, result, call->out);
    return 0;
}

static int say_refused(struct sp_call *call, json_t *files, const char *path, const struct sp_error *reason, struct sp_error *err)
{
    if (files)
        return add_document(files, sp_verdict_document_refused(path, reason), err);
    if (!call->options->quiet)
        sp_verdict_write_refused(path, reason, call->out);
    return 0;
}

/* One file; what is wrong with it ends up in the exit code. Fails only where nothing can be said about it. */
static int verify_file(struct sp_call *call, const char *path, json_t *files, struct sp_error *err)
{
    struct sp_file *file = NULL;
    struct sp_verification result;
    struct sp_error reason = {0};
    bool root = call->crew->rank == 0;
    int exit_code = 0, status = sp_file_open(path, &file, &reason);
    if (sp_crew_agree(call->crew, status, &reason)) {
        exit_code = reason.code;
        status = root ? say_refused(call, files, path, &reason, err) : 0;
    } else {
        status = sp_verify(call->crew, file, &result, err);
        exit_code = !status && sp_verify_faults(&result) ? SP_EXIT_CORRUPT : 0;
        if (!status && root)
            status = say(call, files, sp_file_info(file), &result, err);
    }
    call->exit_code = exit_code > call->exit_code ? exit_code : call->exit_code;
    sp_file_close(file);
    return sp_crew_agree(call->crew, status, err);
}

int sp_command_verify(struct sp_call *call, struct sp_error *err)
{
    struct sp_inputs inputs = {0};
    json_t *files = NULL;
    int status = sp_inputs_expand(&call->options->operands, 0, &inputs, err);
    if (!status && call->document && json_object_set_new(call->document, "files", files = json_array()))
        status = sp_fail(err, "out of memory");
    status = sp_crew_agree(call->crew, status, err);
    for (size_t i = 0; !status && i < inputs.count; i++)
        status = verify_file(call, inputs.paths[i], files, err);
    sp_inputs_free(&inputs);
    return status;
}
