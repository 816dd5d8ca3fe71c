/*
 * SPDX-License-Identifier: MIT
 *
 * order.c - in the weak mode, finds conflicting accesses that happens-before does not order.
 *
 * plain.c finds conflicting accesses only if no step of their threads separates them. In the weak
 * mode that is not enough. A relaxed store that publishes a pointer orders nothing, so an access
 * through the pointer is a race no matter how many steps later it is made. With a relaxed reference
 * count, a thread may free memory that another thread is still reading.
 *
 * This file therefore implements C11's happens-before. Each thread numbers its accesses. Release
 * and acquire, locks, create and join pass the numbers from view to view (memory.c); seq_cst fences
 * do not, because they order only atomics. When two accesses conflict, the view of the thread that
 * makes the second one must contain the number of the first ("knows" it); otherwise some other
 * execution makes the two accesses in the opposite order or at the same time. A free and the return
 * from a frame count as plain writes.
 *
 * Only memory with conflicting accesses of two threads is tracked. As in share.c, the search starts
 * over when it finds more such memory. To make equal states equal memory, ex_order_tidy drops
 * accesses that all threads know or that a later access implies, and merges numbers that no view
 * distinguishes.
 */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#define V    (&W->v)
#define SIZE 16384u /* number of table entries for 8-byte words; a power of two */

struct word {
	uintptr_t at; /* address / 8 */
	bool followed;
	uint8_t did[EX_MAX_THREADS]; /* which of the 4 kinds of access each thread has made, one bit
					each */
};
static struct words {
	struct word table[SIZE];
	unsigned used;
} * words; /* allocated by the first reset, and never freed */

void ex_order_reset(void)
{
	if (!words)
		words = malloc(sizeof(*words));
	if (!words)
		abort();
	memset(words, 0, sizeof(*words));
}

/** Returns whether accesses of these kinds conflict: at least one is a write, and at least one is
 * plain. */
static bool conflict(unsigned a, unsigned b)
{
	return ((a | b) & EX_WRITES) && !(a & b & EX_ATOMIC);
}

/** Returns whether every kind of access that conflicts with b also conflicts with a. */
static bool stands_for(unsigned a, unsigned b)
{
	return (a & EX_WRITES) >= (b & EX_WRITES) && (a & EX_ATOMIC) <= (b & EX_ATOMIC);
}

static bool off(void)
{
	/* --old-of is for scenarios that are too large for the full weak mode. */
	return E->opt.memory != EX_MEM_WEAK || E->opt.old_of;
}

/** Returns whether all other threads have been joined, so that none of them can act. */
static bool alone(int thread)
{
	for (unsigned i = 0; i < W->nthreads; i++)
		if ((int)i != thread && !W->t[i].joined)
			return false;
	return true;
}

static struct word *find(uintptr_t at)
{
	unsigned i = (unsigned)(at * 2654435761u) & (SIZE - 1);
	while (words->table[i].at && words->table[i].at != at)
		i = (i + 1) & (SIZE - 1);
	return &words->table[i];
}

static bool two_conflict(const struct word *w, int thread, unsigned kind)
{
	for (unsigned i = 0; i < EX_MAX_THREADS; i++)
		for (unsigned other = 0; (int)i != thread && other < 4; other++)
			if (w->did[i] >> other & 1 && conflict(kind, other))
				return true;
	return false;
}

static bool follow_word(struct word *w, int thread, unsigned kind)
{
	if (w->followed || w->did[thread] >> kind & 1)
		return w->followed;
	w->did[thread] |= (uint8_t)(1u << kind);
	w->followed = two_conflict(w, thread, kind);
	E->restart |= w->followed;
	return w->followed;
}

static bool follow(uintptr_t addr, size_t size, int thread, unsigned kind)
{
	bool any = false;
	for (uintptr_t at = addr / 8; at <= (addr + size - 1) / 8; at++) {
		struct word *w = find(at);
		if (!w->at && ++words->used > SIZE / 2)
			ex_give_up("gave up: more than %u words are accessed", SIZE / 2);
		w->at = at;
		any |= follow_word(w, thread, kind);
		int owner = ex_stack_of(addr);
		if (owner >= 0 && owner != thread)
			/* When `owner` returns from this frame, that counts as its write. */
			any |= follow_word(w, owner, EX_WRITES);
	}
	return any;
}

static bool overlap(const struct ex_access *a, uintptr_t addr, size_t size)
{
	return a->addr < addr + size && addr < a->addr + a->size;
}

