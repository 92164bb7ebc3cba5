/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_config.h"
#include "sp_config_file.h"
#include "sp_override.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern char **environ;

typedef void say_function(const char *format, ...);

int sp_config_parse_size(const char *text, uint64_t *bytes)
{
    static const char suffixes[] = "KMGT";
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return -1;
    unsigned long long n = strtoull(text, &end, 10);
    int shift = 0;
    if (*end) {
        const char *suffix = strchr(suffixes, toupper((unsigned char)*end));
        if (!suffix || end[1])
            return -1;
        shift = 10 * (int)(suffix - suffixes + 1);
    }
    if (shift && n > UINT64_MAX >> shift)
        return -1;
    *bytes = (uint64_t)n << shift;
    return 0;
}

static char *read_text(const char *variable, const char *standard)
{
    const char *value = sp_override_value(variable);
    return strdup(value && *value ? value : standard);
}

static uint64_t read_size(const char *variable, const char *standard, say_function *say)
{
    uint64_t bytes = 0;
    const char *value = sp_override_value(variable);
    if (value && *value && sp_config_parse_size(value, &bytes) == 0)
        return bytes;
    if (value && *value)
        say("%s%s=%s is not a size (a whole number and K, M, G or T): using %s", sp_override_place(variable), variable, value, standard);
    sp_config_parse_size(standard, &bytes);
    return bytes;
}

static int read_flag(const char *variable, const char *standard, say_function *say)
{
    static const struct {
        const char *word;
        int flag;
    } words[] = {{"1", 1}, {"on", 1}, {"yes", 1}, {"true", 1}, {"0", 0}, {"off", 0}, {"no", 0}, {"false", 0}};
    const char *value = sp_override_value(variable);
    for (size_t i = 0; value && i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(value, words[i].word) == 0)
            return words[i].flag;
    if (value && *value)
        say("%s%s=%s is neither 1 nor 0: using %s", sp_override_place(variable), variable, value, standard);
    return standard[0] == '1';
}

/* The word among "a|b|c" that equals the value, as a slice of choices. */
static const char *find_word(const char *choices, const char *value, size_t *length)
{
    for (const char *word = choices;; word++) {
        *length = strcspn(word, "|");
        if (strlen(value) == *length && strncmp(word, value, *length) == 0)
            return word;
        word += *length;
        if (*word == '\0')
            return NULL;
    }
}

/* The same; true and false are 1 and 0, on and off where these are choices. */
static const char *find_choice(const char *choices, const char *value, size_t *length)
{
    int is_true = strcasecmp(value, "true") == 0, is_false = strcasecmp(value, "false") == 0;
    const char *word = find_word(choices, value, length);
    if (!word && (is_true || is_false))
        word = find_word(choices, is_true ? "1" : "0", length);
    if (!word && (is_true || is_false))
        word = find_word(choices, is_true ? "on" : "off", length);
    return word;
}

static char *read_choice(const char *variable, const char *choices, say_function *say)
{
    const char *value = sp_override_value(variable);
    size_t length = strcspn(choices, "|");
    const char *word = choices;
    if (value && *value && !(word = find_choice(choices, value, &length))) {
        say("%s%s=%s is none of %s: using the first", sp_override_place(variable), variable, value, choices);
        length = strcspn(choices, "|");
        word = choices;
    }
    return strndup(word, length);
}

int sp_config_distance(const char *a, const char *b)
{
    int row[64];
    size_t n = strnlen(b, 63);
    for (size_t j = 0; j <= n; j++)
        row[j] = (int)j;
    for (size_t i = 0; a[i] && i < 63; i++) {
        int diagonal = row[0];
        row[0] = (int)i + 1;
        for (size_t j = 1; j <= n; j++) {
            int change = diagonal + (a[i] != b[j - 1]);
            diagonal = row[j];
            int gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < gap ? change : gap;
        }
    }
    return row[n];
}

#define NAME(field, variable, standard, meaning) variable,
static const char *const names[] = {SP_SETTINGS(NAME, NAME, NAME, NAME)};

static void warn_unknown(const char *variable, say_function *say)
{
    const char *nearest = names[0];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(variable, names[i]) == 0)
            return;
        if (sp_config_distance(variable, names[i]) < sp_config_distance(variable, nearest))
            nearest = names[i];
    }
    say("%s is not a setting of this program; the nearest is %s", variable, nearest);
}

static void check_names(say_function *say)
{
    for (char **entry = environ; entry && *entry; entry++) {
        char variable[64];
        size_t length = strcspn(*entry, "=");
        if (strncmp(*entry, "SP_", 3) != 0 || length >= sizeof variable)
            continue;
        if (strncmp(*entry, "SP_TEST_", 8) == 0 || strncmp(*entry, "SP_BENCH_", 9) == 0 ||
            strncmp(*entry, "SP_CACHE=", 9) == 0) /* of our own scripts */
            continue;
        memcpy(variable, *entry, length);
        variable[length] = '\0';
        warn_unknown(variable, say);
    }
}

