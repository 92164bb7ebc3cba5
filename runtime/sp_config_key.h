/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CONFIG_KEY_H
#define SP_CONFIG_KEY_H

/* The names on the left of the = in a configuration file: our settings (output or SP_OUTPUT), and those of the [profiling] table of
 * the Python scope-profiler. All Local. */

#include <stddef.h>

/* KEY(name, setting or NULL where there is none, "its value=ours|..." or NULL: as it is, does it go before other lines?)
 * A value that asks for nothing beyond what happens anyway becomes "": nothing is set and nothing said. */
#define SP_PYTHON_KEYS(KEY) \
    KEY("file_path", "SP_OUTPUT", NULL, 0) \
    KEY("deactivate_file_output", "SP_OUTPUT", "true=none|false=", 1) \
    KEY("deactivate_profiling", "SP_ENABLE", "true=0|false=", 1) \
    KEY("aggregation_mode", "SP_MODE", "true=profile|false=trace", 0) \
    KEY("recursive_profile", "SP_FUNCTIONS", "true=executable|false=off", 0) \
    KEY("capture_region_source", "SP_SOURCE", "true=1|false=", 0) \
    KEY("output_mode", "SP_IO", "auto=auto|parallel=collective|direct=gather", 0) \
    KEY("hdf5_compression", "SP_COMPRESSION", "auto=auto|gzip=gzip", 0) \
    KEY("hdf5_compression_level", "SP_COMPRESSION", \
        "0=none|1=gzip:1|2=gzip:2|3=gzip:3|4=gzip:4|5=gzip:5|6=gzip:6|7=gzip:7|8=gzip:8|9=gzip:9", 1) \
    KEY("track_threads", NULL, "true=|false=", 0) \
    KEY("track_async", NULL, "false=", 0) \
    KEY("buffer_limit", NULL, NULL, 0) \
    KEY("hdf5_chunk_size", NULL, NULL, 0) \
    KEY("use_likwid", NULL, "false=", 0) \
    KEY("perf_events", NULL, NULL, 0) \
    KEY("use_line_profiler", NULL, "false=", 0) \
    KEY("use_memray", NULL, "false=", 0) \
    KEY("memray_enabled", NULL, "false=", 0) \
    KEY("memory_profile_path", NULL, NULL, 0) \
    KEY("memray_native_traces", NULL, "false=", 0) \
    KEY("memray_trace_python_allocators", NULL, "false=", 0) \
    KEY("memray_follow_fork", NULL, "false=", 0) \
    KEY("use_nvtx", NULL, "false=", 0) \
    KEY("use_gpu_timing", NULL, "false=", 0) \
    KEY("gpu_timing", NULL, "false=", 0) \
    KEY("gpu_timing_backend", NULL, NULL, 0) \
    KEY("gpu_backend", NULL, NULL, 0)

enum sp_config_meaning { SP_CONFIG_SETS, SP_CONFIG_ASKS_NOTHING, SP_CONFIG_HAS_NO_COUNTERPART, SP_CONFIG_IS_UNKNOWN };

struct sp_config_wish {
    char variable[64];   /* SP_... */
    char value[32];      /* where has_value; else what the line says */
    int has_value, goes_before;
};

/* The variable that a name stands for, whether there is one or not: "output", "SP_OUTPUT", "trace-limit". Pure. */
void sp_config_key_variable(const char *key, char *variable, size_t room);

/* What a line asks for; wish is filled where it sets something. Pure. */
enum sp_config_meaning sp_config_key_resolve(const char *key, const char *value, struct sp_config_wish *wish);

/* The known name nearest to this one, as a file spells it. Pure. */
void sp_config_key_nearest(const char *key, char *name, size_t room);

#endif
