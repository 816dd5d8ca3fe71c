/*
 * SPDX-License-Identifier: MIT
 *
 * fences.c - lab 5: place the fences, and choose the memory orders.
 *
 * The operations are those of lib/atomic.h. Orders: RLX, ACQ, REL, AR (both), SC.
 *   da_load(p, order), da_store(p, value, order), da_add(p, n, order), da_fence(order)
 */
#include "nap.h"

bool nap_post(struct nap *nap)
{
	da_store(&nap->job, 1, RLX);
	return da_load(&nap->sleepers, RLX) > 0;
}

bool nap_lie_down(struct nap *nap)
{
	da_add(&nap->sleepers, 1, RLX);
	return da_load(&nap->job, RLX) == 0;
}
