/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_NAMING_H
#define SP_NAMING_H

/* Names, files and lines of compiler-instrumented functions, which spill files hold as addresses (sp_names.h). */

#include "sp_dictionary.h"

struct sp_naming {
    size_t functions, unnamed;
    char how[256];  /* what looked them up; "" where there were none */
    char note[512]; /* one line for the user where functions stay without names; else "" */
};

/* Replaces the addresses in a dictionary that nothing is added to any more; those without a symbol become FILE+0xOFFSET. Asks
 * sp-names, which gets half a minute, and again as long where it came to no end with DWARF. Local. */
void sp_naming_apply(struct sp_dictionary *dictionary, struct sp_naming *naming);

#endif
