/*
 * SPDX-License-Identifier: MIT
 *
 * share.c - which objects more than one thread touches; the others need no choice point.
 *
 * The search starts by believing that nothing is shared. A step on an object that only one thread
 * has touched so far commutes with every step of the others, so it is made without a choice point.
 * When a second thread turns up, the object is marked as shared and the search starts over. It ends
 * with a run in which the belief held everywhere. That is sound: take the shortest execution in
 * which a second thread touches an object believed local. Until then each step on it commuted with
 * all others, so an execution of the reduced search reaches the same state, and sees the touch.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#define SIZE 4096u

struct object {
	uintptr_t addr;
	int owner; /* the only thread so far; -1 = shared */
};
static struct objects {
	struct object table[SIZE];
	unsigned used, shared;
} * objects;

void ex_share_reset(void)
{
	if (!objects)
		objects = malloc(sizeof(*objects)); /* once: restoring a state must not undo it */
	if (!objects)
		abort();
	memset(objects, 0, sizeof(*objects));
}

unsigned ex_share_count(void)
{
	return objects->shared;
}

static struct object *find(uintptr_t addr)
{
	unsigned i = (unsigned)((addr >> 2) * 2654435761u) & (SIZE - 1);
	while (objects->table[i].addr && objects->table[i].addr != addr)
		i = (i + 1) & (SIZE - 1);
	return &objects->table[i];
}

/** The thread touches the object: is that a step that others can see? */
bool ex_is_shared(uintptr_t addr, int thread)
{
	struct object *o = find(addr);

	if (!o->addr) {
		if (++objects->used > SIZE / 2)
			ex_fail("the scenario touches more than %u atomic objects", SIZE / 2);
		o->addr = addr;
		o->owner = thread;
		return false;
	}
	if (o->owner >= 0 && o->owner != thread) {
		o->owner = -1;
		objects->shared++;
		E->restart = true;
	}
	return o->owner < 0;
}

/** The objects known to be shared, one "shared" line each: a schedule means something only together
 * with them, since they decide where the choice points are. */
void ex_share_write(FILE *f)
{
	for (unsigned i = 0; i < SIZE; i++)
		if (objects->table[i].addr && objects->table[i].owner < 0)
			fprintf(f, "shared %#lx\n", (unsigned long)objects->table[i].addr);
}

void ex_share_mark(uintptr_t addr)
{
	struct object *o = find(addr);
	o->addr = addr;
	o->owner = -1;
	objects->used++;
}
