/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_PALETTE_H
#define SP_PALETTE_H

/* One colour a region, the same in every picture of a call. User regions take hues that colour-blind people tell apart, by the
 * order of their names; MPI functions take greys. Local. */

#include "sp_profile.h"

struct sp_palette;

#define SP_COLOR_OTHERS 0xc8c8c8u
#define SP_COLOR_RUN 0x000000u

/* *palette is NULL on failure. */
int sp_palette_create(const struct sp_profiles *profiles, struct sp_palette **palette, struct sp_error *err);
void sp_palette_destroy(struct sp_palette *palette);

/* 0xrrggbb */
uint32_t sp_palette_region(const struct sp_palette *palette, const char *name);

/* The which-th of count runs: from light to dark. */
uint32_t sp_palette_run(size_t which, size_t count);

/* Darker, for text on white. */
uint32_t sp_color_for_text(uint32_t color);

/* "#rrggbb". Returns buffer. */
char *sp_color_text(char buffer[8], uint32_t color);

#endif
