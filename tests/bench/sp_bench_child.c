/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "sp_bench_child.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLOOR_ROW "floor"

struct call {
    char program[PATH_MAX], library[PATH_MAX], mpi_library[PATH_MAX + 32];
    const char *memory, *disk, *launcher;
    int64_t events;
    int is_json, is_short;
};

struct sp_bench_row *sp_bench_measure(
    struct sp_bench *bench, const char *name, void (*block)(void *data, int count), void *data, int count, int blocks)
{
    struct sp_bench_subject subjects[] = {sp_bench_floor(), {block, data}};
    struct sp_bench_figures figures[2];
    if (sp_bench_run(subjects, 2, count, blocks, sp_bench_wall_ns, figures) < 0)
        return NULL;
    if (bench->floor_ns == 0)
        bench->floor_ns = figures[0].median;
    return sp_bench_add(bench, name, "ns", figures[1], figures[1].median / figures[0].median);
}

static const char *wanted_text;
static int64_t found_bytes;

static int add_bytes(const char *path, const struct stat *file, int type, struct FTW *where)
{
    (void)where;
    if (type == FTW_F && strstr(path, wanted_text))
        found_bytes += file->st_size;
    return 0;
}

int64_t sp_bench_bytes_below(const char *directory, const char *text)
{
    wanted_text = text;
    found_bytes = 0;
    nftw(directory, add_bytes, 16, FTW_PHYS);
    return found_bytes;
}

struct sp_bench_memory sp_bench_memory_now(void)
{
    struct sp_bench_memory memory = {0};
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        double kib = 0;
        if (sscanf(line, "RssAnon: %lf", &kib) == 1)
            memory.anonymous = kib / 1024;
        else if (sscanf(line, "RssFile: %lf", &kib) == 1)
            memory.file = kib / 1024;
        else if (sscanf(line, "RssShmem: %lf", &kib) == 1)
            memory.shared = kib / 1024;
    }
    if (status)
        fclose(status);
    return memory;
}

static int child(const struct sp_bench_program *program, const char *state)
{
    struct sp_bench bench = {.name = program->name};
    const char *events = getenv("SP_BENCH_EVENTS"), *directory = getenv("SP_BENCH_DIRECTORY");
    struct sp_bench_options options = {.state = state,
        .directory = directory ? directory : ".",
        .events = events ? strtoll(events, NULL, 10) : 0,
        .is_short = getenv("SP_BENCH_SHORT") != NULL};
    program->measure(&bench, &options);
    if (bench.floor_ns > 0)
        sp_bench_add_value(&bench, FLOOR_ROW, bench.floor_ns, "ns");
    sp_bench_send(&bench);
    return 0;
}

static int read_rows(struct sp_bench *bench, const char *command, double *floor_ns)
{
    char line[512];
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return -1;
    while (fgets(line, sizeof line, pipe))
        sp_bench_receive(bench, line);
    if (bench->row_count > 0 && strcmp(bench->rows[bench->row_count - 1].name, FLOOR_ROW) == 0)
        *floor_ns = bench->rows[--bench->row_count].value.median;
    return pclose(pipe);
}

/* What comes before the program: the launcher where there is one, and the library to be loaded, which is not for the launcher. */
static int begin_command(char *text, size_t room, const struct call *call, const struct sp_bench_state *state)
{
    char launcher[PATH_MAX] = "";
    const char *library = state->processes > 0 ? call->mpi_library : call->library;
    if (state->processes > 0)
        snprintf(launcher, sizeof launcher, "timeout -k 5 600 %s -n %d ", call->launcher, state->processes);
    int n = snprintf(text, room, "%senv %s %s%s%s", launcher, state->environment ? state->environment : "",
        state->environment ? "LD_PRELOAD='" : "", state->environment ? library : "", state->environment ? "'" : "");
    return n > 0 && (size_t)n < room ? 0 : -1;
}

