/*
 * SPDX-License-Identifier: MIT
 *
 * places.c - the code that last made a plain access to an address, for the report of a data race.
 *
 * The places are kept only while a schedule is listed, and are not part of a state. A line "race
 * THREAD PLACE" in the listing names each side; PLACE is an address in the program, which labs/lab
 * resolves, or FILE:LINE for an atomic step.
 */
#include "places.h"

#include "engine.h"

#include <stdlib.h>

#define SIZE 4096u

static struct place {
	uintptr_t addr;
	const void *pc[EX_MAX_THREADS];
} * places; /* allocated at the first access; entries are overwritten when two addresses collide */

static struct place *place_of(uintptr_t addr)
{
	return &places[(unsigned)((addr >> 2) * 2654435761u) & (SIZE - 1)];
}

/** Notes that the running thread accesses the address from this instruction. */
void ex_place_note(uintptr_t addr, const void *pc)
{
	if (!E->listing || E->cur < 0)
		return;
	if (!places && !(places = calloc(SIZE, sizeof(*places))))
		abort();
	struct place *p = place_of(addr);
	if (p->addr != addr)
		*p = (struct place){.addr = addr};
	p->pc[E->cur] = pc;
}

/** Lists where the thread last made a plain access to the address, if that is known. */
void ex_place_show(int thread, uintptr_t addr)
{
	const struct place *p = places ? place_of(addr) : NULL;
	if (E->listing && p && p->addr == addr && p->pc[thread])
		fprintf(E->listing, "race\t%s\t%p\n", ex_thread_name(thread), p->pc[thread]);
}

/** Lists the atomic step that the thread is about to make. */
void ex_place_show_step(int thread)
{
	const struct ex_site *at = &W->t[thread].op.at;
	if (E->listing && at->file)
		fprintf(E->listing, "race\t%s\t%s:%lu\n", ex_thread_name(thread), at->file,
			(unsigned long)at->line);
}
