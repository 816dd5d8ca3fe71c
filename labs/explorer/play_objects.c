/*
 * SPDX-License-Identifier: MIT
 *
 * play_objects.c - the objects that threads share, with the names that the code uses for them.
 *
 * Random schedules before the game find these objects, so that the list does not depend on the
 * player's moves.
 */
#include "play.h"

#include <string.h>

static struct ex_object *find(struct ex_game *g, uintptr_t addr)
{
	for (unsigned i = 0; i < g->objects; i++)
		if (g->object[i].addr == addr)
			return &g->object[i];
	return NULL;
}

/** Copies a name without & and parentheses: `&(pool)->lock` becomes pool->lock. */
static void copy_name(char *to, size_t size, const char *from)
{
	size_t n = 0;
	for (; *from && n + 1 < size; from++)
		if (!strchr("&()", *from))
			to[n++] = *from;
	to[n] = '\0';
}

static void add(struct ex_game *g, uintptr_t addr, unsigned size, const char *name, int thread)
{
	struct ex_object *o = find(g, addr);
	if (!o) {
		if (g->objects == EX_MAX_OBJECTS)
			return;
		o = &g->object[g->objects++];
		*o = (struct ex_object){.addr = addr, .size = size};
		copy_name(o->name, sizeof(o->name), name);
	}
	o->threads |= 1u << thread;
}

/** Notes what the thread's next step touches. */
void ex_objects_touch(struct ex_game *g, int thread)
{
	const struct ex_op *op = &W->t[thread].op;
	const char *name = op->at.what ? op->at.what : "";

	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOAD:
	case EX_OP_STORE:
	case EX_OP_RMW:
	case EX_OP_CAS:
	case EX_OP_NOTIFY:
	case EX_OP_WAIT:
		add(g, op->addr, op->size, name, thread);
		break;
	case EX_OP_LOCK:
	case EX_OP_TRYLOCK:
	case EX_OP_UNLOCK:
		if (op->sub) /* the lock after a wait, whose name is the condition's */
			break;
		add(g, op->addr, 0, name, thread);
		if (find(g, op->addr))
			find(g, op->addr)->mutex = true;
		break;
	default:
		break;
	}
}

const char *ex_object_name(const struct ex_game *g, uintptr_t addr)
{
	for (unsigned i = 0; i < g->objects; i++)
		if (g->object[i].addr == addr)
			return g->object[i].name;
	return "?";
}

static bool is_shared(const struct ex_object *o)
{
	return (o->threads & (o->threads - 1)) != 0;
}

/** Prints each shared variable with its value in memory, and each lock with its owner. */
void ex_objects_show(const struct ex_game *g)
{
	for (unsigned i = 0; i < g->objects; i++) {
		const struct ex_object *o = &g->object[i];
		const doze_mutex *m = (const doze_mutex *)o->addr;
		if (!is_shared(o) || ex_is_freed(o->addr))
			continue;
		if (o->size)
			printf("variable\t%s\t%u\t%lu\n", o->name, o->size,
			       (unsigned long)ex_mem_read(o->addr, o->size));
		else if (o->mutex && m->magic == EX_MUTEX_MAGIC)
			printf("lock\t%s\t%s\n", o->name,
			       m->owner ? ex_thread_name((int)m->owner - 1) : "");
	}
}

#define WALKS      60
#define WALK_STEPS 2000

/** Runs random schedules from the start to find the objects. Ignores failures, which are for the
 * player to find. */
void ex_objects_learn(struct ex_game *g)
{
	volatile unsigned walk = 0;
	volatile uint64_t random = 0x9e3779b97f4a7c15u;
	struct ex_action a[EX_MAX_ACTIONS];

	(void)sigsetjmp(E->fail, 0);
	E->cur = -1;
	while (walk++ < WALKS) {
		ex_search_rewind();
		unsigned n = ex_enumerate(a, EX_MAX_ACTIONS);
		for (unsigned i = 0; i < WALK_STEPS && n; i++) {
			uint64_t x = random;
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			random = x;
			struct ex_action next = a[(x >> 32) % 4 ? 0 : (x >> 40) % n];
			if (next.kind == EX_RUN)
				ex_objects_touch(g, next.thread);
			ex_apply(next);
			n = ex_enumerate(a, EX_MAX_ACTIONS);
		}
	}
	ex_search_rewind();
}
