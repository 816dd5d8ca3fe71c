/*
 * SPDX-License-Identifier: MIT
 *
 * deque.c - the rare operations of the deque: creating, growing and freeing it, and the steps of
 * owner and thief that move the split between its public and private parts. See deque.h.
 */
#include "deque.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"

static struct doze_deque_buffer *buffer_new(int64_t capacity)
{
	struct doze_deque_buffer *b = calloc(1, sizeof *b + (size_t)capacity * sizeof b->slot[0]);
	if (b != NULL)
		b->capacity = capacity;
	return b;
}

int doze_deque_init(struct doze_deque *d, size_t capacity)
{
	struct doze_deque_buffer *b =
	    buffer_new((int64_t)(capacity != 0 ? capacity : DOZE_DEQUE_CAPACITY_DEFAULT));
	if (b == NULL)
		return ENOMEM;
	da_init(&d->top, 0);
	da_init(&d->bottom, 0);
	da_init(&d->buffer, b);
	da_init(&d->asked, 0);
	d->all_public = !da_fence_heavy_ready();
	da_init(&d->split, d->all_public ? DOZE_DEQUE_PUBLIC : 0);
	d->room = b->capacity;
	return 0;
}

void doze_deque_fini(struct doze_deque *d)
{
	/* Relaxed: the freeing thread has joined all other threads that used the deque. */
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	while (b != NULL) {
		struct doze_deque_buffer *older = b->older;
		free(b);
		b = older;
	}
}

/* Owner only. Returns a larger buffer with the entries from top to bottom, or null if out of
 * memory. */
static struct doze_deque_buffer *replace(struct doze_deque *d, int64_t top, int64_t bottom,
					 int64_t capacity)
{
	/* relaxed: only the owner replaces the buffer */
	struct doze_deque_buffer *old = da_load(&d->buffer, RLX);
	struct doze_deque_buffer *b = buffer_new(capacity);
	if (b == NULL)
		return NULL;
	for (int64_t i = top; i < bottom; i++)
		da_store(&b->slot[i & (b->capacity - 1)],
			 da_load(&old->slot[i & (old->capacity - 1)], RLX), RLX);
	b->older = old;
	/* Release: orders the copied slots before the pointer by which a thief finds them. A thief
	 * that still reads the old buffer reads the same entries, because the old slots in [top,
	 * bottom) do not change. */
	da_store(&d->buffer, b, REL);
	return b;
}

int doze_deque_reserve(struct doze_deque *d, uint32_t n)
{
	int64_t bottom = da_load(&d->bottom, RLX);
	if (bottom + n <= d->room)
		return 0;
	/* Acquire: pairs with the thieves' CAS on top. Orders a thief's read of a slot before this
	 * thread's next write to the slot, one lap later. */
	int64_t top = da_load(&d->top, ACQ);
	int64_t wanted = bottom - top + n;
	int64_t capacity = da_load(&d->buffer, RLX)->capacity;

	if (wanted > capacity) {
		while (capacity < wanted)
			capacity *= 2;
		if (replace(d, top, bottom, capacity) == NULL)
			return ENOMEM;
	}
	d->room = top + capacity;
	return 0;
}

void doze_deque_make_room(struct doze_deque *d)
{
	if (doze_deque_reserve(d, 1) == 0)
		return;
	fprintf(stderr,
		"doze: deque: no memory for %lld entries; limit the recursion or the number of "
		"spawned jobs\n",
		2 * (long long)da_load(&d->buffer, RLX)->capacity);
	abort();
}

/* Owner only, after a seq_cst fence that follows its last change of split or asked (I5). Moves
 * split above the given top, which was read after that fence. No thief can have passed bottom, so
 * split is at most bottom + 1 afterwards (I7). */
static void keep_above(struct doze_deque *d, int64_t top)
{
	if (da_load(&d->split, RLX) <= top)
		/* Release: as in doze_deque_answer. */
		da_store(&d->split, top + 1, REL);
}

void doze_deque_answer(struct doze_deque *d)
{
	int64_t bottom = da_load(&d->bottom, RLX), split = da_load(&d->split, RLX);
	int64_t top = da_load(&d->top, RLX); /* relaxed: top is read again after the fence */
	int64_t middle = top + (bottom - top + 1) / 2;

	if (top >= bottom)
		return;
	/* Release: orders the pushes before the new split, which makes their entries visible to
	 * thieves. */
	if (middle > split)
		da_store(&d->split, middle, REL);
	/* Relaxed: only the owner closes the deque. If this overwrites a thief's step, the new
	 * split is that thief's answer. */
	uint64_t asked = da_load(&d->asked, RLX);
	/* Release: a thief that reads the new `asked` also reads the new split. */
	da_store(&d->asked, (asked | DOZE_DEQUE_ASKED) + 1, REL);
	da_fence(SC); /* orders the closing before the load of top (I5) */
	keep_above(d, da_load(&d->top, RLX));
}

