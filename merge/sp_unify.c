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

/* A dictionary on its way up the tree. */
struct climber {
    struct sp_dictionary *sum;
    int is_whole; /* 0: something could not be merged into it */
};

/* Sends a dictionary, or word that there is none (0 bytes), so that the receiver never waits in vain. */
static int send_dictionary(const struct sp_team *team, int to, void *climber, struct sp_error *err)
{
    const struct climber *own = climber;
    size_t bytes = 0;
    void *packed = own->is_whole ? sp_dictionary_pack(own->sum, &bytes) : NULL;
    uint64_t length = packed ? bytes : 0;
    int status = sp_team_send(team, to, &length, sizeof length, err);
    if (status == 0)
        status = sp_team_send(team, to, packed, (size_t)length, err);
    free(packed);
    if (status == 0 && length == 0)
        status = sp_fail(err, "out of memory while uniting region names");
    return status;
}

static int receive_and_merge(const struct sp_team *team, int from, void *climber, struct sp_error *err)
{
    struct climber *own = climber;
    uint64_t length = 0;
    int was_whole = own->is_whole;
    own->is_whole = 0; /* until all went well */
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
        if (!theirs || sp_dictionary_merge(own->sum, theirs, NULL) < 0)
            status = sp_fail(err, "out of memory while uniting region names");
    }
    sp_dictionary_destroy(theirs);
    free(packed);
    own->is_whole = was_whole && status == 0;
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
    struct climber own = {sum, 1};
    if (sp_agree(team, sp_team_climb(team, send_dictionary, receive_and_merge, &own, err), err) < 0)
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
