/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds SECONDS: works in regions for so long, and ends. */
#include <scope_profiler.h>

#include <stdlib.h>

int main(int argc, char **argv)
{
    int64_t end = sp_now_ns() + (int64_t)(1e9 * (argc == 2 ? atof(argv[1]) : 1));
    while (sp_now_ns() < end) {
        SP_BEGIN("round");
        SP_END("round");
    }
    return 0;
}
