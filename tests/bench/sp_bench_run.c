/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "sp_bench_run.h"
#include "sp_write.h"
#include "spill_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RUN_ID "bench-run"
#define OWN_NAME "own %c of rank %06d"
enum { PAGE = 4096, NODE_RANKS = 64 };

static void *checked(void *memory)
{
    if (memory && memory != MAP_FAILED)
        return memory;
    perror("bench");
    abort();
}

/* Zeros that take no memory until they are written. */
static unsigned char *reserve(size_t bytes)
{
    return checked(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

/* An image and which of its pages hold something: it is mostly empty rings. */
struct image {
    const unsigned char *bytes;
    size_t used, room; /* room: whole pages */
    size_t *pages, page_count;
};

static struct image image_of(const struct spill_image *made)
{
    static const unsigned char zeros[PAGE];
    struct image image = {0};
    image.bytes = spill_image_bytes(made, &image.used);
    image.room = (image.used + PAGE - 1) / PAGE * PAGE;
    image.pages = checked(malloc((image.room / PAGE + 1) * sizeof *image.pages));
    for (size_t at = 0; at < image.used; at += PAGE)
        if (memcmp(image.bytes + at, zeros, image.used - at < PAGE ? image.used - at : PAGE) != 0)
            image.pages[image.page_count++] = at;
    return image;
}

static void copy_image(unsigned char *to, const struct image *image)
{
    for (size_t i = 0; i < image->page_count; i++) {
        size_t at = image->pages[i];
        memcpy(to + at, image->bytes + at, image->used - at < PAGE ? image->used - at : PAGE);
    }
}

static void add_rank_record(struct spill_image *process, uint64_t end)
{
    spill_image_rank(process,
        &(struct sp_spill_rank){.start = 1000,
            .mpi_init_end = 3000,
            .offset_error_ns = 50,
            .finalize_begin = end,
            .end = end + 1000,
            .state = SP_RANK_FINALIZED,
            .max_rss_bytes = 1 << 20});
}

/* A main region, in it seven, in each of those six: 50. */
static uint64_t visit_all(struct spill_image *lane)
{
    uint64_t at = 4000;
    uint32_t region = 1;
    spill_image_begin(lane, 0, at);
    for (int outer = 0; outer < 7; outer++) {
        spill_image_begin(lane, region++, at += 100);
        for (int inner = 0; inner < 6; inner++) {
            spill_image_begin(lane, region++, at += 100);
            spill_image_end(lane, at += 2000 + 37 * (uint64_t)inner);
        }
        spill_image_end(lane, at += 100);
    }
    spill_image_end(lane, at += 100);
    return at;
}

static void template_regions(struct spill_image *process, int has_own_names)
{
    char name[64];
    for (int i = 0; i < SP_BENCH_REGIONS; i++) {
        snprintf(name, sizeof name, "region number %02d", i);
        if (has_own_names && i >= SP_BENCH_REGIONS - SP_BENCH_OWN_REGIONS)
            snprintf(name, sizeof name, OWN_NAME, 'A' + SP_BENCH_REGIONS - 1 - i, 0);
        spill_image_region(process, name, SP_REGION_USER, 0);
    }
}

static void set_rank(unsigned char *image, int rank)
{
    struct sp_spill_header *header = (void *)image;
    header->rank = rank;
    header->pid = 1000 + rank;
    snprintf(header->host, sizeof header->host, "node%d", rank / NODE_RANKS);
    snprintf(header->boot_id, sizeof header->boot_id, "boot%d", rank / NODE_RANKS);
}

/* The names of rank 0 become those of this one: of the same length. */
static void set_own_names(unsigned char *process, size_t bytes, int rank)
{
    char wanted[64], name[64];
    for (char letter = 'A'; letter < 'A' + SP_BENCH_OWN_REGIONS; letter++) {
        size_t length = (size_t)snprintf(wanted, sizeof wanted, OWN_NAME, letter, 0);
        snprintf(name, sizeof name, OWN_NAME, letter, rank);
        for (size_t at = SP_SPILL_PAGE; at + length <= bytes; at += 8) /* texts follow a record: 8 bytes aligned */
            if (memcmp(process + at, wanted, length) == 0)
                memcpy(process + at, name, length);
    }
}

static void add_source(struct sp_bench_run_images *run, const void *image, size_t bytes)
{
    run->sources[run->count++] = (struct sp_writer_source){.image = image, .bytes = bytes};
}

/* Room for so many ranks; sources are still to be added. */
static void allocate(struct sp_bench_run_images *run, const struct image *process, const struct image *lane, size_t rank_count)
{
    *run = (struct sp_bench_run_images){.rank_count = rank_count, .lane_bytes = lane->room, .process_bytes = process->room};
    run->sources = checked(calloc(2 * rank_count + 1, sizeof *run->sources));
    run->lanes = reserve(run->lane_bytes * rank_count + PAGE);
    run->processes = reserve(run->process_bytes * rank_count + PAGE);
}

/* The rank's images, to be changed where it differs. */
static void add_rank(struct sp_bench_run_images *run, const struct image *process, const struct image *lane, size_t i)
{
    unsigned char *process_at = run->processes + i * run->process_bytes, *lane_at = run->lanes + i * run->lane_bytes;
    copy_image(process_at, process);
    copy_image(lane_at, lane);
    add_source(run, process_at, process->used);
    add_source(run, lane_at, lane->used);
}

void sp_bench_run_make(struct sp_bench_run_images *run, int first, int end, int rank_count, int has_own_names)
{
    struct spill_image *lane = spill_image_lane(RUN_ID, 0, rank_count, 0), *process = spill_image_process(RUN_ID, 0, rank_count);
    template_regions(process, has_own_names);
    uint64_t at = visit_all(lane);
    spill_image_finish(lane, at);
    add_rank_record(process, at);
    struct image process_image = image_of(process), lane_image = image_of(lane);
    allocate(run, &process_image, &lane_image, (size_t)(end - first));
    for (size_t i = 0; i < run->rank_count; i++) {
        add_rank(run, &process_image, &lane_image, i);
        set_rank(run->processes + i * run->process_bytes, first + (int)i);
        set_rank(run->lanes + i * run->lane_bytes, first + (int)i);
        if (has_own_names)
            set_own_names(run->processes + i * run->process_bytes, process_image.used, first + (int)i);
    }
    free(process_image.pages);
    free(lane_image.pages);
    spill_image_free(lane);
    spill_image_free(process);
}

void sp_bench_run_free(struct sp_bench_run_images *run)
{
    free(run->sources);
    munmap(run->lanes, run->lane_bytes * run->rank_count + PAGE);
    munmap(run->processes, run->process_bytes * run->rank_count + PAGE);
    *run = (struct sp_bench_run_images){0};
}

/* A solver's step: ns of each thing it does. The calls of MPI are the last four. */
enum { R_STEP, R_HALO, R_STENCIL, R_REDUCE, R_ISEND, R_IRECV, R_WAITALL, R_ALLREDUCE };
static const struct {
    const char *name;
    int kind, group;
    uint64_t ns;
} solver[] = {{"step", SP_REGION_USER, 0, 2000}, {"halo", SP_REGION_USER, 0, 1000}, {"stencil", SP_REGION_USER, 0, 80000},
    {"reduce", SP_REGION_USER, 0, 1000}, {"MPI_Isend", SP_REGION_MPI, SP_GROUP_P2P, 1500}, {"MPI_Irecv", SP_REGION_MPI, SP_GROUP_P2P, 900},
    {"MPI_Waitall", SP_REGION_MPI, SP_GROUP_COMPLETION, 12000}, {"MPI_Allreduce", SP_REGION_MPI, SP_GROUP_COLLECTIVE, 9000}};

struct recording {
    struct spill_image *lane;
    uint64_t at, random; /* ticks, 2 a ns */
    int is_jittered;
};

/* Numerical Recipes' 64-bit generator (Knuth's MMIX): the same trace in each run. */
static uint64_t next_random(struct recording *r)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return r->random >> 33;
}

static void pass(struct recording *r, uint64_t ns)
{
    uint64_t either_way = r->is_jittered ? ns / 10 + 20 : 20;
    r->at += 2 * (ns > either_way ? ns - either_way : 0) + next_random(r) % (4 * either_way + 1);
}

static void begin(struct recording *r, uint32_t region)
{
    spill_image_begin(r->lane, region, r->at);
    pass(r, 60);
}

static void end(struct recording *r)
{
    spill_image_end(r->lane, r->at);
    pass(r, 60);
}

static void call(struct recording *r, uint32_t region)
{
    begin(r, region);
    pass(r, solver[region].ns);
    end(r);
}

/* 20 events: a step, two halo exchanges of seven, a stencil in four tiles, a reduction. */
static void step(struct recording *r)
{
    begin(r, R_STEP);
    for (int side = 0; side < 2; side++) {
        begin(r, R_HALO);
        for (int i = 0; i < 2; i++) {
            call(r, R_IRECV);
            call(r, R_ISEND);
        }
        call(r, R_WAITALL);
        end(r);
        call(r, R_STENCIL);
    }
    for (int tile = 0; tile < 3; tile++)
        call(r, R_STENCIL);
    begin(r, R_REDUCE);
    call(r, R_ALLREDUCE);
    end(r);
    end(r);
}

void sp_bench_solver_make(struct sp_bench_run_images *run, int rank, int rank_count, int64_t steps, int is_jittered)
{
    struct spill_image *process = spill_image_process(RUN_ID, rank, rank_count);
    struct recording r = {spill_image_lane(RUN_ID, rank, rank_count, 0), 4000, (uint64_t)rank + 1, is_jittered};
    for (size_t i = 0; i < sizeof solver / sizeof solver[0]; i++)
        spill_image_region(process, solver[i].name, solver[i].kind, solver[i].group);
    for (int64_t i = 0; i < steps; i++)
        step(&r);
    spill_image_finish(r.lane, r.at);
    add_rank_record(process, r.at);

    struct image process_image = image_of(process), lane_image = image_of(r.lane);
    allocate(run, &process_image, &lane_image, 1);
    add_rank(run, &process_image, &lane_image, 0);
    free(process_image.pages);
    free(lane_image.pages);
    spill_image_free(r.lane);
    spill_image_free(process);
}

struct sp_writer_result sp_bench_write(
    MPI_Comm communicator, const struct sp_bench_run_images *run, const char *path, const char *compression)
{
    char work[4096];
    struct sp_writer_result result;
    struct sp_error err = {0};
    snprintf(work, sizeof work, "%s.part", path);
    struct sp_writer_job job = {.communicator = &communicator,
        .output_path = path,
        .work_path = work,
        .sources = run->sources,
        .source_count = run->count,
        .state = "complete",
        .compression = compression,
        .checksum_readback = 1};
    unlink(path);
    MPI_Barrier(communicator); /* one of them removes it, before anyone makes it anew */
    if (sp_write(&job, &result, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        MPI_Abort(communicator, 1);
    }
    return result;
}
