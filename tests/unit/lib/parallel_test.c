/*
 * SPDX-License-Identifier: MIT
 *
 * Loops, reductions, yields and the pool's statistics.
 */
#include "help.h"
#include "lib/atomic.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { N = 102400 };

static void increment(size_t begin, size_t end, void *arg)
{
	int *a = arg;
	for (size_t i = begin; i < end; i++)
		a[i]++;
}

static void every_index_once(void)
{
	int *a = calloc(N, sizeof *a), wrong = 0;
	doze_pool *pool = help_pool(3, NULL);
	doze_for(pool, 0, N, 0, increment, a);
	doze_for(pool, 0, N, 1000, increment, a);
	doze_for(pool, 5, 5, 0, increment, a); /* an empty range */
	doze_for(pool, N, 0, 0, increment, a); /* a reversed range counts as empty */
	for (int i = 0; i < N; i++)
		wrong += a[i] != 2;
	CU_ASSERT_EQUAL(wrong, 0);
	doze_pool_free(pool);
	free(a);
}

struct pieces {
	long count, shortest; /* shortest: atomic minimum */
};

static void note_piece(size_t begin, size_t end, void *arg)
{
	struct pieces *p = arg;
	long length = (long)(end - begin), was = help_read(&p->shortest);
	help_count(&p->count);
	while (length < was && !da_cas((DOZE_ATOMIC(long) *)&p->shortest, &was, length, SC, SC))
		continue;
}

static void grain_is_respected(void)
{
	struct pieces p = {0, N};
	doze_pool *pool = help_pool(4, NULL);
	doze_for(pool, 0, N, 0, note_piece, &p);
	CU_ASSERT_TRUE(p.count >= 4); /* at least one piece per worker */
	p = (struct pieces){0, N};
	doze_for(pool, 0, N, 40000, note_piece,
		 &p); /* without a grain, 4 workers would get shorter pieces */
	CU_ASSERT_TRUE(p.shortest >= 40000);
	doze_pool_free(pool);
}

static void single_worker_splits_little(void)
{
	struct pieces p = {0, N};
	doze_pool *pool = help_pool(1, NULL);
	doze_for(pool, 0, N, 1, note_piece, &p);
	/* Nothing was stolen, so there was no reason to split further. */
	CU_ASSERT_TRUE(p.count <= 4);
	doze_pool_free(pool);
}

/* ---- reduce, with an operation that does not commute, so a wrong order is detected ---- */

struct span {
	size_t first, last, length; /* number of consecutive indices */
	long sum;
	int broken;
};

static void span_identity(void *acc, void *arg)
{
	(void)arg;
	memset(acc, 0, sizeof(struct span));
}

static void span_join(struct span *left, size_t first, size_t last)
{
	if (left->length == 0)
		left->first = first;
	else if (left->last != first)
		left->broken = 1;
	left->last = last;
	left->length += last - first;
}

static void span_range(size_t begin, size_t end, void *acc, void *arg)
{
	struct span *s = acc;
	const int *a = arg;
	span_join(s, begin, end);
	for (size_t i = begin; i < end; i++)
		s->sum += a[i];
}

static void span_combine(void *left, const void *right, void *arg)
{
	const struct span *r = right;
	struct span *l = left;
	(void)arg;
	if (r->length == 0)
		return;
	span_join(l, r->first, r->last);
	l->sum += r->sum;
	l->broken |= r->broken;
}

static const doze_reducer span_reducer = {sizeof(struct span), span_identity, span_range,
					  span_combine};

static void reduces_in_order(void)
{
	int *a = calloc(N, sizeof *a);
	for (int i = 0; i < N; i++)
		a[i] = i % 7;
	long sum = 0;
	for (int i = 0; i < N; i++)
		sum += a[i];
	for (unsigned n = 1; n <= 5; n += 2) {
		struct span s;
		doze_pool *pool = help_pool(n, NULL);
		for (int i = 0; i < 20; i++) {
			CU_ASSERT_EQUAL(doze_reduce(pool, 0, N, 100, &span_reducer, &s, a), 0);
			CU_ASSERT_EQUAL(s.sum, sum);
			CU_ASSERT_EQUAL(s.length, N);
			CU_ASSERT_EQUAL(s.broken, 0);
		}
		CU_ASSERT_EQUAL(doze_reduce(pool, 3, 3, 0, &span_reducer, &s, a), 0);
		CU_ASSERT_EQUAL(s.length, 0); /* an empty range gives the identity */
		doze_pool_free(pool);
	}
	free(a);
}

static void size_0_is_refused(void)
{
	doze_reducer bad = span_reducer;
	struct span s;
	bad.size = 0;
	CU_ASSERT_EQUAL(doze_reduce(NULL, 0, 1, 0, &bad, &s, NULL), EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "doze_reducer.size is 0"));
}

/* An accumulator whose last 8 bytes count indices. The tests also count the accumulators that are
 * not aligned as required. */
struct sized {
	size_t size, alignment;
	long misaligned, made; /* atomic */
};

static uint64_t *count_in(void *acc, const struct sized *s)
{
	return (uint64_t *)(void *)((char *)acc + s->size - sizeof(uint64_t));
}

