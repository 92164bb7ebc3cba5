/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_file_internal.h"

static int fits(uint64_t first, uint64_t count, uint64_t total)
{
    return count <= total && first <= total - count;
}

static int check_places(const struct sp_file *file, struct sp_error *err)
{
    const struct sp_file_info *info = &file->info;
    int32_t lane = 0;
    for (int32_t i = 0; i < info->rank_count; i++) {
        const struct sp_rank *rank = &file->ranks[i];
        if (rank->host < -1 || rank->host >= info->host_count)
            return sp_file_damaged(file, err, "rank %d has no host", i);
        if (rank->lane_count < 0 || rank->lane_count > info->lane_count - lane)
            return sp_file_damaged(file, err, "lanes of rank %d", i);
        for (int32_t end = lane + rank->lane_count; lane < end; lane++)
            if (file->lanes[lane].rank != i)
                return sp_file_damaged(file, err, "lane %d is not of rank %d", lane, i);
    }
    return lane == info->lane_count ? 0 : sp_file_damaged(file, err, "lanes without a rank");
}

/* Lanes follow each other without gaps. The sums cannot overflow unnoticed: each is compared with the total. */
static int check_lanes(const struct sp_file *file, struct sp_error *err)
{
    uint64_t events = 0, messages = 0, statistics = 0;
    for (int32_t i = 0; i < file->info.lane_count; i++) {
        const struct sp_lane *lane = &file->lanes[i];
        if (lane->first_event != events || lane->first_message != messages || lane->first_statistic != statistics ||
            lane->event_count > INT64_MAX / 32 || lane->message_count > INT64_MAX / 32 || lane->statistic_count > INT64_MAX / 32)
            return sp_file_damaged(file, err, "rows of lane %d", i);
        events += lane->event_count;
        messages += lane->message_count;
        statistics += lane->statistic_count;
    }
    return 0;
}

static int check_names(const struct sp_file *file, struct sp_error *err)
{
    for (int32_t i = 0; i < file->info.region_count; i++) {
        const struct sp_region_row *region = &file->regions[i];
        if (!fits(region->name_offset, region->name_bytes, file->string_bytes) ||
            !fits(region->file_offset, region->file_bytes, file->string_bytes) ||
            !fits(region->tags_offset, region->tags_bytes, file->string_bytes))
            return sp_file_damaged(file, err, "texts of region %d", i);
    }
    for (int32_t i = 0; i < file->info.communicator_count; i++) {
        const struct sp_communicator *communicator = &file->communicators[i];
        if (!fits(communicator->name_offset, communicator->name_bytes, file->string_bytes) ||
            !fits(communicator->first_member, communicator->member_count, file->member_count) || communicator->parent < -1 ||
            communicator->parent >= file->info.communicator_count)
            return sp_file_damaged(file, err, "communicator %d", i);
    }
    return 0;
}

static int check_callpaths(const struct sp_file *file, struct sp_error *err)
{
    for (int32_t i = 0; i < file->info.callpath_count; i++) {
        const struct sp_callpath *path = &file->callpaths[i];
        int32_t depth = path->parent >= 0 && path->parent < i ? file->callpaths[path->parent].depth + 1 : 0;
        if (path->parent < -1 || path->parent >= i || path->region < 0 || path->region >= file->info.region_count || path->depth != depth)
            return sp_file_damaged(file, err, "call path %d", i);
    }
    return 0;
}

/* The blocks of a table cover its rows in order. */
static int check_blocks(const struct sp_file *file, struct sp_error *err)
{
    uint64_t events = 0, messages = 0;
    for (uint64_t i = 0; i < file->info.event_block_count; i++) {
        const struct sp_event_block *block = &file->event_blocks[i];
        if (block->lane < 0 || block->lane >= file->info.lane_count || block->first_event != events || block->event_count > 65536)
            return sp_file_damaged(file, err, "event block %llu", (unsigned long long)i);
        events += block->event_count;
    }
    for (uint64_t i = 0; i < file->message_block_count; i++) {
        const struct sp_message_block *block = &file->message_blocks[i];
        if (block->lane < 0 || block->lane >= file->info.lane_count || block->first_message != messages || block->message_count > 65536)
            return sp_file_damaged(file, err, "message block %llu", (unsigned long long)i);
        messages += block->message_count;
    }
    if (events != file->info.event_count || messages != file->info.message_count)
        return sp_file_damaged(file, err, "blocks are missing");
    return 0;
}

int sp_file_check_tables(const struct sp_file *file, struct sp_error *err)
{
    if (check_places(file, err) < 0 || check_lanes(file, err) < 0 || check_names(file, err) < 0 || check_callpaths(file, err) < 0 ||
        check_blocks(file, err) < 0)
        return -1;
    return 0;
}
