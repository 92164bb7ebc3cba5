/* SPDX-License-Identifier: BSD-3-Clause */
/* check_traffic RUN.h5: compares a run of traffic.c (or its Fortran siblings) with what its calls must leave, worked out by hand:
 * per rank and function the calls and the bytes sent and received, P ranks, int 4 bytes, double 8. */
#include "scope_profiler_file.h"
#include "sp_error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expected {
    const char *function;
    uint64_t calls;
    int64_t sent, received;
};

/* Sum of 1..n. */
static int64_t triangle(int64_t n)
{
    return n * (n + 1) / 2;
}

static int expect(struct expected *rows, int64_t r, int64_t P)
{
    const int64_t first = r == 0, last = r == P - 1;
    const struct expected table[] = {
        {"MPI_Init", 1, 0, 0},
        {"MPI_Finalize", 1, 0, 0},
        {"MPI_Irecv", 5 + 3, 0, 0}, /* bytes come with the completion */
        {"MPI_Send", 5, 5 * 10 * 8, 0},
        {"MPI_Wait", 5 + 2, 0, 5 * 10 * 8}, /* what arrived, not the 20 posted */
        {"MPI_Isend", 3, 3 * 4 * 4, 0},
        {"MPI_Waitall", 3 + 3, 0, 3 * 4 * 4 + 3 * 5 * 4},
        {"MPI_Sendrecv", 2, 2 * 2 * 4, 2 * 2 * 4},
        {"MPI_Ssend", 1, 0, 0}, /* to MPI_PROC_NULL */
        {"MPI_Recv", 1, 0, 0},
        {"MPI_Recv_init", 1, 0, 0},
        {"MPI_Send_init", 1, 0, 0},
        {"MPI_Startall", 3, 3 * 5 * 4, 0},
        {"MPI_Request_free", 2, 0, 0},
        {"MPI_Barrier", 3, 0, 0},
        {"MPI_Bcast", 1, first ? 7 * 4 : 0, first ? 0 : 7 * 4},
        {"MPI_Allreduce", 5, 5 * 3 * 8, 5 * 3 * 8},
        {"MPI_Reduce", 1, 2 * 8, first ? 2 * 8 : 0},
        {"MPI_Gather", 1, 4, last ? 4 * P : 0},
        {"MPI_Scatter", 1, first ? 4 * P : 0, 4},
        {"MPI_Allgather", 2, 2 * 8, 2 * 8 * P},
        {"MPI_Alltoall", 1, 4 * P, 4 * P},
        {"MPI_Allgatherv", 1, 4 * (r + 1), 4 * triangle(P)},
        {"MPI_Comm_split", 2, 0, 0},
        {"MPI_Iallreduce", 2, 2 * 4, 2 * 4},
        {"MPI_Comm_free", 2, 0, 0},
    };
    memcpy(rows, table, sizeof table);
    return (int)(sizeof table / sizeof table[0]);
}

