/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* realpath */
#include "sp_config_file.h"
#include "sp_config_key.h"
#include "sp_config_value.h"
#include "sp_override.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef SP_HAVE_INIH
#include <ini.h>
#endif

#define TABLE "profiling"
#define LINE_LIMIT 65536 /* bytes */

typedef void say_function(const char *format, ...);

/* Why a file is none to read, NULL where it is one. */
static const char *objection(int fd, struct stat *status)
{
    if (fd < 0 || fstat(fd, status) < 0)
        return strerror(errno);
    if (S_ISDIR(status->st_mode))
        return "is a directory";
    if (!S_ISREG(status->st_mode))
        return "is not a regular file"; /* a pipe could be the program's input, and could wait for ever */
    return status->st_size > SP_CONFIG_FILE_LIMIT ? "is larger than 1 MiB" : NULL;
}

/* What fd holds, zero-terminated; NULL with errno. */
static char *read_all(int fd, size_t *bytes)
{
    char *content = malloc(SP_CONFIG_FILE_LIMIT + 1);
    ssize_t n = 1;
    *bytes = 0;
    while (content && n > 0 && *bytes < SP_CONFIG_FILE_LIMIT) {
        n = read(fd, content + *bytes, SP_CONFIG_FILE_LIMIT - *bytes);
        if (n < 0 && errno == EINTR)
            n = 1;
        else if (n > 0)
            *bytes += (size_t)n;
    }
    if (n < 0) {
        free(content);
        return NULL;
    }
    if (content)
        content[*bytes] = '\0';
    return content;
}

static char *load(const char *path, say_function *say)
{
    struct stat status;
    char *content = NULL;
    size_t bytes = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const char *reason = objection(fd, &status);
    if (!reason && !(content = read_all(fd, &bytes)))
        reason = strerror(errno);
    if (!reason && strlen(content) != bytes)
        reason = "holds binary data";
    if (reason) {
        say("SP_CONFIG=%s: %s: not read", path, reason);
        free(content);
        content = NULL;
    }
    if (fd >= 0)
        close(fd);
    return content;
}

#ifdef SP_HAVE_INIH

struct source {
    const char *path, *next; /* the line to come */
    int line;                /* number of the last one, from 1 */
    int is_ours, has_table;  /* is the line in our table; was there one */
    int is_open;             /* the line is one that the parser should have taken for a setting */
    int is_in_bad_value;     /* the last setting was not understood: what follows may belong to it */
    say_function *say;
};

/* Is that line, which begins with [, the header of our table or of a table within it? */
static int is_our_header(const char *header)
{
    const char *name = header + 1 + strspn(header + 1, " \t");
    size_t length = strlen(TABLE);
    if (strncmp(name, TABLE, length) != 0)
        return 0;
    name += length + strspn(name + length, " \t");
    return *name == ']' || *name == '.';
}

static void complain_of_open_line(struct source *source)
{
    if (source->is_open && !source->is_in_bad_value)
        source->say("%s:%d: neither NAME = VALUE nor a comment: passed over", source->path, source->line);
    source->is_open = 0;
}

/* Does the parser get to see that line? It needs no other table than ours; in TOML files these hold what is no INI. */
static int is_for_parser(struct source *source, const char *begin, size_t length, int room)
{
    if (*begin == '[')
        source->is_ours = is_our_header(begin);
    source->has_table |= source->is_ours;
    if (source->is_ours && length + 2 > (size_t)room)
        source->say("%s:%d: longer than %d bytes: passed over", source->path, source->line, room - 2);
    return source->is_ours && length + 2 <= (size_t)room;
}

/* Called by the parser for the next line. It gets one for each of the file, without blanks before it (which would continue the line
 * before). */
