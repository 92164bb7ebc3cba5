/* SPDX-License-Identifier: BSD-3-Clause */
/* The default command: everything about the runs, on the screen and in files. */
#include "sp_command.h"

#include "sp_error.h"
#include "sp_outdir.h"
#include "sp_region_statistics.h"
#include "sp_report.h"
#include "sp_results.h"
#include "sp_session.h"

#include <stdlib.h>

/* Everything there is to write. Process 0. */
static int write_files(struct sp_session *session, struct sp_outdir *dir, struct sp_error *err)
{
    struct sp_results results = sp_session_results(session);
    if (sp_results_write(&results, dir, err) || sp_region_statistics_write(&session->profiles, session->options, dir, err))
        return -1;
    return sp_session_write_plots(session, dir, err);
}

static int answer_json(const struct sp_session *session, json_t *document, struct sp_error *err)
{
    struct sp_results results = sp_session_results(session);
    struct sp_sheet sheets[] = {sp_sheet_runs(&session->profiles), sp_sheet_regions(&results), sp_sheet_mpi(&results),
        sp_sheet_efficiency(&results), sp_sheet_scaling(&results), sp_sheet_models(&results)};
    int status = json_object_set_new(document, "command", json_string("summary"));
    for (size_t i = 0; i < sizeof sheets / sizeof sheets[0]; i++)
        status |= json_object_set_new(document, sheets[i].name, sp_sheet_rows(&sheets[i]));
    return status ? sp_fail(err, "out of memory") : 0;
}

static int answer(struct sp_session *session, struct sp_call *call, struct sp_error *err)
{
    struct sp_results results = sp_session_results(session);
    if (call->document)
        return answer_json(session, call->document, err);
    if (call->options->quiet)
        return 0;
    return sp_report_write(&results, &session->report, call->out, err);
}

static int choose_plots(struct sp_session *session, struct sp_error *err)
{
    for (size_t i = 0; sp_plot_at(i); i++)
        if (sp_session_add_plot(session, sp_plot_at(i), false, err))
            return -1;
    return 0;
}

static int conclude(struct sp_session *session, struct sp_call *call, struct sp_error *err)
{
    if (sp_session_write(session, "sp-out", write_files, err) || answer(session, call, err))
        return -1;
    return sp_session_say_outputs(session, call, err);
}

int sp_command_summary(struct sp_call *call, struct sp_error *err)
{
    struct sp_session session;
    if (sp_session_open(&session, call, 0, err))
        return -1;
    int status;
    if (session.empty)
        status = sp_session_say_empty(&session, call, err);
    else
        status = choose_plots(&session, err) || sp_session_read_events(&session, err) || sp_session_find_efficiency(&session, err) ||
                sp_session_read_details(&session, err)
            ? -1
            : 0;
    if (!status && !session.empty && call->crew->rank == 0)
        status = conclude(&session, call, err);
    sp_session_close(&session);
    return sp_crew_agree(call->crew, status, err);
}