#define READ_TEXT(field, variable, standard, meaning) config->field = read_text(variable, standard);
#define READ_SIZE(field, variable, standard, meaning) config->field = read_size(variable, standard, say);
#define READ_FLAG(field, variable, standard, meaning) config->field = read_flag(variable, standard, say);
#define READ_CHOICE(field, variable, choices, meaning) config->field = read_choice(variable, choices, say);

#define HAS_TEXT(field, variable, standard, meaning) &&config->field
#define HAS_NUMBER(field, variable, standard, meaning)

/* What SP_ENABLE=0 switches off does not even look at its file. */
static char *read_file(say_function *say)
{
    const char *enable = getenv("SP_ENABLE"), *path = getenv("SP_CONFIG");
    sp_override_forget_file();
    if (!path || !*path || (enable && strcmp(enable, "0") == 0))
        return NULL;
    return sp_config_file_read(path, say);
}

int sp_config_read(struct sp_config *config, say_function *say)
{
    config->config_path = read_file(say);
    SP_SETTINGS(READ_TEXT, READ_SIZE, READ_FLAG, READ_CHOICE)
    check_names(say);
    return 1 SP_SETTINGS(HAS_TEXT, HAS_NUMBER, HAS_NUMBER, HAS_TEXT) ? 0 : -1;
}

#define EXPLAIN_TEXT(field, variable, standard, meaning) say("%s=%s: %s", variable, config->field, meaning);
#define EXPLAIN_NUMBER(field, variable, standard, meaning) say("%s=%llu: %s", variable, (unsigned long long)config->field, meaning);
#define EXPLAIN_CHOICE(field, variable, choices, meaning) say("%s=%s (%s): %s", variable, config->field, choices, meaning);

void sp_config_explain(const struct sp_config *config, say_function *say)
{
    SP_SETTINGS(EXPLAIN_TEXT, EXPLAIN_NUMBER, EXPLAIN_NUMBER, EXPLAIN_CHOICE)
}

static int replace_text(char **field, char *text, char **old)
{
    if (!text)
        return -1;
    *old = *field;
    *field = text;
    return 0;
}

#define REREAD_TEXT(field, name, standard, meaning)                                                                                        \
    if (strcmp(variable, name) == 0)                                                                                                       \
        status = replace_text(&config->field, read_text(name, standard), old);
#define REREAD_SIZE(field, name, standard, meaning)                                                                                        \
    if (strcmp(variable, name) == 0)                                                                                                       \
        config->field = read_size(name, standard, say);
#define REREAD_FLAG(field, name, standard, meaning)                                                                                        \
    if (strcmp(variable, name) == 0)                                                                                                       \
        config->field = read_flag(name, standard, say);
#define REREAD_CHOICE(field, name, choices, meaning)                                                                                       \
    if (strcmp(variable, name) == 0)                                                                                                       \
        status = replace_text(&config->field, read_choice(name, choices, say), old);

int sp_config_reread(struct sp_config *config, const char *variable, say_function *say, char **old)
{
    int status = 0;
    SP_SETTINGS(REREAD_TEXT, REREAD_SIZE, REREAD_FLAG, REREAD_CHOICE)
    return status;
}

int sp_config_knows(const char *variable)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(variable, names[i]) == 0)
            return 1;
    return 0;
}

#define FREE_TEXT(field, variable, standard, meaning) free(config->field);

void sp_config_release(struct sp_config *config)
{
    SP_SETTINGS(FREE_TEXT, HAS_NUMBER, HAS_NUMBER, FREE_TEXT)
    free(config->config_path);
}

/* Text that %c stands for, or NULL. */
static const char *value_of(char c, const struct sp_name_values *values, char number[16])
{
    switch (c) {
    case 'e': return values->executable;
    case 'j': return values->job;
    case 's': return values->step;
    case 'h': return values->host;
    case 't': return values->time;
    case '%': return "%";
    case 'p': snprintf(number, 16, "%d", values->rank_count); return number;
    default: return NULL;
    }
}

int sp_config_expand_name(const char *pattern, const struct sp_name_values *values, char *name, int room)
{
    int used = 0;
    for (const char *c = pattern; *c; c++) {
        char number[16], literal[3] = {c[0], '\0', '\0'};
        const char *text = literal;
        if (c[0] == '%' && c[1]) {
            text = value_of(c[1], values, number);
            literal[1] = c[1];
            if (!text)
                text = literal;
            c++;
        }
        int n = snprintf(name + used, (size_t)(room - used), "%s", text);
        if (n < 0 || n >= room - used)
            return -1;
        used += n;
    }
    return 0;
}
