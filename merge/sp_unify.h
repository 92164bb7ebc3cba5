/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_UNIFY_H
#define SP_UNIFY_H

#include "sp_dictionary.h"
#include "sp_team.h"

/* Union of the dictionaries of all processes, in order of first appearance by process: up a binary tree in log2(size) rounds,
 * then to everybody. *united (also on failure NULL) is the caller's; map gets the rows of mine in it. Collective. */
int sp_unify(const struct sp_team *team, const struct sp_dictionary *mine, struct sp_dictionary **united,
    struct sp_dictionary_map *map, struct sp_error *err);

#endif
