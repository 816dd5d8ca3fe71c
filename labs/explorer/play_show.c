/*
 * SPDX-License-Identifier: MIT
 *
 * play_show.c - prints the state of a game as lines of tab-separated fields, followed by a line
 * ".".
 *
 *   thread NUMBER NAME STATUS FUNCTION STEP PLACE WAITS-FOR CHOICES
 *   choice THREAD NUMBER WORDS        an alternative of the step, if there are several
 *   buffered THREAD VARIABLE VALUE    a buffered store; the oldest comes first
 *   variable NAME BYTES VALUE ADDRESS
 *   freed NAME                        a variable whose memory has been freed
 *   lock NAME OWNER
 *   step TEXT PLACE                   a step of the last move
 *   row LABEL TEXT                    a row that the scenario adds (ex_row)
 *   met TEXT                          an event that the last move met (ex_event)
 *   event TEXT                        an event that the library reported in the last move
 *   game MOVES KNOWN STATE MESSAGE    STATE: playing, reached, failed, ended
 *
 * The names of variables and locks are those that the code uses for them. Random schedules before
 * the game find these objects, so that the list does not depend on the player's moves.
 *
 * STATUS: ready, blocked (by a lock or a join), sleeps, waits (until all is quiet), ended.
 */
#include "play.h"

#include <stdarg.h>
#include <string.h>

/* ---- the objects that threads share ---- */

static struct ex_object *find(struct ex_game *g, uintptr_t addr)
{
	for (unsigned i = 0; i < g->objects; i++)
		if (g->object[i].addr == addr)
			return &g->object[i];
	return NULL;
}

/** Returns the length of a name in parentheses, as in `(pool)->lock`, or 0. */
static size_t bracketed(const char *from)
{
	size_t n = from[0] == '(' ? strspn(from + 1, "abcdefghijklmnopqrstuvwxyz_0123456789") : 0;
	return n && from[n + 1] == ')' ? n : 0;
}

/** Copies a name without a leading & and without parentheses around a word: `&(pool)->lock` becomes
 * pool->lock. */
static void copy_name(char *to, size_t size, const char *from)
{
	size_t n = 0;
	from += *from == '&';
	while (*from && n + 1 < size) {
		size_t word = bracketed(from);
		if (word && n + word + 1 < size) {
			memcpy(to + n, from + 1, word);
			n += word;
			from += word + 2;
		} else {
			to[n++] = *from++;
		}
	}
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

/** Records which object the thread's next step touches. */
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
		if (op->sub) /* a LOCK after a WAIT has the name of the condition, not of the mutex
			      */
			break;
		add(g, op->addr, 0, name, thread);
		if (find(g, op->addr))
			find(g, op->addr)->mutex = true;
		break;
	default:
		break;
	}
}

/** Returns the thread whose argument is the element of an array that contains the address, or -1.
 * The library passes each worker's thread its element of pool->workers. */
static int owner_of(uintptr_t addr)
{
	uintptr_t array = UINTPTR_MAX;
	int owner = -1;

	for (unsigned i = 1; i < W->nthreads; i++)
		if ((uintptr_t)W->t[i].arg && (uintptr_t)W->t[i].arg < array)
			array = (uintptr_t)W->t[i].arg;
	if (addr < array || addr >= array + ex_heap_size(array))
		return -1;
	for (unsigned i = 1; i < W->nthreads; i++) {
		uintptr_t arg = (uintptr_t)W->t[i].arg;
		if (arg >= array && arg <= addr && (owner < 0 || arg > (uintptr_t)W->t[owner].arg))
			owner = (int)i;
	}
	return owner;
}

static bool is_shared(const struct ex_object *o)
{
	return (o->threads & (o->threads - 1)) != 0;
}

/** Writes the object's name. If several shared objects have this name, adds the worker that
 * contains the object, or a number. */
