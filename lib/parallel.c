/*
 * SPDX-License-Identifier: MIT
 *
 * parallel.c - loops and reductions over index ranges, built on join, with adaptive splitting.
 *
 * The best number of pieces is not known in advance: with too few, workers stay idle; with too
 * many, the joins cost time. So, like Rayon's splitter, each piece has a budget of splits. A range
 * starts with a budget equal to the number of workers, each split halves the budget, and a half
 * that was stolen gets the full budget again, because a theft shows that a worker was idle. A range
 * is never split into halves shorter than the grain.
 *
 * A worker would halve its left piece several times before it runs any of it. So it makes all these
 * cuts first and publishes the right halves together, as joins, with one push and one post; the
 * sleep policy then knows how many workers the halves can employ. The largest half is the oldest,
 * so thieves take it first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "join.h"
#include "pool.h"

/* Maximum size, in bytes, of the accumulators that a piece keeps on its stack; larger ones go on
 * the heap. */
enum { ON_STACK_MAX = 4096 };

/* Data that all pieces of one loop or reduction share. */
struct whole {
	uint32_t workers;
	size_t grain;
	doze_range_fn each;          /* doze_for: the function for each piece; otherwise null */
	const doze_reducer *reducer; /* doze_reduce: its operations; otherwise null */
	void *arg;
	const void *caller; /* address of the user's call, which the trace shows for every piece */
};

struct piece {
	const struct whole *whole;
	size_t begin, end;
	uint32_t splits; /* budget for further splits: each split halves it */
	/* the worker that offered the piece to thieves; null if the piece was not offered */
	struct doze_worker *offered_by;
	void *acc; /* doze_reduce: where to store the result */
};

/* The right half of a piece that was split; offered to thieves. */
struct half {
	struct doze_join_job join;
	struct piece piece;
};

/* Maximum number of halves that one call cuts off a piece. Each cut halves the budget, which is at
 * most twice the number of workers. */
enum { CUTS_MAX = 16 };

static void piece_run(void *arg);

/* Updates the piece's budget, which its halves inherit. Returns whether to split the piece. */
static bool may_split(struct piece *p)
{
	const struct whole *whole = p->whole;
	bool stolen = p->offered_by != NULL && p->offered_by != doze_self;

	if (stolen && p->splits / 2 < whole->workers)
		p->splits = whole->workers;
	else
		p->splits /= 2;
	return p->splits > 0 && (p->end - p->begin) / 2 >= whole->grain;
}

static void run_whole_piece(const struct piece *p)
{
	const struct whole *whole = p->whole;
	if (whole->reducer == NULL)
		DOZE_GUARDED(whole->each(p->begin, p->end, whole->arg));
	else
		DOZE_GUARDED(whole->reducer->range(p->begin, p->end, p->acc, whole->arg));
}

/* Splits the piece, which may be split, and again while that is possible, each time cutting off the
 * right half, so the first one is the largest. Returns the number of halves cut off. */
static uint32_t cut(struct piece *left, struct half *half)
{
	struct doze_worker *worker = doze_self;
	uint32_t n = 0;

	do {
		size_t middle = left->begin + (left->end - left->begin) / 2;

		half[n++].piece =
		    (struct piece){left->whole, middle, left->end, left->splits, worker, NULL};
		left->end = middle;
		left->offered_by = NULL;
	} while (n < CUTS_MAX && may_split(left));
	return n;
}

/* Publishes one half, in a deque that has room: the common case. The steps are those of a join, but
 * the half is public at once, as a batch is (deque.h). A single worker has no thieves. */
static void offer_one(struct doze_worker *worker, struct half *half)
{
	const struct whole *whole = half->piece.whole;
	/* Relaxed: only the owner writes bottom. */
	int64_t bottom = da_load(&worker->deque.bottom, RLX);

	doze_inline_prepare(worker, &half->join, piece_run, &half->piece, bottom);
	half->join.job.caller = whole->caller;
	enum doze_inline_step step = doze_inline_push(worker, &half->join, bottom);
	if (whole->workers > 1)
		doze_deque_publish(&worker->deque);
	if (doze_unlikely(step == DOZE_INLINE_HEED))
		doze_join_heed(&half->join, whole->caller);
}