struct doze_job *doze_deque_pop_asked(struct doze_deque *d)
{
	/* Release: as in doze_deque_push_in_room. */
	da_store(&d->bottom, da_load(&d->bottom, RLX) + 1, REL);
	doze_deque_answer(d);
	return doze_deque_pop_public(d);
}

/* Owner only, called by pop_public when `left` entries remain. Makes half of the public entries
 * private, so that the next pops need no fence. */
static void lower_split(struct doze_deque *d, int64_t top, int64_t left)
{
	if (!d->all_public)
		/* Release: as in doze_deque_answer. */
		da_store(&d->split, top + (left + 1) / 2, REL);
}

struct doze_job *doze_deque_pop_public(struct doze_deque *d)
{
	/* relaxed: only the owner writes bottom (I2) */
	int64_t bottom = da_load(&d->bottom, RLX) - 1;
	struct doze_deque_buffer *b = da_load(&d->buffer, RLX);
	/* relaxed: an outdated top is merely too low, and top is read again below */
	int64_t top = da_load(&d->top, RLX);

	if (top > bottom)
		return NULL; /* certainly empty: only this thread pushes */
	if (bottom < da_load(&d->split, RLX))
		lower_split(d, top, bottom - top);
	da_store(&d->bottom, bottom, REL); /* release: see "differs from the paper" in deque.h */
	/* Orders the stores of split and bottom before the load of top. Either this owner sees the
	 * thief's new top, or the thief, which fences between its loads, sees this split and bottom
	 * and leaves the entry (I3, I5). */
	da_fence(SC);
	top = da_load(&d->top, RLX);
	keep_above(d, top);
	if (top > bottom) { /* thieves have emptied the deque: restore bottom */
		da_store(&d->bottom, bottom + 1, REL);
		return NULL;
	}
	struct doze_job *job = da_load(&b->slot[bottom & (b->capacity - 1)], RLX);
	if (top == bottom) { /* the last entry: race the thieves for it */
		/* seq_cst: total order with the thieves' CAS and both fences (I3). */
		if (!da_cas(&d->top, &top, top + 1, SC, RLX))
			job = NULL;
		da_store(&d->bottom, bottom + 1, REL);
	}
	return job;
}

/* Number of times that a thief checks for the owner's answer before it opens the deque. Together
 * these checks take about as long as the heavy fence. */
#ifdef DOZE_EXPLORE
enum { LOOKS = 0 };
#else
enum { LOOKS = 16 };
#endif

/* Makes a request, unless another thief has already made one. Returns the value of `asked`. */
static uint64_t ask(struct doze_deque *d)
{
	uint64_t asked = da_load(&d->asked, RLX);

	/* Relaxed: if the request has to be ordered, the heavy fence does it. */
	if ((asked & DOZE_DEQUE_ASKED) == 0 && da_cas(&d->asked, &asked, asked + 1, RLX, RLX))
		return asked + 1;
	return asked;
}

enum doze_steal doze_deque_steal_private(struct doze_deque *d, struct doze_job **out)
{
	enum doze_steal result;
	uint64_t asked = ask(d);
	bool only_private;

	for (int i = 0; i < LOOKS; i++) {
		da_pause();
		only_private = false;
		result = doze_deque_steal_public(d, out, &only_private);
		if (!only_private)
			return result;
	}
	/* Orders the request before the load of bottom, and in the owner each store of bottom
	 * before the load of asked (I6). If the kernel refuses the fence (the process may have
	 * entered a sandbox after the pool was created), this thief gives up, and the owner answers
	 * the request later. */
	if ((asked & DOZE_DEQUE_ASKED) == 1 && !da_fence_heavy())
		return DOZE_STEAL_empty;
	/* Release: orders the fence before this step. If the CAS fails, the owner has answered or
	 * another thief has opened the deque. */
	if ((asked & DOZE_DEQUE_ASKED) == 1)
		(void)da_cas(&d->asked, &asked, asked + 1, REL, RLX);
	only_private = false;
	result = doze_deque_steal_public(d, out, &only_private);
	return only_private ? DOZE_STEAL_retry : result;
}
