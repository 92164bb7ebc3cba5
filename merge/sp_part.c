/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct sp_error *err)
{
    return sp_fail(err, "out of memory while reading spill files");
}

static int by_place(const void *a, const void *b)
{
    const struct sp_spill_header *x = sp_spill_header(*(struct sp_spill *const *)a), *y = sp_spill_header(*(struct sp_spill *const *)b);
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->lane > y->lane) - (x->lane < y->lane);
}

static void close_spills(struct sp_spill **spills, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sp_spill_close(spills[i]);
    free(spills);
}

static int open_source(const struct sp_writer_source *source, struct sp_spill **spill, struct sp_error *err)
{
    if (source->path)
        return sp_spill_open(source->path, spill, err);
    return sp_spill_open_image(source->image, source->bytes, "spill image in memory", spill, err);
}

/* All sources, ordered by rank, a process before its lanes. */
static struct sp_spill **open_sources(const struct sp_writer_source *sources, size_t count, struct sp_error *err)
{
    struct sp_spill **spills = calloc(count + 1, sizeof *spills);
    if (!spills) {
        no_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (open_source(&sources[i], &spills[i], err) < 0) {
            close_spills(spills, i);
            return NULL;
        }
    qsort(spills, count, sizeof *spills, by_place);
    return spills;
}

static int check_spills(struct sp_spill *const *spills, size_t count, struct sp_error *err)
{
    for (size_t i = 1; i < count; i++) {
        const struct sp_spill_header *one = sp_spill_header(spills[0]), *other = sp_spill_header(spills[i]);
        if (strcmp(one->run_id, other->run_id) != 0 || one->rank_count != other->rank_count)
            return sp_fail_as(err, SP_EXIT_COMBINE, "%s and %s are of different runs (%s, %s)", sp_spill_name(spills[0]),
                sp_spill_name(spills[i]), one->run_id, other->run_id);
        if (by_place(&spills[i - 1], &spills[i]) == 0)
            return sp_fail_as(err, SP_EXIT_COMBINE, "%s and %s are the same %s of rank %d", sp_spill_name(spills[i - 1]),
                sp_spill_name(spills[i]), other->kind == SP_SPILL_LANE ? "lane" : "process", other->rank);
    }
    return 0;
}

/* Hands the spills over to the part's ranks and lanes. */
static int sort_out(struct sp_part *part, struct sp_spill **spills, size_t count, struct sp_error *err)
{
    part->ranks = calloc(count + 1, sizeof *part->ranks);
    part->lanes = calloc(count + 1, sizeof *part->lanes);
    part->dictionary = sp_dictionary_create();
    if (!part->ranks || !part->lanes || !part->dictionary) {
        close_spills(spills, count);
        return no_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        const struct sp_spill_header *header = sp_spill_header(spills[i]);
        if (part->rank_count == 0 || part->ranks[part->rank_count - 1].rank != header->rank)
            part->ranks[part->rank_count++] = (struct sp_part_rank){.rank = header->rank, .first_lane = part->lane_count};
        struct sp_part_rank *rank = &part->ranks[part->rank_count - 1];
        if (header->kind == SP_SPILL_PROCESS) {
            rank->spill = spills[i];
        } else {
            part->lanes[part->lane_count++] = (struct sp_part_lane){.spill = spills[i], .owner = part->rank_count - 1};
            rank->lane_count++;
        }
    }
    free(spills);
    return 0;
}

/* The spill of a rank whose clock was read last: its two points are the farthest apart. */
static const struct sp_spill_header *best_clock(const struct sp_part *part, const struct sp_part_rank *rank)
{
    const struct sp_spill_header *best = rank->spill ? sp_spill_header(rank->spill) : NULL;
    for (size_t i = 0; i < rank->lane_count; i++) {
        const struct sp_spill_header *header = sp_spill_header(part->lanes[rank->first_lane + i].spill);
        if (!best || header->clock.last[header->clock.last_index & 1].ticks > best->clock.last[best->clock.last_index & 1].ticks)
            best = header;
    }
    return best;
}

static int open_communicators(struct sp_part *part, struct sp_part_rank *rank, struct sp_error *err)
{
    const struct sp_spill_process *process = &rank->process;
    rank->communicators = malloc((process->communicator_count + (size_t)1) * sizeof *rank->communicators);
    if (!rank->communicators)
        return no_memory(err);
    rank->communicator_count = process->communicator_count;
    for (uint32_t i = 0; i < process->communicator_count; i++) {
        const struct sp_communicator_view *view = &process->communicators[i];
        rank->communicators[i] = -1;
        if (!view->record)
            continue;
        struct sp_dictionary_communicator communicator = {
            .identity = view->record->identity,
            .parent = view->record->parent,
            .size = view->record->size,
            .name = view->name,
            .name_bytes = view->record->name_bytes,
            .members = view->members,
            .member_count = (uint32_t)view->record->member_count,
        };
        if ((rank->communicators[i] = sp_dictionary_add_communicator(part->dictionary, &communicator)) < 0)
            return no_memory(err);
    }
    return 0;
}

static int open_rank(struct sp_part *part, struct sp_part_rank *rank, struct sp_error *err)
{
    struct sp_rate rate;
    const struct sp_spill_header *header = best_clock(part, rank);
    if (rank->spill && sp_spill_process_read(rank->spill, &rank->process, err) < 0)
        return -1;
    if (sp_rate_init(&rate, &header->clock) < 0)
        part->clock_is_known = 0;
    part->clock_source = header->clock.source;
    sp_timeline_init(&rank->timeline, &rate, rank->process.rank);
    rank->pid = header->pid;
    rank->host = sp_dictionary_add_host(part->dictionary, header->host, header->boot_id);
    rank->region_count = rank->process.region_count;
    rank->regions = malloc((rank->region_count + (size_t)1) * sizeof *rank->regions);
    if (rank->host < 0 || !rank->regions)
        return no_memory(err);
    for (uint32_t i = 0; i < rank->region_count; i++)
        rank->regions[i] = -1;
    return open_communicators(part, rank, err);
}

/* A region whose record was lost keeps its number as a name. */
static int32_t add_lost_region(struct sp_part *part, uint32_t id)
{
    char name[32];
    int bytes = snprintf(name, sizeof name, "(region %u)", id);
    struct sp_dictionary_region region = {.name = name, .file = "", .tags = "", .name_bytes = (uint32_t)bytes, .line = -1};
    return sp_dictionary_add_region(part->dictionary, &region);
}

/* Row of a region of the rank in the dictionary, where it is put when it is first used. */
static int32_t region_row(struct sp_part *part, struct sp_part_rank *rank, uint32_t id)
{
    if (id >= rank->region_count || !rank->process.regions[id].record)
        return add_lost_region(part, id);
    if (rank->regions[id] >= 0)
        return rank->regions[id];
    const struct sp_region_view *view = &rank->process.regions[id];
    struct sp_dictionary_region region = {
        .name = view->name,
        .file = view->file,
        .tags = view->tags,
        .name_bytes = view->record->name_bytes,
        .file_bytes = view->record->file_bytes,
        .tags_bytes = view->record->tags_bytes,
        .line = view->record->line,
        .kind = view->record->kind,
        .group = view->record->group,
    };
    return rank->regions[id] = sp_dictionary_add_region(part->dictionary, &region);
}

static int open_lane(struct sp_part *part, struct sp_part_lane *lane, struct sp_error *err)
{
    struct sp_part_rank *rank = &part->ranks[lane->owner];
    if (sp_spill_lane_open(lane->spill, &lane->lane, err) < 0)
        return -1;
    uint32_t count = sp_spill_lane_node_count(lane->lane);
    lane->callpaths = malloc((count + (size_t)1) * sizeof *lane->callpaths);
    if (!lane->callpaths)
        return no_memory(err);
    for (uint32_t id = 0; id < count; id++) {
        const struct sp_spill_node *node = sp_spill_lane_node(lane->lane, id);
        lane->callpaths[id] = -1;
        if (id == 0 || !node)
            continue;
        int32_t region = region_row(part, rank, node->region);
        if (region < 0 || (lane->callpaths[id] = sp_dictionary_add_callpath(part->dictionary, lane->callpaths[node->parent], region)) < 0)
            return no_memory(err);
    }
    return 0;
}

/* Counted by making them: several nodes of a damaged tree may be one call path. */
static int count_statistics(struct sp_part *part, size_t lane, struct sp_error *err)
{
    struct sp_statistic *rows = NULL;
    size_t count;
    if (sp_part_statistics(part, lane, 0, &rows, &count, err) < 0)
        return -1;
    free(rows);
    part->lanes[lane].statistic_count = count;
    return 0;
}

static int open_part(struct sp_part *part, struct sp_error *err)
{
    for (size_t i = 0; i < part->rank_count; i++) {
        struct sp_part_rank *rank = &part->ranks[i];
        if (open_rank(part, rank, err) < 0)
            return -1;
        for (size_t j = rank->first_lane; j < rank->first_lane + rank->lane_count; j++)
            if (open_lane(part, &part->lanes[j], err) < 0 || count_statistics(part, j, err) < 0)
                return -1;
    }
    return 0;
}

int sp_part_open(const struct sp_writer_source *sources, size_t count, struct sp_part **out, struct sp_error *err)
{
    *out = NULL;
    struct sp_spill **spills = open_sources(sources, count, err);
    if (!spills)
        return -1;
    struct sp_part *part = calloc(1, sizeof *part);
    if (!part || check_spills(spills, count, err) < 0) {
        close_spills(spills, count);
        free(part);
        return part ? -1 : no_memory(err);
    }
    part->clock_is_known = 1;
    if (count > 0) {
        part->run_rank_count = sp_spill_header(spills[0])->rank_count;
        memcpy(part->run_id, sp_spill_header(spills[0])->run_id, sizeof part->run_id);
    }
    if (sort_out(part, spills, count, err) < 0 || open_part(part, err) < 0) {
        sp_part_close(part);
        return -1;
    }
    *out = part;
    return 0;
}

void sp_part_close(struct sp_part *part)
{
    if (!part)
        return;
    for (size_t i = 0; i < part->rank_count; i++) {
        sp_spill_process_free(&part->ranks[i].process);
        sp_spill_close(part->ranks[i].spill);
        free(part->ranks[i].regions);
        free(part->ranks[i].communicators);
    }
    for (size_t i = 0; i < part->lane_count; i++) {
        sp_spill_lane_close(part->lanes[i].lane);
        sp_spill_close(part->lanes[i].spill);
        free(part->lanes[i].callpaths);
    }
    free(part->ranks);
    free(part->lanes);
    sp_dictionary_destroy(part->dictionary);
    free(part);
}

static void renumber(int32_t *rows, size_t count, const int32_t *map)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i] >= 0)
            rows[i] = map[rows[i]];
}

void sp_part_renumber(struct sp_part *part, const struct sp_dictionary_map *map)
{
    for (size_t i = 0; i < part->rank_count; i++) {
        renumber(&part->ranks[i].host, 1, map->hosts);
        renumber(part->ranks[i].regions, part->ranks[i].region_count, map->regions);
        renumber(part->ranks[i].communicators, part->ranks[i].communicator_count, map->communicators);
    }
    for (size_t i = 0; i < part->lane_count; i++)
        renumber(part->lanes[i].callpaths, sp_spill_lane_node_count(part->lanes[i].lane), map->callpaths);
}
