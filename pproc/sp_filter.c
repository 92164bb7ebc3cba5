/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_filter.h"

#include "sp_error.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

struct patterns {
    pcre2_code **items;
    size_t count;
};

struct sp_filter {
    struct patterns include, exclude;
    pcre2_match_data *match;
};

static int patterns_compile(const struct sp_texts *texts, const char *option, struct patterns *patterns, struct sp_error *err)
{
    patterns->items = calloc(texts->count + 1, sizeof *patterns->items);
    if (!patterns->items)
        return sp_fail(err, "out of memory");
    for (size_t i = 0; i < texts->count; i++) {
        int error;
        PCRE2_SIZE at;
        uint32_t flags = PCRE2_ANCHORED | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
        pcre2_code *code = pcre2_compile((PCRE2_SPTR)texts->items[i], PCRE2_ZERO_TERMINATED, flags, &error, &at, NULL);
        if (!code) {
            PCRE2_UCHAR text[200];
            pcre2_get_error_message(error, text, sizeof text);
            return sp_fail_as(err, SP_EXIT_USAGE, "--%s '%.200s': %s at character %zu", option, texts->items[i], (char *)text, at + 1);
        }
        patterns->items[patterns->count++] = code;
    }
    return 0;
}

static void patterns_free(struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        pcre2_code_free(patterns->items[i]);
    free(patterns->items);
}

int sp_filter_create(const struct sp_texts *include, const struct sp_texts *exclude, struct sp_filter **filter, struct sp_error *err)
{
    *filter = NULL;
    struct sp_filter *new = calloc(1, sizeof *new);
    if (!new)
        return sp_fail(err, "out of memory");
    new->match = pcre2_match_data_create(1, NULL);
    if (!new->match) {
        sp_fail(err, "out of memory");
        goto fail;
    }
    if (patterns_compile(include, "include", &new->include, err) || patterns_compile(exclude, "exclude", &new->exclude, err))
        goto fail;
    *filter = new;
    return 0;
fail:
    sp_filter_destroy(new);
    return -1;
}

void sp_filter_destroy(struct sp_filter *filter)
{
    if (!filter)
        return;
    patterns_free(&filter->include);
    patterns_free(&filter->exclude);
    pcre2_match_data_free(filter->match);
    free(filter);
}

static bool any_matches(const struct patterns *patterns, pcre2_match_data *match, const char *name, size_t bytes)
{
    /* anchored is also what follows an invalid byte, so look where the match starts */
    for (size_t i = 0; i < patterns->count; i++)
        if (pcre2_match(patterns->items[i], (PCRE2_SPTR)name, bytes, 0, 0, match, NULL) >= 0 && pcre2_get_ovector_pointer(match)[0] == 0)
            return true;
    return false;
}

bool sp_filter_takes(const struct sp_filter *filter, const char *name, size_t bytes)
{
    if (filter->include.count && !any_matches(&filter->include, filter->match, name, bytes))
        return false;
    return !any_matches(&filter->exclude, filter->match, name, bytes);
}

/* Reads "N" or "N-M" at *text, leaving *text behind it. */
static int read_range(const char **text, long *first, long *last)
{
    char *end;
    if (**text < '0' || **text > '9')
        return -1;
    *first = *last = strtol(*text, &end, 10);
    if (*end == '-') {
        const char *second = end + 1;
        if (*second < '0' || *second > '9')
            return -1;
        *last = strtol(second, &end, 10);
    }
    *text = end;
    return *last < *first ? -1 : 0;
}

static int select_list(const char *list, int32_t rank_count, const char *label, bool *selected, struct sp_error *err)
{
    const char *at = list;
    for (;;) {
        long first, last;
        if (read_range(&at, &first, &last) || (*at && *at != ','))
            return sp_fail_as(err, SP_EXIT_USAGE, "--ranks %.100s: must be a list like 0-3,5", list);
        if (last >= rank_count)
            return sp_fail_as(err, SP_EXIT_USAGE, "Invalid rank(s) requested: %ld (%.100s has ranks 0-%d)",
                first >= rank_count ? first : last, label, (int)rank_count - 1);
        memset(selected + first, 1, (size_t)(last - first + 1) * sizeof *selected);
        if (!*at++)
            return 0;
    }
}

int sp_ranks_select(const struct sp_texts *lists, int32_t rank_count, const char *label, bool *selected, struct sp_error *err)
{
    for (int32_t i = 0; i < rank_count; i++)
        selected[i] = !lists->count;
    for (size_t i = 0; i < lists->count; i++)
        if (select_list(lists->items[i], rank_count, label, selected, err))
            return -1;
    return 0;
}