/* Starts this program again in a state, in a directory of its own, and adds the rows it sends. */
static int measure(struct sp_bench *bench, const struct call *call, const struct sp_bench_state *state, double *floor_ns)
{
    char command[6 * PATH_MAX], start[3 * PATH_MAX], directory[PATH_MAX];
    if (begin_command(start, sizeof start, call, state) < 0)
        return -1;
    snprintf(directory, sizeof directory, "%s/sp-bench-XXXXXX", state->place == SP_BENCH_MEMORY ? call->memory : call->disk);
    if (!mkdtemp(directory)) {
        perror(directory);
        return -1;
    }
    int n = snprintf(command, sizeof command,
        "cd '%s' && SP_BENCH_STATE='%s' SP_BENCH_EVENTS=%lld SP_BENCH_DIRECTORY='%s' SP_SPILL_DIR='%s' %s SP_TRACE_LIMIT=0 %s '%s' "
        "2>errors",
        directory, state->name, (long long)call->events, directory, directory, call->is_short ? "SP_BENCH_SHORT=1" : "", start,
        call->program);
    int status = n > 0 && (size_t)n < sizeof command ? read_rows(bench, command, floor_ns) : -1;
    if (status != 0)
        fprintf(stderr, "%s: state %s ended with status %d\n", bench->name, state->name, status);
    snprintf(command, sizeof command, "%s rm -rf '%s'", status ? "cat errors >&2;" : "", directory);
    return chdir(directory) == 0 && system(command) == 0 && chdir("/") == 0 ? status : -1;
}

static int read_call(struct call *call, int argc, char **argv)
{
    const char *tmp = getenv("TMPDIR");
    call->memory = "/dev/shm";
    call->disk = tmp && *tmp ? tmp : "/tmp";
    call->launcher = "mpirun";
    if (argc < 2 || !realpath(argv[0], call->program) || !realpath(argv[1], call->library))
        return -1;
    const char *slash = strrchr(call->library, '/');
    snprintf(call->mpi_library, sizeof call->mpi_library, "%.*slibsp_pmpi.so", (int)(slash + 1 - call->library), call->library);
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            call->is_json = 1;
        else if (strcmp(argv[i], "--short") == 0)
            call->is_short = 1;
        else if (strcmp(argv[i], "--events") == 0 && i + 1 < argc && (call->events = strtoll(argv[i + 1], NULL, 10)) > 0)
            i++;
        else if (strcmp(argv[i], "--memory") == 0 && i + 1 < argc)
            call->memory = argv[++i];
        else if (strcmp(argv[i], "--disk") == 0 && i + 1 < argc)
            call->disk = argv[++i];
        else if (strcmp(argv[i], "--mpirun") == 0 && i + 1 < argc)
            call->launcher = argv[++i];
        else
            return -1;
    }
    return 0;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int sp_bench_main(const struct sp_bench_program *program, int argc, char **argv)
{
    static struct sp_bench bench;
    static struct call call;
    double floors[16] = {0};
    const char *state = getenv("SP_BENCH_STATE");
    if (state)
        return child(program, state);
    call.events = program->events;
    if (read_call(&call, argc, argv) < 0) {
        fprintf(stderr, "usage: %s LIBSP [--json] [--short] [--events N] [--memory DIR] [--disk DIR] [--mpirun LAUNCHER]\n", argv[0]);
        return 2;
    }
    bench.name = program->name;
    int status = 0;
    size_t known = 0;
    size_t states = call.is_short && program->short_state_count > 0 ? program->short_state_count : program->state_count;
    size_t turns = call.is_short || program->turns == 0 ? 1 : program->turns;
    for (size_t i = 0; i < states * turns; i++) {
        status |= measure(&bench, &call, &program->states[i % states], &floors[known]);
        known += known + 1 < sizeof floors / sizeof floors[0] && floors[known] > 0;
    }
    qsort(floors, known, sizeof floors[0], compare);
    bench.floor_ns = floors[known / 2];
    if (program->conclude)
        program->conclude(&bench);
    sp_bench_print_table(&bench);
    if (call.is_json)
        sp_bench_print_json(&bench);
    return status ? 1 : 0;
}
