/*
 * SPDX-License-Identifier: MIT
 *
 * share.c - finds the steps that other threads can notice; the rest need no choice point.
 *
 * The search first assumes that nothing is shared. A step on an object that only one thread has
 * touched so far commutes with every step of the others, so it is taken without a choice point.
 * When a second thread touches the object, the object is marked as shared and the search starts
 * over. In the last pass the assumption holds everywhere. This is sound: consider the shortest
 * execution in which a second thread touches an object that was assumed to be local. Up to that
 * touch each step on the object commutes with all other steps, so the reduced search reaches the
 * same state and sees the touch.
 *
 * The same applies to writers. While only one thread writes an object, that thread's own loads
 * return its last write; while no thread writes it, all loads return the initial value. Neither
 * kind of load needs a choice point. The search starts over when it finds a second writer, or a
 * first writer of an object that several threads touch.
 *
 * A heavy fence empties the buffers of all threads. So in a program with heavy fences, other
 * threads can notice whether a store went into its thread's buffer before or after the fence, and
 * the store needs a choice point. This file represents the fence as a shared object without memory.
 */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#define SIZE 4096u

struct object {
	uintptr_t addr;
	int owner;  /* the only thread that has touched it, or MANY */
	int writer; /* the only thread that has written it, or NOBODY or MANY */
};
#define MANY   (-1)
#define NOBODY (-2)

static struct objects {
	struct object table[SIZE];
	unsigned used, shared;
} * objects;

void ex_share_reset(void)
{
	/* Allocated, so that restoring a state does not undo changes to it. */
	if (!objects)
		objects = malloc(sizeof(*objects));
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

/** Records that this thread touches the object. Returns whether several threads do. */
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

#define HEAVY_FENCE 1u /* stands for heavy fences in the table of objects, as an address */

/** Records that the program executes heavy fences. */
void ex_share_heavy(void)
{
	struct object *o = find(HEAVY_FENCE);
	if (o->addr)
		return;
	objects->used++;
	*o = (struct object){HEAVY_FENCE, MANY, MANY};
	E->restart = true;
}

bool ex_heavy_fences(void)
{
	return find(HEAVY_FENCE)->addr != 0;
}

/** Returns false if the thread's load or write of the object commutes with all steps of other
 * threads. A read-modify-write counts as a write. */
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

/** Writes a "shared" line for each shared object, with the thread that writes it. A schedule is
 * valid only with these lines, because they determine where the choice points are. Global variables
 * are given by name, because their addresses change with every change to the program. */
void ex_share_write(FILE *f)
{
	for (unsigned i = 0; i < SIZE; i++) {
		const struct object *o = &objects->table[i];
		struct ex_symbol symbol;
		if (!o->addr || o->owner != MANY)
			continue;
		if (ex_symbol_at(o->addr, &symbol))
			fprintf(f, "shared %s#%u+%#lx %d\n", symbol.name, symbol.number,
				(unsigned long)symbol.offset, o->writer);
		else
			fprintf(f, "shared %#lx %d\n", (unsigned long)o->addr, o->writer);
	}
}

/** Reads a "shared" line. Returns false for any other line, and for a variable that the program
 * does not have. */
bool ex_share_read(const char *line)
{
	char name[128];
	struct ex_symbol symbol = {.name = name};
	uintptr_t addr;
	int writer;
	if (sscanf(line, "shared %127[^#]#%u+%lx %d", name, &symbol.number, &symbol.offset,
		   &writer) == 4)
		addr = ex_symbol_address(&symbol);
	else if (sscanf(line, "shared %lx %d", &addr, &writer) != 2)
		return false;
	if (!addr)
		return false;
	struct object *o = find(addr);
	o->addr = addr;
	o->owner = MANY;
	o->writer = writer;
	objects->used++;
	return true;
}
