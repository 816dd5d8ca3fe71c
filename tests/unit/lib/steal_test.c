/*
 * SPDX-License-Identifier: MIT
 *
 * steal.c: which jobs a thief takes along into its own deque.
 */
#include "help.h"
#include "sink.h"
#include "tests/fixtures/suite.h"

/* In each test the first worker occupies the second one with a job, the gate, queues more jobs, and
 * lets the second worker go. The first worker stays in its job, so the second one steals all
 * others, in the same order in every run. */
enum { JOBS = 40 };

static struct stage {
	doze_pool *pool;
	long gate_reached, gate_open, yielded, ran;
	bool yields;          /* the gate steals a job itself, in doze_yield_now */
	uint64_t stolen_then; /* number of jobs stolen when the gate had done so */
	long late;            /* number of waits that ended without what they waited for */
} s;

static size_t count_steals(enum doze_steal result)
{
	size_t n = 0;

	for (size_t i = 0; i < sink_count(SINK_STEAL); i++)
		n += sink_nth(SINK_STEAL, i)->reason == (int)result;
	return n;
}

static void until(long *counter, long wanted)
{
	if (!help_reaches(counter, wanted, 10))
		help_count(&s.late);
}

static void gate(void *arg)
{
	doze_stats stats;

	(void)arg;
	help_count(&s.gate_reached);
	until(&s.gate_open, 1);
	if (s.yields)
		(void)doze_yield_now();
	doze_pool_stats(s.pool, &stats);
	s.stolen_then = stats.jobs_stolen;
	help_count(&s.yielded);
}

static void gate_in_scope(doze_scope *scope, void *arg)
{
	(void)scope;
	gate(arg);
}

static void open_gate(void)
{
	help_count(&s.gate_open);
	until(&s.yielded, 1);
}

static void count_job(doze_scope *scope, void *arg)
{
	(void)scope;
	help_count(arg);
}

static void spawn_behind_gate(doze_scope *scope, void *arg)
{
	(void)arg;
	(void)doze_scope_spawn(scope, gate_in_scope, NULL);
	until(&s.gate_reached, 1);
	for (int i = 0; i < JOBS; i++)
		(void)doze_scope_spawn(scope, count_job, &s.ran);
	open_gate();
	until(&s.ran, JOBS);
}

static void spawn_in_scope(void *arg)
{
	(void)arg;
	(void)doze_scope_run(NULL, spawn_behind_gate, NULL);
}

static void spawn_in_fifo(void *arg)
{
	(void)arg;
	(void)doze_scope_run_fifo(NULL, spawn_behind_gate, NULL);
}

static void perform(const char *policy, bool yields, void (*fn)(void *))
{
	s = (struct stage){.yields = yields};
	sink_reset();
	s.pool = help_pool(2, policy);
	doze_install(s.pool, fn, NULL);
	doze_pool_free(s.pool);
	CU_ASSERT_EQUAL(help_read(&s.late), 0);
}

/* Returns the source of the job's start; the job must have started once. */
static int source_of(uint64_t job)
{
	int source = -1, starts = 0;

	for (size_t i = 0; i < sink_count(SINK_JOB_START); i++) {
		const struct sink_event *start = sink_nth(SINK_JOB_START, i);
		if (start->id != job)
			continue;
		source = start->reason;
		starts++;
	}
	CU_ASSERT_EQUAL(starts, 1);
	return source;
}

static size_t most_moved_at_once(void)
{
	size_t run = 0, most = 0;

	for (size_t i = 0; i < sink_count(SINK_STEAL); i++) {
		run = sink_nth(SINK_STEAL, i)->reason == DOZE_STEAL_moved ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

static void half_is_moved(void)
{
	doze_stats stats;
	s = (struct stage){.late = 0};
	sink_reset();
	s.pool = help_pool(2, "jec");
	doze_install(s.pool, spawn_in_scope, NULL);
	doze_pool_stats(s.pool, &stats);
	doze_pool_free(s.pool);
	CU_ASSERT_EQUAL(help_read(&s.late), 0);
	CU_ASSERT_EQUAL(stats.jobs_stolen, JOBS + 1);
	CU_ASSERT_EQUAL(count_steals(DOZE_STEAL_moved) + count_steals(DOZE_STEAL_success),
			JOBS + 1);
	CU_ASSERT_EQUAL(most_moved_at_once(),
			19); /* half of 39 or, if one was public before, of 38 */
	for (size_t i = 0; i < sink_count(SINK_STEAL); i++) {
		const struct sink_event *steal = sink_nth(SINK_STEAL, i);
		bool moved = steal->reason == DOZE_STEAL_moved;
		CU_ASSERT_EQUAL(source_of(steal->id),
				moved ? DOZE_SOURCE_local : DOZE_SOURCE_stolen);
	}
}

/* ---- what is not moved ---- */

static void recurse(void *arg)
{
	long depth = (long)(intptr_t)arg;

	if (depth > 0) {
		doze_join(recurse, (void *)(intptr_t)(depth - 1), help_count, &s.ran);
		return;
	}
	open_gate();
	until(&s.ran, JOBS);
}

static void join_behind_gate(void *arg)
{
	(void)arg;
	(void)doze_spawn(NULL, gate, NULL);
	until(&s.gate_reached, 1);
	recurse((void *)(intptr_t)JOBS);
}

static void halves_are_not_moved(void)
{
	perform("jec", false, join_behind_gate);
	CU_ASSERT_EQUAL(count_steals(DOZE_STEAL_moved), 0);
	CU_ASSERT_EQUAL(count_steals(DOZE_STEAL_success), JOBS + 1);
}

static void tokens_are_not_moved(void)
{
	perform("jec", false, spawn_in_fifo);
	CU_ASSERT_EQUAL(count_steals(DOZE_STEAL_moved), 0);
	CU_ASSERT_EQUAL(count_steals(DOZE_STEAL_success), JOBS + 1);
}

static void yields_do_not_move(void)
{
	perform("jec", true, spawn_in_scope);
	CU_ASSERT_EQUAL(s.stolen_then, 2); /* the gate, and the job of the yield */
	CU_ASSERT(count_steals(DOZE_STEAL_moved) > 0);
}

static void other_policies_do_not_move(void)
{
	perform("rfc", false, spawn_in_scope);
	CU_ASSERT_EQUAL(count_steals(DOZE_STEAL_moved), 0);
	CU_ASSERT_EQUAL(count_steals(DOZE_STEAL_success), JOBS + 1);
}

static const struct suite_test tests[] = {
    {"a thief takes half of many spawned jobs along, and each job runs once", half_is_moved},
    {"the halves of joins are stolen one by one", halves_are_not_moved},
    {"the tokens of a FIFO are stolen one by one", tokens_are_not_moved},
    {"a yield takes no jobs along", yields_do_not_move},
    {"policies without the hook `moved` let thieves take one job at a time",
     other_policies_do_not_move},
};
SUITE_MAIN("steal", tests)
