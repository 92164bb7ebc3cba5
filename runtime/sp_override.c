/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_override.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct said {
    char *variable, *value, *place;
    int goes_before;
    struct said *next;
};

static struct said *by_program, *by_file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct said *find(struct said *list, const char *variable)
{
    for (struct said *said = list; said; said = said->next)
        if (strcmp(said->variable, variable) == 0)
            return said;
    return NULL;
}

static const char *in_environment(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value ? value : NULL;
}

const char *sp_override_value(const char *variable)
{
    const char *value = in_environment(variable);
    if (value)
        return value;
    pthread_mutex_lock(&lock);
    const struct said *said = find(by_file, variable);
    if (!said)
        said = find(by_program, variable);
    value = said ? said->value : NULL;
    pthread_mutex_unlock(&lock);
    return value;
}

const char *sp_override_place(const char *variable)
{
    if (in_environment(variable))
        return "";
    pthread_mutex_lock(&lock);
    const struct said *said = find(by_file, variable);
    const char *place = said ? said->place : "";
    pthread_mutex_unlock(&lock);
    return place;
}

int sp_override_is_fixed(const char *variable)
{
    pthread_mutex_lock(&lock);
    int is_in_file = find(by_file, variable) != NULL;
    pthread_mutex_unlock(&lock);
    return is_in_file || in_environment(variable);
}

static void destroy(struct said *said)
{
    if (!said)
        return;
    free(said->variable);
    free(said->value);
    free(said->place);
    free(said);
}

static struct said *create(const char *variable, const char *value, const char *place)
{
    struct said *said = calloc(1, sizeof *said);
    if (!said)
        return NULL;
    said->variable = strdup(variable);
    said->value = strdup(value);
    said->place = strdup(place);
    if (!said->variable || !said->value || !said->place) {
        destroy(said);
        return NULL;
    }
    return said;
}

/* Puts it at the place of the one with its name, or at the front. */
static void replace(struct said **list, struct said *said)
{
    struct said **at = list;
    while (*at && strcmp((*at)->variable, said->variable) != 0)
        at = &(*at)->next;
    struct said *old = *at;
    if (old) {
        said->next = old->next;
        *at = said;
        destroy(old);
    } else {
        said->next = *list;
        *list = said;
    }
}

int sp_override_set(const char *variable, const char *value)
{
    struct said *said = create(variable, value, "");
    if (!said)
        return -1;
    pthread_mutex_lock(&lock);
    replace(&by_program, said);
    pthread_mutex_unlock(&lock);
    return 0;
}

int sp_override_set_in_file(const char *variable, const char *value, const char *place, int goes_before)
{
    struct said *said = create(variable, value, place);
    if (!said)
        return -1;
    said->goes_before = goes_before;
    pthread_mutex_lock(&lock);
    const struct said *old = find(by_file, variable);
    if (old && old->goes_before && !goes_before)
        destroy(said);
    else
        replace(&by_file, said);
    pthread_mutex_unlock(&lock);
    return 0;
}

void sp_override_forget_file(void)
{
    pthread_mutex_lock(&lock);
    while (by_file) {
        struct said *next = by_file->next;
        destroy(by_file);
        by_file = next;
    }
    pthread_mutex_unlock(&lock);
}