static void write_label(const struct ex_game *g, const struct ex_object *o, char *to, size_t size)
{
	unsigned same = 0, before = 0;
	const char *given = ex_given_name(o->addr);
	if (given) {
		snprintf(to, size, "%s", given);
		return;
	}
	for (unsigned i = 0; i < g->objects; i++) {
		bool equal = is_shared(&g->object[i]) && !strcmp(g->object[i].name, o->name) &&
			     !g->object[i].size == !o->size;
		same += equal;
		before += equal && &g->object[i] < o;
	}
	int owner = same > 1 ? owner_of(o->addr) : -1;
	if (owner >= 0)
		snprintf(to, size, "%s of %s", o->name, ex_thread_name(owner));
	else if (before)
		snprintf(to, size, "%s (%u)", o->name, before + 1);
	else
		snprintf(to, size, "%s", o->name);
}

/** Returns the object's name. The next call overwrites it. */
const char *ex_object_name(const struct ex_game *g, uintptr_t addr)
{
	static char label[EX_MAX_LABEL];
	for (unsigned i = 0; i < g->objects; i++) {
		if (g->object[i].addr != addr)
			continue;
		write_label(g, &g->object[i], label, sizeof(label));
		return label;
	}
	return "?";
}

/** Returns whether the object exists: its memory is allocated, or is in a frame in use. It may have
 * been freed. */
static bool exists(uintptr_t addr)
{
	return !ex_dead_frame(addr) && ex_heap_reached(addr);
}

/** Prints each shared variable with its value in memory and its address, and each lock with its
 * owner. */
