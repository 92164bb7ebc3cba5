/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_series.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define KEYS 3

static double density_of(const struct sp_layout *layout)
{
    return layout->nodes > 0 ? layout->ranks / layout->nodes : 0;
}

static double key_of(const struct sp_layout *layout, int key)
{
    return key == 0 ? layout->threads : key == 1 ? layout->ranks : density_of(layout);
}

static bool are_same(const struct sp_layout *a, const struct sp_layout *b)
{
    return a->ranks == b->ranks && a->threads == b->threads && a->nodes == b->nodes;
}

/* Runs k of i's series under the keys split by so far. */
static bool are_together(const struct sp_layout *a, const struct sp_layout *b, unsigned by)
{
    for (int key = 0; key < KEYS; key++)
        if ((by & 1u << key) && key_of(a, key) != key_of(b, key))
            return false;
    return true;
}

/* Pairs of one x and one series that differ in their layout. */
static size_t count_odds(const double *x, const struct sp_layout *layouts, size_t count, unsigned by)
{
    size_t odds = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            odds += x[i] == x[k] && are_together(&layouts[i], &layouts[k], by) && !are_same(&layouts[i], &layouts[k]);
    return odds;
}

/* Numbers the series; returns how many. series NULL: only counts. */
static size_t number_series(const struct sp_layout *layouts, size_t count, unsigned by, size_t *series)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < i && !are_together(&layouts[i], &layouts[k], by))
            k++;
        if (series)
            series[i] = k < i ? series[k] : used;
        used += k == i;
    }
    return used;
}

size_t sp_series_split(const double *x, const struct sp_layout *layouts, size_t count, size_t *series, unsigned *by)
{
    *by = 0;
    for (size_t odds = count_odds(x, layouts, count, *by); odds;) {
        unsigned best = *by;
        size_t best_odds = odds, best_series = 0;
        for (int key = 0; key < KEYS; key++) {
            unsigned tried = *by | 1u << key;
            size_t left = count_odds(x, layouts, count, tried), made = number_series(layouts, count, tried, NULL);
            if (left < best_odds || (best != *by && left == best_odds && made < best_series)) {
                best = tried;
                best_odds = left;
                best_series = made;
            }
        }
        *by = best; /* two layouts that differ, differ in a key: some key always leaves fewer */
        odds = best_odds;
    }
    return number_series(layouts, count, *by, series);
}

char *sp_series_name(char *text, size_t size, const struct sp_layout *layout, unsigned by)
{
    static const char *const units[KEYS][2] = {{"thread a rank", "threads a rank"}, {"rank", "ranks"}, {"rank a node", "ranks a node"}};
    text[0] = '\0';
    for (int key = 0; key < KEYS; key++) {
        size_t used = strlen(text);
        double value = key_of(layout, key);
        if (by & 1u << key)
            snprintf(text + used, size - used, "%s%g %s", used ? ", " : "", value, units[key][value != 1]);
    }
    return text;
}
