/*
 * SPDX-License-Identifier: MIT
 *
 * fences.c - a solution of lab 5.
 */
#include "nap.h"

bool nap_post(struct nap *nap)
{
	/* Release: orders the job's data before its publication. */
	da_store(&nap->job, 1, REL);
	/* Orders the publication before the read of the sleepers. */
	da_fence(SC);
	return da_load(&nap->sleepers, RLX) > 0;
}

bool nap_lie_down(struct nap *nap)
{
	da_add(&nap->sleepers, 1, RLX);
	/* Orders the increment before the last check. */
	da_fence(SC);
	/* Acquire: pairs with the release in nap_post. */
	return da_load(&nap->job, ACQ) == 0;
}
