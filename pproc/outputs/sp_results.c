/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_results.h"

#include "sp_error.h"
#include "sp_json.h"
#include "sp_outdir.h"

#include <stdlib.h>
#include <string.h>

static int write_csv(const struct sp_sheet *sheet, struct sp_outdir *dir, struct sp_error *err)
{
    char name[64];
    FILE *out;
    snprintf(name, sizeof name, "%s.csv", sheet->name);
    if (sp_outdir_begin(dir, name, &out, err))
        return -1;
    sp_sheet_write_csv(sheet, out);
    return sp_outdir_end(dir, err);
}

static bool compares_runs(const struct sp_sheet *sheet)
{
    return !strcmp(sheet->name, "scaling") || !strcmp(sheet->name, "models");
}

static int write_json(const struct sp_results *results, const struct sp_sheet *sheet, struct sp_outdir *dir, struct sp_error *err)
{
    char name[64];
    FILE *out;
    struct sp_json json;
    struct sp_sheet runs = sp_sheet_runs(results->profiles);
    snprintf(name, sizeof name, "%s.json", sheet->name);
    if (sp_outdir_begin(dir, name, &out, err))
        return -1;
    sp_json_init(&json, out);
    sp_json_object(&json);
    sp_json_key(&json, "format");
    sp_json_text(&json, "scope-profiler-table");
    sp_json_key(&json, "format_version");
    sp_json_integer(&json, 1);
    sp_json_key(&json, "table");
    sp_json_text(&json, sheet->name);
    if (results->scalings && compares_runs(sheet)) {
        sp_json_key(&json, "x_field");
        sp_json_text(&json, results->scalings->items[0].x_field);
        sp_json_key(&json, "baseline");
        sp_json_real(&json, sp_scalings_main(results->scalings)->baseline);
    }
    sp_json_key(&json, "runs");
    sp_sheet_write_rows(&runs, &json);
    sp_json_key(&json, "rows");
    sp_sheet_write_rows(sheet, &json);
    sp_json_finish(&json);
    return sp_outdir_end(dir, err);
}

/* The sheets of the details that have something to say. */
static int write_details(const struct sp_results *results, struct sp_outdir *dir, struct sp_error *err)
{
    struct sp_sheet sheets[] = {sp_sheet_imbalance(results->details), sp_sheet_mpi_paths(results->details),
        sp_sheet_call_sites(results->details), sp_sheet_communicators(results->details), sp_sheet_comm_matrix(results->details),
        sp_sheet_message_sizes(results->details)};
    for (size_t i = 0; i < sizeof sheets / sizeof sheets[0]; i++)
        if (sheets[i].row_count && (write_csv(&sheets[i], dir, err) || write_json(results, &sheets[i], dir, err)))
            return -1;
    return 0;
}

int sp_results_write(const struct sp_results *results, struct sp_outdir *dir, struct sp_error *err)
{
    struct sp_sheet sheets[] = {sp_sheet_regions(results), sp_sheet_ranks(results), sp_sheet_mpi(results), sp_sheet_efficiency(results),
        sp_sheet_scaling(results), sp_sheet_models(results)};
    for (size_t i = 0; i < sizeof sheets / sizeof sheets[0]; i++) {
        if (compares_runs(&sheets[i]) && !results->scalings)
            continue;
        if (write_csv(&sheets[i], dir, err) || write_json(results, &sheets[i], dir, err))
            return -1;
    }
    return results->details ? write_details(results, dir, err) : 0;
}
