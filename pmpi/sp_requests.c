/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_requests.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 1024u

static struct sp_request **table;
static size_t table_size, live_count;
static uint64_t next_number = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct sp_request **place_of(MPI_Request handle)
{
    uint64_t key = 0;
    memcpy(&key, &handle, sizeof handle);
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
    return &table[(key >> 20) & (table_size - 1)];
}

int sp_requests_any(void)
{
    return __atomic_load_n(&live_count, __ATOMIC_RELAXED) > 0;
}

/* Appends in order of age; the caller holds the lock. */
static void append(struct sp_request *request)
{
    struct sp_request **place = place_of(request->handle);
    while (*place)
        place = &(*place)->next;
    request->next = NULL;
    *place = request;
}

static int grow(void)
{
    size_t old_size = table_size, size = table_size ? table_size * 2 : FIRST_SIZE;
    struct sp_request **old = table, **bigger = calloc(size, sizeof(struct sp_request *));
    if (!bigger)
        return -1;
    table = bigger;
    table_size = size;
    for (size_t i = 0; i < old_size; i++)
        for (struct sp_request *r = old[i], *next; r; r = next) {
            next = r->next;
            append(r);
        }
    free(old);
    return 0;
}

void sp_requests_add(const struct sp_request *request)
{
    struct sp_request *copy = malloc(sizeof *copy);
    if (!copy)
        return;
    *copy = *request;
    pthread_mutex_lock(&lock);
    if (live_count >= table_size && grow() < 0 && !table) {
        pthread_mutex_unlock(&lock);
        free(copy);
        return;
    }
    copy->number = next_number++;
    append(copy);
    __atomic_store_n(&live_count, live_count + 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

/* The first of a handle that is active or not, as asked; the caller holds the lock. */
static struct sp_request **find(MPI_Request handle, int is_active)
{
    if (!table)
        return NULL;
    for (struct sp_request **place = place_of(handle); *place; place = &(*place)->next)
        if ((*place)->handle == handle && (*place)->is_active == is_active)
            return place;
    return NULL;
}

static void remove_at(struct sp_request **place)
{
    struct sp_request *request = *place;
    *place = request->next;
    free(request);
    __atomic_store_n(&live_count, live_count - 1, __ATOMIC_RELAXED);
}

int sp_requests_complete(MPI_Request handle, struct sp_request *request)
{
    pthread_mutex_lock(&lock);
    struct sp_request **place = find(handle, 1);
    if (place) {
        *request = **place;
        if ((*place)->is_persistent)
            (*place)->is_active = 0;
        else
            remove_at(place);
    }
    pthread_mutex_unlock(&lock);
    return place != NULL;
}

int sp_requests_start(MPI_Request handle, struct sp_request *request)
{
    pthread_mutex_lock(&lock);
    struct sp_request **place = find(handle, 0);
    if (place) {
        (*place)->is_active = 1;
        *request = **place;
    }
    pthread_mutex_unlock(&lock);
    return place != NULL;
}

void sp_requests_forget(MPI_Request handle)
{
    pthread_mutex_lock(&lock);
    struct sp_request **place = find(handle, 0);
    if (!place)
        place = find(handle, 1);
    if (place)
        remove_at(place);
    pthread_mutex_unlock(&lock);
}

static void reserve(struct sp_saved *saved, int count)
{
    saved->count = count > 0 && sp_requests_any() ? count : 0;
    saved->handles = saved->few;
    saved->statuses = NULL;
    if (saved->count <= (int)(sizeof saved->few / sizeof saved->few[0]))
        return;
    saved->handles = malloc((size_t)count * sizeof *saved->handles);
    if (!saved->handles) {
        saved->handles = saved->few;
        saved->count = 0;
    }
}

void sp_saved_take(struct sp_saved *saved, int count, const MPI_Request handles[])
{
    reserve(saved, count);
    if (saved->count > 0)
        memcpy(saved->handles, handles, (size_t)saved->count * sizeof *handles);
}

void sp_saved_take_fortran(struct sp_saved *saved, int count, const MPI_Fint handles[])
{
    reserve(saved, count);
    for (int i = 0; i < saved->count; i++)
        saved->handles[i] = sp_mpi.Request_f2c(handles[i]);
}

void sp_saved_drop(struct sp_saved *saved)
{
    if (saved->handles != saved->few)
        free(saved->handles);
    free(saved->statuses);
}

MPI_Status *sp_saved_statuses(struct sp_saved *saved, MPI_Status *statuses)
{
    if (statuses != MPI_STATUSES_IGNORE || saved->count == 0)
        return statuses;
    saved->statuses = malloc((size_t)saved->count * sizeof *saved->statuses);
    return saved->statuses ? saved->statuses : statuses;
}