static void sized_zero(void *acc, void *arg)
{
	struct sized *s = arg;
	help_count(&s->made);
	if ((uintptr_t)acc % s->alignment != 0)
		help_count(&s->misaligned);
	memset(acc, 0, s->size);
}

static void sized_range(size_t begin, size_t end, void *acc, void *arg)
{
	*count_in(acc, arg) += end - begin;
}

static void sized_combine(void *left, const void *right, void *arg)
{
	uint64_t *r = count_in((void *)(uintptr_t)right, arg);
	*count_in(left, arg) += *r;
}

static void reduce_sized(doze_pool *pool, size_t size, size_t alignment)
{
	struct sized s = {size, alignment, 0, 0};
	doze_reducer reducer = {size, sized_zero, sized_range, sized_combine};
	void *out = aligned_alloc(alignment, size);
	CU_ASSERT_EQUAL(doze_reduce(pool, 0, 100000, 10, &reducer, out, &s), 0);
	CU_ASSERT_EQUAL(*count_in(out, &s), 100000);
	CU_ASSERT_TRUE(s.made > 1);
	CU_ASSERT_EQUAL(s.misaligned, 0);
	free(out);
}

static void accumulators_of_any_type(void)
{
	doze_pool *pool = help_pool(3, NULL);
	for (size_t alignment = 8; alignment <= 4096; alignment *= 2) {
		reduce_sized(pool, alignment, alignment);
		reduce_sized(pool, 3 * alignment, alignment);
	}
	reduce_sized(pool, 3 << 20, 64); /* 16 accumulators are too large for a stack */
	doze_pool_free(pool);
}

/* ---- yields ---- */

struct yields {
	long done;
	int before, first, second, local;
};

static void yield_inside(void *arg)
{
	struct yields *y = arg;
	y->before = doze_yield_now();
	(void)doze_spawn(NULL, help_count, &y->done);
	(void)doze_spawn(NULL, help_count, &y->done);
	y->first = doze_yield_local();
	y->second = doze_yield_now();
	y->local = doze_yield_local();
}

static void yields_run_one_job(void)
{
	struct yields y = {0, -7, -7, -7, -7};
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, yield_inside, &y);
	CU_ASSERT_EQUAL(y.before, 0);
	CU_ASSERT_EQUAL(y.first, 1);
	CU_ASSERT_EQUAL(y.second, 1);
	CU_ASSERT_EQUAL(y.local, 0);
	CU_ASSERT_EQUAL(y.done, 2);
	CU_ASSERT_EQUAL(doze_yield_now(), -1);
	CU_ASSERT_EQUAL(doze_yield_local(), -1);
	doze_pool_free(pool);
}

static void yield_for_other(void *arg)
{
	struct yields *y = arg;
	(void)doze_spawn(NULL, help_count, &y->done);
	while (help_read(&y->done) == 0)
		(void)doze_yield_now();
}

static void yielding_lets_a_spawned_job_run(void)
{
	for (unsigned n = 1; n <= 3; n++) {
		struct yields y = {0};
		doze_pool *pool = help_pool(n, NULL);
		doze_install(pool, yield_for_other, &y);
		CU_ASSERT_EQUAL(y.done, 1);
		doze_pool_free(pool);
	}
}

/* ---- statistics ---- */

static void figures_add_up(void)
{
	long done = 0;
	doze_stats s;
	doze_pool *pool = help_pool(4, NULL);
	for (int i = 0; i < 1000; i++)
		(void)doze_spawn(pool, help_count, &done);
	CU_ASSERT_TRUE(help_reaches(&done, 1000, 20));
	/* While workers change their states, the statistics need not add up, so wait until all
	 * sleep. */
	struct patience limit = patience_of(10000);
	for (doze_pool_stats(pool, &s); s.sleeping < 4 && !patience_is_over(&limit);
	     help_sleep_us(200))
		doze_pool_stats(pool, &s);
	CU_ASSERT_EQUAL(s.workers, 4);
	CU_ASSERT_EQUAL(s.sleeping, 4);
	CU_ASSERT_EQUAL(s.active + s.idle + s.sleepy + s.blocked, 0);
	CU_ASSERT_EQUAL(s.jobs_run, 1000);
	CU_ASSERT_EQUAL(s.jobs_published, 1000);
	doze_pool_free(pool);
}

static const struct suite_test tests[] = {
    {"a loop visits each index once, and none if the range is empty", every_index_once},
    {"no piece is shorter than the grain, and all workers get work", grain_is_respected},
    {"a single worker rarely splits a loop", single_worker_splits_little},
    {"a reduction combines neighbours in order", reduces_in_order},
    {"an accumulator of size 0 is rejected", size_0_is_refused},
    {"accumulators of every size and alignment are aligned and summed", accumulators_of_any_type},
    {"a yield runs one waiting job and reports that it did", yields_run_one_job},
    {"yielding lets a spawned job run", yielding_lets_a_spawned_job_run},
    {"a pool's statistics are consistent", figures_add_up},
};
SUITE_MAIN("parallel", tests)
