/* SPDX-License-Identifier: BSD-3-Clause */
/* Schema 1 of scope-profiler: /rank<N>/regions/<name>/{start_times,end_times}. A name with slashes is a path of groups. */
#include "sp_legacy_hdf5.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64
#define OBJECTS 4000000 /* more is no profile but a circle of links */

/* A walk through the groups of one rank. */
struct walk {
    struct sp_legacy *legacy;
    struct sp_error *err;
    int64_t rank;
    char *name; /* of the group, "" at the top */
    int depth;
    uint64_t *seen;
};

static int64_t rank_of(const char *name)
{
    char *end;
    if (strncmp(name, "rank", 4) != 0 || !isdigit((unsigned char)name[4]))
        return -1;
    long long rank = strtoll(name + 4, &end, 10);
    return *end ? -1 : rank;
}

static herr_t look_for_rank(hid_t group, const char *name, const H5L_info_t *info, void *found)
{
    (void)group;
    (void)info;
    *(int *)found = rank_of(name) >= 0;
    return *(int *)found;
}

int sp_legacy_groups_probe(const struct sp_legacy_source *source)
{
    int found = 0;
    if (source->file < 0)
        return 0;
    H5Literate(source->file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_for_rank, &found);
    H5Eclear2(H5E_DEFAULT);
    return found;
}

static int describe(const struct walk *walk, hid_t group, int32_t region)
{
    json_t *file = sp_legacy_attribute(walk->legacy->path, group, "source_file"),
           *list = sp_legacy_attribute(walk->legacy->path, group, "tags");
    char *tags = NULL;
    int64_t line = -1;
    sp_legacy_integer(group, "source_lineno", &line);
    int status = sp_legacy_tags(walk->legacy, list, &tags, walk->err);
    if (status == 0)
        status = sp_legacy_describe(walk->legacy, region, json_string_value(file), line, tags, walk->err);
    free(tags);
    json_decref(list);
    json_decref(file);
    return status;
}

static int read_region(const struct walk *walk, hid_t group)
{
    struct sp_legacy *legacy = walk->legacy;
    int64_t *starts = NULL, *ends = NULL;
    uint64_t count, end_count;
    int32_t region, lane;
    struct sp_legacy_call *calls = NULL;
    int status = -1;
    if (sp_legacy_integers(legacy, group, "start_times", &starts, &count, walk->err) < 0 ||
        sp_legacy_integers(legacy, group, "end_times", &ends, &end_count, walk->err) < 0)
        goto done;
    if (count != end_count) {
        sp_legacy_damaged(legacy, walk->err, "a region has not as many ends as starts");
        goto done;
    }
    if (sp_legacy_region(legacy, walk->name, strlen(walk->name), &region, walk->err) < 0 || describe(walk, group, region) < 0 ||
        sp_legacy_lane(legacy, walk->rank, SP_LEGACY_MAIN, &lane, walk->err) < 0 ||
        !(calls = sp_legacy_calls(legacy, lane, region, (size_t)count, walk->err)))
        goto done;
    for (uint64_t i = 0; i < count; i++) {
        calls[i].start = starts[i];
        calls[i].end = ends[i];
    }
    status = 0;
done:
    free(starts);
    free(ends);
    return status;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *data);

static int walk_group(struct walk *walk, hid_t group)
{
    if (walk->depth > DEEPEST || ++*walk->seen > OBJECTS)
        return sp_legacy_damaged(walk->legacy, walk->err, "its groups go in circles");
    if (walk->name[0] && sp_legacy_has(group, "start_times") && read_region(walk, group) < 0)
        return -1;
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit, walk) >= 0)
        return 0;
    return walk->err->code ? -1 : sp_legacy_damaged(walk->legacy, walk->err, "a group cannot be read");
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
    const struct walk *outer = data;
    if (info->type != H5L_TYPE_HARD)
        return 0;
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0)
        return sp_legacy_damaged(outer->legacy, outer->err, "a group cannot be read");
    struct walk walk = *outer;
    int status = 0;
    if (H5Iget_type(object) == H5I_GROUP) {
        size_t bytes = strlen(outer->name) + strlen(name) + 2;
        walk.depth++;
        if (!(walk.name = malloc(bytes))) {
            status = sp_fail(walk.err, "%s: out of memory", walk.legacy->path);
        } else {
            snprintf(walk.name, bytes, "%s%s%s", outer->name, outer->name[0] ? "/" : "", name);
            status = walk_group(&walk, object);
        }
        free(walk.name);
    }
    H5Oclose(object);
    return status;
}

static herr_t visit_rank(hid_t file, const char *name, const H5L_info_t *info, void *data)
{
    struct walk walk = *(struct walk *)data;
    char empty[] = "";
    (void)info;
    walk.rank = rank_of(name);
    walk.name = empty;
    if (walk.rank < 0)
        return 0;
    if (sp_legacy_rank(walk.legacy, walk.rank, walk.err) < 0)
        return -1;
    hid_t rank = H5Oopen(file, name, H5P_DEFAULT);
    if (rank < 0)
        return sp_legacy_damaged(walk.legacy, walk.err, "rank %lld cannot be read", (long long)walk.rank);
    hid_t regions = sp_legacy_has(rank, "regions") ? H5Oopen(rank, "regions", H5P_DEFAULT) : -1;
    int status = regions >= 0 && H5Iget_type(regions) == H5I_GROUP ? walk_group(&walk, regions) : 0;
    if (regions >= 0)
        H5Oclose(regions);
    H5Oclose(rank);
    return status;
}

int sp_legacy_groups_read(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err)
{
    uint64_t seen = 0;
    struct walk walk = {.legacy = legacy, .err = err, .seen = &seen};
    snprintf(legacy->format, sizeof legacy->format, "scope-profiler schema 1");
    if (sp_legacy_metadata(source->file, legacy, err) < 0)
        return -1;
    err->code = 0;
    herr_t status = H5Literate(source->file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_rank, &walk);
    if (status < 0 && err->code == 0)
        return sp_legacy_damaged(legacy, err, "its ranks cannot be listed");
    return status < 0 ? -1 : 0;
}
