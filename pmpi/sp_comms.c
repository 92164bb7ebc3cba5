/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_comms.h"
#include "sp_call.h"
#include "sp_comm_data.h"
#include "sp_key.h"

#include <pthread.h>
#include <stdlib.h>

#define IDENTITY_WORLD 1u
#define IDENTITY_SELF 2u
#define IDENTITY_OF_GROUPS 3u
#define IDENTITY_UNSEEN 4u

struct node {
    struct sp_comm comm;
    struct node *next;
};

/* How often communicators of the same members and tag were made by them alone. */
struct repeat {
    uint64_t key, count;
    struct repeat *next;
};

#define BUCKETS 256u
static struct node *buckets[BUCKETS];
static struct repeat *repeats[BUCKETS];
static int32_t next_id;
static uint64_t met_by_chance; /* ordinal of communicators whose creation was not seen */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t generation = 1;
static __thread struct sp_recent recent[1 << SP_RECENT_BITS] __attribute__((tls_model("initial-exec")));

uint64_t sp_comms_identity(uint64_t parent, uint64_t ordinal, uint64_t lowest)
{
    return sp_key_mix(sp_key_mix(sp_key_mix(parent) ^ ordinal) ^ lowest);
}

static struct node **bucket_of(MPI_Comm handle)
{
    return &buckets[sp_key_mix(sp_key_of_comm(handle)) % BUCKETS];
}

static struct node *look_up(MPI_Comm handle)
{
    struct node *node = *bucket_of(handle);
    while (node && node->comm.handle != handle)
        node = node->next;
    return node;
}

/* The runtime records it; the lowest member lists the members. */
static void publish(const struct sp_comm *comm, const char *name, int name_bytes)
{
    struct sp_spill_communicator record = {.identity = comm->identity,
        .parent = comm->parent,
        .size = comm->size,
        .name_bytes = (uint32_t)(name_bytes > 0 ? name_bytes : 0),
        .member_count = sp_comm_data_is_first(comm) ? comm->size : 0};
    sp_call_runtime->communicator(&record, name, comm->members);
    next_id++;
}

static void publish_named(const struct sp_comm *comm)
{
    char name[MPI_MAX_OBJECT_NAME + 1] = "";
    int length = 0;
    sp_mpi.Comm_get_name(comm->handle, name, &length);
    publish(comm, name, length);
}

static uint64_t ordinal_of_repeat(uint64_t key)
{
    struct repeat **place = &repeats[key % BUCKETS];
    while (*place && (*place)->key != key)
        place = &(*place)->next;
    if (!*place) {
        if (!(*place = calloc(1, sizeof **place)))
            return 0;
        (*place)->key = key;
    }
    return ++(*place)->count;
}

static struct node *make(MPI_Comm handle)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->comm.handle = handle;
    node->comm.holds = 1;
    if (sp_comm_data_ask(&node->comm) == 0)
        return node;
    sp_comm_data_drop(&node->comm);
    free(node);
    return NULL;
}

/* Adds one whose identity is known; the caller holds the lock. Only the predefined ones have a name of their own: those MPI gives
 * to others say nothing and differ between MPIs. */
static struct node *add(struct node *node, uint64_t parent, uint64_t identity)
{
    MPI_Comm handle = node->comm.handle;
    node->comm.id = next_id;
    node->comm.parent = parent;
    node->comm.identity = identity;
    node->next = *bucket_of(handle);
    *bucket_of(handle) = node;
    if (handle == sp_mpi.comm_world || handle == sp_mpi.comm_self)
        publish_named(&node->comm);
    else
        publish(&node->comm, "", 0);
    return node;
}

/* One whose creation all its members saw. */
static struct node *add_joint(struct node *node, uint64_t parent, uint64_t identity)
{
    struct sp_comm *comm = &node->comm;
    comm->is_joint = sp_mpi.participants && !comm->is_inter;
    for (int32_t i = 0; comm->is_joint && i < comm->size; i++)
        comm->is_joint = comm->members[i] >= 0 && sp_mpi.participants[comm->members[i]];
    return add(node, parent, identity);
}

/* Met without having seen it made: COMM_SELF, a library's own. An identity that no other process can have. */
static struct node *add_unseen(MPI_Comm handle)
{
    struct node *node = make(handle);
    uint64_t rank = (uint64_t)sp_mpi.world_rank;
    if (!node)
        return NULL;
    if (handle == sp_mpi.comm_world)
        return add_joint(node, 0, IDENTITY_WORLD);
    if (handle == sp_mpi.comm_self)
        return add(node, 0, sp_comms_identity(IDENTITY_SELF, rank, rank));
    return add(node, 0, sp_comms_identity(IDENTITY_UNSEEN, ++met_by_chance, rank));
}

static struct node *find_locked(MPI_Comm handle)
{
    struct node *node = look_up(handle);
    if (!node && handle != sp_mpi.comm_null && sp_mpi.world_size > 0)
        node = add_unseen(handle);
    return node;
}