static bool inside(const struct ex_access *a, uintptr_t addr, size_t size)
{
	return a->addr >= addr && a->addr + a->size <= addr + size;
}

static void forget(unsigned i)
{
	W->naccesses--;
	memmove(&V->access[i], &V->access[i + 1], (W->naccesses - i) * sizeof(V->access[0]));
	memset(&V->access[W->naccesses], 0, sizeof(V->access[0]));
}

static const char *name_of(unsigned kind)
{
	static const char *const names[] = {"plain read", "plain write", "atomic step",
					    "atomic step"};
	return names[kind];
}

/** Returns a conflicting access of another thread that this thread does not know, or null. */
static const struct ex_access *unknown(int thread, uintptr_t addr, size_t size, unsigned kind)
{
	for (unsigned i = 0; i < W->naccesses; i++) {
		const struct ex_access *a = &V->access[i];
		if (a->thread != thread && overlap(a, addr, size) && conflict(a->kind, kind) &&
		    V->cur[thread].known[a->thread] < a->number)
			return a;
	}
	return NULL;
}

static void add(int thread, uintptr_t addr, size_t size, unsigned kind)
{
	/* A view that contains this access also contains all that happened before the access. */
	for (unsigned i = W->naccesses; i-- > 0;)
		if ((V->access[i].thread == thread || kind == EX_WRITES) &&
		    inside(&V->access[i], addr, size) && stands_for(kind, V->access[i].kind))
			forget(i);
	if (W->naccesses == EX_MAX_ACCESSES || V->cur[thread].known[thread] == UINT8_MAX)
		ex_order_tidy();
	if (W->naccesses == EX_MAX_ACCESSES)
		ex_give_up("gave up: more than %d memory accesses to track", EX_MAX_ACCESSES);
	V->access[W->naccesses++] = (struct ex_access){.addr = addr,
						       .size = (uint32_t)size,
						       .thread = (uint8_t)thread,
						       .number = ++V->cur[thread].known[thread],
						       .kind = (uint8_t)kind};
}

/** Checks and records an access that a thread is about to make. */
void ex_order_access(int thread, uintptr_t addr, size_t size, unsigned kind)
{
	if (off() || alone(thread) || !follow(addr, size, thread, kind))
		return;
	const struct ex_access *a = unknown(thread, addr, size, kind);
	if (a) {
		ex_place_show(EX_RACE, a->thread, a->addr);
		if (kind & EX_ATOMIC)
			ex_place_show_step(EX_RACE, thread);
		else
			ex_place_show(EX_RACE, thread, addr);
	}
	if (a)
		ex_fail("data race: %s of %s by %s is not ordered after the %s by %s",
			name_of(kind), ex_name_memory(addr), ex_thread_name(thread),
			name_of(a->kind), ex_thread_name(a->thread));
	add(thread, addr, size, kind);
}

static void end_of_life(int thread, uintptr_t addr, size_t size, const char *how)
{
	const struct ex_access *a = unknown(thread, addr, size, EX_WRITES);
	if (a)
		ex_place_show(EX_USE, a->thread, a->addr);
	if (a)
		ex_fail("use after free: %s %s %s, not ordered after the %s by %s",
			ex_thread_name(thread), how, ex_name_memory(a->addr), name_of(a->kind),
			ex_thread_name(a->thread));
	for (unsigned i = W->naccesses; i-- > 0;)
		if (overlap(&V->access[i], addr, size))
			forget(i);
}

/** Ends the lifetime of memory that the thread frees. Fails if an unordered access remains. */
void ex_order_freed(int thread, uintptr_t addr, size_t size)
{
	if (off() || alone(thread))
		return;
	for (uintptr_t at = addr / 8; at <= (addr + size - 1) / 8; at++)
		if (find(at)->at)
			(void)follow_word(find(at), thread, EX_WRITES);
	end_of_life(thread, addr, size, "frees");
}

/** Ends the lifetime of the frames below a suspended thread's sp, or of all frames of a thread that
 * has ended. */
void ex_order_left(int thread)
{
	uintptr_t base = (uintptr_t)ex_stack_base(thread);
	bool ended = W->t[thread].status == EX_ENDED;
	size_t size = ended ? EX_STACK_SIZE : (uintptr_t)W->t[thread].sp - base;
	if (!off())
		end_of_life(thread, base, size, "leaves a frame with");
}

static bool known_to_all(const struct ex_access *a)
{
	for (unsigned i = 0; i < W->nthreads; i++)
		if (W->t[i].status != EX_ENDED && V->cur[i].known[a->thread] < a->number)
			return false;
	return true;
}

