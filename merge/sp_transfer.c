/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_transfer.h"
#include "sp_columns.h"
#include "sp_crc.h"
#include "sp_hdf5.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SP_PIECE_BYTES                       /* tests have smaller ones */
#define SP_PIECE_BYTES ((uint64_t)160 << 20) /* of all columns of a piece: 64 MiB for the 8-byte columns of /events */
#endif

struct transfer {
    const struct sp_team *team;
    const struct sp_transfer_options *options;
    enum sp_io io;
    hid_t file;       /* negative on processes that do not write */
    hid_t properties; /* of writes */

    struct sp_column_sum *sums;

    /* the group at hand */
    struct sp_rows *rows;
    struct sp_columns columns;
    uint64_t most; /* rows of a piece at most: whole chunks */
};

/* key=value,key=value */
static int set_hints(MPI_Info info, const char *text)
{
    char copy[sizeof((struct sp_transfer_options *)0)->hints], *rest = copy, *pair;
    snprintf(copy, sizeof copy, "%s", text);
    while ((pair = strtok_r(rest, ",", &rest))) {
        char *value = strchr(pair, '=');
        if (!value)
            return -1;
        *value++ = 0;
        if (PMPI_Info_set(info, pair, value) != MPI_SUCCESS)
            return -1;
    }
    return 0;
}

static hid_t collective_access(const struct transfer *t)
{
    MPI_Info info = MPI_INFO_NULL;
    hid_t access = sp_hdf5_access();
    herr_t status = -1;
    if (access < 0)
        return -1;
    if (PMPI_Info_create(&info) == MPI_SUCCESS && set_hints(info, t->options->hints) == 0)
        status = H5Pset_fapl_mpio(access, *(const MPI_Comm *)t->team->communicator, info);
    if (info != MPI_INFO_NULL)
        PMPI_Info_free(&info);
    if (status < 0) {
        H5Pclose(access);
        return -1;
    }
    return access;
}

/* The file, seen by everybody, must be the one that process 0 made: a directory local to each node holds another or none. */
static int check_visible(const struct transfer *t, struct sp_error *err)
{
    unsigned char mine[4096], theirs[4096];
    size_t bytes = 0;
    FILE *file = fopen(t->options->path, "r+b");
    if (file) {
        bytes = fread(mine, 1, sizeof mine, file);
        fclose(file);
    }
    memset(mine + bytes, 0, sizeof mine - bytes);
    memcpy(theirs, mine, sizeof theirs);
    if (sp_team_broadcast(t->team, theirs, sizeof theirs, err) < 0)
        return -1;
    if (!file)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: cannot be opened here: the directory must be one that all nodes see", t->options->path);
    if (memcmp(mine, theirs, sizeof mine) != 0)
        return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: is another file here: the directory must be one that all nodes see", t->options->path);
    return 0;
}

