/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_offset.h"

__extension__ typedef __int128 int128;

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct sp_offset sp_offset_from(const struct sp_round_trip *exchange)
{
    int64_t round_trip = exchange->received_ns - exchange->sent_ns;
    int64_t middle = exchange->sent_ns + round_trip / 2;
    return (struct sp_offset){.offset_ns = middle - exchange->other_ns, .error_ns = round_trip - round_trip / 2, .at_ns = middle};
}

int sp_offset_is_better(const struct sp_offset *a, const struct sp_offset *b)
{
    return a->error_ns >= 0 && (b->error_ns < 0 || a->error_ns < b->error_ns);
}

struct sp_offset sp_offset_at(struct sp_offset offset, int64_t at_ns)
{
    if (offset.error_ns >= 0)
        offset.error_ns += (int64_t)(((int128)distance(at_ns, offset.at_ns) * SP_DRIFT_PPM + 999999) / 1000000);
    offset.at_ns = at_ns;
    return offset;
}

struct sp_offset sp_offset_chain(const struct sp_offset *a_b, int64_t between_ns, const struct sp_offset *b_c)
{
    struct sp_offset then = sp_offset_at(*b_c, between_ns);
    if (a_b->error_ns < 0 || then.error_ns < 0)
        return (struct sp_offset){.error_ns = -1};
    return (struct sp_offset){.offset_ns = a_b->offset_ns + then.offset_ns, .error_ns = a_b->error_ns + then.error_ns, .at_ns = a_b->at_ns};
}

/* The middle of what both measurements allow, and how far either allows to be off it. */
static struct sp_offset common(const struct sp_offset *first, const struct sp_offset *last)
{
    int64_t lowest = smaller(first->offset_ns - first->error_ns, last->offset_ns - last->error_ns);
    int64_t low = larger(first->offset_ns - first->error_ns, last->offset_ns - last->error_ns);
    int64_t high = smaller(first->offset_ns + first->error_ns, last->offset_ns + last->error_ns);
    int64_t highest = larger(first->offset_ns + first->error_ns, last->offset_ns + last->error_ns);
    int64_t middle = low + (high - low) / 2;
    return (struct sp_offset){.offset_ns = middle, .error_ns = larger(middle - lowest, highest - middle)};
}

/* On the line through both, whose ends may be off by their errors. */
static struct sp_offset on_line(const struct sp_offset *first, const struct sp_offset *last, int64_t at_ns)
{
    int128 span = last->at_ns - first->at_ns, part = at_ns - first->at_ns;
    int64_t beyond = at_ns < first->at_ns ? first->at_ns - at_ns : at_ns > last->at_ns ? at_ns - last->at_ns : 0;
    int128 off_line = (int128)(first->error_ns + last->error_ns) * beyond / span;
    return (struct sp_offset){.offset_ns = first->offset_ns + (int64_t)((last->offset_ns - first->offset_ns) * part / span),
        .error_ns = larger(first->error_ns, last->error_ns) + (int64_t)off_line,
        .at_ns = at_ns};
}

void sp_offset_settle(const struct sp_offset *first, const struct sp_offset *last, int64_t from_ns, int64_t to_ns, struct sp_offset out[2])
{
    if (last->error_ns < 0 || last->at_ns <= first->at_ns) {
        out[0] = sp_offset_at(*first, from_ns);
        out[1] = sp_offset_at(*first, to_ns);
    } else if (distance(first->offset_ns, last->offset_ns) <= first->error_ns + last->error_ns) {
        out[0] = out[1] = common(first, last);
    } else {
        out[0] = on_line(first, last, from_ns);
        out[1] = on_line(first, last, to_ns);
    }
    out[0].at_ns = from_ns;
    out[1].at_ns = to_ns;
    out[0].error_ns = out[1].error_ns = larger(out[0].error_ns, out[1].error_ns);
}
