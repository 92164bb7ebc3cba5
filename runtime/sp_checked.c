/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_checked.h"
#include "sp_process.h"
#include "sp_record.h"

#include <stdio.h>
#include <string.h>

/* A call's number: where it stands in the stack of open calls, and when it began; 0 is a begin that was passed over. */
#define NUMBER_BITS 40
#define NUMBER_MASK (((int64_t)1 << NUMBER_BITS) - 1)

static int is_off(void)
{
    return !sp_process_get() || (__atomic_load_n(&sp_process_gate, __ATOMIC_RELAXED) & SP_GATE_OFF) != 0;
}

/* A user who switches recording off must not make the program see errors; one who goes on after the end of the run may. */
static int status_when_off(void)
{
    return sp_process_get() ? SP_ERR_INACTIVE : SP_OK;
}

static int is_of(const struct sp_frame *frame, int region)
{
    return (frame->region & ~SP_FRAME_SLOW) == (uint32_t)region;
}

static int64_t depth(void)
{
    return sp_hot.lane ? sp_hot.top - sp_hot.lane->frames : 0;
}

static int64_t number_at(int64_t at)
{
    return at << NUMBER_BITS | (int64_t)(sp_hot.lane->frames[at].start & (uint64_t)NUMBER_MASK);
}

int64_t sp_checked_count_open(int region)
{
    int64_t count = 0;
    if (is_off())
        return 0;
    for (int64_t at = depth(); at > 0; at--)
        count += region < 0 || is_of(&sp_hot.lane->frames[at], region);
    return count;
}

int sp_checked_is_open(int region)
{
    if (is_off())
        return 0;
    for (int64_t at = depth(); at > 0; at--)
        if (is_of(&sp_hot.lane->frames[at], region))
            return 1;
    return 0;
}

int sp_checked_end(int region)
{
    if (is_off())
        return status_when_off();
    if (sp_frame_skipped(sp_hot.top) == 0 && (region < 0 ? depth() == 0 : !sp_checked_is_open(region)))
        return SP_ERR_UNMATCHED_END;
    if (region < 0)
        sp_record_end_last();
    else
        sp_record_end(region);
    return SP_OK;
}

int64_t sp_checked_begin(int region)
{
    int64_t before = depth();
    if (region < 0 || is_off())
        return -1;
    sp_record_begin(region);
    if (!sp_hot.lane)
        return -1;
    return depth() > before ? number_at(depth()) : 0;
}

static int end_skipped(int region, int64_t *call)
{
    *call = -1;
    if (sp_frame_skipped(sp_hot.top) == 0)
        return SP_ERR_UNMATCHED_END;
    sp_record_end(region);
    return SP_OK;
}

int sp_checked_end_of(int region, int64_t *call)
{
    if (is_off())
        return status_when_off();
    if (*call == 0)
        return end_skipped(region, call);
    int64_t at = *call >> NUMBER_BITS;
    if (*call < 0 || at > depth() || !is_of(&sp_hot.lane->frames[at], region) || number_at(at) != *call) {
        *call = -1;
        return SP_ERR_UNMATCHED_END;
    }
    for (int64_t inner = depth(); inner > at; inner--)
        if (is_of(&sp_hot.lane->frames[inner], region))
            return SP_ERR_UNMATCHED_END;
    *call = -1;
    sp_record_end(region);
    return SP_OK;
}

/* The file tells the number of the first iteration; the others follow. */
static void note_first(struct sp_process *process, const char *name, int64_t index)
{
    char key[256], value[24];
    snprintf(key, sizeof key, "phase %.200s", name);
    snprintf(value, sizeof value, "%lld", (long long)index);
    sp_metadata_set(process->metadata, key, value);
}

int sp_checked_next_phase(const char *name, int64_t index)
{
    struct sp_process *process = sp_process_get();
    struct sp_region_key key = {.name = name, .name_bytes = strlen(name), .tags = "phase", .line = -1, .kind = SP_REGION_USER};
    if (is_off())
        return status_when_off();
    int before = sp_registry_count(process->registry), region = sp_registry_id(process->registry, &key);
    if (region < 0)
        return SP_OK;
    if (sp_checked_is_open(region))
        sp_record_end(region);
    if (index < 0)
        return SP_OK;
    if (region >= before)
        note_first(process, name, index);
    sp_record_begin(region);
    return SP_OK;
}
