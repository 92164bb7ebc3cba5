/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_window.h"

#include "sp_error.h"

#include <math.h>
#include <stdlib.h>

static int read_seconds(const char *text, const char **end, int64_t *ns)
{
    char *stop;
    double value = strtod(text, &stop);
    *end = stop;
    if (stop == text || !isfinite(value) || value < 0 || value > 9e9)
        return -1;
    *ns = llround(value * 1e9);
    return 0;
}

static int read_window(const char *text, struct sp_window *window)
{
    const char *at = text;
    if (*at != ':' && read_seconds(at, &at, &window->begin_ns))
        return -1;
    if (*at++ != ':')
        return -1;
    if (*at && read_seconds(at, &at, &window->end_ns))
        return -1;
    return *at || window->begin_ns >= window->end_ns ? -1 : 0;
}

int sp_window_parse(const struct sp_options *options, struct sp_window *window, struct sp_error *err)
{
    const char *end;
    *window = (struct sp_window){.timed = options->time, .begin_ns = INT64_MIN, .end_ns = INT64_MAX};
    if (options->time && read_window(options->time, window))
        return sp_fail_as(
            err, SP_EXIT_USAGE, "--time %.100s: must be FROM:TO, seconds, FROM below TO; one of them may be missing", options->time);
    if (options->min_duration && (read_seconds(options->min_duration, &end, &window->min_duration_ns) || *end))
        return sp_fail_as(err, SP_EXIT_USAGE, "--min-duration %.100s: must be seconds, 0 or more", options->min_duration);
    return 0;
}

struct sp_window sp_window_shift(struct sp_window window, int64_t origin_ns)
{
    if (window.begin_ns != INT64_MIN)
        window.begin_ns += origin_ns;
    if (window.end_ns != INT64_MAX)
        window.end_ns += origin_ns;
    return window;
}

bool sp_window_is_part(const struct sp_window *window)
{
    return window->timed || window->min_duration_ns > 0;
}

/* The part in the window of what lasts until end_ns. */
static bool cut(const struct sp_window *window, int64_t *start_ns, int64_t end_ns, int64_t *duration_ns)
{
    if (*start_ns >= window->end_ns || (*start_ns < window->begin_ns && end_ns <= window->begin_ns))
        return false;
    *start_ns = *start_ns < window->begin_ns ? window->begin_ns : *start_ns;
    *duration_ns = (end_ns < window->end_ns ? end_ns : window->end_ns) - *start_ns;
    return true;
}

bool sp_window_clip(const struct sp_window *window, int64_t lane_end_ns, int64_t *start_ns, int64_t *duration_ns)
{
    if (*duration_ns >= 0)
        return cut(window, start_ns, *start_ns + *duration_ns, duration_ns);
    return window->end_ns <= lane_end_ns && cut(window, start_ns, lane_end_ns, duration_ns);
}

bool sp_window_takes(const struct sp_window *window, int64_t lane_end_ns, int64_t start_ns, int64_t duration_ns)
{
    int64_t whole_ns = duration_ns < 0 ? lane_end_ns - start_ns : duration_ns;
    return !sp_window_is_part(window) ||
        (whole_ns >= window->min_duration_ns && sp_window_clip(window, lane_end_ns, &start_ns, &duration_ns));
}
