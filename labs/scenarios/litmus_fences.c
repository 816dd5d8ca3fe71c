/*
 * SPDX-License-Identifier: MIT
 *
 * litmus_fences.c - litmus tests of the heavy and the light fence; see litmus.c.
 */
#include "litmus_fences.h"

#include "labs/explorer/explore.h"

#include "lib/atomic.h"
#include "lib/park.h"

#include <stdbool.h>
#include <stddef.h>

static struct {
	DOZE_ATOMIC(int) x, y, z;
} g;

/* Store buffering with an asymmetric pair of fences: one thread executes a heavy fence, the other a
 * light one. */
static void *light_side(void *arg)
{
	da_store(&g.y, 1, RLX);
	da_fence_light();
	da_store(&g.z, da_load(&g.x, RLX), RLX);
	return arg;
}
static void heavy_side(bool heavy)
{
	doze_thread t;
	(void)doze_thread_create(&t, light_side, NULL);
	da_store(&g.x, 1, RLX);
	if (heavy)
		(void)da_fence_heavy();
	else
		da_fence(SC);
	int r = da_load(&g.y, RLX);
	doze_thread_join(t);
	EX_CHECK(r == 1 || da_load(&g.z, RLX) == 1);
}
void sb_heavy(void)
{
	heavy_side(true);
}
void sb_half(void)
{
	heavy_side(false);
}

/* A heavy fence does not order the steps that follow it. */
void sb_heavy_early(void)
{
	doze_thread t;
	(void)doze_thread_create(&t, light_side, NULL);
	(void)da_fence_heavy();
	da_store(&g.x, 1, RLX);
	int r = da_load(&g.y, RLX);
	doze_thread_join(t);
	EX_CHECK(r == 1 || da_load(&g.z, RLX) == 1);
}
