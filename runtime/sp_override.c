/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_override.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct said {
    char *variable, *value;
    struct said *next;
};

static struct said *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct said *find(const char *variable)
{
    for (struct said *said = first; said; said = said->next)
        if (strcmp(said->variable, variable) == 0)
            return said;
    return NULL;
}

const char *sp_override_value(const char *variable)
{
    const char *value = getenv(variable);
    if (value && *value)
        return value;
    pthread_mutex_lock(&lock);
    const struct said *said = find(variable);
    value = said ? said->value : value;
    pthread_mutex_unlock(&lock);
    return value;
}

static struct said *make(const char *variable)
{
    struct said *said = calloc(1, sizeof *said);
    if (!said || !(said->variable = strdup(variable))) {
        free(said);
        return NULL;
    }
    said->next = first;
    first = said;
    return said;
}

int sp_override_set(const char *variable, const char *value)
{
    char *copy = strdup(value);
    pthread_mutex_lock(&lock);
    struct said *said = copy ? find(variable) : NULL;
    if (copy && !said)
        said = make(variable);
    if (said) {
        free(said->value);
        said->value = copy;
    } else {
        free(copy);
    }
    pthread_mutex_unlock(&lock);
    return said ? 0 : -1;
}
