/* SPDX-License-Identifier: BSD-3-Clause */
/* What the writer's processes agree on and unite, on any number of them. */
#include "sp_reduce.h"
#include "sp_unify.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, failures;

#define CHECK(condition)                                                                                                                   \
    do {                                                                                                                                   \
        if (!(condition)) {                                                                                                                \
            fprintf(stderr, "process %d of %d: line %d: %s\n", rank, size, __LINE__, #condition);                                          \
            failures++;                                                                                                                    \
        }                                                                                                                                  \
    } while (0)

static void nobody_fails_and_nobody_hears_of_it(const struct sp_team *team)
{
    struct sp_error err = {0};
    CHECK(sp_agree(team, 0, &err) == 0);
    CHECK(err.code == 0 && err.text[0] == 0);
}

/* The processes of a set (bits) fail, with a code each; all get the text of the worst, of the lowest such process. */
static void check_agreement(const struct sp_team *team, unsigned failing, const int codes[4], int worst)
{
    struct sp_error err = {0};
    char text[100];
    int status = failing >> rank & 1 ? sp_fail_as(&err, (enum sp_exit)codes[rank], "trouble %d", rank) : 0;
    int agreed = sp_agree(team, status, &err);
    CHECK(agreed == (worst < 0 ? 0 : -1));
    if (worst < 0)
        return;
    if (size > 1)
        snprintf(text, sizeof text, "trouble %d (process %d of %d)", worst, worst, size);
    else
        snprintf(text, sizeof text, "trouble 0");
    CHECK(strcmp(err.text, text) == 0);
    CHECK(err.code == codes[worst]);
}

static void the_worst_error_goes_to_all(const struct sp_team *team)
{
    static const int codes[4] = {SP_EXIT_CORRUPT, SP_EXIT_OUTPUT, SP_EXIT_OUTPUT, SP_EXIT_INPUT};
    for (unsigned failing = 0; failing < 1u << size; failing++) {
        int worst = -1;
        for (int p = 0; p < size; p++)
            if (failing >> p & 1 && (worst < 0 || codes[p] > codes[worst]))
                worst = p;
        check_agreement(team, failing, codes, worst);
    }
}

/* Process p brings p + 1 and 10 p. */
static void sums_and_maxima_are_of_all_and_before_of_the_lower_ones(const struct sp_team *team)
{
    struct sp_error err;
    uint64_t sum[] = {(uint64_t)rank + 1, (uint64_t)rank * 10}, before[] = {(uint64_t)rank + 1, (uint64_t)rank * 10};
    int64_t most[] = {-rank, rank};
    uint64_t n = (uint64_t)size, r = (uint64_t)rank;
    CHECK(sp_team_sum(team, sum, 2, &err) == 0);
    CHECK(sum[0] == n * (n + 1) / 2 && sum[1] == 10 * (n * (n - 1) / 2));
    CHECK(sp_team_before(team, before, 2, &err) == 0);
    CHECK(before[0] == r * (r + 1) / 2 && before[1] == (r == 0 ? 0 : 10 * (r * (r - 1) / 2)));
    CHECK(sp_team_max(team, most, 2, &err) == 0);
    CHECK(most[0] == 0 && most[1] == size - 1);
}

/* Process p has 3 p bytes, process 0 none. */
static void bytes_are_gathered_in_order_and_broadcast(const struct sp_team *team)
{
    struct sp_error err;
    char mine[64], *all;
    void *gathered;
    size_t bytes;
    for (int i = 0; i < 3 * rank; i++)
        mine[i] = (char)('a' + rank);
    CHECK(sp_team_gather(team, mine, (size_t)(3 * rank), &gathered, &bytes, &err) == 0);
    all = gathered;
    if (rank == 0) {
        CHECK(bytes == (size_t)(3 * size * (size - 1) / 2));
        for (size_t i = 0, p = 1, left = 3; i < bytes; i++, left--) {
            if (left == 0)
                left = 3 * ++p;
            CHECK(all[i] == (char)('a' + p));
        }
    } else {
        CHECK(all == NULL);
    }
    free(gathered);
    memset(mine, rank == 0 ? 7 : 0, sizeof mine);
    CHECK(sp_team_broadcast(team, mine, sizeof mine, &err) == 0);
    CHECK(mine[0] == 7 && mine[63] == 7);
    CHECK(sp_team_broadcast(team, mine, 0, &err) == 0);
}

static void what_is_refused_does_not_block_its_sender(const struct sp_team *team)
{
    struct sp_error err;
    size_t bytes = 1 << 20; /* more than is sent without being asked for */
    char *data = calloc(bytes, 1);
    CHECK(data != NULL);
    if (rank == 1)
        CHECK(sp_team_send(team, 0, data, bytes, &err) == 0);
    if (rank == 0 && size > 1)
        sp_team_refuse(team, 1, bytes);
    free(data);
    CHECK(sp_agree(team, 0, &err) == 0);
}

/* What process p of a run names; some has nothing. */
static void add_names(struct sp_dictionary *d, int p)
{
    char name[40];
    if (p == 2)
        return;
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "region %d", p * i % 4);
        struct sp_dictionary_region region = {
            .name = name, .file = "f.c", .tags = "", .name_bytes = (uint32_t)strlen(name), .file_bytes = 3, .line = p, .kind = i % 2};
        int32_t row = sp_dictionary_add_region(d, &region), path = sp_dictionary_add_callpath(d, -1, row);
        sp_dictionary_add_callpath(d, path, row);
    }
    snprintf(name, sizeof name, "host %d", p / 2);
    sp_dictionary_add_host(d, name, "boot");
    struct sp_dictionary_communicator world = {.identity = 5, .size = 4, .name = "w", .name_bytes = p == 1};
    sp_dictionary_add_communicator(d, &world);
}

