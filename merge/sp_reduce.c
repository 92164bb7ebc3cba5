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

/* A table on its way up. */
struct climber {
    const struct sp_reduction *kind;
    void *rows; /* NULL: there is no table */
    size_t count;
};

static int give_up(struct climber *own, struct sp_error *err)
{
    free(own->rows);
    own->rows = NULL;
    return no_memory(own->kind, err);
}

/* Sends the table, or word that there is none, so that the receiver never waits in vain. */
static int send_rows(const struct sp_team *team, int to, void *climber, struct sp_error *err)
{
    const struct climber *own = climber;
    uint64_t length = own->rows ? own->count : NO_ROWS;
    if (sp_team_send(team, to, &length, sizeof length, err) < 0)
        return -1;
    return own->rows ? sp_team_send(team, to, own->rows, own->count * own->kind->row_bytes, err) : 0;
}

static int receive_and_merge(const struct sp_team *team, int from, void *climber, struct sp_error *err)
{
    struct climber *own = climber;
    uint64_t length = 0;
    if (sp_team_receive(team, from, &length, sizeof length, err) < 0)
        return -1;
    if (length == NO_ROWS)
        return give_up(own, err);
    size_t bytes = (size_t)length * own->kind->row_bytes;
    void *theirs = own->rows ? malloc(bytes + 1) : NULL;
    if (!theirs) {
        sp_team_refuse(team, from, bytes);
        return give_up(own, err);
    }
    int status = sp_team_receive(team, from, theirs, bytes, err);
    void *merged = status == 0 ? merge(own->kind, own->rows, own->count, theirs, (size_t)length, &own->count) : NULL;
    free(theirs);
    if (status == 0 && !merged)
        return give_up(own, err);
    free(own->rows);
    own->rows = merged;
    return status;
}

int sp_reduce(const struct sp_team *team, const struct sp_reduction *kind, void **rows, size_t *count, struct sp_error *err)
{
    struct climber own = {kind, *rows, *count};
    int status = sp_agree(team, sp_team_climb(team, send_rows, receive_and_merge, &own, err), err);
    int is_table = status == 0 && team->rank == 0;
    if (!is_table)
        free(own.rows);
    *rows = is_table ? own.rows : NULL;
    *count = is_table ? own.count : 0;
    return status;
}
