/* SPDX-License-Identifier: BSD-3-Clause */
/* inspect: what a file holds. */
#include "sp_command.h"

#include "sp_error.h"
#include "sp_grid.h"
#include "sp_inspection.h"

#include <stdlib.h>

static int inspect(const struct sp_run *run, struct sp_call *call, json_t *files, struct sp_error *err)
{
    struct sp_tree_row *rows;
    size_t count;
    if (sp_tree_analyse(run, &rows, &count, err))
        return -1;
    int status = 0;
    bool boxes = !call->crew->mpi && sp_grid_wants_boxes(call->out);
    if (files && json_array_append_new(files, sp_inspection_document(run, rows, count)))
        status = sp_fail(err, "out of memory");
    else if (!files && !call->options->quiet)
        status = sp_inspection_write(run, rows, count, call->options->full, boxes, call->out, err);
    free(rows);
    return status;
}

static int inspect_all(const struct sp_runs *runs, struct sp_call *call, struct sp_error *err)
{
    json_t *files = NULL;
    if (call->document && json_object_set_new(call->document, "files", files = json_array()))
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < runs->count; i++) {
        if (i && !files && !call->options->quiet)
            fputc('\n', call->out);
        if (inspect(runs->items[i], call, files, err))
            return -1;
    }
    return 0;
}

int sp_command_inspect(struct sp_call *call, struct sp_error *err)
{
    struct sp_runs runs;
    if (sp_runs_load(call->crew, call->options, 0, true, &runs, err))
        return -1;
    if (call->crew->rank == 0 && runs.note[0] && !call->document && !call->options->quiet)
        fprintf(stderr, "sp-pproc: %s\n", runs.note);
    int status = call->crew->rank == 0 ? inspect_all(&runs, call, err) : 0;
    sp_runs_close(&runs);
    return sp_crew_agree(call->crew, status, err);
}
