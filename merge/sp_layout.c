/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_layout.h"

#include <string.h>

#define COLLECTIVE_BYTES ((uint64_t)4 << 20)
#define AUTO_LEVEL 1 /* higher levels gain little on these columns and cost several times the time */

int sp_compression_parse(const char *text, struct sp_compression *compression, struct sp_error *err)
{
    *compression = (struct sp_compression){.is_auto = 1, .level = AUTO_LEVEL};
    if (!text || !*text || strcmp(text, "auto") == 0)
        return 0;
    compression->is_auto = 0;
    if (strcmp(text, "none") == 0)
        compression->level = 0;
    else if (strncmp(text, "gzip:", 5) == 0 && text[5] >= '1' && text[5] <= '9' && !text[6])
        compression->level = text[5] - '0';
    else if (strcmp(text, "gzip") != 0)
        return sp_fail_as(err, SP_EXIT_USAGE, "SP_COMPRESSION=%s: must be auto, none, gzip or gzip:1 to gzip:9", text);
    return 0;
}

int sp_io_parse(const char *text, enum sp_io *io, struct sp_error *err)
{
    *io = SP_IO_AUTO;
    if (!text || !*text || strcmp(text, "auto") == 0)
        return 0;
    if (strcmp(text, "collective") == 0)
        *io = SP_IO_COLLECTIVE;
    else if (strcmp(text, "gather") == 0)
        *io = SP_IO_GATHER;
    else
        return sp_fail_as(err, SP_EXIT_USAGE, "SP_IO=%s: must be auto, collective or gather", text);
    return 0;
}

struct sp_layout sp_layout_of(struct sp_compression compression, int is_trace, uint64_t rows, size_t row_bytes)
{
    struct sp_layout layout = {0, 0};
    int pays = rows >= SP_CHUNK_ROWS || !compression.is_auto;
    if (!is_trace || compression.level == 0 || !pays || rows < SP_SMALL_BYTES / row_bytes)
        return layout;
    layout.chunk_rows = rows < SP_CHUNK_ROWS ? rows : SP_CHUNK_ROWS;
    layout.level = compression.level;
    return layout;
}

enum sp_io sp_io_choose(enum sp_io wanted, uint64_t column_bytes)
{
    if (wanted != SP_IO_AUTO)
        return wanted;
    return column_bytes < COLLECTIVE_BYTES ? SP_IO_GATHER : SP_IO_COLLECTIVE;
}
