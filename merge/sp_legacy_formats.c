/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_legacy.h"
#include "sp_file_internal.h"

struct format {
    int (*probe)(const struct sp_legacy_source *source);
    int (*read)(const struct sp_legacy_source *source, struct sp_legacy *legacy, struct sp_error *err);
};

/* The first whose probe says yes reads. */
static const struct format formats[] = {
    {sp_legacy_spt_probe, sp_legacy_spt_read},
    {sp_legacy_columnar_probe, sp_legacy_columnar_read},
    {sp_legacy_groups_probe, sp_legacy_groups_read},
    {sp_legacy_json_probe, sp_legacy_json_read},
};

int sp_legacy_open(const struct sp_legacy_source *source, struct sp_file *file, struct sp_error *err)
{
    size_t i = 0, count = sizeof formats / sizeof formats[0];
    struct sp_error unwanted;
    err = err ? err : &unwanted;
    while (i < count && !formats[i].probe(source))
        i++;
    if (i == count && source->file >= 0)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is an HDF5 file, but not a run file of scope-profiler for MPI", source->path);
    if (i == count)
        return sp_fail_as(err, SP_EXIT_CORRUPT, "%s: is not an HDF5 file, nor a .spt trace or a JSON profile", source->path);
    struct sp_legacy legacy;
    sp_legacy_init(&legacy, source->path);
    int status = formats[i].read(source, &legacy, err);
    if (status == 0)
        status = sp_legacy_build(&legacy, file, err);
    sp_legacy_free(&legacy);
    return status;
}
