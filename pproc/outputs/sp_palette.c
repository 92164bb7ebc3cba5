/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_palette.h"

#include "sp_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct swatch {
    const char *name;
    bool mpi;
    uint32_t color;
};

struct sp_palette {
    struct swatch *swatches; /* by name */
    size_t count;
};

/* Paul Tol's "muted" scheme, in an order in which neighbours differ most. */
static const uint32_t hues[] = {0x332288, 0xcc6677, 0x117733, 0x88ccee, 0xddaa33, 0xaa4499, 0x44aa99, 0x882255, 0x999933};
static const uint32_t greys[] = {0x444444, 0x8c8c8c, 0x666666, 0xaaaaaa, 0x2b2b2b, 0x777777};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint32_t mix(uint32_t color, uint32_t with, double share)
{
    uint32_t mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = (color >> shift) & 0xff, b = (with >> shift) & 0xff;
        mixed |= (uint32_t)(a + (b - a) * share + 0.5) << shift;
    }
    return mixed;
}

/* When the hues are used up, lighter and then darker ones follow. */
static uint32_t hue_of(size_t which)
{
    size_t round = which / COUNT(hues) % 3;
    uint32_t color = hues[which % COUNT(hues)];
    return round == 0 ? color : round == 1 ? mix(color, 0xffffff, 0.45) : mix(color, 0x000000, 0.4);
}

static int compare_swatches(const void *a, const void *b)
{
    const struct swatch *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int compare_name(const void *name, const void *swatch)
{
    return strcmp(name, ((const struct swatch *)swatch)->name);
}

static void color_all(struct sp_palette *palette)
{
    size_t users = 0, functions = 0;
    for (size_t i = 0; i < palette->count; i++) {
        struct swatch *swatch = &palette->swatches[i];
        swatch->color = swatch->mpi ? greys[functions++ % COUNT(greys)] : hue_of(users++);
    }
}

int sp_palette_create(const struct sp_profiles *profiles, struct sp_palette **palette, struct sp_error *err)
{
    size_t room = 1, used = 0;
    for (size_t i = 0; i < profiles->count; i++)
        room += profiles->items[i].region_count;
    struct sp_palette *new = calloc(1, sizeof *new);
    struct swatch *swatches = calloc(room, sizeof *swatches);
    *palette = NULL;
    if (!new || !swatches) {
        free(new);
        free(swatches);
        return sp_fail(err, "out of memory");
    }
    for (size_t i = 0; i < profiles->count; i++)
        for (size_t k = 0; k < profiles->items[i].region_count; k++) {
            const struct sp_region *region = sp_profile_region(&profiles->items[i], k);
            swatches[used++] = (struct swatch){region->name, region->kind == SP_REGION_MPI, 0};
        }
    qsort(swatches, used, sizeof *swatches, compare_swatches);
    for (size_t i = 0; i < used; i++)
        if (!new->count || strcmp(swatches[new->count - 1].name, swatches[i].name))
            swatches[new->count++] = swatches[i];
    new->swatches = swatches;
    color_all(new);
    *palette = new;
    return 0;
}

void sp_palette_destroy(struct sp_palette *palette)
{
    if (!palette)
        return;
    free(palette->swatches);
    free(palette);
}

uint32_t sp_palette_region(const struct sp_palette *palette, const char *name)
{
    const struct swatch *found = bsearch(name, palette->swatches, palette->count, sizeof *palette->swatches, compare_name);
    return found ? found->color : SP_COLOR_OTHERS;
}

uint32_t sp_palette_run(size_t which, size_t count)
{
    return mix(0xa6cee3, 0x0b3c6f, count > 1 ? (double)which / (double)(count - 1) : 1);
}

uint32_t sp_color_for_text(uint32_t color)
{
    return mix(color, 0x000000, 0.3);
}

char *sp_color_text(char buffer[8], uint32_t color)
{
    snprintf(buffer, 8, "#%06x", (unsigned)(color & 0xffffff));
    return buffer;
}
