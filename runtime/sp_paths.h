/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PATHS_H
#define SP_PATHS_H

/* The call-path tree of one lane: nodes live in mapped segments of the lane's store, ids are dense, node 0 is the root. */

#include "sp_store.h"

struct sp_paths;

/* Creates the tree with its root in the store. NULL on failure. Local. */
struct sp_paths *sp_paths_create(struct sp_store *store);
void sp_paths_destroy(struct sp_paths *paths);

/* Id of the child of parent for region, made if it is new; SP_NODE_NONE when there is no memory. Local. */
uint32_t sp_paths_child(struct sp_paths *paths, uint32_t parent, uint32_t region);

/* Node of an id; stays where it is. Local. */
struct sp_spill_node *sp_paths_node(const struct sp_paths *paths, uint32_t id);

#endif
