/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What this process knows: what it was given, else what the first of its ranks says that has some. NULL: nothing. */
static const char *own_text(const struct sp_team *team, const struct sp_part *part, const char *given, uint64_t *bytes)
{
    const char *text = team->rank == 0 ? given : NULL;
    *bytes = text ? strlen(text) : 0;
    for (size_t i = 0; *bytes == 0 && i < part->rank_count; i++) {
        text = part->ranks[i].process.metadata;
        *bytes = part->ranks[i].process.metadata_bytes;
    }
    return *bytes > 0 ? text : NULL;
}

static int receive(struct sp_team *team, int from, struct sp_metadata *metadata, struct sp_error *err)
{
    uint64_t bytes = 0;
    if (sp_team_receive(team, from, &bytes, sizeof bytes, err) < 0)
        return -1;
    metadata->bytes = (size_t)bytes;
    metadata->text = malloc(metadata->bytes + 1);
    if (!metadata->text) {
        sp_team_refuse(team, from, metadata->bytes);
        return sp_fail(err, "out of memory");
    }
    return sp_team_receive(team, from, metadata->text, metadata->bytes, err);
}

static int send(struct sp_team *team, const char *text, uint64_t bytes, struct sp_error *err)
{
    return sp_team_send(team, 0, &bytes, sizeof bytes, err) < 0 ? -1 : sp_team_send(team, 0, text, (size_t)bytes, err);
}

static int keep(struct sp_metadata *metadata, const char *text, uint64_t bytes, struct sp_error *err)
{
    static const char none[] = "{}";
    metadata->bytes = text ? (size_t)bytes : sizeof none - 1;
    metadata->text = malloc(metadata->bytes + 1);
    if (!metadata->text)
        return sp_fail(err, "out of memory");
    memcpy(metadata->text, text ? text : none, metadata->bytes);
    return 0;
}

int sp_metadata_add(struct sp_metadata *metadata, const char *name, const char *value, struct sp_error *err)
{
    size_t end = metadata->bytes;
    while (end > 0 && metadata->text[end - 1] != '}')
        end--;
    if (end < 2)
        return 0;
    const char *comma = metadata->text[--end - 1] == '{' ? "" : ",";
    size_t room = end + strlen(name) + strlen(value) + sizeof ",\"\":\"\"}";
    char *longer = malloc(room);
    if (!longer)
        return sp_fail(err, "out of memory");
    memcpy(longer, metadata->text, end);
    metadata->bytes = end + (size_t)snprintf(longer + end, room - end, "%s\"%s\":\"%s\"}", comma, name, value);
    free(metadata->text);
    metadata->text = longer;
    return 0;
}

int sp_metadata_take(struct sp_team *team, const struct sp_part *part, const char *given, const struct sp_naming *naming,
    struct sp_metadata *metadata, struct sp_error *err)
{
    uint64_t bytes;
    const char *text = own_text(team, part, given, &bytes);
    int64_t first = text ? -team->rank : -team->size; /* the lowest, negated */
    if (sp_agree(team, sp_team_max(team, &first, 1, err), err) < 0)
        return -1;
    int from = (int)-first, status = 0;
    if (team->rank == 0)
        status = from > 0 && from < team->size ? receive(team, from, metadata, err) : keep(metadata, text, bytes, err);
    else if (team->rank == from)
        status = send(team, text, bytes, err);
    if (status == 0 && team->rank == 0 && naming->functions > 0)
        status = sp_metadata_add(metadata, "functions_named", naming->how, err);
    return sp_agree(team, status, err);
}

void sp_metadata_free(struct sp_metadata *metadata)
{
    free(metadata->text);
    *metadata = (struct sp_metadata){0};
}
