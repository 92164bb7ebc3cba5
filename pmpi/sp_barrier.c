/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_barrier.h"
#include "sp_call.h"
#include "sp_collective.h"
#include "sp_comms.h"
#include "sp_key.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

int sp_barrier_is_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int regions[SP_CALL_COUNT]; /* atomic; id + 2, 1 not recorded, 0 not known yet */

static uint64_t hash_of(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = sp_key_mix(hash ^ (unsigned char)*text);
    return sp_key_mix(hash ^ 0x100); /* where one text ends */
}

uint64_t sp_barrier_wanted(void)
{
    const struct sp_config *config = sp_call_runtime->config();
    return config->sync ? hash_of(hash_of(hash_of(1, config->mpi_groups), config->include), config->exclude) | 1 : 0;
}

/* Its region comes into being with its first barrier. */
static int make_region(enum sp_call call)
{
    char name[64];
    int length = snprintf(name, sizeof name, "%s (sync)", sp_entry_call_name(call));
    struct sp_region_key key = {
        .name = name, .name_bytes = (size_t)length, .line = -1, .kind = SP_REGION_MPI, .group = SP_GROUP_COLLECTIVE};
    pthread_mutex_lock(&lock);
    int region = sp_call_regions[call] == -1 ? -1 : sp_call_runtime->region(&key);
    __atomic_store_n(&regions[call], region < 0 ? 1 : region + 2, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return region;
}

static int region_of(enum sp_call call)
{
    int known = __atomic_load_n(&regions[call], __ATOMIC_ACQUIRE);
    return known ? known - 2 : make_region(call);
}

void sp_barrier_wait(enum sp_call call, MPI_Comm comm)
{
    const struct sp_comm *c = sp_comms_find_known(comm);
    if (!c || !c->is_joint || c->size < 2)
        return;
    int region = region_of(call);
    sp_call_depth = region < 0 ? 2 : 1;
    if (region >= 0)
        sp_call_runtime->begin(region);
    int status = sp_mpi.Barrier(comm);
    if (region >= 0)
        sp_call_runtime->end(region, sp_clock_now(sp_call_clock));
    if (status == MPI_SUCCESS)
        sp_note_collective(0, 0, -1, c->id);
    sp_call_leave();
}