/* Publishes n > 0 halves. Returns false if out of memory; no half is then published. */
static bool offer(struct half *half, uint32_t n)
{
	struct doze_worker *worker = doze_self;
	struct doze_batch batch = {.count = 0};

	/* For ThreadSanitizer, doze_worker_push_many declares the edges. */
	if (n == 1 && doze_deque_has_room(&worker->deque) && !da_edges_wanted()) {
		offer_one(worker, half);
		return true;
	}
	if (doze_worker_reserve(worker, n) != 0)
		return false;
	/* Relaxed: only the owner writes bottom. */
	int64_t bottom = da_load(&worker->deque.bottom, RLX);
	for (uint32_t i = 0; i < n; i++) {
		doze_inline_prepare(worker, &half[i].join, piece_run, &half[i].piece, bottom + i);
		half[i].join.job.caller = half[i].piece.whole->caller;
		doze_batch_add(&batch, &half[i].join.job);
	}
	doze_worker_push_many(worker, &batch);
	return true;
}

/* Runs the leftmost piece, then each half that was not stolen. It starts with the newest, smallest
 * half, as the order of both the deque and the range requires. */
static void run_cut(const struct piece *left, struct half *half, uint32_t n)
{
	const struct whole *whole = left->whole;

	run_whole_piece(left);
	while (n-- > 0) {
		doze_inline_take_back(&half[n].join, piece_run);
		if (whole->reducer != NULL)
			DOZE_GUARDED(
			    whole->reducer->combine(left->acc, half[n].piece.acc, whole->arg));
	}
}

/* The size of a type is a multiple of its alignment, so the lowest set bit of the size is a
 * sufficient alignment. */
static size_t alignment_of(const doze_reducer *reducer)
{
	return reducer->size & -reducer->size;
}

/* Returns the number of bytes that n accumulators need at any start address. */
static size_t space_for(const doze_reducer *reducer, uint32_t n)
{
	return reducer != NULL ? n * reducer->size + alignment_of(reducer) - 1 : 0;
}

/* Assigns an accumulator to each half. Returns false if `space` is null because memory ran out. */
static bool place(struct half *half, uint32_t n, const doze_reducer *reducer, void *space)
{
	if (reducer == NULL)
		return true;
	if (space == NULL)
		return false;
	char *next = space;
	next += -(uintptr_t)next & (alignment_of(reducer) - 1);
	for (uint32_t i = 0; i < n; i++, next += reducer->size)
		half[i].piece.acc = next;
	return true;
}

/* Splits the piece, which may be split. Not inlined, so that pieces that are not split need no room
 * for halves. */
static __attribute__((noinline)) void split(const struct piece *p)
{
	const doze_reducer *reducer = p->whole->reducer;
	struct piece left = *p;
	struct half half[CUTS_MAX];
	uint32_t n = cut(&left, half);
	size_t bytes = space_for(reducer, n);
	void *allocated = bytes > ON_STACK_MAX ? malloc(bytes) : NULL;
	void *space = bytes > ON_STACK_MAX ? allocated : __builtin_alloca(bytes + 1);

	if (place(half, n, reducer, space) && offer(half, n))
		run_cut(&left, half, n);
	else
		run_whole_piece(p); /* there is no memory to split it */
	if (allocated != NULL)
		free(allocated);
}

static void piece_run(void *arg)
{
	struct piece *p = arg;
	const doze_reducer *reducer = p->whole->reducer;

	/* The left piece uses the accumulator that its parent has initialised. */
	if (reducer != NULL && p->offered_by != NULL)
		DOZE_GUARDED(reducer->identity(p->acc, p->whole->arg));
	if (may_split(p))
		split(p);
	else
		run_whole_piece(p);
}

static void run(doze_pool *pool, struct whole *whole, size_t begin, size_t end, void *acc)
{
	pool = doze_pool_or_default(pool);
	whole->workers = pool->num_workers;
	if (whole->grain == 0)
		whole->grain = 1;
	/* The budget starts at twice the number of workers, because the first call of may_split
	 * halves it. */
	struct piece all = {whole, begin, end, 2 * whole->workers, NULL, acc};
	if (doze_self != NULL && doze_self->pool == pool) /* as doze_install_for, without a call */
		piece_run(&all);
	else
		doze_install_for(pool, piece_run, &all, whole->caller);
}

void doze_for(doze_pool *pool, size_t begin, size_t end, size_t grain, doze_range_fn fn, void *arg)
{
	struct whole whole = {.grain = grain, .each = fn, .arg = arg, .caller = DOZE_CALLER};
	if (begin < end)
		run(pool, &whole, begin, end, NULL);
}

int doze_reduce(doze_pool *pool, size_t begin, size_t end, size_t grain,
		const doze_reducer *reducer, void *out, void *arg)
{
	struct whole whole = {
	    .grain = grain, .reducer = reducer, .arg = arg, .caller = DOZE_CALLER};
	if (reducer->size == 0)
		return doze_error_set(EINVAL,
				      "doze_reducer.size is 0: must be the size of an accumulator");
	DOZE_GUARDED(reducer->identity(out, arg));
	if (begin < end)
		run(pool, &whole, begin, end, out);
	return 0;
}
