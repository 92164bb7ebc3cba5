/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "sp_columns.h"
#include "sp_crc.h"
#include "sp_hdf5.h"
#include "sp_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Many pages are touched once: large ones where the system has them. */
static void *allocate(size_t bytes)
{
    enum { LARGE_PAGE = 2 << 20 };
    if (bytes < 4 * LARGE_PAGE)
        return malloc(bytes);
    size_t rounded = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *memory = aligned_alloc(LARGE_PAGE, rounded);
    if (memory)
        (void)madvise(memory, rounded, MADV_HUGEPAGE);
    return memory;
}

int sp_columns_allocate(struct sp_columns *columns, size_t room, struct sp_error *err)
{
    columns->room = room;
    for (size_t c = 0; c < columns->kind->field_count; c++) {
        columns->values[c] = allocate(room * columns->kind->fields[c].bytes + 1);
        if (!columns->values[c])
            return sp_fail(err, "out of memory while writing %s", columns->kind->name);
    }
    return 0;
}

int sp_columns_open(struct sp_columns *columns, hid_t file, struct sp_error *err)
{
    char name[64];
    for (size_t c = 0; c < columns->kind->field_count; c++) {
        snprintf(name, sizeof name, "%s/%s", columns->kind->name, columns->kind->fields[c].name);
        columns->datasets[c] = H5Dopen2(file, name, H5P_DEFAULT);
        if (columns->datasets[c] < 0)
            return sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot open %s", columns->path, name);
    }
    return 0;
}

void sp_columns_at(const struct sp_columns *columns, size_t index, void *at[SP_COLUMNS_MAX])
{
    for (size_t c = 0; c < columns->kind->field_count; c++)
        at[c] = (char *)columns->values[c] + index * columns->kind->fields[c].bytes;
}

static int note_piece(struct sp_columns *columns, uint64_t row, size_t count, const uint32_t *crcs)
{
    if (columns->piece_count == columns->piece_room) {
        size_t room = columns->piece_room ? 2 * columns->piece_room : 8;
        struct sp_columns_piece *pieces = realloc(columns->pieces, room * sizeof *pieces);
        if (!pieces)
            return -1;
        columns->pieces = pieces;
        columns->piece_room = room;
    }
    struct sp_columns_piece *piece = &columns->pieces[columns->piece_count++];
    *piece = (struct sp_columns_piece){.row = row, .count = count};
    for (size_t c = 0; c < columns->kind->field_count; c++)
        piece->crcs[c] = crcs ? crcs[c] : sp_crc(0, columns->values[c], count * columns->kind->fields[c].bytes);
    return 0;
}

int sp_columns_write(struct sp_columns *columns, uint64_t row, size_t count, const uint32_t *crcs, struct sp_error *err)
{
    int status = 0;
    if (columns->read_back && count > 0 && note_piece(columns, row, count, crcs) < 0)
        status = sp_fail(err, "out of memory while writing %s", columns->kind->name);
    for (size_t c = 0; c < columns->kind->field_count; c++) {
        const struct sp_field *field = &columns->kind->fields[c];
        if (sp_hdf5_write_rows(
                columns->datasets[c], sp_schema_memory_type(field->type), columns->transfer, row, count, columns->values[c]) < 0 &&
            status == 0)
            status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write %s/%s", columns->path, columns->kind->name, field->name);
    }
    return status;
}

/* Rows up to the next chunk's border: they stay in the cache until they are compared, and no chunk is unpacked twice. */
static size_t rows_at_once(uint64_t row, uint64_t left)
{
    uint64_t most = SP_CHUNK_ROWS - row % SP_CHUNK_ROWS;
    return (size_t)(left < most ? left : most);
}

/* CRC-32C of a piece of a column as it lies in the file. Uses the buffer. */
static int read_crc(struct sp_columns *columns, size_t c, const struct sp_columns_piece *piece, uint32_t *crc)
{
    const struct sp_field *field = &columns->kind->fields[c];
    *crc = 0;
    for (size_t done = 0, count; done < piece->count; done += count) {
        count = rows_at_once(piece->row + done, piece->count - done);
        if (sp_hdf5_read_rows(
                columns->datasets[c], sp_schema_memory_type(field->type), H5P_DEFAULT, piece->row + done, count, columns->values[c]) < 0)
            return -1;
        *crc = sp_crc(*crc, columns->values[c], count * field->bytes);
    }
    return 0;
}

static int read_piece_back(struct sp_columns *columns, const struct sp_columns_piece *piece, struct sp_error *err)
{
    for (size_t c = 0; c < columns->kind->field_count; c++) {
        const struct sp_field *field = &columns->kind->fields[c];
        uint32_t crc;
        if (read_crc(columns, c, piece, &crc) < 0)
            return sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot read %s/%s back", columns->path, columns->kind->name, field->name);
        if (crc != piece->crcs[c])
            return sp_fail_as(err, SP_EXIT_OUTPUT, "%s: what lies in %s/%s is not what was written (is the file system full?)",
                columns->path, columns->kind->name, field->name);
    }
    return 0;
}

int sp_columns_read_back(struct sp_columns *columns, struct sp_error *err)
{
    for (size_t i = 0; i < columns->piece_count; i++)
        if (read_piece_back(columns, &columns->pieces[i], err) < 0)
            return -1;
    return 0;
}

int sp_columns_close(struct sp_columns *columns, struct sp_error *err)
{
    int status = 0;
    for (size_t c = 0; c < columns->kind->field_count; c++) {
        if (columns->datasets[c] > 0 && H5Dclose(columns->datasets[c]) < 0)
            status = sp_hdf5_fail(err, SP_EXIT_OUTPUT, "%s: cannot write %s", columns->path, columns->kind->name);
        columns->datasets[c] = 0;
        free(columns->values[c]);
        columns->values[c] = NULL;
    }
    free(columns->pieces);
    columns->pieces = NULL;
    return status;
}
