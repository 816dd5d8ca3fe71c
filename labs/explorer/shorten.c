/*
 * SPDX-License-Identifier: MIT
 *
 * shorten.c - finds the shortest failing schedule after a search has failed.
 */
#include "engine.h"

#include <stdlib.h>

#define SHORTEN_STATES 300000

/** Repeats a failed search with a bound of 0, 1, 2 … preemptions. With the first bound under which
 * the search fails, finds the failure with the fewest steps. */
void ex_shorten(struct ex_options opt, struct ex_result *r)
{
	struct ex_result *best = malloc(sizeof(*best));
	uint64_t at = r->at_execution;
	if (!best)
		return;
	uint64_t most = opt.max_states;
	for (opt.bound = 0; opt.bound <= 6; opt.bound++) {
		opt.shortest = false;
		ex_search(&opt, best);
		/* A failure without steps means that a required note needs more preemptions. */
		if (best->verdict != EX_FAILED || best->length == 0)
			continue;
		*r = *best;
		/* The limit is a number of states, so that the result is the same on every
		 * machine. */
		opt.shortest = true;
		opt.max_states = most < SHORTEN_STATES ? most : SHORTEN_STATES;
		ex_search(&opt, best);
		if (best->verdict == EX_FAILED)
			*r = *best;
		else
			ex_search(&(struct ex_options){.memory = opt.memory,
						       .bound = opt.bound,
						       .old_of = opt.old_of,
						       .spurious = opt.spurious,
						       .max_states = most,
						       .max_seconds = opt.max_seconds,
						       .policy = opt.policy},
				  r);
		break;
	}
	r->at_execution = at;
	E->res = r; /* the last search stored its result in `best` */
	free(best);
}
