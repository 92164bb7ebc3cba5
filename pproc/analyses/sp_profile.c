/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_profile.h"

#include "sp_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double sp_percent(double part_ns, double whole_ns)
{
    return whole_ns > 0 ? 100 * part_ns / whole_ns : NAN;
}

const struct sp_region *sp_profile_region(const struct sp_profile *profile, size_t row)
{
    return &profile->run->regions[profile->regions[row].region];
}

bool sp_profile_is_outside(const struct sp_profile *profile, size_t row)
{
    return sp_run_is_outside(profile->run, profile->regions[row].region);
}

bool sp_profile_is_timed(const struct sp_profile *profile, size_t row)
{
    return sp_run_is_timed(profile->run, profile->regions[row].region);
}

size_t sp_profile_name_outside(const struct sp_profile *profile, char *names, size_t size)
{
    size_t count = 0, found = 0, used = 0;
    for (size_t i = 0; i < profile->region_count; i++)
        count += sp_profile_is_outside(profile, i);
    names[0] = '\0';
    for (size_t i = 0; i < profile->region_count && used < size; i++) {
        if (!sp_profile_is_outside(profile, i))
            continue;
        const char *between = !found ? "" : found + 1 == count ? " and " : ", ";
        used += (size_t)snprintf(names + used, size - used, "%s%s", between, sp_profile_region(profile, i)->name);
        found++;
    }
    return count;
}

double sp_profile_mpi_percent(const struct sp_profile *profile)
{
    return profile->mpi_known ? sp_percent((double)profile->mpi_ns, profile->rank_ns) : NAN;
}

double sp_profile_percent_of_mpi(const struct sp_profile *profile, double total_ns)
{
    return profile->mpi_known ? sp_percent(total_ns, (double)profile->mpi_ns) : NAN;
}

double sp_profile_total_percent(const struct sp_profile *profile, size_t row)
{
    if (sp_profile_is_outside(profile, row))
        return NAN;
    return sp_percent((double)profile->regions[row].stats.total, profile->rank_ns);
}

double sp_profile_self_percent(const struct sp_profile *profile, size_t row)
{
    if (sp_profile_is_outside(profile, row))
        return NAN;
    return sp_percent((double)profile->regions[row].stats.self, profile->rank_ns);
}

int64_t sp_profile_self(const struct sp_profile *profile)
{
    int64_t sum = 0;
    for (size_t i = 0; i < profile->region_count; i++)
        if (!sp_profile_is_outside(profile, i))
            sum += profile->regions[i].stats.self;
    return sum;
}

const struct sp_region_summary *sp_profile_find(const struct sp_profile *profile, const char *name)
{
    size_t low = 0, high = profile->region_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2, row = profile->by_name[middle];
        int order = strcmp(name, sp_profile_region(profile, row)->name);
        if (!order)
            return &profile->regions[row];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* None of the MPI functions inside the run's time is filtered out now, nor was when recording. */
static bool knows_mpi(const struct sp_run *run)
{
    if (run->window.min_duration_ns > 0)
        return false;
    for (int32_t i = 0; i < run->info->region_count; i++)
        if (run->regions[i].kind == SP_REGION_MPI && !sp_run_is_outside(run, i) && !run->regions[i].selected)
            return false;
    return sp_run_recorded_mpi(run);
}

static int analyse(const struct sp_run *run, struct sp_profile *profile, struct sp_error *err)
{
    *profile = (struct sp_profile){.run = run};
    if (sp_regions_analyse(run->entries, run->entry_count, run->rank_count, &profile->regions, &profile->region_count, err))
        return -1;
    profile->mpi_known = knows_mpi(run);
    profile->rank_ns = run->time_ns >= 0 ? (double)run->time_ns * run->rank_count : NAN;
    for (size_t i = 0; i < profile->region_count; i++)
        if (sp_profile_region(profile, i)->kind == SP_REGION_MPI && !sp_profile_is_outside(profile, i))
            profile->mpi_ns += profile->regions[i].stats.total;
    size_t count;
    return sp_profile_order(profile, SP_ORDER_NAME, NULL, &profile->by_name, &count, err);
}

int sp_profiles_create(const struct sp_runs *runs, struct sp_profiles *profiles, struct sp_error *err)
{
    *profiles = (struct sp_profiles){.items = calloc(runs->count + 1, sizeof *profiles->items)};
    if (!profiles->items)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < runs->count; i++) {
        profiles->count++;
        if (analyse(runs->items[i], &profiles->items[i], err))
            goto fail;
    }
    return 0;
fail:
    sp_profiles_free(profiles);
    return -1;
}

void sp_profiles_free(struct sp_profiles *profiles)
{
    for (size_t i = 0; i < profiles->count; i++) {
        free(profiles->items[i].regions);
        free(profiles->items[i].by_name);
    }
    free(profiles->items);
    *profiles = (struct sp_profiles){0};
}

int sp_region_order_parse(const char *name, enum sp_region_order *order, struct sp_error *err)
{
    static const struct {
        const char *name;
        enum sp_region_order order;
    } names[] = {{"self", SP_ORDER_SELF}, {"total", SP_ORDER_TOTAL}, {"calls", SP_ORDER_CALLS}, {"imbalance", SP_ORDER_IMBALANCE},
        {"name", SP_ORDER_NAME}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(names[i].name, name)) {
            *order = names[i].order;
            return 0;
        }
    return sp_fail_as(err, SP_EXIT_USAGE, "--sort %.100s: must be self, total, calls, imbalance or name", name);
}

/* What is compared, largest first; rows are in order of their first start. */
struct sort_item {
    size_t row;
    double key;
    const char *name;
};

static int compare_items(const void *a, const void *b)
{
    const struct sort_item *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->row < y->row ? -1 : x->row > y->row);
}

static double key_of(const struct sp_region_summary *summary, size_t row, enum sp_region_order order)
{
    switch (order) {
    case SP_ORDER_FIRST: return -(double)row;
    case SP_ORDER_SELF: return (double)summary->stats.self;
    case SP_ORDER_TOTAL: return (double)summary->stats.total;
    case SP_ORDER_CALLS: return (double)summary->stats.calls;
    case SP_ORDER_IMBALANCE: return isnan(summary->imbalance) ? -1 : summary->imbalance;
    case SP_ORDER_NAME: break;
    }
    return 0;
}

int sp_profile_order(const struct sp_profile *profile, enum sp_region_order order, bool (*keep)(const struct sp_region *region),
    size_t **rows, size_t *count, struct sp_error *err)
{
    size_t used = 0;
    struct sort_item *items = malloc((profile->region_count + 1) * sizeof *items);
    *rows = malloc((profile->region_count + 1) * sizeof **rows);
    if (!items || !*rows) {
        free(items);
        free(*rows);
        *rows = NULL;
        return sp_fail(err, "out of memory");
    }
    for (size_t i = 0; i < profile->region_count; i++) {
        const struct sp_region *region = sp_profile_region(profile, i);
        if (!keep || keep(region))
            items[used++] = (struct sort_item){i, key_of(&profile->regions[i], i, order), region->name};
    }
    qsort(items, used, sizeof *items, compare_items);
    for (size_t i = 0; i < used; i++)
        (*rows)[i] = items[i].row;
    *count = used;
    free(items);
    return 0;
}
