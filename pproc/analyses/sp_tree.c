/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_tree.h"

#include "sp_error.h"

#include <stdlib.h>
#include <string.h>

/* A call path on its way into the list. */
struct node {
    const struct sp_path_entry *entry; /* NULL: never called, as a path that is still open */
    int64_t start_ns;                  /* first start in the subtree */
    int32_t callpath, parent, region;
    int32_t first_child, next_sibling; /* -1 none; siblings by start */
    int32_t shown;                     /* rows of the subtree, own rows not counted */
};

struct tree {
    struct node *nodes;
    int32_t count;
    int32_t first_root;
};

static int32_t *list_head(struct tree *tree, int32_t parent)
{
    return parent < 0 ? &tree->first_root : &tree->nodes[parent].first_child;
}

static void insert_child(struct tree *tree, int32_t node)
{
    int32_t *at = list_head(tree, tree->nodes[node].parent);
    while (*at >= 0 && tree->nodes[*at].start_ns <= tree->nodes[node].start_ns)
        at = &tree->nodes[*at].next_sibling;
    tree->nodes[node].next_sibling = *at;
    *at = node;
}

static int build(const struct sp_run *run, struct tree *tree, struct sp_error *err)
{
    const struct sp_callpath *paths = sp_file_callpaths(run->file);
    *tree = (struct tree){.count = run->info->callpath_count, .first_root = -1};
    tree->nodes = calloc((size_t)tree->count + 1, sizeof *tree->nodes);
    if (!tree->nodes)
        return sp_fail(err, "out of memory");
    for (int32_t i = 0; i < tree->count; i++)
        tree->nodes[i] = (struct node){NULL, INT64_MAX, i, paths[i].parent, paths[i].region, -1, -1, 0};
    for (size_t i = 0; i < run->path_count; i++) {
        struct node *node = &tree->nodes[run->paths[i].callpath];
        node->entry = &run->paths[i];
        node->start_ns = run->paths[i].stats.first_start;
        node->shown = run->regions[node->region].selected;
    }
    /* a parent stands before its children in the file: from the last to the first, subtrees are complete when met */
    for (int32_t i = tree->count - 1; i >= 0; i--) {
        struct node *node = &tree->nodes[i];
        if (node->parent < 0)
            continue;
        struct node *parent = &tree->nodes[node->parent];
        parent->start_ns = node->start_ns < parent->start_ns ? node->start_ns : parent->start_ns;
        parent->shown += node->shown;
    }
    for (int32_t i = tree->count - 1; i >= 0; i--)
        insert_child(tree, i);
    return 0;
}

static bool is_shown(const struct sp_run *run, const struct node *node)
{
    return node->entry && run->regions[node->region].selected;
}

/* Writes the row of a node, and its own row; returns the depth of its children. */
static int32_t emit(const struct sp_run *run, const struct node *node, int32_t depth, struct sp_tree_row *rows, size_t *count)
{
    if (!is_shown(run, node))
        return depth;
    rows[(*count)++] = (struct sp_tree_row){node->callpath, node->region, depth, false, node->entry->rank_count, node->entry->stats};
    if (node->shown > 1) {
        struct sp_stats own = {.calls = node->entry->stats.calls, .total = node->entry->stats.self, .self = node->entry->stats.self};
        rows[(*count)++] = (struct sp_tree_row){node->callpath, node->region, depth + 1, true, node->entry->rank_count, own};
    }
    return depth + 1;
}

/* Depth first, without recursion: a tree may be 10 000 deep. depths: of the children of each node. */
static size_t walk(const struct sp_run *run, const struct tree *tree, int32_t *depths, struct sp_tree_row *rows)
{
    size_t count = 0;
    int32_t at = tree->first_root;
    while (at >= 0) {
        const struct node *node = &tree->nodes[at];
        depths[at] = emit(run, node, node->parent < 0 ? 0 : depths[node->parent], rows, &count);
        if (node->first_child >= 0) {
            at = node->first_child;
            continue;
        }
        while (at >= 0 && tree->nodes[at].next_sibling < 0)
            at = tree->nodes[at].parent;
        at = at < 0 ? at : tree->nodes[at].next_sibling;
    }
    return count;
}

int sp_tree_analyse(const struct sp_run *run, struct sp_tree_row **rows, size_t *count, struct sp_error *err)
{
    struct tree tree;
    *rows = NULL;
    *count = 0;
    if (build(run, &tree, err))
        return -1;
    int32_t *depths = calloc((size_t)tree.count + 1, sizeof *depths);
    struct sp_tree_row *new = calloc(2 * (size_t)tree.count + 1, sizeof *new);
    int status = depths && new ? 0 : sp_fail(err, "out of memory");
    if (!status) {
        *count = walk(run, &tree, depths, new);
        *rows = new;
        new = NULL;
    }
    free(new);
    free(depths);
    free(tree.nodes);
    return status;
}

char *sp_tree_path_name(const struct sp_run *run, int32_t callpath)
{
    const struct sp_callpath *paths = sp_file_callpaths(run->file);
    size_t size = 1;
    for (int32_t at = callpath; at >= 0; at = paths[at].parent)
        size += strlen(run->regions[paths[at].region].name) + 3;
    char *name = malloc(size);
    if (!name)
        return NULL;
    size_t end = size - 1;
    name[end] = '\0';
    for (int32_t at = callpath; at >= 0; at = paths[at].parent) {
        const char *part = run->regions[paths[at].region].name;
        size_t length = strlen(part);
        memcpy(name + (end -= length), part, length);
        if (paths[at].parent >= 0)
            memcpy(name + (end -= 3), " > ", 3);
    }
    memmove(name, name + end, size - end);
    return name;
}
