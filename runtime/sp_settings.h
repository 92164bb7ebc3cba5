/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_SETTINGS_H
#define SP_SETTINGS_H

/* What the program itself says about its run (sp_set, sp_work). Local, any thread; results are of enum sp_status. */

/* Sets what the variable "SP_KEY" or "key" could; the environment and the configuration file win. SP_ERR_UNSUPPORTED where
 * there is no such setting, or the run has started. */
int sp_settings_set(const char *key, const char *value);

int sp_settings_work(double work);

#endif
