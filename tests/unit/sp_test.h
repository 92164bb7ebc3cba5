/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SP_TEST_H
#define SP_TEST_H

/* cmocka with what it wants included before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SP_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
