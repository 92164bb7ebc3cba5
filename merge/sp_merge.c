/* SPDX-License-Identifier: BSD-3-Clause */
/* sp-merge: one run file out of the spill files that a job left. */
#include "scope_profiler_file.h"
#include "sp_collect.h"
#include "sp_publish.h"
#include "sp_team.h"
#include "sp_write.h"

#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] = "usage: sp-merge -o RUN.h5 [-f] [-q] SPILL_DIR|SPILL|NAME.part...\n"
                            "\n"
                            "Makes one run file out of the spill files that a killed job left (a directory of them, single files,\n"
                            "or the NAME.part that names their directory). mpirun -n N sp-merge ... shares the work.\n"
                            "\n"
                            "  -o FILE  the file to write\n"
                            "  -f       replace FILE if it exists\n"
                            "  -q       say nothing about what was lost\n"
                            "  -h       this text\n"
                            "  -V       version\n"
                            "\n"
                            "Exit status: 0 done, 2 usage, 3 input missing, 4 input damaged, 5 inputs do not belong together,\n"
                            "6 output cannot be written, 7 done, but some files were skipped\n";

struct merge {
    const char *output;
    int force, quiet;
    char **operands;
    int operand_count;
    struct sp_team team;
    MPI_Comm communicator;
    struct sp_collection found; /* process 0 */
    size_t skipped;
    char target[4096], work[4096]; /* names the writer gets */
};

/* Returns 0 to go on, else exits are decided: *status. */
static int parse(struct merge *m, int argc, char **argv, int *status)
{
    *status = SP_EXIT_USAGE;
    for (int option; (option = getopt(argc, argv, ":o:fqhV")) != -1;)
        switch (option) {
        case 'o': m->output = optarg; break;
        case 'f': m->force = 1; break;
        case 'q': m->quiet = 1; break;
        case 'h':
            fputs(usage, stdout);
            *status = 0;
            return -1;
        case 'V':
            puts("sp-merge " SP_VERSION);
            *status = 0;
            return -1;
        case ':': fprintf(stderr, "sp-merge: option -%c needs a value\n", optopt); return -1;
        default: fprintf(stderr, "sp-merge: unknown option -%c (sp-merge -h explains)\n", optopt); return -1;
        }
    m->operands = argv + optind;
    m->operand_count = argc - optind;
    if (!m->output || !*m->output)
        fputs("sp-merge: -o FILE is missing (sp-merge -h explains)\n", stderr);
    else if (m->operand_count == 0)
        fputs("sp-merge: no spill files given (sp-merge -h explains)\n", stderr);
    else
        return 0;
    return -1;
}

static int under_launcher(void)
{
    return getenv("PMIX_RANK") || getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_RANK");
}

static int start(struct merge *m, int *argc, char ***argv, struct sp_error *err)
{
    if (!under_launcher())
        return sp_team_init(&m->team, NULL, err);
    if (PMPI_Init(argc, argv) != MPI_SUCCESS)
        return sp_fail(err, "MPI cannot be initialised");
    m->communicator = MPI_COMM_WORLD;
    return sp_team_init(&m->team, &m->communicator, err);
}

static int name_output(struct merge *m, struct sp_error *err)
{
    int target, work = snprintf(m->work, sizeof m->work, "%s.merge.part.h5", m->output);
    if (!m->force && access(m->output, F_OK) == 0)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: exists (-f replaces it)", m->output);
    /* what is replaced stays until the new file is whole */
    target = snprintf(m->target, sizeof m->target, "%s%s", m->output, m->force ? ".merge.h5" : "");
    if (target < 0 || (size_t)target >= sizeof m->target || work < 0 || (size_t)work >= sizeof m->work)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: name too long", m->output);
    if (m->force)
        unlink(m->target);
    return 0;
}

static int collect(struct merge *m, struct sp_error *err)
{
    if (m->team.rank != 0)
        return 0;
    if (name_output(m, err) < 0)
        return -1;
    for (int i = 0; i < m->operand_count; i++)
        if (sp_collect(&m->found, m->operands[i], err) < 0)
            return -1;
    m->skipped = m->found.skipped;
    return sp_collect_finish(&m->found, err);
}

/* Names of one process's files, each ended by a zero. malloc'ed; NULL without memory. */
static char *names_of(const struct sp_collection *found, size_t first, size_t count, size_t *bytes)
{
    *bytes = 0;
    for (size_t i = first; i < first + count; i++)
        *bytes += strlen(found->files[i].path) + 1;
    char *names = malloc(*bytes + 1), *at = names;
    for (size_t i = first; names && i < first + count; i++) {
        size_t length = strlen(found->files[i].path) + 1;
        memcpy(at, found->files[i].path, length);
        at += length;
    }
    return names;
}

/* Process 0 tells each its files; the own ones are returned. */
static char *deal_out(struct merge *m, size_t *own_bytes, struct sp_error *err)
{
    char *own = NULL;
    for (int process = m->team.size - 1; process >= 0; process--) {
        size_t first, count, bytes = 0;
        sp_collect_share(&m->found, process, m->team.size, &first, &count);
        char *names = names_of(&m->found, first, count, &bytes);
        uint64_t length = names ? bytes : 0;
        if (process == 0) {
            own = names;
            *own_bytes = bytes;
        } else {
            if (sp_team_send(&m->team, process, &length, sizeof length, err) == 0)
                sp_team_send(&m->team, process, names, (size_t)length, err);
            free(names);
        }
    }
    return own;
}