static int same_tables(struct sp_dictionary *a, struct sp_dictionary *b)
{
    struct sp_dictionary_tables x, y;
    if (sp_dictionary_tables(a, &x) < 0 || sp_dictionary_tables(b, &y) < 0)
        return 0;
    return x.region_count == y.region_count && x.callpath_count == y.callpath_count && x.host_count == y.host_count &&
        x.communicator_count == y.communicator_count && x.string_bytes == y.string_bytes &&
        memcmp(x.regions, y.regions, x.region_count * sizeof *x.regions) == 0 &&
        memcmp(x.callpaths, y.callpaths, x.callpath_count * sizeof *x.callpaths) == 0 &&
        memcmp(x.hosts, y.hosts, x.host_count * sizeof *x.hosts) == 0 &&
        memcmp(x.communicators, y.communicators, x.communicator_count * sizeof *x.communicators) == 0 &&
        memcmp(x.strings, y.strings, x.string_bytes) == 0;
}

static void the_union_is_that_of_one_process_after_another(const struct sp_team *team)
{
    struct sp_dictionary *mine = sp_dictionary_create(), *all = sp_dictionary_create(), *united;
    struct sp_dictionary_map map;
    struct sp_dictionary_tables before, after;
    struct sp_error err;
    add_names(mine, rank);
    for (int p = 0; p < size; p++)
        add_names(all, p);
    CHECK(sp_unify(team, mine, &united, &map, &err) == 0);
    CHECK(same_tables(united, all));
    CHECK(sp_dictionary_tables(mine, &before) == 0 && sp_dictionary_tables(united, &after) == 0);
    for (size_t i = 0; i < before.region_count; i++) {
        const struct sp_region_row *here = &before.regions[i], *there = &after.regions[map.regions[i]];
        CHECK(here->name_bytes == there->name_bytes &&
            memcmp(before.strings + here->name_offset, after.strings + there->name_offset, here->name_bytes) == 0);
    }
    sp_dictionary_map_free(&map);
    sp_dictionary_destroy(mine);
    sp_dictionary_destroy(all);
    sp_dictionary_destroy(united);
}

struct tally {
    int key, sum;
};

static int by_key(const void *a, const void *b)
{
    return ((const struct tally *)a)->key - ((const struct tally *)b)->key;
}

static void add_tally(void *into, const void *row)
{
    ((struct tally *)into)->sum += ((const struct tally *)row)->sum;
}

static const struct sp_reduction tallies = {"tallies", sizeof(struct tally), by_key, add_tally};

static void equal_keys_of_one_process_become_one(void)
{
    struct tally rows[] = {{3, 1}, {1, 2}, {3, 4}, {2, 8}, {1, 16}}, wanted[] = {{1, 18}, {2, 8}, {3, 5}};
    CHECK(sp_reduce_own(&tallies, rows, 5) == 3);
    CHECK(memcmp(rows, wanted, sizeof wanted) == 0);
    CHECK(sp_reduce_own(&tallies, rows, 0) == 0);
}

/* Process p brings p rows: keys 2, 4, ... 2 p, each with 1; so of P processes P - k have key 2 k; process 0 has key 1 too. */
static void tables_of_all_are_united_by_key(const struct sp_team *team)
{
    struct sp_error err;
    size_t count = 0;
    struct tally *rows = malloc(((size_t)rank + 2) * sizeof *rows);
    CHECK(rows != NULL);
    if (rank == 0)
        rows[count++] = (struct tally){1, 7};
    for (int k = 1; k <= rank; k++)
        rows[count++] = (struct tally){2 * k, 1};
    void *table = rows;
    CHECK(sp_reduce(team, &tallies, &table, &count, &err) == 0);
    rows = table;
    CHECK(rank == 0 ? count == (size_t)size : rows == NULL && count == 0);
    for (int k = 1; rank == 0 && k < size; k++)
        CHECK(rows[k].key == 2 * k && rows[k].sum == size - k);
    CHECK(rank != 0 || (rows[0].key == 1 && rows[0].sum == 7));
    free(rows);
}

static void run_all(const struct sp_team *team)
{
    nobody_fails_and_nobody_hears_of_it(team);
    the_worst_error_goes_to_all(team);
    sums_and_maxima_are_of_all_and_before_of_the_lower_ones(team);
    bytes_are_gathered_in_order_and_broadcast(team);
    what_is_refused_does_not_block_its_sender(team);
    the_union_is_that_of_one_process_after_another(team);
    equal_keys_of_one_process_become_one();
    tables_of_all_are_united_by_key(team);
}

int main(int argc, char **argv)
{
    MPI_Comm world = MPI_COMM_WORLD;
    struct sp_team team;
    struct sp_error err;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    CHECK(sp_team_init(&team, &world, &err) == 0);
    run_all(&team);
    int all_failures = 0, mine = failures;
    MPI_Allreduce(&mine, &all_failures, 1, MPI_INT, MPI_SUM, world);
    if (size == 1) { /* and without MPI */
        CHECK(sp_team_init(&team, NULL, &err) == 0);
        run_all(&team);
        all_failures = failures;
    }
    MPI_Finalize();
    return all_failures != 0;
}
