/* SPDX-License-Identifier: BSD-3-Clause */
/* How runs compare, for machines: a row for each kind of scaling, layout, region and x. */
#include "sp_results.h"

#include "sp_cost.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static size_t rows_of(const struct sp_scaling *scaling)
{
    return scaling->row_count * scaling->point_count;
}

static size_t rows_of_kind(const struct sp_scalings *scalings)
{
    size_t count = 0;
    for (size_t i = 0; i < scalings->count; i++)
        count += rows_of(&scalings->items[i]);
    return count;
}

static void fill_scaling(const void *data, size_t row, struct sp_cell *cells)
{
    const struct sp_results *results = data;
    const struct sp_scalings *scalings = results->scalings;
    const struct sp_scaling *scaling = scalings->items;
    size_t of_kind = rows_of_kind(scalings);
    enum sp_scaling_kind kind = row >= of_kind || !scalings->choice.kinds[SP_SCALING_STRONG] ? SP_SCALING_WEAK : SP_SCALING_STRONG;
    for (row %= of_kind; row >= rows_of(scaling); scaling++)
        row -= rows_of(scaling);
    const struct sp_scaling_row *region = &scaling->rows[row / scaling->point_count];
    const struct sp_scaling_point *point = &region->points[row % scaling->point_count];
    struct sp_scaled scaled = sp_scaling_view(point, kind);
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(region->name);
    *cell++ = sp_cell_text(region->kind < 0 ? "run" : sp_region_kind_name(region->kind));
    *cell++ = point->x_text ? sp_cell_text(point->x_text) : sp_cell_real(point->x);
    *cell++ = sp_cell_integer((int64_t)point->run_count);
    *cell++ = sp_cell_text(region->kind < 0 ? "run" : results->of);
    *cell++ = sp_cell_seconds(point->time_ns);
    *cell++ = sp_cell_real(scaled.speedup);
    *cell++ = sp_cell_real(point->ideal);
    *cell++ = sp_cell_real(scaled.efficiency);
    *cell++ = sp_cell_text(sp_scaling_kind_name(kind));
    *cell++ = sp_cell_text(scaling->name);
    *cell++ = sp_cell_seconds(point->low_ns);
    *cell++ = sp_cell_seconds(point->high_ns);
    *cell++ = sp_cell_real(scaled.speedup_sure.low);
    *cell++ = sp_cell_real(scaled.speedup_sure.high);
    *cell++ = sp_cell_real(scaled.efficiency_sure.low);
    *cell++ = sp_cell_real(scaled.efficiency_sure.high);
    *cell++ = sp_cell_real(kind == SP_SCALING_STRONG ? sp_model_karp_flatt(point->speedup, point->ideal) : NAN);
    *cell++ = sp_cell_real(region->kind < 0 ? sp_cost_core_hours(point->cores, point->time_ns) : NAN);
}

struct sp_sheet sp_sheet_scaling(const struct sp_results *results)
{
    static const char *const columns[] = {"region", "kind", "x", "runs", "of", "time_seconds", "speedup", "ideal_speedup", "efficiency",
        "scaling", "layout", "time_low_seconds", "time_high_seconds", "speedup_low", "speedup_high", "efficiency_low", "efficiency_high",
        "karp_flatt", "core_hours"};
    size_t rows = results->scalings ? rows_of_kind(results->scalings) : 0;
    if (rows && results->scalings->choice.kinds[SP_SCALING_STRONG] && results->scalings->choice.kinds[SP_SCALING_WEAK])
        rows *= 2;
    return (struct sp_sheet){"scaling", columns, COUNT(columns), rows, results, fill_scaling};
}

static void fill_model(const void *data, size_t row, struct sp_cell *cells)
{
    const struct sp_model_row *item = &((const struct sp_results *)data)->models->items[row];
    const struct sp_model *model = &item->model;
    bool amdahl = model->law == SP_LAW_AMDAHL, usl = model->law == SP_LAW_USL, growth = model->law == SP_LAW_GROWTH;
    struct sp_cell *cell = cells;
    *cell++ = sp_cell_text(item->row->name);
    *cell++ = sp_cell_text(item->row->kind < 0 ? "run" : sp_region_kind_name(item->row->kind));
    *cell++ = sp_cell_text(sp_scaling_kind_name(item->kind));
    *cell++ = sp_cell_text(item->scaling->name);
    *cell++ = sp_cell_text(sp_law_name(model->law));
    *cell++ = sp_cell_integer((int64_t)model->point_count);
    *cell++ = sp_cell_real(model->residual);
    *cell++ = sp_cell_real(model->fraction);
    *cell++ = sp_cell_real(model->fraction_wide);
    *cell++ = sp_cell_seconds(amdahl ? model->c[0] : NAN);
    *cell++ = sp_cell_seconds(amdahl ? model->c[1] : NAN);
    *cell++ = sp_cell_real(usl ? model->c[0] : NAN);
    *cell++ = sp_cell_real(usl ? model->c[1] : NAN);
    *cell++ = sp_cell_real(model->best_x);
    *cell++ = sp_cell_seconds(growth ? model->c[0] : NAN);
    *cell++ = sp_cell_seconds(growth ? model->c[1] : NAN);
    *cell++ = sp_cell_real(model->i);
    *cell++ = sp_cell_real(model->j);
    *cell++ = sp_cell_real(model->smape);
    *cell++ = sp_cell_real(model->reach_x);
    *cell++ = sp_cell_text(model->why_not[0] ? model->why_not : NULL);
}

struct sp_sheet sp_sheet_models(const struct sp_results *results)
{
    static const char *const columns[] = {"region", "kind", "scaling", "layout", "model", "points", "residual_percent", "serial_fraction",
        "serial_fraction_95", "serial_seconds", "parallel_seconds", "usl_sigma", "usl_kappa", "usl_best_x", "c0_seconds", "c1_seconds",
        "exponent", "log_exponent", "smape_percent", "holds_up_to_x", "note"};
    return (struct sp_sheet){"models", columns, COUNT(columns), results->scalings ? results->models->count : 0, results, fill_model};
}
