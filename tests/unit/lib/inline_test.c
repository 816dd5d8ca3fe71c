/*
 * SPDX-License-Identifier: MIT
 *
 * doze_inline.h: where a join is inlined and where it calls the library. (Suites named inlined_…
 * repeat the library's own suites with inlined joins.)
 */
#include "help.h"
#include "lib/doze_inline.h"
#include "tests/fixtures/suite.h"

#ifdef DOZE_INLINE_TSAN

static void join_is_a_function(void)
{
#ifdef doze_join
	CU_FAIL("doze_join is a macro");
#else
	CU_PASS("doze_join is the library's function");
#endif
}

static const struct suite_test tests[] = {
    {"in a file for ThreadSanitizer no join is inlined", join_is_a_function},
};

#else

static void nothing(void *arg)
{
	(void)arg;
}

static void offer_and_take_back(void *arg)
{
	struct doze_inline_half half;
	long counted = 0;
	enum doze_inline_step *step = arg;

	*step = doze_inline_offer(&half, help_count, &counted);
	if (*step == DOZE_INLINE_DECLINED)
		return;
	if (*step == DOZE_INLINE_HEED)
		doze_inline_heed(&half);
	doze_inline_take_back(&half, help_count);
	if (help_read(&counted) != 1)
		*step = DOZE_INLINE_DECLINED;
}

static void inlined_on_a_worker(void)
{
	enum doze_inline_step step = DOZE_INLINE_DECLINED;
	doze_pool *pool = help_pool(1, NULL);
	doze_install(pool, offer_and_take_back, &step);
	CU_ASSERT_NOT_EQUAL(step, DOZE_INLINE_DECLINED);
	doze_pool_free(pool);
}

static void declined_outside(void)
{
	enum doze_inline_step step = DOZE_INLINE_OFFERED;
	CU_ASSERT_PTR_NULL(doze_inline_self);
	offer_and_take_back(&step);
	CU_ASSERT_EQUAL(step, DOZE_INLINE_DECLINED);
}

static void declined_in_forkjoin(void)
{
	enum doze_inline_step step = DOZE_INLINE_OFFERED;
	doze_pool *pool = help_pool(2, "forkjoin");
	doze_install(pool, offer_and_take_back, &step);
	CU_ASSERT_EQUAL(step, DOZE_INLINE_DECLINED);
	doze_pool_free(pool);
}

/* ---- a library with another layout ---- */

static void with_another_layout(void *arg)
{
	long *counted = arg;
	enum doze_inline_step step = DOZE_INLINE_OFFERED;

	doze_inline_self->layout++;
	offer_and_take_back(&step);
	doze_join(help_count, counted, help_count, counted);
	doze_inline_self->layout--;
	if (step != DOZE_INLINE_DECLINED)
		*counted = -1;
}

static void another_layout_is_declined(void)
{
	long counted = 0;
	doze_pool *pool = help_pool(2, NULL);
	doze_install(pool, with_another_layout, &counted);
	CU_ASSERT_EQUAL(help_read(&counted), 2);
	doze_pool_free(pool);
}

/* ---- what the macro accepts ---- */

static void joins_in_expressions(void *arg)
{
	long *counted = arg;

	counted != NULL ? doze_join(help_count, counted, help_count, counted) : (void)0;
	if (*counted != 2)
		doze_join(nothing, NULL, nothing, NULL);
	else
		doze_join(help_count, counted, nothing, NULL);
	(doze_join)(help_count, counted, nothing, NULL);
}

static void is_used_as_a_function(void)
{
	long counted = 0;
	void (*address)(doze_fn, void *, doze_fn, void *) = doze_join;
	doze_pool *pool = help_pool(2, NULL);
	doze_install(pool, joins_in_expressions, &counted);
	CU_ASSERT_EQUAL(help_read(&counted), 4);
	address(help_count, &counted, help_count, &counted);
	CU_ASSERT_EQUAL(help_read(&counted), 6);
	doze_pool_free(pool);
}

/* ---- figures ---- */

static void join_1000_times(void *arg)
{
	(void)arg;
	for (int i = 0; i < 1000; i++)
		doze_join(nothing, NULL, nothing, NULL);
}

static void joins_are_counted(void)
{
	doze_stats before, after;
	doze_pool *pool = help_pool(2, NULL);

	doze_pool_stats(pool, &before);
	doze_install(pool, join_1000_times, NULL);
	doze_pool_stats(pool, &after);
	CU_ASSERT_EQUAL(after.jobs_published - before.jobs_published, 1001);
	CU_ASSERT_EQUAL(after.jobs_run - before.jobs_run, 1001);
	doze_pool_free(pool);
}

static const struct suite_test tests[] = {
    {"a join on a worker is inlined", inlined_on_a_worker},
    {"a join on an outside thread calls the library", declined_outside},
    {"a join under forkjoin calls the library", declined_in_forkjoin},
    {"a join calls the library if that has another layout", another_layout_is_declined},
    {"the macro may be used like the function", is_used_as_a_function},
    {"1,000 inlined joins count as 1,000 jobs", joins_are_counted},
};

#endif

SUITE_MAIN("inline", tests)
