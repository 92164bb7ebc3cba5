/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_comms.h"
#include "sp_call.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define IDENTITY_WORLD 1u
#define IDENTITY_SELF 2u

struct node {
    struct sp_comm comm;
    struct node *next;
};

#define BUCKETS 256u
static struct node *buckets[BUCKETS];
static int32_t next_id;
static uint64_t met_by_chance; /* ordinal of communicators whose creation was not seen */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t sp_comms_identity(uint64_t parent, uint64_t ordinal, uint64_t lowest)
{
    return mix(mix(mix(parent) ^ ordinal) ^ lowest);
}

static struct node **bucket_of(MPI_Comm handle)
{
    uint64_t key = 0;
    memcpy(&key, &handle, sizeof handle);
    return &buckets[mix(key) % BUCKETS];
}

static struct node *look_up(MPI_Comm handle)
{
    struct node *node = *bucket_of(handle);
    while (node && node->comm.handle != handle)
        node = node->next;
    return node;
}

/* Global ranks of a group's members; frees the group. NULL without memory. */
static int32_t *translate(MPI_Group group, int32_t *count)
{
    int size = 0;
    sp_mpi.Group_size(group, &size);
    int *local = malloc(sizeof *local * (size_t)(size + 1));
    int *global = malloc(sizeof *global * (size_t)(size + 1));
    if (local && global) {
        for (int i = 0; i < size; i++)
            local[i] = i;
        sp_mpi.Group_translate_ranks(group, size, local, sp_mpi.world_group, global);
        for (int i = 0; i < size; i++)
            if (global[i] == MPI_UNDEFINED)
                global[i] = -1;
        *count = size;
    } else {
        free(global);
        global = NULL;
    }
    free(local);
    sp_mpi.Group_free(&group);
    return global;
}

static int ask_mpi(struct sp_comm *comm)
{
    MPI_Group group;
    sp_mpi.Comm_rank(comm->handle, &comm->rank);
    sp_mpi.Comm_test_inter(comm->handle, &comm->is_inter);
    sp_mpi.Comm_group(comm->handle, &group);
    comm->members = translate(group, &comm->size);
    comm->peers = comm->members;
    comm->peer_count = comm->size;
    if (comm->is_inter) {
        sp_mpi.Comm_remote_group(comm->handle, &group);
        comm->peers = translate(group, &comm->peer_count);
    }
    return comm->members && comm->peers ? 0 : -1;
}

static int32_t lowest_of(const int32_t *ranks, int32_t count)
{
    int32_t lowest = INT32_MAX;
    for (int32_t i = 0; i < count; i++)
        if (ranks[i] >= 0 && ranks[i] < lowest)
            lowest = ranks[i];
    return lowest;
}

/* The lower of the two groups' lowest ranks, which both sides of an intercommunicator agree on. */
static int32_t lowest_member(const struct sp_comm *comm)
{
    int32_t members = lowest_of(comm->members, comm->size), peers = lowest_of(comm->peers, comm->peer_count);
    return members < peers ? members : peers;
}

/* The runtime records it; the lowest member lists the members. */
static void publish(const struct sp_comm *comm)
{
    char name[MPI_MAX_OBJECT_NAME + 1] = "";
    int length = 0;
    sp_mpi.Comm_get_name(comm->handle, name, &length);
    struct sp_spill_communicator record = {
        .identity = comm->identity, .parent = comm->parent, .size = comm->size, .name_bytes = (uint32_t)(length > 0 ? length : 0)};
    if (lowest_of(comm->members, comm->size) == sp_mpi.world_rank)
        record.member_count = comm->size;
    sp_call_runtime->communicator(&record, name, comm->members);
}

/* Adds a handle; the caller holds the lock. */
static struct node *add(MPI_Comm handle, uint64_t parent, uint64_t ordinal)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->comm.handle = handle;
    if (ask_mpi(&node->comm) < 0) {
        free(node->comm.members);
        free(node);
        return NULL;
    }
    node->comm.id = next_id++;
    node->comm.parent = parent;
    node->comm.identity = sp_comms_identity(parent, ordinal, (uint64_t)lowest_member(&node->comm));
    if (handle == sp_mpi.comm_world)
        node->comm.identity = IDENTITY_WORLD;
    node->next = *bucket_of(handle);
    *bucket_of(handle) = node;
    publish(&node->comm);
    return node;
}

/* Met without having seen it made: COMM_SELF, a library's own. An identity that no other process can have. */
static struct node *add_unknown(MPI_Comm handle)
{
    if (handle == sp_mpi.comm_self)
        return add(handle, IDENTITY_SELF, (uint64_t)sp_mpi.world_rank);
    return add(handle, mix((uint64_t)sp_mpi.world_rank + 3), ++met_by_chance);
}

static struct node *find_locked(MPI_Comm handle)
{
    struct node *node = look_up(handle);
    if (!node && handle != sp_mpi.comm_null)
        node = add_unknown(handle);
    return node;
}

const struct sp_comm *sp_comms_find(MPI_Comm handle)
{
    pthread_mutex_lock(&lock);
    const struct node *node = find_locked(handle);
    pthread_mutex_unlock(&lock);
    return node ? &node->comm : NULL;
}

static void created(MPI_Comm parent, MPI_Comm handle, uint64_t ordinal_of_tag)
{
    pthread_mutex_lock(&lock);
    struct node *from = find_locked(parent);
    uint64_t ordinal = ordinal_of_tag;
    if (from && ordinal_of_tag == 0)
        ordinal = ++from->comm.children;
    if (from && handle != sp_mpi.comm_null && !look_up(handle))
        add(handle, from->comm.identity, ordinal);
    pthread_mutex_unlock(&lock);
}

void sp_comms_created(MPI_Comm parent, MPI_Comm handle)
{
    created(parent, handle, 0);
}

void sp_comms_created_by_group(MPI_Comm parent, int tag, MPI_Comm handle)
{
    created(parent, handle, mix((uint64_t)(uint32_t)tag) | (uint64_t)1 << 63);
}

void sp_comms_counted(MPI_Comm parent)
{
    created(parent, sp_mpi.comm_null, 0);
}

void sp_comms_freed(MPI_Comm handle)
{
    pthread_mutex_lock(&lock);
    for (struct node **place = bucket_of(handle); *place; place = &(*place)->next) {
        struct node *node = *place;
        if (node->comm.handle != handle)
            continue;
        *place = node->next;
        if (node->comm.is_inter)
            free(node->comm.peers);
        free(node->comm.members);
        free(node);
        break;
    }
    pthread_mutex_unlock(&lock);
}

int32_t sp_comms_global_rank(const struct sp_comm *comm, int peer)
{
    if (peer == MPI_PROC_NULL)
        return -1;
    if (!comm || peer < 0 || peer >= comm->peer_count || comm->peers[peer] < 0)
        return -2;
    return comm->peers[peer];
}