static char *next_line(char *line, int room, void *stream)
{
    struct source *source = stream;
    complain_of_open_line(source);
    if (*source->next == '\0')
        return NULL;
    const char *begin = source->next + strspn(source->next, " \t");
    size_t length = strcspn(begin, "\n");
    source->next = begin + length + (begin[length] == '\n');
    source->line++;
    while (length > 0 && strchr(" \t\r", begin[length - 1]))
        length--;
    int is_given = is_for_parser(source, begin, length, room);
    snprintf(line, (size_t)room, "%.*s\n", is_given ? (int)length : 0, begin);
    source->is_open = is_given && length > 0 && !strchr("[#;", *begin);
    return line;
}

static int put_wish(const struct source *source, const struct sp_config_wish *wish, const char *value)
{
    char place[512];
    snprintf(place, sizeof place, "%.400s:%d: ", source->path, source->line);
    return sp_override_set_in_file(wish->variable, wish->has_value ? wish->value : value, place, wish->goes_before);
}

static void take_wish(struct source *source, const char *key, const char *value)
{
    char nearest[64];
    struct sp_config_wish wish;
    switch (sp_config_key_resolve(key, value, &wish)) {
    case SP_CONFIG_SETS:
        if (strcmp(wish.variable, "SP_CONFIG") == 0)
            source->say("%s:%d: a configuration file names no other: passed over", source->path, source->line);
        else if (put_wish(source, &wish, value) < 0)
            source->say("%s:%d: no memory for %s", source->path, source->line, key);
        return;
    case SP_CONFIG_ASKS_NOTHING: return;
    case SP_CONFIG_HAS_NO_COUNTERPART:
        source->say("%s:%d: %s = %s has no counterpart here: passed over", source->path, source->line, key, value);
        return;
    case SP_CONFIG_IS_UNKNOWN:
        sp_config_key_nearest(key, nearest, sizeof nearest);
        source->say("%s:%d: %s is not a setting of this program; the nearest is %s", source->path, source->line, key, nearest);
        return;
    }
}

/* Called by the parser for NAME = VALUE; in [profiling.hdf5] the name is hdf5_NAME. */
static int take_setting(void *user, const char *section, const char *name, const char *value)
{
    struct source *source = user;
    struct sp_error err = {0};
    char key[128];
    const char *dot = strchr(section, '.');
    size_t quoted = strlen(name) > 1 && (*name == '"' || *name == '\'');
    snprintf(key, sizeof key, "%s%s%.*s", dot ? dot + 1 : "", dot ? "_" : "", (int)(strlen(name) - 2 * quoted), name + quoted);
    char *text = sp_config_value_text(value, &err);
    source->is_open = 0;
    source->is_in_bad_value = !text;
    if (text)
        take_wish(source, key, text);
    else
        source->say("%s:%d: %s: %s: passed over", source->path, source->line, key, err.text);
    free(text);
    return 1;
}

/* The parser's limits where it has them as variables, as Debian's has; elsewhere a line is at most 198 bytes. The copy is our own. */
static void prepare_parser(void)
{
#ifdef SP_INIH_HAS_VARIABLES
    ini_use_stack = false;
    ini_max_line = LINE_LIMIT;
    ini_initial_alloc = LINE_LIMIT;
    ini_allow_inline_comments = false;
#endif
}

static int parse(const char *path, const char *content, say_function *say)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    size_t mark = strncmp(content, byte_order_mark, 3) == 0 ? 3 : 0;
    struct source source = {.path = path, .next = content + mark, .say = say};
    prepare_parser();
    if (ini_parse_stream(next_line, &source, take_setting, &source) < 0) {
        say("SP_CONFIG=%s: no memory to read it", path);
        return -1;
    }
    if (!source.has_table)
        say("%s: has no table [" TABLE "]: nothing is set by it", path);
    return 0;
}

#else

static int parse(const char *path, const char *content, say_function *say)
{
    (void)content;
    say("SP_CONFIG=%s: not read: this build has no parser for it (library inih)", path);
    return -1;
}

#endif

char *sp_config_file_read(const char *path, say_function *say)
{
    char *content = load(path, say);
    char *read_path = content && parse(path, content, say) == 0 ? realpath(path, NULL) : NULL;
    free(content);
    return read_path;
}
