/* SPDX-License-Identifier: BSD-3-Clause */
/* What our C API has beyond the Python scope-profiler's. Its result is 5. */
#include <scope_profiler.h>

#include <stdio.h>

static int leaves_early(int i)
{
    SP_FUNCTION();
    SP_SCOPE("rest of the block");
    if (i % 2)
        return i;
    SP_SCOPE("deeper");
    return 0;
}

int main(void)
{
    int failures = 0;
    sp_set("label", "own");
    sp_set("SP_OUTPUT", "named.h5");
    failures += sp_set("no such setting", "1") != (sp_is_active() ? SP_ERR_UNSUPPORTED : SP_OK);
    sp_register_opt_in_tag("verbose");
    sp_init(NULL, 0);
    for (int i = 0; i < 4; i++) {
        sp_phase("iteration", 10 + i);
        SP_BEGIN("site");
        leaves_early(i);
        SP_END("site");
    }
    sp_phase("iteration", -1);
    int solver = sp_region_tagged("tagged", "solver,outer"), verbose = sp_region_tagged("opt-in", "solver,verbose");
    sp_begin(solver);
    sp_begin(verbose);
    sp_end(verbose);
    sp_end(solver);
    SP_BEGIN("before the pause");
    sp_pause();
    SP_BEGIN("paused");
    SP_END("paused");
    SP_END("before the pause");
    sp_resume();
    SP_BEGIN("after the pause");
    SP_BEGIN("closed by its parent");
    sp_end_last();
    sp_end_last();
    sp_metadata("flavour", "vanilla");
    sp_work(1.5e9);
    failures += sp_set("mode", "profile") != (sp_is_active() ? SP_ERR_UNSUPPORTED : SP_OK);
    puts(failures ? "failed" : "fine");
    return 5;
}
