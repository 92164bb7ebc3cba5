/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_comm_data.h"
#include "sp_key.h"

#include <stdlib.h>

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

static int make_room(struct sp_neighbours *n, int sources, int destinations)
{
    n->sources = malloc(sizeof(int) * (size_t)(sources + 1));
    n->destinations = malloc(sizeof(int) * (size_t)(destinations + 1));
    if (!n->sources || !n->destinations)
        return -1;
    n->source_count = sources;
    n->destination_count = destinations;
    return 0;
}

/* A grid's neighbours are, by dimension, the one before and the one behind. */
static int ask_cart(MPI_Comm handle, struct sp_neighbours *n)
{
    int dimensions = 0;
    sp_mpi.Cartdim_get(handle, &dimensions);
    if (make_room(n, 2 * dimensions, 2 * dimensions) < 0)
        return -1;
    for (int i = 0; i < dimensions; i++) {
        sp_mpi.Cart_shift(handle, i, 1, &n->sources[2 * i], &n->sources[2 * i + 1]);
        n->destinations[2 * i] = n->sources[2 * i];
        n->destinations[2 * i + 1] = n->sources[2 * i + 1];
    }
    return 0;
}

static int ask_graph(MPI_Comm handle, int rank, struct sp_neighbours *n)
{
    int count = 0;
    sp_mpi.Graph_neighbors_count(handle, rank, &count);
    if (make_room(n, count, count) < 0)
        return -1;
    sp_mpi.Graph_neighbors(handle, rank, count, n->sources);
    sp_mpi.Graph_neighbors(handle, rank, count, n->destinations);
    return 0;
}

static int ask_dist_graph(MPI_Comm handle, struct sp_neighbours *n)
{
    int in = 0, out = 0, is_weighted = 0;
    sp_mpi.Dist_graph_neighbors_count(handle, &in, &out, &is_weighted);
    int *weights = malloc(sizeof(int) * (size_t)(in + out + 1));
    int status = weights ? make_room(n, in, out) : -1;
    if (status == 0)
        sp_mpi.Dist_graph_neighbors(handle, in, n->sources, weights, out, n->destinations, weights + in);
    free(weights);
    return status;
}

static int ask_neighbours(struct sp_comm *comm)
{
    int topology = MPI_UNDEFINED;
    if (comm->is_inter || sp_mpi.Topo_test(comm->handle, &topology) != MPI_SUCCESS)
        return 0;
    switch (topology) {
    case MPI_CART: return ask_cart(comm->handle, &comm->neighbours);
    case MPI_GRAPH: return ask_graph(comm->handle, comm->rank, &comm->neighbours);
    case MPI_DIST_GRAPH: return ask_dist_graph(comm->handle, &comm->neighbours);
    default: return 0;
    }
}

int sp_comm_data_ask(struct sp_comm *comm)
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
    return comm->members && comm->peers ? ask_neighbours(comm) : -1;
}

void sp_comm_data_drop(struct sp_comm *comm)
{
    if (comm->is_inter)
        free(comm->peers);
    free(comm->members);
    free(comm->neighbours.sources);
    free(comm->neighbours.destinations);
}

static int32_t lowest_of(const int32_t *ranks, int32_t count)
{
    int32_t lowest = INT32_MAX;
    for (int32_t i = 0; i < count; i++)
        if (ranks[i] >= 0 && ranks[i] < lowest)
            lowest = ranks[i];
    return lowest;
}

int32_t sp_comm_data_lowest(const struct sp_comm *comm)
{
    int32_t members = lowest_of(comm->members, comm->size), peers = lowest_of(comm->peers, comm->peer_count);
    return members < peers ? members : peers;
}

static uint64_t hash_of(const int32_t *ranks, int32_t count)
{
    uint64_t hash = (uint64_t)count;
    for (int32_t i = 0; i < count; i++)
        hash = sp_key_mix(hash ^ (uint32_t)ranks[i]);
    return hash;
}

uint64_t sp_comm_data_hash(const struct sp_comm *comm)
{
    uint64_t members = hash_of(comm->members, comm->size);
    return comm->is_inter ? members + hash_of(comm->peers, comm->peer_count) : members;
}

int sp_comm_data_is_first(const struct sp_comm *comm)
{
    return lowest_of(comm->members, comm->size) == sp_mpi.world_rank;
}
