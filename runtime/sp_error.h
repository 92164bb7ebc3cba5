/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_ERROR_H
#define SP_ERROR_H

/* Process exit codes of every program of ours; also the kind of an error. */
enum sp_exit {
    SP_EXIT_OK = 0,
    SP_EXIT_DIFFERENT = 1,   /* a check failed, files differ */
    SP_EXIT_USAGE = 2,
    SP_EXIT_INPUT = 3,       /* input missing or unreadable */
    SP_EXIT_CORRUPT = 4,     /* not ours, corrupt or truncated */
    SP_EXIT_COMBINE = 5,     /* inputs cannot be combined, or of a newer format */
    SP_EXIT_OUTPUT = 6,      /* output cannot be written */
    SP_EXIT_PARTIAL = 7,     /* some inputs were skipped */
    SP_EXIT_INTERNAL = 70,
};

/* What went wrong, as one line of text without a final newline. Owned by the caller; zero-initialise it. */
struct sp_error {
    int code; /* enum sp_exit */
    char text[500];
};

/* Formats the text (cut when too long, control characters become '?'), sets the code and returns -1. err may be NULL. Local. */
int sp_fail_as(struct sp_error *err, enum sp_exit code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with SP_EXIT_INTERNAL. Local. */
int sp_fail(struct sp_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
