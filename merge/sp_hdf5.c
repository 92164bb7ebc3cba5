/* SPDX-License-Identifier: BSD-3-Clause */
#if SP_HDF5_SHARED
#define _GNU_SOURCE /* dladdr, dl_iterate_phdr */
#include <dlfcn.h>
#include <link.h>
#endif

#include "sp_hdf5.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sp_hdf5_init(void)
{
#if !H5_VERSION_GE(1, 10, 7)
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
#endif
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

#if SP_HDF5_SHARED

static int is_hdf5(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strncmp(name, "libhdf5", 7) == 0 && !strstr(name, "_hl") && !strstr(name, "fortran") && !strstr(name, "_cpp");
}

static int count_hdf5(struct dl_phdr_info *object, size_t size, void *count)
{
    (void)size;
    *(int *)count += is_hdf5(object->dlpi_name);
    return 0;
}

int sp_hdf5_check(struct sp_error *err)
{
    unsigned major = 0, minor = 0, release = 0;
    int count = 0;
    Dl_info ours;
    dl_iterate_phdr(count_hdf5, &count);
    /* not by a macro of hdf5.h: those end the process where versions differ */
    if (!dladdr((void *)(uintptr_t)H5get_libversion, &ours) || !is_hdf5(ours.dli_fname) || count > 1)
        return sp_fail(err, "this program has an HDF5 of its own: make the file from the spill files with sp-merge");
    H5get_libversion(&major, &minor, &release);
    if (major != H5_VERS_MAJOR || minor != H5_VERS_MINOR || release != H5_VERS_RELEASE)
        return sp_fail(err,
            "this program has HDF5 %u.%u.%u, the profiler was built with %d.%d.%d: make the file from the spill files "
            "with sp-merge",
            major, minor, release, H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
    return 0;
}

#else

int sp_hdf5_check(struct sp_error *err)
{
    (void)err;
    return 0;
}

#endif

/* The innermost entry comes first when the stack is walked downwards from it. */
static herr_t take_cause(unsigned n, const H5E_error2_t *entry, void *data)
{
    char *cause = data;
    if (n == 0 && entry->desc)
        snprintf(cause, 400, "%s", entry->desc);
    return 0;
}

/* HDF5 wraps the system's message in a long line of details. */
static const char *system_message(char *cause)
{
    static const char mark[] = "error message = '";
    char *message = strstr(cause, mark);
    if (!message)
        return cause;
    message += sizeof mark - 1;
    message[strcspn(message, "'")] = 0;
    return message;
}

int sp_hdf5_fail(struct sp_error *err, enum sp_exit code, const char *format, ...)
{
    char text[sizeof err->text], cause[400] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_cause, cause);
    H5Eclear2(H5E_DEFAULT);
    return sp_fail_as(err, code, "%s%s%s", text, *cause ? ": " : "", system_message(cause));
}

hid_t sp_hdf5_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return -1;
    herr_t status = H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
#if H5_VERSION_GE(1, 10, 7)
    if (status >= 0)
        status = H5Pset_file_locking(access, 0, 1);
#endif
    if (status < 0) {
        H5Pclose(access);
        return -1;
    }
    return access;
}

hid_t sp_hdf5_open(const char *path, unsigned flags)
{
    hid_t access = sp_hdf5_access();
    if (access < 0)
        return -1;
    hid_t file = H5Fopen(path, flags, access);
    hid_t noted = H5Eget_current_stack();
    H5Pclose(access);
    if (noted >= 0)
        H5Eset_current_stack(noted);
    return file;
}

/* Selections in the file and in memory; *file_space and *memory_space are negative or to be closed. */
static int select_rows(hid_t dataset, uint64_t row, uint64_t count, hid_t *file_space, hid_t *memory_space)
{
    hsize_t start = row, size = count, room = count > 0 ? count : 1;
    *file_space = H5Dget_space(dataset);
    *memory_space = H5Screate_simple(1, &room, NULL);
    if (*file_space < 0 || *memory_space < 0)
        return -1;
    if (count == 0)
        return H5Sselect_none(*file_space) < 0 || H5Sselect_none(*memory_space) < 0 ? -1 : 0;
    return H5Sselect_hyperslab(*file_space, H5S_SELECT_SET, &start, NULL, &size, NULL) < 0 ? -1 : 0;
}

/* Closes without losing what HDF5 has noted about a failure. */
static void close_spaces(hid_t file_space, hid_t memory_space)
{
    hid_t noted = H5Eget_current_stack();
    if (file_space >= 0)
        H5Sclose(file_space);
    if (memory_space >= 0)
        H5Sclose(memory_space);
    if (noted >= 0)
        H5Eset_current_stack(noted);
}

int sp_hdf5_write_rows(hid_t dataset, hid_t memory_type, hid_t transfer, uint64_t row, uint64_t count, const void *data)
{
    static const char nothing;
    hid_t file_space, memory_space;
    int status = select_rows(dataset, row, count, &file_space, &memory_space);
    if (status == 0 && H5Dwrite(dataset, memory_type, memory_space, file_space, transfer, data ? data : &nothing) < 0)
        status = -1;
    close_spaces(file_space, memory_space);
    return status;
}

int sp_hdf5_read_rows(hid_t dataset, hid_t memory_type, hid_t transfer, uint64_t row, uint64_t count, void *data)
{
    hid_t file_space, memory_space;
    if (count == 0)
        return 0;
    int status = select_rows(dataset, row, count, &file_space, &memory_space);
    if (status == 0 && H5Dread(dataset, memory_type, memory_space, file_space, transfer, data) < 0)
        status = -1;
    close_spaces(file_space, memory_space);
    return status;
}