static __attribute__((noinline)) const struct sp_comm *find_slowly(
    MPI_Comm handle, struct node *(*find)(MPI_Comm handle), struct sp_recent *entry, uint64_t now)
{
    pthread_mutex_lock(&lock);
    const struct node *node = find(handle);
    pthread_mutex_unlock(&lock);
    if (!node)
        return NULL;
    *entry = (struct sp_recent){.key = sp_key_of_comm(handle), .generation = now, .value = (uintptr_t)&node->comm};
    return &node->comm;
}

const struct sp_comm *sp_comms_find(MPI_Comm handle)
{
    uint64_t key = sp_key_of_comm(handle), now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    struct sp_recent *entry = sp_recent_at(recent, key);
    return sp_recent_holds(entry, key, now) ? (const struct sp_comm *)entry->value : find_slowly(handle, find_locked, entry, now);
}

const struct sp_comm *sp_comms_find_known(MPI_Comm handle)
{
    uint64_t key = sp_key_of_comm(handle), now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    struct sp_recent *entry = sp_recent_at(recent, key);
    return sp_recent_holds(entry, key, now) ? (const struct sp_comm *)entry->value : find_slowly(handle, look_up, entry, now);
}

const struct sp_comm *sp_comms_hold(MPI_Comm handle)
{
    pthread_mutex_lock(&lock);
    struct node *node = find_locked(handle);
    if (node)
        node->comm.holds++;
    pthread_mutex_unlock(&lock);
    return node ? &node->comm : NULL;
}

/* The caller holds the lock. */
static void let_go(struct node *node)
{
    if (--node->comm.holds > 0)
        return;
    sp_comm_data_drop(&node->comm);
    free(node);
}

static void forget(MPI_Comm handle)
{
    __atomic_fetch_add(&generation, 1, __ATOMIC_RELAXED);
    for (struct node **place = bucket_of(handle); *place; place = &(*place)->next) {
        struct node *node = *place;
        if (node->comm.handle != handle)
            continue;
        *place = node->next;
        let_go(node);
        return;
    }
}

/* A new one. What was known under its handle was freed unseen: by a callback of MPI's, say. */
static struct node *make_new(MPI_Comm handle)
{
    if (look_up(handle))
        forget(handle);
    return make(handle);
}

void sp_comms_release(const struct sp_comm *comm)
{
    if (!comm)
        return;
    pthread_mutex_lock(&lock);
    let_go((struct node *)(void *)(uintptr_t)comm); /* comm is a node's first member */
    pthread_mutex_unlock(&lock);
}

struct sp_comm_birth sp_comms_conceive(MPI_Comm parent)
{
    struct sp_comm_birth birth = {0};
    pthread_mutex_lock(&lock);
    struct node *from = find_locked(parent);
    if (from)
        birth = (struct sp_comm_birth){from->comm.identity, ++from->comm.children};
    pthread_mutex_unlock(&lock);
    return birth;
}

typedef struct node *add_function(struct node *node, uint64_t parent, uint64_t identity);

static void give_birth(struct sp_comm_birth birth, MPI_Comm handle, add_function *add_it)
{
    if (handle == sp_mpi.comm_null || birth.ordinal == 0)
        return;
    pthread_mutex_lock(&lock);
    struct node *node = make_new(handle);
    if (node)
        add_it(node, birth.parent, sp_comms_identity(birth.parent, birth.ordinal, (uint64_t)sp_comm_data_lowest(&node->comm)));
    pthread_mutex_unlock(&lock);
}

/* Not joint: a member may use it before it has told MPI, and so us, that the request is done. */
void sp_comms_born(struct sp_comm_birth birth, MPI_Comm handle)
{
    give_birth(birth, handle, add);
}

void sp_comms_created(MPI_Comm parent, MPI_Comm handle)
{
    give_birth(sp_comms_conceive(parent), handle, add_joint);
}

void sp_comms_created_by_groups(MPI_Comm parent, int tag, MPI_Comm handle)
{
    if (handle == sp_mpi.comm_null || sp_mpi.world_size == 0)
        return;
    pthread_mutex_lock(&lock);
    struct node *from = find_locked(parent), *node = make_new(handle);
    if (node) {
        uint64_t key = sp_key_mix(sp_comm_data_hash(&node->comm) ^ (uint32_t)tag);
        add_joint(node, from ? from->comm.identity : 0, sp_comms_identity(IDENTITY_OF_GROUPS, ordinal_of_repeat(key), key));
    }
    pthread_mutex_unlock(&lock);
}

void sp_comms_named(MPI_Comm handle)
{
    pthread_mutex_lock(&lock);
    const struct node *node = find_locked(handle);
    if (node)
        publish_named(&node->comm);
    pthread_mutex_unlock(&lock);
}

void sp_comms_freed(MPI_Comm handle)
{
    pthread_mutex_lock(&lock);
    forget(handle);
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