/* A set of access numbers for each thread. */
typedef struct {
	uint64_t bits[EX_MAX_THREADS][4];
} numbers;

static void put(numbers *s, unsigned thread, uint8_t n)
{
	s->bits[thread][n / 64] |= UINT64_C(1) << (n % 64);
}

static bool has(const numbers *s, unsigned thread, unsigned n)
{
	return s->bits[thread][n / 64] >> (n % 64) & 1;
}

static unsigned highest(const numbers *s, unsigned thread)
{
	for (unsigned i = 4; i-- > 0;)
		if (s->bits[thread][i])
			return i * 64 + 63 - (unsigned)__builtin_clzll(s->bits[thread][i]);
	return 0;
}

typedef uint8_t renumbering[EX_MAX_THREADS][UINT8_MAX + 1];

/** Calls f for each view. */
static void each_view(void (*f)(ex_view *v, void *with), void *with)
{
	for (unsigned i = 0; i < W->nmsgs; i++)
		f(&V->msg[i].view, with);
	for (unsigned i = 0; i < W->nthreads; i++) {
		f(&V->cur[i], with);
		f(&V->acq[i], with);
		f(&V->rel[i], with);
	}
}

static void note_known(ex_view *v, void *with)
{
	for (unsigned t = 0; t < W->nthreads; t++)
		put(with, t, v->known[t]);
}

static void change_known(ex_view *v, void *with)
{
	uint8_t(*now)[UINT8_MAX + 1] = with;
	for (unsigned t = 0; t < W->nthreads; t++)
		v->known[t] = now[t][v->known[t]];
}

/** Merges the numbers of a thread that no view distinguishes, and renumbers them from 1. Returns
 * whether any number changed. */
static bool renumber(unsigned t, const numbers *known, const numbers *live, uint8_t *now)
{
	bool changed = false;
	bool any = false; /* an access has a number after the last known number, up to n */
	uint8_t last = 0;
	/* The thread's own view contains the highest number; after a join, so does the joiner's
	 * view. */
	unsigned top = highest(known, t);
	now[0] = 0;
	for (unsigned n = 1; n <= top; n++) {
		any |= has(live, t, n);
		if (any && has(known, t, n)) {
			last++;
			any = false;
		}
		now[n] = last;
		changed |= n != last;
	}
	return changed;
}

static void renumber_all(void)
{
	numbers known = {{{0}}}, live = {{{0}}};
	renumbering now;
	bool changed = false;

	each_view(note_known, &known);
	for (unsigned i = 0; i < W->naccesses; i++)
		put(&live, V->access[i].thread, V->access[i].number);
	for (unsigned t = 0; t < W->nthreads; t++)
		changed |= renumber(t, &known, &live, now[t]);
	if (!changed)
		return;
	for (unsigned i = 0; i < W->naccesses; i++) {
		struct ex_access *a = &V->access[i];
		/* The new number follows that of the highest known access before this one. */
		a->number = (uint8_t)(now[a->thread][a->number - 1] + 1);
	}
	each_view(change_known, now);
}

static bool before(const struct ex_access *a, const struct ex_access *b)
{
	if (a->thread != b->thread)
		return a->thread < b->thread;
	if (a->number != b->number)
		return a->number < b->number;
	return a->addr != b->addr ? a->addr < b->addr : a->kind < b->kind;
}

static void sort(void)
{
	for (unsigned i = 1; i < W->naccesses; i++) {
		struct ex_access a = V->access[i];
		unsigned k = i;
		for (; k > 0 && before(&a, &V->access[k - 1]); k--)
			V->access[k] = V->access[k - 1];
		V->access[k] = a;
	}
}

/** Returns whether the thread's next or previous access makes this one redundant: it has the same
 * number, covers the same memory, and conflicts with every kind of access that this one does. */
static bool redundant(unsigned i)
{
	const struct ex_access *a = &V->access[i];
	for (unsigned k = i ? i - 1 : 1; k <= i + 1 && k < W->naccesses; k += 2) {
		const struct ex_access *b = &V->access[k];
		if (b->thread == a->thread && b->number == a->number &&
		    inside(a, b->addr, b->size) && stands_for(b->kind, a->kind))
			return true;
	}
	return false;
}

/** Drops the accesses that no check needs any more. */
void ex_order_tidy(void)
{
	for (unsigned i = W->naccesses; i-- > 0;)
		if (known_to_all(&V->access[i]))
			forget(i);
	renumber_all();
	sort();
	for (unsigned i = W->naccesses; i-- > 0;)
		if (redundant(i))
			forget(i);
}
