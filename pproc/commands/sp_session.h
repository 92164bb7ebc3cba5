/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SESSION_H
#define SP_SESSION_H

/* What the commands that analyse runs have in common: load, compare, draw, write, say. Functions are Collective unless said. */

#include "sp_command.h"
#include "sp_plot.h"
#include "sp_models.h"
#include "sp_report.h"

struct sp_error;
struct sp_outdir;

#define SP_SESSION_KINDS 16
#define SP_SESSION_NOTES 8

struct sp_session {
    const struct sp_crew *crew;
    const struct sp_options *options;
    struct sp_runs runs;
    const char *x; /* the field that runs are compared over */
    bool empty;    /* no calls in any of them */
    /* process 0 */
    struct sp_profiles profiles;
    struct sp_scalings scalings;
    const struct sp_scaling *scaling; /* the main one of them; NULL: they say nothing */
    struct sp_models models;
    bool compared;                       /* they say something */
    struct sp_efficiencies efficiencies; /* empty until sp_session_find_efficiency */
    struct sp_details details;           /* empty until sp_session_read_details */
    bool additive;
    const char *of;
    struct sp_palette *palette;
    struct sp_report_options report;
    struct sp_outdir *dir;
    char notes[SP_SESSION_NOTES][400]; /* why something was not compared or drawn; a line each */
    size_t note_count;
    /* all */
    const struct sp_plot_kind *kinds[SP_SESSION_KINDS];
    size_t kind_count;
    struct sp_bars *bars; /* one a run, if a kind asks for events */
};

/* Loads the runs that the operands from `first` on name, and compares them if there are several. */
int sp_session_open(struct sp_session *session, const struct sp_call *call, size_t first, struct sp_error *err);
void sp_session_close(struct sp_session *session);

/* Adds a kind to draw. A kind that needs several runs (of different x) or a trace is left out with a note where it is one of many,
 * or an error where it was asked for by name. Local, the same on all. */
int sp_session_add_plot(struct sp_session *session, const struct sp_plot_kind *kind, bool by_name, struct sp_error *err);

/* Reads the events that the kinds need. */
int sp_session_read_events(struct sp_session *session, struct sp_error *err);

/* Finds out where the time of the runs goes. */
int sp_session_find_efficiency(struct sp_session *session, struct sp_error *err);

/* Reads what is known of the runs beyond their regions. */
int sp_session_read_details(struct sp_session *session, struct sp_error *err);

/* The rest is process 0's. */
struct sp_results sp_session_results(const struct sp_session *session);

/* Opens the output directory (named by -o, else as given), lets write() fill it, publishes, draws. */
int sp_session_write(struct sp_session *session, const char *folder,
    int (*write)(struct sp_session *session, struct sp_outdir *dir, struct sp_error *err), struct sp_error *err);

/* Scripts and data of all kinds. */
int sp_session_write_plots(struct sp_session *session, struct sp_outdir *dir, struct sp_error *err);

/* "Outputs saved to:" and the paths, or their list in the document; notes go to stderr. */
int sp_session_say_outputs(struct sp_session *session, struct sp_call *call, struct sp_error *err);

/* That there is nothing to show, and why. */
int sp_session_say_empty(const struct sp_session *session, struct sp_call *call, struct sp_error *err);

#endif
