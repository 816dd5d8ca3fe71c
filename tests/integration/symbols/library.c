/*
 * SPDX-License-Identifier: MIT
 *
 * library.c - the part of posts.c that symbols_test.py links into a shared object.
 */
#include <stdio.h>

#include "lib/doze.h"

int post_from_library(doze_pool *pool);

static void nothing(void *arg)
{
	(void)arg;
}

int post_from_library(doze_pool *pool)
{
	/* The return address of this call belongs to the next statement; doze must still report the
	 * call's line. */
	(void)doze_spawn(pool, nothing, NULL);
	printf("library post_from_library (library.c:%d)\n", __LINE__ - 1);
	return 0;
}
