/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_reduce.h"

#include <stdlib.h>
#include <string.h>

#define NO_ROWS UINT64_MAX /* in place of a number of rows: there is no table */

static int no_memory(const struct sp_reduction *kind, struct sp_error *err)
{
    return sp_fail(err, "out of memory while uniting %s", kind->name);
}

size_t sp_reduce_own(const struct sp_reduction *kind, void *rows, size_t count)
{
    char *last = rows, *row = rows;
    if (count == 0)
        return 0;
    qsort(rows, count, kind->row_bytes, kind->compare);
    for (size_t i = 1; i < count; i++) {
        row += kind->row_bytes;
        if (kind->compare(last, row) == 0)
            kind->add(last, row);
        else if ((last += kind->row_bytes) != row)
            memcpy(last, row, kind->row_bytes);
    }
    return (size_t)(last - (char *)rows) / kind->row_bytes + 1;
}

/* Two tables as one, malloc'ed; NULL without memory. */
static void *merge(const struct sp_reduction *kind, const void *a, size_t a_count, const void *b, size_t b_count, size_t *count)
{
    size_t bytes = kind->row_bytes;
    const char *x = a, *y = b, *x_end = x + a_count * bytes, *y_end = y + b_count * bytes;
    char *merged = malloc((a_count + b_count) * bytes + 1), *to = merged;
    for (; merged && (x < x_end || y < y_end); to += bytes) {
        int order = x == x_end ? 1 : y == y_end ? -1 : kind->compare(x, y);
        memcpy(to, order <= 0 ? x : y, bytes);
        if (order == 0)
            kind->add(to, y);
        x += order <= 0 ? bytes : 0;
        y += order >= 0 ? bytes : 0;
    }
    *count = merged ? (size_t)(to - merged) / bytes : 0;
    return merged;
}

/* Sends the table, or word that there is none, so that the receiver never waits in vain. */
static int send_rows(
    const struct sp_team *team, const struct sp_reduction *kind, int to, const void *rows, size_t count, struct sp_error *err)
{
    uint64_t length = rows ? count : NO_ROWS;
    if (sp_team_send(team, to, &length, sizeof length, err) < 0)
        return -1;
    return rows ? sp_team_send(team, to, rows, count * kind->row_bytes, err) : 0;
}

static int receive_and_merge(
    const struct sp_team *team, const struct sp_reduction *kind, int from, void **rows, size_t *count, struct sp_error *err)
{
    uint64_t length = 0;
    if (sp_team_receive(team, from, &length, sizeof length, err) < 0)
        return -1;
    if (length == NO_ROWS)
        return no_memory(kind, err);
    size_t bytes = (size_t)length * kind->row_bytes;
    void *theirs = *rows ? malloc(bytes + 1) : NULL, *merged = NULL;
    if (!theirs) {
        sp_team_refuse(team, from, bytes);
        return no_memory(kind, err);
    }
    int status = sp_team_receive(team, from, theirs, bytes, err);
    if (status == 0 && !(merged = merge(kind, *rows, *count, theirs, (size_t)length, count)))
        status = no_memory(kind, err);
    free(theirs);
    free(*rows);
    *rows = merged;
    return status;
}

/* In round k a process whose number is an odd multiple of 2^k hands its table over and is done. */
static int climb(const struct sp_team *team, const struct sp_reduction *kind, void **rows, size_t *count, struct sp_error *err)
{
    int status = 0;
    for (int step = 1; step < team->size; step *= 2) {
        if (team->rank % (2 * step) != 0)
            return send_rows(team, kind, team->rank - step, status == 0 ? *rows : NULL, *count, err) < 0 ? -1 : status;
        if (team->rank + step < team->size && receive_and_merge(team, kind, team->rank + step, rows, count, err) < 0)
            status = -1;
    }
    return status;
}

int sp_reduce(const struct sp_team *team, const struct sp_reduction *kind, void **rows, size_t *count, struct sp_error *err)
{
    int status = sp_agree(team, climb(team, kind, rows, count, err), err);
    if (status < 0 || team->rank != 0) {
        free(*rows);
        *rows = NULL;
        *count = 0;
    }
    return status;
}
