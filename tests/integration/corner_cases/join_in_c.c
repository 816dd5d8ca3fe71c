/*
 * SPDX-License-Identifier: MIT
 *
 * join_in_c.c - a join in a C function, for throws.cc; compiled with doze_inline.h.
 */
#include "lib/doze.h"

void join_in_c(doze_fn a, doze_fn b);

void join_in_c(doze_fn a, doze_fn b)
{
	doze_join(a, 0, b, 0);
}
