/* SPDX-License-Identifier: BSD-3-Clause */
#include "sp_number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *sp_number_exact(char buffer[SP_NUMBER_SIZE], double value)
{
    buffer[0] = '\0';
    if (!isfinite(value))
        return buffer;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, SP_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

/* value in the largest unit in which it is at least 1, with three or four significant digits. */
static char *in_units(char buffer[SP_NUMBER_SIZE], double value, const char *const *names, const double *sizes, size_t count)
{
    if (!isfinite(value))
        return strcpy(buffer, "-");
    size_t unit = 0;
    while (unit + 1 < count && fabs(value) >= sizes[unit + 1] * 0.9995)
        unit++;
    double scaled = value / sizes[unit];
    int decimals = unit == 0 && scaled == floor(scaled) ? 0 : fabs(scaled) < 9.995 ? 2 : fabs(scaled) < 99.95 ? 1 : 0;
    snprintf(buffer, SP_NUMBER_SIZE, "%.*f%s%s", decimals, scaled, names[unit][0] ? " " : "", names[unit]);
    return buffer;
}

char *sp_number_duration(char buffer[SP_NUMBER_SIZE], double ns)
{
    static const char *const names[] = {"ns", "us", "ms", "s"};
    static const double sizes[] = {1, 1e3, 1e6, 1e9};
    if (ns == 0)
        return strcpy(buffer, "0 s");
    return in_units(buffer, ns, names, sizes, 4);
}

char *sp_number_bytes(char buffer[SP_NUMBER_SIZE], double bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    static const double sizes[] = {1, 1024, 1048576, 1073741824, 1099511627776};
    return in_units(buffer, bytes, names, sizes, 5);
}

char *sp_number_count(char buffer[SP_NUMBER_SIZE], double count)
{
    static const char *const names[] = {"", "k", "M", "G"};
    static const double sizes[] = {1, 1e3, 1e6, 1e9};
    size_t unit = 0;
    if (!isfinite(count))
        return strcpy(buffer, "-");
    while (unit + 1 < 4 && fabs(count) >= sizes[unit + 1])
        unit++;
    snprintf(buffer, SP_NUMBER_SIZE, "%.*f%s", unit ? 1 : 0, count / sizes[unit], names[unit]);
    return buffer;
}
