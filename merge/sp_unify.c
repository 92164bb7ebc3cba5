/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_unify.h"

#include <stdlib.h>

static struct sp_dictionary *copy_of(const struct sp_dictionary *dictionary)
{
    struct sp_dictionary *copy = sp_dictionary_create();
    if (copy && sp_dictionary_merge(copy, dictionary, NULL) < 0) {
        sp_dictionary_destroy(copy);
        return NULL;
    }
    return copy;
}

/* Sends a dictionary, or word that there is none (0 bytes), so that the receiver never waits in vain. */
static int send_dictionary(const struct sp_team *team, int to, const struct sp_dictionary *dictionary, struct sp_error *err)
{
    size_t bytes = 0;
    void *packed = dictionary ? sp_dictionary_pack(dictionary, &bytes) : NULL;
    uint64_t length = packed ? bytes : 0;
    int status = sp_team_send(team, to, &length, sizeof length, err);
    if (status == 0)
        status = sp_team_send(team, to, packed, (size_t)length, err);
    free(packed);
    if (status == 0 && length == 0)
        status = sp_fail(err, "out of memory while uniting region names");
    return status;
}

static int receive_and_merge(const struct sp_team *team, int from, struct sp_dictionary *into, struct sp_error *err)
{
    uint64_t length = 0;
    if (sp_team_receive(team, from, &length, sizeof length, err) < 0)
        return -1;
    void *packed = malloc((size_t)length + 1);
    if (!packed) {
        sp_team_refuse(team, from, (size_t)length);
        return sp_fail(err, "out of memory while uniting region names");
    }
    struct sp_dictionary *theirs = NULL;
    int status = sp_team_receive(team, from, packed, (size_t)length, err);
    if (status == 0) {
        theirs = sp_dictionary_unpack(packed, (size_t)length);
        if (!theirs || !into || sp_dictionary_merge(into, theirs, NULL) < 0)
            status = sp_fail(err, "out of memory while uniting region names");
    }
    sp_dictionary_destroy(theirs);
    free(packed);
    return status;
}

/* Up the tree: in round k a process whose number is an odd multiple of 2^k hands its own over and is done. */
static int reduce(const struct sp_team *team, struct sp_dictionary *sum, struct sp_error *err)
{
    int status = 0;
    for (int step = 1; step < team->size; step *= 2) {
        if (team->rank % (2 * step) != 0)
            return send_dictionary(team, team->rank - step, status == 0 ? sum : NULL, err) < 0 ? -1 : status;
        if (team->rank + step < team->size && receive_and_merge(team, team->rank + step, sum, err) < 0)
            status = -1;
    }
    return status;
}

/* The dictionary of process 0, on all others in place of *sum. */
static int broadcast(const struct sp_team *team, struct sp_dictionary **sum, struct sp_error *err)
{
    size_t bytes = 0;
    void *packed = team->rank == 0 ? sp_dictionary_pack(*sum, &bytes) : NULL;
    uint64_t length = bytes;
    int status = sp_team_broadcast(team, &length, sizeof length, err);
    if (status == 0 && team->rank != 0)
        packed = malloc((size_t)length + 1);
    if (status == 0 && !packed)
        status = sp_fail(err, "out of memory while uniting region names");
    if (sp_agree(team, status, err) < 0) {
        free(packed);
        return -1;
    }
    status = sp_team_broadcast(team, packed, (size_t)length, err);
    if (status == 0 && team->rank != 0) {
        sp_dictionary_destroy(*sum);
        *sum = sp_dictionary_unpack(packed, (size_t)length);
        if (!*sum)
            status = sp_fail(err, "out of memory while uniting region names");
    }
    free(packed);
    return status;
}

int sp_unify(const struct sp_team *team, const struct sp_dictionary *mine, struct sp_dictionary **united, struct sp_dictionary_map *map,
    struct sp_error *err)
{
    *united = NULL;
    struct sp_dictionary *sum = copy_of(mine);
    int status = sum ? 0 : sp_fail(err, "out of memory while uniting region names");
    if (sp_agree(team, status, err) < 0)
        goto fail;
    if (sp_agree(team, reduce(team, sum, err), err) < 0)
        goto fail;
    if (team->size > 1 && sp_agree(team, broadcast(team, &sum, err), err) < 0)
        goto fail;
    status = sp_dictionary_merge(sum, mine, map) < 0 ? sp_fail(err, "out of memory while uniting region names") : 0;
    if (sp_agree(team, status, err) < 0)
        goto fail;
    *united = sum;
    return 0;
fail:
    sp_dictionary_destroy(sum);
    return -1;
}
