/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_paths.h"

#include <stdlib.h>

#define BLOCK_NODES 512u

struct sp_paths {
    struct sp_store *store;
    struct sp_spill_node **blocks;
    uint32_t block_count;
    uint32_t *table; /* open addressing over (parent, region): id, 0 empty */
    uint32_t table_size;
};

static uint32_t hash(uint32_t parent, uint32_t region)
{
    uint64_t key = ((uint64_t)parent << 32 | region) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(key >> 32);
}

struct sp_spill_node *sp_paths_node(const struct sp_paths *paths, uint32_t id)
{
    return &paths->blocks[id / BLOCK_NODES][id % BLOCK_NODES];
}

/* Where (parent, region) stands in the table, or the empty place where it would. */
static uint32_t *find(const struct sp_paths *paths, uint32_t parent, uint32_t region)
{
    uint32_t i = hash(parent, region);
    for (;; i++) {
        uint32_t *place = &paths->table[i & (paths->table_size - 1)];
        if (*place == 0)
            return place;
        const struct sp_spill_node *node = sp_paths_node(paths, *place);
        if (node->parent == parent && node->region == region)
            return place;
    }
}

static int grow_table(struct sp_paths *paths)
{
    uint32_t count = sp_store_head(paths->store)->node_count;
    uint32_t size = paths->table_size ? paths->table_size * 2 : 1024;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table)
        return -1;
    free(paths->table);
    paths->table = table;
    paths->table_size = size;
    for (uint32_t id = 1; id < count; id++) {
        const struct sp_spill_node *node = sp_paths_node(paths, id);
        *find(paths, node->parent, node->region) = id;
    }
    return 0;
}

static int add_block(struct sp_paths *paths)
{
    struct sp_spill_node **blocks = realloc(paths->blocks, (paths->block_count + 1) * sizeof(struct sp_spill_node *));
    if (!blocks)
        return -1;
    paths->blocks = blocks;
    struct sp_spill_segment segment = {.type = SP_SEGMENT_NODES, .first = (uint64_t)paths->block_count * BLOCK_NODES, .count = BLOCK_NODES};
    blocks[paths->block_count] = sp_store_append_mapped(paths->store, segment, BLOCK_NODES * sizeof(struct sp_spill_node));
    if (!blocks[paths->block_count])
        return -1;
    paths->block_count++;
    return 0;
}

static uint32_t add_node(struct sp_paths *paths, uint32_t parent, uint32_t region)
{
    struct sp_spill_header *head = sp_store_head(paths->store);
    uint32_t id = head->node_count;
    if (id == SP_NODE_NONE || (id / BLOCK_NODES >= paths->block_count && add_block(paths) < 0))
        return SP_NODE_NONE;
    struct sp_spill_node *node = sp_paths_node(paths, id);
    node->parent = parent;
    node->region = region;
    node->sums[0].min = node->sums[1].min = UINT64_MAX;
    node->first_start = UINT64_MAX;
    __atomic_store_n(&head->node_count, id + 1, __ATOMIC_RELEASE);
    return id;
}

uint32_t sp_paths_child(struct sp_paths *paths, uint32_t parent, uint32_t region)
{
    uint32_t *place = find(paths, parent, region);
    if (*place != 0)
        return *place;
    if (sp_store_head(paths->store)->node_count >= paths->table_size / 2) {
        if (grow_table(paths) < 0)
            return SP_NODE_NONE;
        place = find(paths, parent, region);
    }
    uint32_t id = add_node(paths, parent, region);
    if (id != SP_NODE_NONE)
        *place = id;
    return id;
}

struct sp_paths *sp_paths_create(struct sp_store *store)
{
    struct sp_paths *paths = calloc(1, sizeof *paths);
    if (!paths)
        return NULL;
    paths->store = store;
    if (grow_table(paths) < 0 || add_node(paths, SP_NODE_NONE, SP_NODE_NONE) != 0) {
        sp_paths_destroy(paths);
        return NULL;
    }
    return paths;
}

void sp_paths_destroy(struct sp_paths *paths)
{
    if (!paths)
        return;
    free(paths->table);
    free(paths->blocks);
    free(paths);
}
