/*
 * SPDX-License-Identifier: MIT
 *
 * parallel.c - loops and reductions over index ranges, by join, with adaptive splitting.
 *
 * How far to split is not known beforehand: too few pieces leave workers idle, too many cost joins.
 * So, after Rayon's splitter: a range starts with as many splits as the pool has workers, each
 * split halves the right; and a half that turns out to have been stolen gets the full right again,
 * because a theft says that somebody was idle. A range no longer than the grain is never split.
 */
#include <errno.h>
#include <stdalign.h>
#include <string.h>

#include "join.h"
#include "pool.h"

enum { REDUCE_MAX = 4096 }; /* bytes of an accumulator: they lie on the workers' stacks */

/* What is the same for all pieces of one call. */
struct whole {
	uint32_t workers;
	size_t grain;
	doze_range_fn each;          /* for; or null */
	const doze_reducer *reducer; /* reduce; or null */
	void *arg;
};

struct piece {
	const struct whole *whole;
	size_t begin, end;
	uint32_t splits;                /* how often this piece may still be halved */
	struct doze_worker *offered_by; /* null: run by the worker that made it */
	void *acc; /* reduce: where the result goes; initialised by the piece */
};

static void piece_run(void *arg);

/* Whether to halve, and the right that the halves get. */
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
		whole->each(p->begin, p->end, whole->arg);
	else
		whole->reducer->range(p->begin, p->end, p->acc, whole->arg);
}

static void piece_split(struct piece *p)
{
	const struct whole *whole = p->whole;
	size_t middle = p->begin + (p->end - p->begin) / 2;
	struct piece left = *p, right = *p;

	left.end = right.begin = middle;
	left.offered_by = NULL;
	right.offered_by = doze_self;
	if (whole->reducer != NULL)
		right.acc =
		    __builtin_alloca_with_align(whole->reducer->size, alignof(max_align_t) * 8);
	doze_join_here(doze_self, piece_run, &left, piece_run, &right);
	if (whole->reducer != NULL)
		whole->reducer->combine(p->acc, right.acc, whole->arg);
}

static void piece_run(void *arg)
{
	struct piece p = *(struct piece *)arg;

	/* The left piece goes on in the accumulator that its parent has initialised. */
	if (p.whole->reducer != NULL && p.offered_by != NULL)
		p.whole->reducer->identity(p.acc, p.whole->arg);
	if (may_split(&p))
		piece_split(&p);
	else
		run_whole_piece(&p);
}

static void run(doze_pool *pool, struct whole *whole, size_t begin, size_t end, void *acc)
{
	pool = doze_pool_or_default(pool);
	whole->workers = pool->num_workers;
	if (whole->grain == 0)
		whole->grain = 1;
	/* Twice the workers, because the first decision halves it. */
	struct piece all = {whole, begin, end, 2 * whole->workers, NULL, acc};
	doze_install(pool, piece_run, &all);
}

void doze_for(doze_pool *pool, size_t begin, size_t end, size_t grain, doze_range_fn fn, void *arg)
{
	struct whole whole = {.grain = grain, .each = fn, .arg = arg};
	if (begin < end)
		run(pool, &whole, begin, end, NULL);
}

int doze_reduce(doze_pool *pool, size_t begin, size_t end, size_t grain,
		const doze_reducer *reducer, void *out, void *arg)
{
	struct whole whole = {.grain = grain, .reducer = reducer, .arg = arg};
	if (reducer->size == 0 || reducer->size > REDUCE_MAX)
		return doze_error_set(EINVAL, "doze_reducer.size is %zu: allowed are 1 to %d bytes",
				      reducer->size, REDUCE_MAX);
	reducer->identity(out, arg);
	if (begin < end)
		run(pool, &whole, begin, end, out);
	return 0;
}
