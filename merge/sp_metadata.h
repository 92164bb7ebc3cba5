/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_METADATA_H
#define SP_METADATA_H

/* The run's metadata: one JSON object, of whoever knows it, on process 0. */

#include "sp_naming.h"
#include "sp_part.h"
#include "sp_team.h"

struct sp_metadata {
    char *text; /* not terminated; NULL but on process 0 */
    size_t bytes;
};

/* Given (on process 0; NULL or empty: nothing), else what the first process knows whose ranks left some, else "{}"; on process 0 with
 * how functions got their names as one more member. Collective; free it in any case. */
int sp_metadata_take(struct sp_team *team, const struct sp_part *part, const char *given, const struct sp_naming *naming,
    struct sp_metadata *metadata, struct sp_error *err);

/* Adds a member of text to the object; a text that is no object stays as it is. Local. */
int sp_metadata_add(struct sp_metadata *metadata, const char *name, const char *value, struct sp_error *err);

void sp_metadata_free(struct sp_metadata *metadata);

#endif
