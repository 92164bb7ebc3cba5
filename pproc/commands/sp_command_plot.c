/* SPDX-License-Identifier: BSD-3-Clause */
/* plot: one kind of picture, or the default ones. */
#include "sp_command.h"

#include "sp_error.h"
#include "sp_region_statistics.h"
#include "sp_session.h"

#include <string.h>

static int write_files(struct sp_session *session, struct sp_outdir *dir, struct sp_error *err)
{
    if (sp_region_statistics_write(&session->profiles, session->options, dir, err))
        return -1;
    return sp_session_write_plots(session, dir, err);
}

static int add_plots(struct sp_session *session, const struct sp_plot_kind *kind, bool all, struct sp_error *err)
{
    static const char *const presets[] = {"durations", "gantt"};
    if (kind)
        return sp_session_add_plot(session, kind, true, err);
    for (size_t i = 0; all && sp_plot_at(i); i++)
        if (sp_session_add_plot(session, sp_plot_at(i), false, err))
            return -1;
    for (size_t i = 0; !all && i < sizeof presets / sizeof presets[0]; i++)
        if (sp_session_add_plot(session, sp_plot_find(presets[i]), false, err))
            return -1;
    return 0;
}

static void list_kinds(FILE *out)
{
    for (size_t i = 0; sp_plot_at(i); i++)
        fprintf(out, "%-10s %s\n", sp_plot_at(i)->name, sp_plot_at(i)->summary);
}

static int conclude(struct sp_session *session, struct sp_call *call, struct sp_error *err)
{
    if (sp_session_write(session, session->options->output, write_files, err))
        return -1;
    return sp_session_say_outputs(session, call, err);
}

static int draw(struct sp_call *call, const struct sp_plot_kind *kind, bool all, size_t first, struct sp_error *err)
{
    struct sp_session session;
    if (sp_session_open(&session, call, first, err))
        return -1;
    int status;
    if (session.empty)
        status = sp_session_say_empty(&session, call, err);
    else
        status = add_plots(&session, kind, all, err) || sp_session_read_events(&session, err) ? -1 : 0;
    if (!status && !session.empty && call->crew->rank == 0)
        status = conclude(&session, call, err);
    sp_session_close(&session);
    return sp_crew_agree(call->crew, status, err);
}

int sp_command_plot(struct sp_call *call, struct sp_error *err)
{
    const struct sp_texts *operands = &call->options->operands;
    const char *word = operands->count ? operands->items[0] : "";
    const struct sp_plot_kind *kind = sp_plot_find(word);
    bool all = !strcmp(word, "all"), named = kind || all || !strcmp(word, "default");
    if (!strcmp(word, "list")) {
        if (call->crew->rank == 0)
            list_kinds(call->out);
        return 0;
    }
    if (!call->options->output)
        return sp_fail_as(err, SP_EXIT_USAGE, "plot writes nothing without -o DIR");
    return draw(call, kind, all, named ? 1 : 0, err);
}