static void objects_show(const struct ex_game *g)
{
	char label[EX_MAX_LABEL];
	for (unsigned i = 0; i < g->objects; i++) {
		const struct ex_object *o = &g->object[i];
		const doze_mutex *m = (const doze_mutex *)o->addr;
		if (!exists(o->addr))
			continue;
		bool held = o->mutex && !o->size && !ex_is_freed(o->addr) && m->owner;
		if (!is_shared(o) && !held)
			continue;
		write_label(g, o, label, sizeof(label));
		if (ex_is_freed(o->addr) && o->size)
			printf("freed\t%s\n", label);
		else if (o->size)
			printf("variable\t%s\t%u\t%lu\t%lu\n", label, o->size,
			       (unsigned long)ex_mem_read(o->addr, o->size),
			       (unsigned long)o->addr);
		else if (o->mutex && !ex_is_freed(o->addr) && m->magic == EX_MUTEX_MAGIC)
			printf("lock\t%s\t%s\n", label,
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

/* ---- the state of the game ---- */

/** Returns whether a thread that waits until all is quiet may continue. */
bool ex_game_quiet(int thread)
{
	struct ex_action a[EX_MAX_ACTIONS];
	if (W->t[thread].status != EX_READY || W->t[thread].op.kind != EX_OP_QUIET)
		return false;
	unsigned n = ex_enumerate(a, EX_MAX_ACTIONS);
	return n > 0 && a[0].kind == EX_RUN && W->t[a[0].thread].op.kind == EX_OP_QUIET;
}

static const char *status(int thread)
{
	const struct ex_thread *t = &W->t[thread];
	if (t->status == EX_ENDED)
		return "ended";
	if (t->status == EX_WAITING)
		return "sleeps";
	if (ex_enabled(thread) || ex_game_quiet(thread))
		return "ready";
	return t->op.kind == EX_OP_QUIET ? "waits" : "blocked";
}

/** Prints the thread's next step in words. */
static void show_step(const struct ex_game *g, const struct ex_op *op)
{
	char words[EX_MAX_WORDS];
	ex_words(op, words, sizeof(words));
	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOCK:
	case EX_OP_TRYLOCK:
	case EX_OP_UNLOCK:
	case EX_OP_NOTIFY:
	case EX_OP_WAIT:
		printf("%s %s%s", words, ex_object_name(g, op->addr),
		       op->kind == EX_OP_LOCK && op->sub ? " (woken)" : "");
		break;
	case EX_OP_JOIN:
		printf("join %s", ex_thread_name((int)op->n));
		break;
	case EX_OP_QUIET:
		printf("continue when no other thread can run");
		break;
	case EX_OP_STORE:
		printf("%s = %#lx", words, (unsigned long)op->value);
		break;
	case EX_OP_CAS:
		printf("%s: %#lx -> %#lx", words, (unsigned long)op->expected,
		       (unsigned long)op->value);
		break;
	case EX_OP_CHOOSE:
		printf("an alternative of the scenario, which you choose");
		break;
	default:
		printf("%s", words);
		break;
	}
}

/** Prints the alternatives of the thread's step. */
static void show_choices(int thread)
{
	const struct ex_op *op = &W->t[thread].op;
	unsigned n = ex_enabled(thread) ? ex_choices(thread) : 1, waiter = 0;
	for (unsigned c = 0; n > 1 && c < n; c++) {
		printf("choice\t%d\t%u\t", thread, c);
		if (op->kind == EX_OP_NOTIFY) {
			while (W->t[waiter].status != EX_WAITING || W->t[waiter].cond != op->addr)
				waiter++;
			printf("wake %s\n", ex_thread_name((int)waiter++));
		} else if (op->kind == EX_OP_CHOOSE) {
			printf("alternative %u of %u\n", c + 1, n);
		} else {
			printf(c ? "read an old value (%u)\n" : "read the newest value\n", c);
		}
	}
}

static void show_thread(const struct ex_game *g, int thread)
{
	const struct ex_thread *t = &W->t[thread];
	const struct ex_site *at = &t->op.at;
	bool ended = t->status == EX_ENDED;

	printf("thread\t%d\t%s\t%s\t%s\t", thread, ex_thread_name(thread), status(thread),
	       !ended && at->func ? at->func : "");
	if (!ended)
		show_step(g, &t->op);
	printf("\t");
	if (!ended && at->file)
		printf("%s:%lu", at->file, (unsigned long)at->line);
	printf("\t%s\t%u\n", t->expects ? t->expects : "",
	       W->spurious_left && t->status == EX_WAITING);
	show_choices(thread);
	for (unsigned i = 0; i < t->nbuf; i++)
		printf("buffered\t%d\t%s\t%lu\n", thread, ex_object_name(g, t->buf[i].addr),
		       (unsigned long)t->buf[i].value);
}

/** Prints each line of the text after the given word. */
static void show_lines(const char *word, const char *text)
{
	while (text && *text) {
		int n = (int)strcspn(text, "\n");
		printf("%s\t%.*s\n", word, n, text);
		text += n + (text[n] == '\n');
	}
}

static bool all_ended(void)
{
	for (unsigned i = 0; i < W->nthreads; i++)
		if (W->t[i].status != EX_ENDED)
			return false;
	return true;
}

void ex_game_show(const struct ex_game *g)
{
	const char *state = g->reached_at ? "reached"
			    : g->failed   ? "failed"
			    : all_ended() ? "ended"
					  : "playing";
	for (unsigned i = 0; i < W->nthreads; i++)
		show_thread(g, (int)i);
	objects_show(g);
	show_lines("step", g->lines);
	show_lines("event", g->events);
	show_lines("met", g->met);
	if (E->rows)
		E->rows();
	printf("game\t%u\t%u\t%s\t%s\n.\n", g->moves, g->known, state,
	       g->failed       ? E->res->message
	       : g->reached_at ? g->reached
			       : "");
	fflush(stdout);
}

/* ---- what a scenario adds to the picture ---- */

void ex_show_in_play(void (*show)(void))
{
	E->rows = show;
}

/** Prints a row of the state of a game. */
void ex_row(const char *label, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	printf("row\t%s\t", label);
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

uint64_t ex_peek(const volatile void *p, unsigned size)
{
	return ex_mem_read((uintptr_t)p, size);
}

bool ex_exists(const volatile void *p)
{
	uintptr_t addr = (uintptr_t)p;
	return p && !ex_is_freed(addr) && ex_heap_reached(addr);
}
