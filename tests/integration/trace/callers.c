/*
 * SPDX-License-Identifier: MIT
 *
 * callers.c - posts one job from a chain of calls and prints the return address of each call. The
 * trace must record these addresses as caller2, caller3 and caller4 of the post
 * (DOZE_TRACE_FRAMES).
 */
#include <stdio.h>

#include "lib/doze.h"

/* Functions must be neither inlined nor tail-called, so that each has its own frame. */
#define FRAME __attribute__((noinline))
#define HERE  __builtin_return_address(0)

static doze_pool *pool;

static void nothing(void *arg)
{
	(void)arg;
}

static FRAME void inner(void)
{
	printf("%p ", HERE);
	if (doze_spawn(pool, nothing, NULL) != 0)
		perror("doze_spawn");
}

static FRAME void middle(void)
{
	inner();
	printf("%p ", HERE);
}

static FRAME void outer(void)
{
	middle();
	printf("%p\n", HERE);
}

int main(void)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	config.num_threads = 1;
	if (doze_pool_create(&pool, &config) != 0)
		return 2;
	outer();
	doze_pool_free(pool);
	return 0;
}
