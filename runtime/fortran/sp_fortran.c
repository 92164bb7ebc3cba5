/* SPDX-License-Identifier: BSD-3-Clause */
/* What the Fortran module calls: scope_profiler.h with Fortran's texts (a pointer and a length, blanks at the end do not count) and
 * handles (from 1, 0 none). Results are codes of the module: enum sp_status up to 6, then INVALID_ARGUMENT. */
#include <scope_profiler.h>

#include <stdlib.h>
#include <string.h>

enum { INVALID_ARGUMENT = 7 };

/* Called by the module alone, so no header declares them. */
int sp_fortran_init(const char *prefix, size_t bytes, int rank);
int sp_fortran_finalize(void);
int sp_fortran_region(
    const char *name, size_t name_bytes, const char *file, size_t file_bytes, const char *tags, size_t tags_bytes, int line, int *region);
void sp_fortran_begin(int region);
void sp_fortran_end(int region);
int sp_fortran_end_checked(int region);
int sp_fortran_check(int region);
int sp_fortran_phase(const char *name, size_t bytes, int64_t index);
int sp_fortran_say(int what, const char *key, size_t key_bytes, const char *value, size_t value_bytes);
int64_t sp_fortran_calls(int region);
int sp_fortran_stats(int region, int64_t stats[4]);
int sp_fortran_flush(void);
int sp_fortran_reset(void);
int sp_fortran_is_active(void);
int64_t sp_fortran_now_ns(void);
size_t sp_fortran_output_path(char *path, size_t room);
void sp_fortran_control(int what);
int sp_fortran_work(double work);

/* A copy as C has it, in the small buffer or allocated; NULL without memory. */
struct text {
    char small[256];
    char *large;
};

static const char *c_text(struct text *text, const char *from, size_t bytes)
{
    text->large = NULL;
    while (bytes > 0 && from[bytes - 1] == ' ')
        bytes--;
    char *to = bytes < sizeof text->small ? text->small : (text->large = malloc(bytes + 1));
    if (!to)
        return NULL;
    memcpy(to, from, bytes);
    to[bytes] = '\0';
    return to;
}

static const char *c_text_or_null(struct text *text, const char *from, size_t bytes)
{
    text->large = NULL;
    return from && bytes > 0 ? c_text(text, from, bytes) : NULL;
}

int sp_fortran_init(const char *prefix, size_t bytes, int rank)
{
    struct text text;
    const char *copy = c_text(&text, prefix, bytes);
    int status = SP_ERR_NO_MEMORY;
    if (copy)
        status = *copy && rank >= 0 ? sp_init(copy, rank) : INVALID_ARGUMENT;
    free(text.large);
    return status;
}

int sp_fortran_finalize(void)
{
    return sp_profiler_finalize(sp_default_profiler());
}

int sp_fortran_region(
    const char *name, size_t name_bytes, const char *file, size_t file_bytes, const char *tags, size_t tags_bytes, int line, int *region)
{
    struct text texts[3];
    const struct scope_profiler_runtime *r = sp_runtime_();
    *region = 0;
    if (!r)
        return SP_OK;
    const char *c_name = c_text(&texts[0], name, name_bytes);
    const char *c_file = c_text_or_null(&texts[1], file, file_bytes), *c_tags = c_text_or_null(&texts[2], tags, tags_bytes);
    if (c_name)
        *region = r->region(c_name, c_file, line, c_tags) + 1;
    for (int i = 0; i < 3; i++)
        free(texts[i].large);
    return c_name ? SP_OK : SP_ERR_NO_MEMORY;
}

void sp_fortran_begin(int region)
{
    sp_begin(region - 1);
}

void sp_fortran_end(int region)
{
    sp_end(region - 1);
}

/* 0 is a region that is not recorded, whatever the reason; nothing is wrong with it. */
int sp_fortran_check(int region)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(region_count);
    return !r || (region >= 0 && region <= r->region_count()) ? SP_OK : INVALID_ARGUMENT;
}

int sp_fortran_end_checked(int region)
{
    const struct scope_profiler_runtime *r = SP_RUNTIME_WITH_(checked_end);
    int status = sp_fortran_check(region);
    return status == SP_OK && r && region > 0 ? r->checked_end(region - 1) : status;
}

int sp_fortran_phase(const char *name, size_t bytes, int64_t index)
{
    struct text text;
    const char *copy = c_text(&text, name, bytes);
    int status = copy ? sp_phase(copy, index) : SP_ERR_NO_MEMORY;
    free(text.large);
    return status;
}

/* 0: a setting, 1: metadata, 2: an opt-in tag (the key). */
int sp_fortran_say(int what, const char *key, size_t key_bytes, const char *value, size_t value_bytes)
{
    struct text texts[2];
    const char *c_key = c_text(&texts[0], key, key_bytes), *c_value = c_text(&texts[1], value, value_bytes);
    int status = SP_ERR_NO_MEMORY;
    if (c_key && c_value)
        status = what == 0 ? sp_set(c_key, c_value) : what == 1 ? sp_metadata(c_key, c_value) : sp_register_opt_in_tag(c_key);
    free(texts[0].large);
    free(texts[1].large);
    return status;
}

/* 0: pause, 1: resume, 2: end the innermost region. */
void sp_fortran_control(int what)
{
    if (what == 0)
        sp_pause();
    else if (what == 1)
        sp_resume();
    else
        sp_end_last();
}

int64_t sp_fortran_calls(int region)
{
    return sp_num_calls(region - 1);
}

int sp_fortran_stats(int region, int64_t stats[4])
{
    sp_region_stats found = {0, 0, 0, 0};
    int status = sp_fortran_check(region);
    if (status == SP_OK)
        status = sp_get_region_stats(region - 1, &found);
    stats[0] = found.calls;
    stats[1] = found.total_ns;
    stats[2] = found.min_ns;
    stats[3] = found.max_ns;
    return status;
}

int sp_fortran_work(double work)
{
    return sp_work(work);
}

int sp_fortran_flush(void)
{
    return sp_flush();
}

int sp_fortran_reset(void)
{
    return sp_reset();
}

int sp_fortran_is_active(void)
{
    return sp_is_active();
}

int64_t sp_fortran_now_ns(void)
{
    return sp_now_ns();
}

/* Returns the length of the path; copies as much as there is room for. */
size_t sp_fortran_output_path(char *path, size_t room)
{
    const char *found = sp_output_path();
    size_t bytes = strlen(found);
    memcpy(path, found, bytes < room ? bytes : room);
    return bytes;
}
