/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_context.h"
#include "sp_alone.h"
#include "sp_checked.h"

#include <pthread.h>
#include <stdlib.h>

static sp_profiler standard = {.is_open = 1, .is_default = 1};
static int is_initialised; /* sp_init was called, sp_finalize not yet */
static int open_count;     /* others */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int sp_context_init(const char *prefix, int rank)
{
    pthread_mutex_lock(&lock);
    is_initialised = 1;
    pthread_mutex_unlock(&lock);
    return sp_alone_start(prefix, rank);
}

static void note_open_calls(sp_profiler *context)
{
    if (sp_checked_count_open(-1) > 0)
        __atomic_store_n(&context->last_error, SP_ERR_OPEN_SCOPES, __ATOMIC_RELAXED);
}

int sp_context_finish(void)
{
    pthread_mutex_lock(&lock);
    is_initialised = 0;
    pthread_mutex_unlock(&lock);
    note_open_calls(&standard);
    return sp_alone_finish();
}

sp_profiler *sp_context_open(const char *prefix, int rank)
{
    if (!prefix)
        return &standard;
    sp_profiler *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->is_open = 1;
    pthread_mutex_lock(&lock);
    open_count++;
    pthread_mutex_unlock(&lock);
    sp_alone_start(prefix, rank);
    return context;
}

/* Returns whether it was open, and in *is_last whether nobody is now. */
static int shut(sp_profiler *context, int *is_last)
{
    pthread_mutex_lock(&lock);
    int was_open = context->is_open;
    __atomic_store_n(&context->is_open, 0, __ATOMIC_RELAXED);
    open_count -= was_open;
    *is_last = open_count == 0 && !is_initialised;
    pthread_mutex_unlock(&lock);
    return was_open;
}

int sp_context_finalize(sp_profiler *context)
{
    int is_last;
    if (context->is_default)
        return sp_context_finish();
    if (!shut(context, &is_last))
        return SP_OK;
    note_open_calls(context);
    return is_last ? sp_alone_finish() : SP_OK;
}

void sp_context_close(sp_profiler *context)
{
    int is_last;
    if (context->is_default)
        return;
    shut(context, &is_last);
    free(context);
}
