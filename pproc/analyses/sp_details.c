/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_details.h"

#include "sp_error.h"
#include "sp_utf8.h"

#include <stdlib.h>

static int name_communicators(const struct sp_run *run, struct sp_detail *detail, struct sp_error *err)
{
    const struct sp_communicator *rows = sp_file_communicators(run->file);
    detail->communicators = calloc((size_t)run->info->communicator_count + 1, sizeof *detail->communicators);
    if (!detail->communicators)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < run->info->communicator_count; i++) {
        if (!rows[i].name_bytes)
            continue;
        detail->communicators[i] = sp_utf8_valid(sp_file_strings(run->file) + rows[i].name_offset, rows[i].name_bytes);
        if (!detail->communicators[i])
            return sp_fail(err, "out of memory");
    }
    return 0;
}

/* What process 0 knows without reading more. */
static int analyse(const struct sp_profile *profile, struct sp_detail *detail, struct sp_error *err)
{
    const struct sp_run *run = profile->run;
    if (sp_imbalances_analyse(profile, &detail->imbalances, err))
        return -1;
    if (sp_mpi_calls_by_path(run, &detail->paths, err) || sp_mpi_calls_by_site(run, &detail->sites, err))
        return -1;
    return name_communicators(run, detail, err);
}

static void free_detail(struct sp_detail *detail, const struct sp_run *run)
{
    sp_mpi_calls_free(&detail->paths);
    sp_mpi_calls_free(&detail->sites);
    sp_traffic_free(&detail->traffic);
    sp_imbalances_free(&detail->imbalances);
    for (int32_t i = 0; detail->communicators && i < run->info->communicator_count; i++)
        free(detail->communicators[i]);
    free(detail->communicators);
}

int sp_details_read(const struct sp_crew *crew, const struct sp_runs *runs, const struct sp_profiles *profiles, bool trace,
    struct sp_details *details, struct sp_error *err)
{
    *details = (struct sp_details){profiles, calloc(runs->count + 1, sizeof *details->items)};
    int status = sp_crew_agree(crew, details->items ? 0 : sp_fail(err, "out of memory"), err);
    for (size_t i = 0; !status && i < runs->count; i++) {
        status = sp_traffic_read(crew, runs->items[i], trace, &details->items[i].traffic, err);
        if (!status)
            status = sp_crew_agree(crew, crew->rank == 0 ? analyse(&profiles->items[i], &details->items[i], err) : 0, err);
        if (!status && trace)
            status = sp_phases_read(crew, runs->items[i], &details->items[i].imbalances, err);
    }
    if (status)
        sp_details_free(details, runs);
    return status;
}

void sp_details_free(struct sp_details *details, const struct sp_runs *runs)
{
    for (size_t i = 0; details->items && i < runs->count; i++)
        free_detail(&details->items[i], runs->items[i]);
    free(details->items);
    *details = (struct sp_details){0};
}
