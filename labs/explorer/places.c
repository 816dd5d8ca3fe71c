/*
 * SPDX-License-Identifier: MIT
 *
 * places.c - remembers which code last accessed an address, so that a report of a data race or of a
 * use after free can name that code.
 *
 * The places are kept only while a schedule is listed, and are not part of a state. The listing
 * contains a line "race THREAD PLACE" for each of the two accesses of a race, and "use THREAD
 * PLACE" for the access to freed memory. PLACE is an address in the program, which labs/lab
 * resolves, or FILE:LINE for an atomic step.
 *
 * With --calls, the listing also shows the functions that a thread is in at each of its steps, so
 * that labs/lab can name the operation that called a helper.
 */
#include "places.h"

#include "engine.h"

#include <stdlib.h>

#define SIZE 4096u

/* Either an address in the program, or the source line of an atomic step. */
struct access {
	const void *pc;
	const char *file;
	uint64_t line;
};

static struct place {
	uintptr_t addr;
	struct access by[EX_MAX_THREADS];
} * places; /* allocated by the first access; an entry is overwritten when two addresses collide */

static struct place *place_of(uintptr_t addr)
{
	return &places[(unsigned)((addr >> 2) * 2654435761u) & (SIZE - 1)];
}

static void note(int thread, uintptr_t addr, struct access access)
{
	if (!E->listing || thread < 0)
		return;
	if (!places && !(places = calloc(SIZE, sizeof(*places))))
		abort();
	struct place *p = place_of(addr);
	if (p->addr != addr)
		*p = (struct place){.addr = addr};
	p->by[thread] = access;
}

/** Records that the running thread accesses the address from this instruction. */
void ex_place_note(uintptr_t addr, const void *pc)
{
	note(E->cur, addr, (struct access){pc, NULL, 0});
}

/** Records that the thread's current step accesses the address. */
void ex_place_note_step(int thread, uintptr_t addr)
{
	const struct ex_site *at = &W->t[thread].op.at;
	note(thread, addr, (struct access){NULL, at->file, at->line});
}

static void show(const char *what, int thread, struct access access)
{
	if (!E->listing || (!access.pc && !access.file))
		return;
	fprintf(E->listing, "%s\t%s\t", what, ex_thread_name(thread));
	if (access.file)
		fprintf(E->listing, "%s:%lu\n", access.file, (unsigned long)access.line);
	else
		fprintf(E->listing, "%p\n", access.pc);
}

/** Adds to the listing where the thread last accessed the address, if it is known. */
void ex_place_show(const char *what, int thread, uintptr_t addr)
{
	const struct place *p = places ? place_of(addr) : NULL;
	if (p && p->addr == addr)
		show(what, thread, p->by[thread]);
}

/** Adds to the listing where the thread's current step is in the source. */
void ex_place_show_step(const char *what, int thread)
{
	const struct ex_site *at = &W->t[thread].op.at;
	show(what, thread, (struct access){NULL, at->file, at->line});
}

#define DEPTH 32 /* deeper calls are not shown */

struct ex_calls {
	unsigned depth;
	const void *pc[DEPTH];
};

void ex_calls_follow(void)
{
	free(E->calls);
	E->calls = calloc(EX_MAX_THREADS, sizeof(*E->calls));
}

void ex_call_enter(const void *pc)
{
	if (!E->calls || E->cur < 0)
		return;
	struct ex_calls *c = &E->calls[E->cur];
	if (c->depth < DEPTH)
		c->pc[c->depth] = pc;
	c->depth++;
}

void ex_call_leave(void)
{
	if (E->calls && E->cur >= 0 && E->calls[E->cur].depth > 0)
		E->calls[E->cur].depth--;
}

void ex_calls_show(FILE *to, int thread)
{
	const struct ex_calls *c = E->calls ? &E->calls[thread] : NULL;
	for (unsigned i = 0; c && i < c->depth && i < DEPTH; i++)
		fprintf(to, "\t%p", c->pc[i]);
}
