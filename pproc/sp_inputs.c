/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_inputs.h"

#include "sp_error.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return !strcmp(a, b) || (!stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

static int add_path(struct sp_inputs *inputs, const char *path, struct sp_error *err)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (same_file(inputs->paths[i], path)) {
            inputs->example = inputs->repeated++ ? inputs->example : inputs->paths[i];
            return 0;
        }
    char **paths = realloc(inputs->paths, (inputs->count + 1) * sizeof *paths);
    if (!paths)
        return sp_fail(err, "out of memory");
    inputs->paths = paths;
    if (!(paths[inputs->count] = strdup(path)))
        return sp_fail(err, "out of memory");
    inputs->count++;
    return 0;
}

static int add_pattern(struct sp_inputs *inputs, const char *pattern, struct sp_error *err)
{
    glob_t found = {0};
    int status = glob(pattern, 0, NULL, &found);
    if (status == GLOB_NOMATCH)
        status = sp_fail_as(err, SP_EXIT_INPUT, "%.300s: no file matches", pattern);
    else if (status)
        status = sp_fail_as(err, SP_EXIT_INPUT, "%.300s: cannot be searched", pattern);
    for (size_t i = 0; !status && i < found.gl_pathc; i++)
        status = add_path(inputs, found.gl_pathv[i], err);
    globfree(&found);
    return status;
}

static int add_operand(struct sp_inputs *inputs, const char *operand, struct sp_error *err)
{
    struct stat status;
    if (!stat(operand, &status))
        return add_path(inputs, operand, err);
    if (errno == ENOENT && strpbrk(operand, "*?["))
        return add_pattern(inputs, operand, err);
    if (errno == ENOENT && !strpbrk(operand, "./"))
        return sp_fail_as(err, SP_EXIT_INPUT, "%.300s: is neither a file nor a command; see --help", operand);
    return sp_fail_as(err, SP_EXIT_INPUT, "%.300s: %s", operand, strerror(errno));
}

int sp_inputs_expand(const struct sp_texts *operands, size_t first, struct sp_inputs *inputs, struct sp_error *err)
{
    *inputs = (struct sp_inputs){0};
    if (operands->count <= first)
        return sp_fail_as(err, SP_EXIT_USAGE, "no run file given; see sp-pproc --help");
    for (size_t i = first; i < operands->count; i++)
        if (add_operand(inputs, operands->items[i], err)) {
            sp_inputs_free(inputs);
            return -1;
        }
    return 0;
}

void sp_inputs_free(struct sp_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        free(inputs->paths[i]);
    free(inputs->paths);
    *inputs = (struct sp_inputs){0};
}
