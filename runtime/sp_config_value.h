/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CONFIG_VALUE_H
#define SP_CONFIG_VALUE_H

/* What stands after the = of a line of a configuration file, INI or TOML. */

#include "sp_error.h"

/* The text a setting takes: of "quoted", 'literal' and bare text; of an array ["a", "b"] the list a,b with \, for a comma within
 * an element. A comment after it (blank and # or ;) is left out. The caller frees it. NULL with the reason in err. Pure, Local. */
char *sp_config_value_text(const char *written, struct sp_error *err);

#endif