/* Adds up a rank's rows of each function into found, in the order of expected; the number of MPI functions that nobody expected. */
static int add_up(struct sp_file *file, int32_t rank, const struct expected *wanted, int count, struct expected *found)
{
    const struct sp_file_info *info = sp_file_info(file);
    struct sp_statistic *rows = calloc(info->statistic_count + 1, sizeof *rows);
    struct sp_error err = {0};
    int unexpected = 0;
    if (!rows || sp_file_read_statistics(file, 0, info->statistic_count, rows, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    for (uint64_t i = 0; i < info->statistic_count; i++) {
        int32_t region = sp_file_callpaths(file)[rows[i].callpath].region;
        const char *name = sp_file_region_name(file, region, NULL);
        int k = 0;
        if (sp_file_lanes(file)[rows[i].lane].rank != rank || sp_file_regions(file)[region].kind == 4 /* a call site */)
            continue;
        while (k < count && strcmp(name, wanted[k].function) != 0)
            k++;
        if (k == count) {
            fprintf(stderr, "rank %d: %s was not called by the program\n", rank, name);
            unexpected++;
            continue;
        }
        found[k].calls += rows[i].calls;
        found[k].sent += rows[i].bytes_sent;
        found[k].received += rows[i].bytes_received;
    }
    free(rows);
    return unexpected;
}

static int check_rank(struct sp_file *file, int32_t rank, int32_t rank_count)
{
    struct expected wanted[64], found[64] = {{0}};
    int count = expect(wanted, rank, rank_count);
    int wrong = add_up(file, rank, wanted, count, found);
    for (int k = 0; k < count; k++) {
        if (found[k].calls == wanted[k].calls && found[k].sent == wanted[k].sent && found[k].received == wanted[k].received)
            continue;
        wrong++;
        fprintf(stderr,
            "rank %d: %s: %" PRIu64 " calls, %" PRId64 " bytes sent, %" PRId64 " received; expected %" PRIu64 ", %" PRId64 ", %" PRId64
            "\n",
            rank, wanted[k].function, found[k].calls, found[k].sent, found[k].received, wanted[k].calls, wanted[k].sent,
            wanted[k].received);
    }
    return wrong;
}

/* World, the two halves twice, each with its members: {even}, {odd} where there are two ranks. */
static int check_communicators(const struct sp_file *file, int32_t rank_count)
{
    const struct sp_file_info *info = sp_file_info(file);
    int wanted = 1 + 2 * (rank_count > 1 ? 2 : 1);
    if (info->communicator_count == wanted)
        return 0;
    fprintf(stderr, "%d communicators, expected %d\n", info->communicator_count, wanted);
    return 1;
}

/* Each rank sends 13 messages to the next: 5 of 10 doubles, 3 of 4 ints, 2 of 2, 3 of 5; it counts them, and so does the next. */
static int check_traffic(struct sp_file *file, int32_t rank_count)
{
    struct sp_error err = {0};
    const struct sp_traffic_row *rows = sp_file_traffic(file, &err);
    uint64_t count = sp_file_info(file)->traffic_count;
    int wrong = !rows || count != 2 * (uint64_t)rank_count;
    if (wrong)
        fprintf(stderr, "%d rows of traffic, expected %d %s\n", (int)count, 2 * rank_count, err.text);
    for (uint64_t i = 0; !wrong && i < count; i++) {
        const struct sp_traffic_row *row = &rows[i];
        int32_t source = (int32_t)i / 2, destination = (source + 1) % rank_count, operation = (int32_t)i % 2 + 1;
        if (row->source == source && row->destination == destination && row->operation == operation && row->messages == 13 &&
            row->bytes == 5 * 80 + 3 * 16 + 2 * 8 + 3 * 20 && row->time_ns >= 0)
            continue;
        wrong = 1;
        fprintf(stderr, "traffic %d -> %d, operation %d: %" PRIu64 " messages, %" PRId64 " bytes\n", row->source, row->destination,
            row->operation, row->messages, row->bytes);
    }
    return wrong;
}

struct expected_size {
    const char *function;
    int direction, bin;
    uint64_t messages;
    int64_t bytes;
};

static int check_size(
    const struct sp_file *file, const struct sp_message_size *rows, const struct expected_size *wanted, int32_t rank_count)
{
    uint64_t P = (uint64_t)rank_count;
    for (uint64_t i = 0; i < sp_file_info(file)->message_size_count; i++)
        if (rows[i].direction == wanted->direction && rows[i].bin == wanted->bin &&
            strcmp(sp_file_region_name(file, rows[i].region, NULL), wanted->function) == 0 && rows[i].messages == wanted->messages * P &&
            rows[i].bytes == wanted->bytes * rank_count)
            return 0;
    fprintf(stderr, "%s, direction %d, bin %d: not as often as expected\n", wanted->function, wanted->direction, wanted->bin);
    return 1;
}

/* Per rank: bin 4 is 8 to 15 bytes, 5 is 16 to 31, 7 is 64 to 127. */
static int check_sizes(struct sp_file *file, int32_t rank_count)
{
    static const struct expected_size wanted[] = {
        {"MPI_Send", 1, 7, 5, 5 * 80},
        {"MPI_Wait", -1, 7, 5, 5 * 80},
        {"MPI_Isend", 1, 5, 3, 3 * 16},
        {"MPI_Waitall", -1, 5, 6, 3 * 16 + 3 * 20},
        {"MPI_Startall", 1, 5, 3, 3 * 20},
        {"MPI_Sendrecv", 1, 4, 2, 2 * 8},
        {"MPI_Sendrecv", -1, 4, 2, 2 * 8},
        {"MPI_Allreduce", 1, 5, 5, 5 * 24},
        {"MPI_Allreduce", -1, 5, 5, 5 * 24},
    };
    struct sp_error err = {0};
    const struct sp_message_size *rows = sp_file_message_sizes(file, &err);
    int wrong = rows == NULL;
    for (size_t i = 0; rows && i < sizeof wanted / sizeof wanted[0]; i++)
        wrong += check_size(file, rows, &wanted[i], rank_count);
    return wrong;
}

int main(int argc, char **argv)
{
    struct sp_file *file = NULL;
    struct sp_error err = {0};
    int wrong = 0;
    if (argc != 2 || sp_file_open(argv[1], &file, &err) < 0) {
        fprintf(stderr, "check_traffic: %s\n", argc != 2 ? "usage: check_traffic RUN.h5" : err.text);
        return 2;
    }
    int32_t rank_count = sp_file_info(file)->rank_count;
    for (int32_t rank = 0; rank < rank_count; rank++)
        wrong += check_rank(file, rank, rank_count);
    wrong += check_communicators(file, rank_count);
    wrong += check_traffic(file, rank_count);
    wrong += check_sizes(file, rank_count);
    sp_file_close(file);
    printf("%d ranks, %d difference(s)\n", rank_count, wrong);
    return wrong ? 1 : 0;
}
