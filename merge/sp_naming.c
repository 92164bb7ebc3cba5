/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr */
#include "sp_naming.h"
#include "sp_child.h"
#include "sp_names.h"
#include "sp_spill.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAIT_S = 30 };

/* One answer; the texts lie in the output of sp-names. */
struct answer {
    const char *status, *name, *file, *line;
};

/* The functions of the dictionary, and what was said of them. */
struct question {
    struct sp_dictionary *dictionary;
    int32_t *rows;
    char **asked; /* "ID PATH+0xOFFSET" */
    struct answer *answers;
    size_t count;
    char *output;
    const char *how;
};

static int collect(struct question *q)
{
    struct sp_dictionary_region region;
    int32_t count = sp_dictionary_region_count(q->dictionary);
    q->rows = calloc((size_t)count + 1, sizeof *q->rows);
    q->asked = calloc((size_t)count + 1, sizeof *q->asked);
    q->answers = calloc((size_t)count + 1, sizeof *q->answers);
    if (!q->rows || !q->asked || !q->answers)
        return -1;
    for (int32_t row = 0; row < count; row++) {
        sp_dictionary_region_at(q->dictionary, row, &region);
        if (region.line != SP_SPILL_LINE_LATER)
            continue;
        if (!(q->asked[q->count] = strndup(region.name, region.name_bytes)))
            return -1;
        q->rows[q->count++] = row;
    }
    return 0;
}

static void release(struct question *q)
{
    for (size_t i = 0; q->asked && i < q->count; i++)
        free(q->asked[i]);
    free(q->rows);
    free(q->asked);
    free(q->answers);
    free(q->output);
}

/* sp-names lies below the folder of libsp_writer.so; sp-merge, in another folder, knows the way there. */
static int find_program(char *path, size_t room)
{
    static const char *const ways[] = {"", SP_LIB_FROM_BIN "/", "../lib/"};
    static const char here;
    char self[4096];
    Dl_info info;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    const char *objects[] = {dladdr(&here, &info) && info.dli_fname ? info.dli_fname : "", self};
    for (size_t o = 0; o < 2; o++) {
        const char *slash = strrchr(objects[o], '/');
        for (size_t w = 0; slash && w < sizeof ways / sizeof ways[0]; w++) {
            int bytes = snprintf(path, room, "%.*s/%s%s", (int)(slash - objects[o]), objects[o], ways[w], SP_NAMES_PROGRAM);
            if (bytes > 0 && (size_t)bytes < room && access(path, X_OK) == 0)
                return 0;
        }
    }
    return -1;
}

static char *join(const struct question *q, size_t *bytes)
{
    *bytes = 0;
    for (size_t i = 0; i < q->count; i++)
        *bytes += strlen(q->asked[i]) + 1;
    char *text = malloc(*bytes + 1), *at = text;
    for (size_t i = 0; text && i < q->count; i++) {
        size_t length = strlen(q->asked[i]) + 1;
        memcpy(at, q->asked[i], length);
        at += length;
    }
    return text;
}

/* The next text of the output, "" and at its end NULL. */
static const char *next_text(const char **at, const char *end)
{
    const char *text = *at, *stop = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
    if (!stop)
        return NULL;
    *at = stop + 1;
    return text;
}

static int read_answers(struct question *q, size_t bytes)
{
    const char *at = q->output, *end = q->output + bytes, *mark;
    q->how = next_text(&at, end);
    for (size_t i = 0; i < q->count; i++) {
        struct answer *answer = &q->answers[i];
        answer->status = next_text(&at, end);
        answer->name = next_text(&at, end);
        answer->file = next_text(&at, end);
        answer->line = next_text(&at, end);
    }
    mark = next_text(&at, end);
    return mark && strcmp(mark, SP_NAMES_END) == 0 ? 0 : -1;
}

/* What DWARF brings sp-names down leaves the symbols. */
static int ask(struct question *q)
{
    char program[8192];
    char *with_lines[] = {program, NULL}, *symbols_only[] = {program, SP_NAMES_SYMBOLS, NULL};
    char **const ways[] = {with_lines, symbols_only};
    size_t bytes, got;
    char *input = find_program(program, sizeof program) == 0 ? join(q, &bytes) : NULL;
    int status = -1;
    for (int i = 0; input && status < 0 && i < 2; i++) {
        free(q->output);
        q->output = NULL;
        if (sp_child_run(ways[i], input, bytes, WAIT_S, &q->output, &got) == 0)
            status = read_answers(q, got);
    }
    free(input);
    return status;
}

/* The last part of the path, with the offset. */
static const char *short_name(const char *asked)
{
    const char *path = strchr(asked, ' '), *slash = strrchr(asked, '/');
    return slash ? slash + 1 : path ? path + 1 : asked;
}

static void name_one(struct question *q, size_t i, int is_answered)
{
    const struct answer *answer = &q->answers[i];
    int is_named = is_answered && strcmp(answer->status, SP_NAME_FOUND) == 0;
    const char *name = is_named ? answer->name : short_name(q->asked[i]), *file = is_answered ? answer->file : "";
    struct sp_dictionary_region region = {.name = name,
        .file = file,
        .name_bytes = (uint32_t)strlen(name),
        .file_bytes = (uint32_t)strlen(file),
        .line = is_answered && file[0] ? (int32_t)strtol(answer->line, NULL, 10) : -1};
    sp_dictionary_rename_region(q->dictionary, q->rows[i], &region);
}

static const char *reason(const char *status)
{
    if (strcmp(status, SP_NAME_NO_FILE) == 0)
        return "cannot be read any more";
    return strcmp(status, SP_NAME_OTHER_BUILD) == 0 ? "has changed since it ran" : "has no symbols for them (was it stripped?)";
}

static void count_unnamed(const struct question *q, int is_answered, struct sp_naming *naming)
{
    const char *first = NULL, *why = "sp-names, which looks them up, does not run or did not end";
    for (size_t i = 0; i < q->count; i++) {
        if (is_answered && strcmp(q->answers[i].status, SP_NAME_FOUND) == 0)
            continue;
        naming->unnamed++;
        if (!first)
            first = short_name(q->asked[i]);
        if (naming->unnamed == 1 && is_answered)
            why = reason(q->answers[i].status);
    }
    int length = first ? (int)strcspn(first, "+@") : 0;
    if (first)
        snprintf(naming->note, sizeof naming->note, "%zu of %zu instrumented functions stay without a name: %.*s%s%s", naming->unnamed,
            q->count, is_answered ? length < 200 ? length : 200 : 0, first, is_answered ? " " : "", why);
}

void sp_naming_apply(struct sp_dictionary *dictionary, struct sp_naming *naming)
{
    struct question q = {.dictionary = dictionary};
    memset(naming, 0, sizeof *naming);
    int is_complete = collect(&q) == 0, is_answered = is_complete && q.count > 0 && ask(&q) == 0;
    naming->functions = q.count;
    for (size_t i = 0; i < q.count; i++)
        name_one(&q, i, is_answered);
    count_unnamed(&q, is_answered, naming);
    if (q.count > 0)
        snprintf(naming->how, sizeof naming->how, "%s", is_answered ? q.how : "not at all: sp-names does not run");
    release(&q);
}