static int open_collective(struct transfer *t, struct sp_error *err)
{
    hid_t access = collective_access(t);
    t->properties = H5Pcreate(H5P_DATASET_XFER);
    int status = access < 0 || t->properties < 0 || H5Pset_dxpl_mpio(t->properties, H5FD_MPIO_COLLECTIVE) < 0
        ? sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot prepare MPI-IO (hints \"%s\")", t->options->path, t->options->hints)
        : 0;
    status = sp_agree(t->team, status, err);
    if (status == 0) {
        t->file = H5Fopen(t->options->path, H5F_ACC_RDWR, access);
        status = sp_agree(t->team, t->file < 0 ? sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot open", t->options->path) : 0, err);
        /* opened by some only: closing is collective, so they keep it */
        if (status < 0)
            t->file = -1;
    }
    if (access >= 0)
        H5Pclose(access);
    return status;
}

static int open_alone(struct transfer *t, struct sp_error *err)
{
    int status = 0;
    if (t->team->rank == 0) {
        t->properties = H5Pcreate(H5P_DATASET_XFER);
        t->file = sp_hdf5_open(t->options->path, H5F_ACC_RDWR);
        if (t->file < 0 || t->properties < 0)
            status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot open", t->options->path);
    }
    return sp_agree(t->team, status, err);
}

static int open_file(struct transfer *t, struct sp_error *err)
{
    struct sp_error unseen = {0};
    t->io = t->options->io;
    if (t->io == SP_IO_COLLECTIVE && sp_agree(t->team, check_visible(t, &unseen), &unseen) < 0) {
        if (!t->options->io_may_change) {
            *err = unseen;
            return -1;
        }
        t->io = SP_IO_GATHER;
    }
    return t->io == SP_IO_COLLECTIVE ? open_collective(t, err) : open_alone(t, err);
}

/* Events and messages are checked by their blocks, so only /statistics needs sums. */
static void add_sums(struct transfer *t, void *const *values, size_t count)
{
    const struct sp_table *kind = t->columns.kind;
    if (kind != &sp_columns_statistics)
        return;
    for (size_t c = 0; c < kind->field_count; c++) {
        size_t bytes = count * kind->fields[c].bytes;
        t->sums[c].crc = sp_crc(t->sums[c].crc, values[c], bytes);
        t->sums[c].bytes += bytes;
    }
}

/* Rows of the next piece: all that are left, or up to a chunk's border, so that no chunk is compressed twice. */
static uint64_t piece_rows(const struct transfer *t, uint64_t row, uint64_t left)
{
    return left <= t->most ? left : t->most - row % SP_CHUNK_ROWS;
}

static int64_t count_pieces(const struct transfer *t)
{
    int64_t pieces = 0;
    uint64_t row = sp_rows_first(t->rows), left = sp_rows_count(t->rows), more;
    for (; left > 0; left -= more, row += more, pieces++)
        more = piece_rows(t, row, left);
    return pieces;
}

/* Everybody writes at once, the same number of times. */
static int write_collective(struct transfer *t, struct sp_error *err)
{
    int64_t rounds = count_pieces(t);
    uint64_t row = sp_rows_first(t->rows), left = sp_rows_count(t->rows);
    int status = sp_columns_allocate(&t->columns, (size_t)(left < t->most ? left : t->most), err);
    int opened = sp_columns_open(&t->columns, t->file, status == 0 ? err : NULL);
    if (sp_agree(t->team, status < 0 ? status : opened, err) < 0)
        return -1;
    if (sp_agree(t->team, sp_team_max(t->team, &rounds, 1, err), err) < 0)
        return -1;
    for (int64_t round = 0; round < rounds; round++) {
        size_t count = 0;
        status = sp_rows_next(t->rows, (size_t)piece_rows(t, row, left), t->columns.values, &count, err);
        if (sp_agree(t->team, status, err) < 0)
            return -1;
        add_sums(t, t->columns.values, count);
        if (sp_agree(t->team, sp_columns_write(&t->columns, row, count, sp_rows_crcs(t->rows), err), err) < 0)
            return -1;
        row += count;
        left -= count;
    }
    return 0;
}

/* Rows up to the next multiple of most: what is written at once through process 0 does not depend on who made it. */
static uint64_t window_rows(const struct transfer *t, uint64_t row, uint64_t left)
{
    uint64_t rest = t->most - row % t->most;
    return left < rest ? left : rest;
}

#define NO_MORE UINT64_MAX

static int send_rows(struct transfer *t, struct sp_error *err)
{
    const struct sp_table *kind = t->columns.kind;
    uint64_t row = sp_rows_first(t->rows), left = sp_rows_count(t->rows), end = NO_MORE;
    int status = 0;
    while (status == 0 && left > 0) {
        size_t count = 0;
        status = sp_rows_next(t->rows, (size_t)window_rows(t, row, left), t->columns.values, &count, err);
        if (status < 0)
            break;
        add_sums(t, t->columns.values, count);
        uint64_t length = count;
        status = sp_team_send(t->team, 0, &length, sizeof length, err);
        for (size_t c = 0; status == 0 && c < kind->field_count; c++)
            status = sp_team_send(t->team, 0, t->columns.values[c], count * kind->fields[c].bytes, err);
        row += count;
        left -= count;
    }
    int told = sp_team_send(t->team, 0, &end, sizeof end, status == 0 ? err : NULL);
    return status < 0 ? status : told;
}

/* Process 0: rows have come in up to row; a full window, or the last one, is written. */
static int write_window(struct transfer *t, uint64_t row, uint64_t total, struct sp_error *err)
{
    if (row == 0 || (row % t->most != 0 && row != total))
        return 0;
    uint64_t first = (row - 1) / t->most * t->most;
    return sp_columns_write(&t->columns, first, (size_t)(row - first), NULL, err);
}

static int take_own_rows(struct transfer *t, uint64_t *row, uint64_t total, struct sp_error *err)
{
    uint64_t left = sp_rows_count(t->rows);
    while (left > 0) {
        void *at[SP_COLUMNS_MAX];
        size_t count = 0;
        sp_columns_at(&t->columns, (size_t)(*row % t->most), at);
        if (sp_rows_next(t->rows, (size_t)window_rows(t, *row, left), at, &count, err) < 0)
            return -1;
        add_sums(t, at, count);
        *row += count;
        left -= count;
        if (write_window(t, *row, total, err) < 0)
            return -1;
    }
    return 0;
}

/* The columns of so many rows from another process, to row on. */
static int receive_rows(struct transfer *t, int from, uint64_t row, size_t count, struct sp_error *err)
{
    void *at[SP_COLUMNS_MAX];
    sp_columns_at(&t->columns, (size_t)(row % t->most), at);
    for (size_t c = 0; c < t->columns.kind->field_count; c++)
        if (sp_team_receive(t->team, from, at[c], count * t->columns.kind->fields[c].bytes, err) < 0)
            return -1;
    return 0;
}

static void refuse_rows(struct transfer *t, int from, size_t count)
{
    for (size_t c = 0; c < t->columns.kind->field_count; c++)
        sp_team_refuse(t->team, from, count * t->columns.kind->fields[c].bytes);
}

/* From another process; after a failure its rows are taken all the same, and dropped. */
static int take_rows(struct transfer *t, int from, uint64_t *row, uint64_t total, int status, struct sp_error *err)
{
    for (;;) {
        uint64_t count = 0;
        if (sp_team_receive(t->team, from, &count, sizeof count, status == 0 ? err : NULL) < 0)
            return -1;
        if (count == NO_MORE)
            return status;
        if (status < 0) {
            refuse_rows(t, from, (size_t)count);
            continue;
        }
        status = receive_rows(t, from, *row, (size_t)count, err);
        *row += count;
        if (status == 0)
            status = write_window(t, *row, total, err);
    }
}

static int take_all_rows(struct transfer *t, uint64_t total, struct sp_error *err)
{
    uint64_t row = 0;
    int status = take_own_rows(t, &row, total, err);
    for (int from = 1; from < t->team->size; from++)
        status = take_rows(t, from, &row, total, status, err);
    return status;
}

/* The rows come to process 0 in order, which writes. */
static int write_gathered(struct transfer *t, struct sp_error *err)
{
    uint64_t total = sp_rows_count(t->rows);
    if (sp_agree(t->team, sp_team_sum(t->team, &total, 1, err), err) < 0)
        return -1;
    uint64_t room = t->team->rank == 0 ? total : sp_rows_count(t->rows);
    int status = sp_columns_allocate(&t->columns, (size_t)(room < t->most ? room : t->most), err);
    if (status == 0 && t->team->rank == 0)
        status = sp_columns_open(&t->columns, t->file, err);
    if (sp_agree(t->team, status, err) < 0)
        return -1;
    return sp_agree(t->team, t->team->rank == 0 ? take_all_rows(t, total, err) : send_rows(t, err), err);
}

static int transfer_group(struct transfer *t, struct sp_rows *rows, struct sp_error *err)
{
    uint64_t row_bytes = 0;
    t->rows = rows;
    t->columns = (struct sp_columns){
        .kind = sp_rows_kind(rows), .path = t->options->path, .transfer = t->properties, .read_back = t->options->read_back};
    for (size_t c = 0; c < t->columns.kind->field_count; c++)
        row_bytes += t->columns.kind->fields[c].bytes;
    t->most = SP_PIECE_BYTES / row_bytes / SP_CHUNK_ROWS * SP_CHUNK_ROWS;
    int status = t->io == SP_IO_COLLECTIVE ? write_collective(t, err) : write_gathered(t, err);
    if (status == 0)
        status = sp_agree(t->team, sp_columns_read_back(&t->columns, err), err);
    int closed = sp_columns_close(&t->columns, status == 0 ? err : NULL);
    return sp_agree(t->team, status < 0 ? status : closed, err);
}

static int close_file(struct transfer *t, int status, struct sp_error *err)
{
    if (t->properties >= 0)
        H5Pclose(t->properties);
    /* process 0 brings its own node's share of the file to disk at the end; the others' is brought there by this, MPI_File_sync */
    if (status == 0 && t->io == SP_IO_COLLECTIVE && H5Fflush(t->file, H5F_SCOPE_GLOBAL) < 0)
        status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot be brought to disk", t->options->path);
    if (t->file >= 0 && H5Fclose(t->file) < 0 && status == 0)
        status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write", t->options->path);
    return sp_agree(t->team, status, err);
}

static int send_sums(const struct sp_team *team, int to, void *sums, struct sp_error *err)
{
    return sp_team_send(team, to, sums, SP_COLUMNS_MAX * sizeof(struct sp_column_sum), err);
}

/* Theirs is the slab after ours. */
static int receive_sums(const struct sp_team *team, int from, void *sums, struct sp_error *err)
{
    struct sp_column_sum theirs[SP_COLUMNS_MAX], *own = sums;
    if (sp_team_receive(team, from, theirs, sizeof theirs, err) < 0)
        return -1;
    for (size_t c = 0; c < SP_COLUMNS_MAX; c++) {
        own[c].crc = sp_crc_combine(own[c].crc, theirs[c].crc, theirs[c].bytes);
        own[c].bytes += theirs[c].bytes;
    }
    return 0;
}

int sp_transfer(const struct sp_team *team, const struct sp_transfer_options *options, struct sp_rows *const groups[SP_GROUPS],
    struct sp_column_sum sums[SP_COLUMNS_MAX], struct sp_error *err)
{
    struct transfer t = {.team = team, .options = options, .file = -1, .properties = -1, .sums = sums};
    memset(sums, 0, SP_COLUMNS_MAX * sizeof *sums);
    int status = open_file(&t, err);
    for (int g = 0; status == 0 && g < SP_GROUPS; g++)
        status = transfer_group(&t, groups[g], err);
    if (close_file(&t, status, err) < 0)
        return -1;
    return sp_agree(team, sp_team_climb(team, send_sums, receive_sums, sums, err), err);
}
