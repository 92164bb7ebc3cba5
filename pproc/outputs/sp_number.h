/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_NUMBER_H
#define SP_NUMBER_H

/* Numbers as text, whatever the locale. All Local. */

/* Numbers for machines: the shortest decimal that reads back as the same double, "." as the decimal point; empty for NaN and
 * infinities. Returns buffer. */
#define SP_NUMBER_SIZE 32
char *sp_number_exact(char buffer[SP_NUMBER_SIZE], double value);

/* Numbers for people: "1.234 s", "12.3 ms", "4.5 us"; "12.5 MiB"; "1.2k"; "-" for undefined ones. Return buffer. */
char *sp_number_duration(char buffer[SP_NUMBER_SIZE], double ns);
char *sp_number_bytes(char buffer[SP_NUMBER_SIZE], double bytes);
char *sp_number_count(char buffer[SP_NUMBER_SIZE], double count);

#endif
