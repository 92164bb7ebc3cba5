/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_participants.h"
#include "sp_pmi.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of PMIx's stable interface that is used here (PMIx standard 2 and later); its library comes with the launcher's MPI
 * and is found at run time. */
struct pmix_proc {
    char nspace[256];
    uint32_t rank;
};

struct pmix_value {
    uint16_t type;
    union {
        char *string;
        uint8_t flag;
        uint32_t uint32;
        uint64_t room[3];
    } data;
};

struct pmix_info {
    char key[512];
    uint32_t flags;
    struct pmix_value value;
};

enum { PMIX_OK = 0, PMIX_TYPE_BOOL = 1, PMIX_TYPE_UINT32 = 14, PMIX_SCOPE_GLOBAL = 3 };

static const char our_key[] = "scope-profiler.participant.1";
static int is_put; /* through PMI */

static struct {
    int is_announced;
    struct pmix_proc self;
    int (*init)(struct pmix_proc *, struct pmix_info *, size_t);
    int (*put)(uint8_t, const char *, struct pmix_value *);
    int (*commit)(void);
    int (*get)(const struct pmix_proc *, const char *, const struct pmix_info *, size_t, struct pmix_value **);
    int (*finalize)(const struct pmix_info *, size_t);
} pmix;

static int load_function(void *library, const char *name, void *pointer)
{
    void *function = dlsym(library, name);
    memcpy(pointer, &function, sizeof function);
    return function ? 0 : -1;
}

static int load_pmix(void)
{
    void *library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return -1;
    return load_function(library, "PMIx_Init", &pmix.init) | load_function(library, "PMIx_Put", &pmix.put) |
        load_function(library, "PMIx_Commit", &pmix.commit) | load_function(library, "PMIx_Get", &pmix.get) |
        load_function(library, "PMIx_Finalize", &pmix.finalize);
}

static void pmi_key(char *key, size_t room, int rank)
{
    snprintf(key, room, "scope-profiler-1-%d", rank);
}

static void announce_through_pmi(void)
{
    char key[48];
    const char *rank = getenv("PMI_RANK");
    pmi_key(key, sizeof key, rank ? atoi(rank) : 0);
    is_put = sp_pmi_put(key) == 0;
}

void sp_participants_announce(void)
{
    struct pmix_value value = {.type = PMIX_TYPE_UINT32};
    value.data.uint32 = 1;
    announce_through_pmi();
    if (is_put || !getenv("PMIX_RANK") || !getenv("PMIX_NAMESPACE") || load_pmix() < 0)
        return;
    if (pmix.init(&pmix.self, NULL, 0) != PMIX_OK)
        return;
    if (pmix.put(PMIX_SCOPE_GLOBAL, our_key, &value) == PMIX_OK && pmix.commit() == PMIX_OK)
        pmix.is_announced = 1;
    else
        pmix.finalize(NULL, 0);
}

/* Has this rank published the key? Never waits for one that does not come. */
static int has_announced(int rank)
{
    struct pmix_proc proc = pmix.self;
    struct pmix_info at_once = {.key = "pmix.immediate", .value = {.type = PMIX_TYPE_BOOL}};
    struct pmix_value *value = NULL;
    at_once.value.data.flag = 1;
    proc.rank = (uint32_t)rank;
    int found = pmix.get(&proc, our_key, &at_once, 1, &value) == PMIX_OK && value != NULL;
    free(value);
    return found;
}

/* The launcher started one program only, all of whose processes have our environment. */
static int launched_alike(int size)
{
    const char *programs = getenv("OMPI_NUM_APP_CTX"), *processes = getenv("OMPI_COMM_WORLD_SIZE");
    return programs && processes && atoi(programs) == 1 && atoi(processes) == size;
}

int sp_participants_find(int rank, int size, char is_participant[])
{
    memset(is_participant, 0, (size_t)size);
    is_participant[rank] = 1;
    if (pmix.is_announced) {
        for (int i = 0; i < size; i++)
            if (i != rank)
                is_participant[i] = (char)has_announced(i);
        pmix.finalize(NULL, 0); /* MPI holds it too: this only gives back our hold, without which MPI would not let go */
        pmix.is_announced = 0;
        return 0;
    }
    if (is_put) {
        char key[48];
        for (int i = 0; i < size; i++) {
            pmi_key(key, sizeof key, i);
            is_participant[i] = (char)(i == rank || sp_pmi_has(key));
        }
        return 0;
    }
    if (size == 1)
        return 0;
    if (!launched_alike(size))
        return -1;
    memset(is_participant, 1, (size_t)size);
    return 0;
}
