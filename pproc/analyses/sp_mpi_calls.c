/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_mpi_calls.h"

#include "sp_error.h"
#include "sp_tree.h"

#include <stdlib.h>
#include <string.h>

bool sp_mpi_calls_have_sites(const struct sp_run *run)
{
    json_t *levels = json_object_get(run->metadata, "SP_CALLSITE"); /* a number, or its text */
    const char *text = json_string_value(levels);
    return json_integer_value(levels) > 0 || (text && text[0] >= '1' && text[0] <= '9');
}

/* Region of the place that made the calls of a path: its parent's; -1 none. */
static int32_t site_of(const struct sp_run *run, int32_t callpath)
{
    const struct sp_callpath *paths = sp_file_callpaths(run->file);
    int32_t parent = paths[callpath].parent;
    if (parent < 0 || run->regions[paths[parent].region].kind != SP_REGION_FUNCTION)
        return -1;
    return paths[parent].region;
}

static int compare_calls(const void *a, const void *b)
{
    const struct sp_mpi_call *x = a, *y = b;
    if (x->stats.total != y->stats.total)
        return x->stats.total > y->stats.total ? -1 : 1;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->region < y->region ? -1 : x->region > y->region);
}

static int compare_sites(const void *a, const void *b)
{
    const struct sp_mpi_call *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

/* Calls of one function at one place become one. */
static void merge_sites(struct sp_mpi_calls *calls)
{
    size_t used = 0;
    if (calls->count)
        qsort(calls->items, calls->count, sizeof *calls->items, compare_sites);
    for (size_t i = 0; i < calls->count; i++) {
        struct sp_mpi_call *call = &calls->items[i], *last = used ? &calls->items[used - 1] : NULL;
        if (!last || compare_sites(call, last)) {
            calls->items[used++] = *call;
            continue;
        }
        sp_stats_merge(&last->stats, &call->stats);
        last->rank_count = call->rank_count > last->rank_count ? call->rank_count : last->rank_count;
        free(call->name);
    }
    calls->count = used;
}

static int collect(const struct sp_run *run, bool by_site, struct sp_mpi_calls *calls, struct sp_error *err)
{
    *calls = (struct sp_mpi_calls){.items = calloc(run->path_count + 1, sizeof *calls->items)};
    for (size_t i = 0; calls->items && i < run->path_count; i++) {
        const struct sp_path_entry *path = &run->paths[i];
        const struct sp_callpath *row = &sp_file_callpaths(run->file)[path->callpath];
        int32_t site = by_site ? site_of(run, path->callpath) : -1;
        if (run->regions[row->region].kind != SP_REGION_MPI || !run->regions[row->region].selected || (by_site && site < 0))
            continue;
        char *name = by_site ? strdup(run->regions[site].name) : row->parent < 0 ? strdup("") : sp_tree_path_name(run, row->parent);
        if (!name)
            goto fail;
        calls->items[calls->count++] = (struct sp_mpi_call){name, row->region, site, path->rank_count, path->stats};
    }
    if (calls->items)
        return 0;
fail:
    sp_mpi_calls_free(calls);
    return sp_fail(err, "out of memory");
}

static void sort(struct sp_mpi_calls *calls)
{
    if (calls->count)
        qsort(calls->items, calls->count, sizeof *calls->items, compare_calls);
}

int sp_mpi_calls_by_path(const struct sp_run *run, struct sp_mpi_calls *calls, struct sp_error *err)
{
    if (collect(run, false, calls, err))
        return -1;
    sort(calls);
    return 0;
}

int sp_mpi_calls_by_site(const struct sp_run *run, struct sp_mpi_calls *calls, struct sp_error *err)
{
    *calls = (struct sp_mpi_calls){0};
    if (!sp_mpi_calls_have_sites(run))
        return 0;
    if (collect(run, true, calls, err))
        return -1;
    merge_sites(calls);
    sort(calls);
    return 0;
}

void sp_mpi_calls_free(struct sp_mpi_calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        free(calls->items[i].name);
    free(calls->items);
    *calls = (struct sp_mpi_calls){0};
}
