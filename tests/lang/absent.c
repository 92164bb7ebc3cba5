/* SPDX-License-Identifier: BSD-3-Clause */
/* Without a runtime the regions of a program call nothing: not the functions of the hot pair, which count here, and the dynamic
 * linker once, when the runtime was looked for: the header gets a dlsym that finds nothing and counts. */
#include <dlfcn.h>
#include <stdio.h>

static int lookups;
static int calls;

static void *counting_dlsym(void *handle, const char *name)
{
    (void)handle, (void)name;
    lookups++;
    return NULL;
}
#define dlsym counting_dlsym
#include <scope_profiler.h>
#undef dlsym

static void count(int region)
{
    (void)region;
    calls++;
}

static void run(int one)
{
    for (int i = 0; i < 1000; i++) {
        SP_BEGIN("by name");
        sp_begin(one);
        SP_SCOPE("scope");
        sp_end(one);
        SP_END("by name");
    }
}

int main(void)
{
    int one = sp_region("one");
    sp_own_pair_()->begin = count;
    sp_own_pair_()->end = count;
    run(one);
    sp_pause();
    sp_end_last();
    sp_resume();
    run(sp_region("another"));
    printf("handle %d, calls %d, lookups %d\n", one, calls, lookups);
    run(0); /* a handle that is none of ours: the pair is called, so what counts does count */
    printf("calls %d\n", calls);
    return 0;
}