static char *take_own(struct merge *m, size_t *own_bytes, struct sp_error *err)
{
    uint64_t length = 0;
    if (m->team.rank == 0)
        return deal_out(m, own_bytes, err);
    if (sp_team_receive(&m->team, 0, &length, sizeof length, err) < 0)
        return NULL;
    char *names = malloc((size_t)length + 1);
    if (!names) {
        sp_team_refuse(&m->team, 0, (size_t)length);
        return NULL;
    }
    *own_bytes = (size_t)length;
    if (sp_team_receive(&m->team, 0, names, (size_t)length, err) < 0) {
        free(names);
        return NULL;
    }
    return names;
}

static struct sp_writer_source *sources_of(const char *names, size_t bytes, uint32_t *count)
{
    *count = 0;
    for (size_t i = 0; i < bytes; i++)
        *count += names[i] == 0;
    struct sp_writer_source *sources = calloc((size_t)*count + 1, sizeof *sources);
    for (uint32_t i = 0; sources && i < *count; i++) {
        sources[i].path = names;
        names += strlen(names) + 1;
    }
    return sources;
}

static int write_run(struct merge *m, struct sp_writer_result *result, struct sp_error *err)
{
    size_t bytes = 0;
    uint32_t count = 0;
    struct sp_writer_source *sources = NULL;
    char *names = take_own(m, &bytes, err);
    if (names)
        sources = sources_of(names, bytes, &count);
    int status = sp_agree(&m->team, sources ? 0 : sp_fail(err, "out of memory"), err);
    struct sp_writer_job job = {
        .communicator = m->team.communicator,
        .output_path = m->target,
        .work_path = m->work,
        .sources = sources,
        .source_count = count,
        .state = "recovered",
        .compression = getenv("SP_COMPRESSION"),
        .io = getenv("SP_IO"),
        .histograms = getenv("SP_HISTOGRAMS"),
        .mpiio_hints = getenv("SP_MPIIO_HINTS"),
        .checksum_readback = 1,
    };
    if (status == 0)
        status = sp_write(&job, result, err);
    free(sources);
    free(names);
    return status;
}

/* What is known to be lost of a rank, in words; NULL: nothing. */
static const char *loss_of(const struct sp_rank *rank, int has_process)
{
    if (rank->state < 0)
        return "no spill files found";
    if (!has_process)
        return "no file of the process found: region names and times of the run are lost";
    if (rank->state == 0)
        return "was killed: what it did after its last record is lost";
    if (rank->events_dropped > 0)
        return "reached its trace limit: later events are in the statistics only";
    return NULL;
}

static int has_process_file(const struct sp_collection *found, int32_t rank, size_t *at)
{
    while (*at < found->count && found->files[*at].rank < rank)
        ++*at;
    return *at < found->count && found->files[*at].rank == rank && found->files[*at].lane < 0;
}

static void print_loss(int32_t from, int32_t to, const char *loss)
{
    if (!loss)
        return;
    if (from == to)
        fprintf(stderr, "sp-merge: rank %d: %s\n", from, loss);
    else
        fprintf(stderr, "sp-merge: ranks %d-%d: %s\n", from, to, loss);
}

/* A line for each stretch of ranks that lost the same. */
static void print_losses(const struct merge *m, const struct sp_file *file)
{
    const struct sp_rank *ranks = sp_file_ranks(file);
    const char *current = NULL;
    int32_t from = 0, count = sp_file_info(file)->rank_count;
    size_t at = 0;
    for (int32_t rank = 0; rank < count; rank++) {
        const char *loss = loss_of(&ranks[rank], has_process_file(&m->found, rank, &at));
        if (loss != current) {
            print_loss(from, rank - 1, current);
            from = rank;
            current = loss;
        }
    }
    print_loss(from, count - 1, current);
}

/* Process 0, after the file is there. */
static int finish(const struct merge *m, struct sp_writer_result *result, struct sp_error *err)
{
    struct sp_file *file;
    if (m->force) {
        if (rename(result->path, m->output) < 0)
            return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: cannot rename to %s", result->path, m->output);
        snprintf(result->path, sizeof result->path, "%s", m->output);
        sp_sync_name(result->path);
    }
    if (m->quiet)
        return 0;
    if (sp_file_open(result->path, &file, err) < 0)
        return -1;
    print_losses(m, file);
    sp_file_close(file);
    if (m->skipped > 0)
        fprintf(stderr, "sp-merge: %zu file%s skipped; %s\n", m->skipped, m->skipped == 1 ? "" : "s", m->found.first_skipped);
    if (result->note[0])
        fprintf(stderr, "sp-merge: %s\n", result->note);
    printf("%s: %d ranks, %d lanes, %llu events\n", result->path, result->rank_count, result->lane_count,
        (unsigned long long)result->event_count);
    return 0;
}

static int run(struct merge *m, struct sp_error *err)
{
    struct sp_writer_result result;
    if (sp_agree(&m->team, collect(m, err), err) < 0)
        return -1;
    if (write_run(m, &result, err) < 0)
        return -1;
    return sp_agree(&m->team, m->team.rank == 0 ? finish(m, &result, err) : 0, err);
}

int main(int argc, char **argv)
{
    struct merge m = {0};
    struct sp_error err = {0};
    int status;
    if (parse(&m, argc, argv, &status) < 0)
        return status;
    status = start(&m, &argc, &argv, &err) < 0 || run(&m, &err) < 0 ? err.code : m.skipped > 0 ? SP_EXIT_PARTIAL : SP_EXIT_OK;
    if (err.code != 0 && m.team.rank == 0)
        fprintf(stderr, "sp-merge: %s\n", err.text);
    sp_collect_free(&m.found);
    if (m.team.communicator)
        PMPI_Finalize();
    return status;
}
