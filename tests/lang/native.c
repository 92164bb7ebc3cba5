/* SPDX-License-Identifier: BSD-3-Clause */
/* A program written for the Python scope-profiler's own C API, every name of it. What it expects of a recording profiler it checks
 * where there is one; its result is 5 either way. */
#include "scope_profiler.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(int condition, const char *what)
{
    if (!condition && sp_is_active()) {
        printf("not so: %s\n", what);
        failures++;
    }
}

static void descend(int region, int depth)
{
    sp_begin(region);
    if (depth > 0)
        descend(region, depth - 1);
    sp_end(region);
}

static void use_default_context(void)
{
    sp_region_stats stats;
    int solve = sp_region("solve"), assemble = sp_region_at("assemble", "assembly.c", 7), recurse = SP_REGION_AT("recurse");

    for (int step = 0; step < 20; ++step) {
        sp_begin(assemble);
        sp_end(assemble);
        sp_begin(solve);
        sp_end(solve);
    }
    descend(recurse, 63);
    sp_begin(SP_INVALID_REGION);
    sp_end(SP_INVALID_REGION);
    expect(sp_region("solve") == solve, "a name has one handle");
    expect(sp_num_calls(solve) == 20, "solve was entered 20 times");
    expect(sp_profiler_get_region_stats(sp_default_profiler(), recurse, &stats) == SP_OK && stats.calls == 64, "64 recursive calls");
    expect(stats.min_ns <= stats.max_ns && stats.max_ns <= stats.total_ns, "min <= max <= total");
    expect(strcmp(sp_profiler_region_name(sp_default_profiler(), solve), "solve") == 0, "a handle has its name");
    expect(sp_current_output_format() == SP_OUTPUT_HDF5, "HDF5 is written");
    expect(sp_set_output_format(SP_OUTPUT_TRACE) == SP_ERR_UNSUPPORTED, "there is no .spt");
    expect(sp_set_output_format(sp_default_output_format()) == SP_OK, "HDF5 can be asked for");
}

static void use_scopes(sp_profiler *library)
{
    int outer = sp_profiler_region(library, "outer"), inner = sp_profiler_region_at(library, "inner", "library.c", 12);
    sp_scope first = sp_profiler_scope_begin(library, outer), second = sp_profiler_scope_begin(library, inner);
    sp_scope third = sp_profiler_scope_begin(library, inner);

    expect(sp_profiler_reset(library) == SP_ERR_OPEN_SCOPES, "no reset while scopes are open");
    expect(sp_scope_end(&second) == SP_ERR_UNMATCHED_END, "a call under a later one of its region is not ended");
    expect(sp_profiler_last_error(library) == SP_ERR_UNMATCHED_END, "the context knows its last error");
    expect(sp_scope_end(&third) == SP_OK, "the innermost call ends");
    expect(sp_scope_end(&second) == SP_OK, "then the one under it");
    expect(sp_scope_end(&second) == SP_ERR_UNMATCHED_END, "but once");
    expect(sp_scope_end(&first) == SP_OK, "and the outermost");
    expect(sp_profiler_last_error(library) == SP_OK, "no error is left");
}

static void use_context(sp_profiler *library)
{
    sp_region_stats stats;
    int solve = SP_PROFILER_REGION_AT(library, "library solve");

    for (int i = 0; i < 3; i++) {
        sp_profiler_begin(library, solve);
        sp_profiler_end(library, solve);
    }
    sp_profiler_end(library, solve);
    expect(sp_profiler_last_error(library) == SP_ERR_UNMATCHED_END, "an end too many is noticed");
    sp_profiler_begin(library, solve);
    expect(sp_profiler_end_last(library) == SP_OK, "the last one ends");
    expect(sp_profiler_end_last(library) == SP_ERR_UNMATCHED_END, "and then none is open");
    expect(sp_profiler_flush(library) == SP_OK, "flush");
    expect(sp_profiler_reset(library) == SP_OK, "reset");
    expect(sp_profiler_get_region_stats(library, solve, &stats) == SP_OK && stats.calls == 0, "nothing since the reset");
    sp_profiler_begin(library, solve);
    sp_profiler_end(library, solve);
    expect(sp_profiler_get_region_stats(library, solve, &stats) == SP_OK && stats.calls == 1, "one call since the reset");
    expect(sp_profiler_num_regions(library) >= 4, "regions are counted");
    expect(sp_profiler_region_name(library, 100000) == NULL, "a handle that does not exist has no name");
    expect(sp_profiler_get_region_stats(library, 100000, &stats) == SP_ERR_INACTIVE, "and no statistics");
    expect(sp_profiler_set_output_format(library, SP_OUTPUT_TRACE) == SP_ERR_UNSUPPORTED, "there is no .spt");
    expect(sp_profiler_output_format(library) == SP_OUTPUT_HDF5 && sp_hdf5_available(), "HDF5 is written");
    expect(sp_profiler_is_active(library), "it is active");
    expect(strstr(sp_profiler_output_path(library), "run_rank00000.h5") != NULL, "the file is named by the first prefix");
}

int main(void)
{
    int64_t start = sp_now_ns();
    if (sp_init("run", 0) != 0)
        return 1;
    use_default_context();
    sp_profiler *library = sp_create("library", 0);
    if (!library)
        return 2;
    use_scopes(library);
    use_context(library);
    if (sp_profiler_finalize(library) != 0)
        return 3;
    expect(!sp_profiler_is_active(library) && sp_is_active(), "the other context goes on");
    expect(sp_profiler_region(library, "late") == SP_INVALID_REGION, "a finalized context makes no region");
    sp_destroy(library);
    sp_destroy(NULL);
    expect(strstr(sp_output_path(), "run_rank00000.h5") != NULL, "the file has a name");
    if (sp_finalize() != 0)
        return 4;
    if (sp_is_active() || sp_now_ns() < start || failures > 0)
        return 6;
    puts(sp_error_string(SP_OK));
    return 5;
}
