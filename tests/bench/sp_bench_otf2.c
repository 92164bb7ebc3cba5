/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_bench_otf2.h"

#ifdef SP_BENCH_WITH_OTF2

#include "sp_clock.h"

#include <otf2/otf2.h>
#include <stdlib.h>

struct sp_bench_otf2 {
    OTF2_Archive *archive;
    OTF2_EvtWriter *writer;
    uint32_t source;
};

static OTF2_FlushType before_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    const struct sp_bench_otf2 *otf2 = user;
    (void)type, (void)location;
    return sp_clock_now(otf2->source);
}

struct sp_bench_otf2 *sp_bench_otf2_open(const char *directory)
{
    static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
    struct sp_bench_otf2 *otf2 = calloc(1, sizeof *otf2);
    if (!otf2)
        return NULL;
    otf2->source = sp_clock_choose("auto");
    otf2->archive = OTF2_Archive_Open(directory, "otf2", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
        OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (otf2->archive && OTF2_Archive_SetFlushCallbacks(otf2->archive, &flush, otf2) == OTF2_SUCCESS &&
        OTF2_Archive_SetSerialCollectiveCallbacks(otf2->archive) == OTF2_SUCCESS &&
        OTF2_Archive_OpenEvtFiles(otf2->archive) == OTF2_SUCCESS)
        otf2->writer = OTF2_Archive_GetEvtWriter(otf2->archive, 0);
    if (otf2->writer)
        return otf2;
    sp_bench_otf2_close(otf2);
    return NULL;
}

static void pairs(void *data, int count)
{
    const struct sp_bench_otf2 *otf2 = data;
    for (int i = 0; i < count; i++) {
        OTF2_EvtWriter_Enter(otf2->writer, NULL, sp_clock_now(otf2->source), 0);
        __asm__ volatile("" : : : "memory");
        OTF2_EvtWriter_Leave(otf2->writer, NULL, sp_clock_now(otf2->source), 0);
    }
}

struct sp_bench_subject sp_bench_otf2_subject(struct sp_bench_otf2 *otf2)
{
    return (struct sp_bench_subject){pairs, otf2};
}

void sp_bench_otf2_close(struct sp_bench_otf2 *otf2)
{
    if (!otf2)
        return;
    if (otf2->writer) {
        OTF2_Archive_CloseEvtWriter(otf2->archive, otf2->writer);
        OTF2_Archive_CloseEvtFiles(otf2->archive);
    }
    if (otf2->archive)
        OTF2_Archive_Close(otf2->archive);
    free(otf2);
}

#else

struct sp_bench_otf2 *sp_bench_otf2_open(const char *directory)
{
    (void)directory;
    return NULL;
}

struct sp_bench_subject sp_bench_otf2_subject(struct sp_bench_otf2 *otf2)
{
    (void)otf2;
    return (struct sp_bench_subject){NULL, NULL};
}

void sp_bench_otf2_close(struct sp_bench_otf2 *otf2)
{
    (void)otf2;
}

#endif
