/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_config_key.h"
#include "sp_config.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct row {
    const char *name, *variable, *words;
    int goes_before;
} rows[] = {
#define ROW(name, variable, words, goes_before) {name, variable, words, goes_before},
    SP_PYTHON_KEYS(ROW)};

#define VARIABLE(field, variable, standard, meaning) variable,
static const char *const variables[] = {SP_SETTINGS(VARIABLE, VARIABLE, VARIABLE, VARIABLE)};

void sp_config_key_variable(const char *key, char *variable, size_t room)
{
    snprintf(variable, room, "%s%s", strncasecmp(key, "SP_", 3) == 0 ? "" : "SP_", key);
    for (char *c = variable; *c; c++)
        *c = *c == '-' || *c == '.' ? '_' : (char)toupper((unsigned char)*c);
}

/* A name as files spell it: of SP_TRACE_LIMIT and Trace-Limit trace_limit. */
static void spell(const char *key, char *name, size_t room)
{
    snprintf(name, room, "%s", strncasecmp(key, "SP_", 3) == 0 ? key + 3 : key);
    for (char *c = name; *c; c++)
        *c = *c == '-' || *c == '.' ? '_' : (char)tolower((unsigned char)*c);
}

static const struct row *find_row(const char *key)
{
    char name[64];
    spell(key, name, sizeof name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

/* The word for a value among "its value=ours|...", -1 where there is none. */
static int translate(const char *words, const char *value, char *ours, size_t room)
{
    size_t length = strlen(value);
    for (const char *word = words; word; word = strchr(word, '|') ? strchr(word, '|') + 1 : NULL) {
        size_t its_length = strcspn(word, "=");
        if (its_length == length && strncasecmp(word, value, length) == 0) {
            snprintf(ours, room, "%.*s", (int)strcspn(word + length + 1, "|"), word + length + 1);
            return 0;
        }
    }
    return -1;
}

enum sp_config_meaning sp_config_key_resolve(const char *key, const char *value, struct sp_config_wish *wish)
{
    *wish = (struct sp_config_wish){{0}, {0}, 0, 0};
    sp_config_key_variable(key, wish->variable, sizeof wish->variable);
    if (sp_config_knows(wish->variable))
        return SP_CONFIG_SETS;
    const struct row *row = find_row(key);
    if (!row)
        return SP_CONFIG_IS_UNKNOWN;
    if (row->words) {
        if (translate(row->words, value, wish->value, sizeof wish->value) < 0)
            return SP_CONFIG_HAS_NO_COUNTERPART;
        if (!wish->value[0])
            return SP_CONFIG_ASKS_NOTHING;
        wish->has_value = 1;
    }
    if (!row->variable || !sp_config_knows(row->variable))
        return SP_CONFIG_HAS_NO_COUNTERPART;
    snprintf(wish->variable, sizeof wish->variable, "%s", row->variable);
    wish->goes_before = row->goes_before;
    return SP_CONFIG_SETS;
}

static void keep_nearer(const char *candidate, const char *key, int *distance, char *name, size_t room)
{
    char spelled[64];
    spell(candidate, spelled, sizeof spelled);
    int d = sp_config_distance(spelled, key);
    if (d < *distance) {
        *distance = d;
        snprintf(name, room, "%s", spelled);
    }
}

void sp_config_key_nearest(const char *key, char *name, size_t room)
{
    char spelled[64];
    int distance = 1 << 20;
    spell(key, spelled, sizeof spelled);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        keep_nearer(variables[i], spelled, &distance, name, room);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        keep_nearer(rows[i].name, spelled, &distance, name, room);
}
