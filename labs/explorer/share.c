/*
 * SPDX-License-Identifier: MIT
 *
 * share.c - which steps others can notice; the rest need no choice point.
 *
 * The search starts by believing that nothing is shared. A step on an object that only one thread
 * has touched so far commutes with every step of the others, so it is made without a choice point.
 * When a second thread turns up, the object is marked as shared and the search starts over. It ends
 * with a run in which the belief held everywhere. That is sound: take the shortest execution in
 * which a second thread touches an object believed local. Until then each step on it commuted with
 * all others, so an execution of the reduced search reaches the same state, and sees the touch.
 *
 * The same goes for who writes an object. As long as only one thread does, its own loads return
 * what it wrote last, whatever the others do (they only read), and as long as nobody does, all
 * loads return what was there from the beginning: no choice point for these either. A second
 * writer, or a first one after another thread has read, starts the search over.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#define SIZE 4096u

struct object {
	uintptr_t addr;
	int owner;  /* the only thread so far; MANY = shared */
	int writer; /* the only one that wrote so far; NOBODY; MANY */
};
#define MANY   (-1)
#define NOBODY (-2)

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
			ex_give_up("gave up: the scenario touches more than %u atomic objects",
				   SIZE / 2);
		o->addr = addr;
		o->owner = thread;
		o->writer = NOBODY;
		return false;
	}
	if (o->owner >= 0 && o->owner != thread) {
		o->owner = MANY;
		objects->shared++;
		E->restart = true;
	}
	return o->owner == MANY;
}

/** The thread is about to load or to write (a read-modify-write counts as one) the object. False:
 * the step commutes with whatever the others do. */
bool ex_is_visible(uintptr_t addr, int thread, bool write)
{
	bool shared = ex_is_shared(addr, thread);
	struct object *o = find(addr);
	if (!write)
		return shared && o->writer != NOBODY && o->writer != thread;
	if (o->writer == NOBODY) {
		o->writer = thread;
		if (shared)
			E->restart = true;
	} else if (o->writer != thread && o->writer != MANY) {
		o->writer = MANY;
		E->restart = true;
	}
	return shared;
}

extern char __data_start[], __bss_start[], _end[]; /* the linker's */

/** The objects known to be shared, one "shared" line each with who writes them: a schedule means
 * something only together with them, since they decide where the choice points are. Globals stand
 * there by their place in data or bss: the explored code is linked first (module.mk), so a change
 * to the explorer moves the whole, but not the parts. */
void ex_share_write(FILE *f)
{
	for (unsigned i = 0; i < SIZE; i++) {
		const struct object *o = &objects->table[i];
		uintptr_t addr = o->addr, bss = (uintptr_t)__bss_start;
		if (!addr || o->owner != MANY)
			continue;
		if (addr >= bss && addr < (uintptr_t)_end)
			fprintf(f, "shared bss+%#lx %d\n", (unsigned long)(addr - bss), o->writer);
		else if (addr >= (uintptr_t)__data_start && addr < bss)
			fprintf(f, "shared data+%#lx %d\n",
				(unsigned long)(addr - (uintptr_t)__data_start), o->writer);
		else
			fprintf(f, "shared %#lx %d\n", (unsigned long)addr, o->writer);
	}
}

/** False: the line is of another kind. */
bool ex_share_read(const char *line)
{
	unsigned long addr;
	int writer;
	if (sscanf(line, "shared bss+%lx %d", &addr, &writer) == 2)
		addr += (uintptr_t)__bss_start;
	else if (sscanf(line, "shared data+%lx %d", &addr, &writer) == 2)
		addr += (uintptr_t)__data_start;
	else if (sscanf(line, "shared %lx %d", &addr, &writer) != 2)
		return false;
	struct object *o = find(addr);
	o->addr = addr;
	o->owner = MANY;
	o->writer = writer;
	objects->used++;
	return true;
}
