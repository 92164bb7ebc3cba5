/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_CONFIG_FILE_H
#define SP_CONFIG_FILE_H

/* A file with settings, which SP_CONFIG names: the table [profiling] of an INI file, or of a TOML file as far as its lines are
 * NAME = VALUE with a quoted text, a number, true, false, or an array that ends on its line. Other tables are passed over. */

#define SP_CONFIG_FILE_LIMIT (1 << 20) /* bytes */

/* Puts what the file says behind the environment (sp_override). Everything that is not understood is one line through say, with
 * file and line. The file's absolute path (the caller frees it), NULL where nothing could be read. Local. */
char *sp_config_file_read(const char *path, void (*say)(const char *format, ...));

#endif
