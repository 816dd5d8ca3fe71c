/*
 * SPDX-License-Identifier: MIT
 *
 * The Chase-Lev deque on its own. The stress tests check that each job is taken exactly once.
 */
#include "help.h"
#include "lib/atomic.h"
#include "lib/deque.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

static struct doze_job jobs[64];

static void owner_pops_newest(void)
{
	struct doze_deque d;
	CU_ASSERT_EQUAL(doze_deque_init(&d, 4), 0);
	for (int i = 0; i < 3; i++)
		doze_deque_push(&d, &jobs[i]);
	for (int i = 2; i >= 0; i--)
		CU_ASSERT_PTR_EQUAL(doze_deque_pop(&d), &jobs[i]);
	CU_ASSERT_PTR_NULL(doze_deque_pop(&d));
	doze_deque_fini(&d);
}

static void thief_takes_oldest(void)
{
	struct doze_deque d;
	struct doze_job *job = NULL;
	CU_ASSERT_EQUAL(doze_deque_init(&d, 4), 0);
	CU_ASSERT_EQUAL(doze_deque_steal(&d, &job), DOZE_STEAL_empty);
	for (int i = 0; i < 3; i++)
		doze_deque_push(&d, &jobs[i]);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(doze_deque_steal(&d, &job), DOZE_STEAL_success);
		CU_ASSERT_PTR_EQUAL(job, &jobs[i]);
	}
	CU_ASSERT_EQUAL(doze_deque_steal(&d, &job), DOZE_STEAL_empty);
	doze_deque_fini(&d);
}

static void empty_pop_changes_nothing(void)
{
	struct doze_deque d;
	CU_ASSERT_EQUAL(doze_deque_init(&d, 2), 0);
	for (int i = 0; i < 5; i++)
		CU_ASSERT_PTR_NULL(doze_deque_pop(&d));
	CU_ASSERT_TRUE(doze_deque_empty(&d));
	doze_deque_push(&d, &jobs[0]);
	CU_ASSERT_EQUAL(doze_deque_length(&d), 1);
	CU_ASSERT_PTR_EQUAL(doze_deque_pop(&d), &jobs[0]);
	doze_deque_fini(&d);
}

static void grows_and_keeps_order(void)
{
	struct doze_deque d;
	struct doze_job *job = NULL;
	CU_ASSERT_EQUAL(doze_deque_init(&d, 2), 0);
	/* Starts in the middle of the ring, so that the copied entries wrap around. */
	doze_deque_push(&d, &jobs[0]);
	(void)doze_deque_steal(&d, &job);
	for (int i = 0; i < 64; i++)
		doze_deque_push(&d, &jobs[i]);
	CU_ASSERT_EQUAL(doze_deque_length(&d), 64);
	for (int i = 0; i < 32; i++) {
		CU_ASSERT_EQUAL(doze_deque_steal(&d, &job), DOZE_STEAL_success);
		CU_ASSERT_PTR_EQUAL(job, &jobs[i]);
		CU_ASSERT_PTR_EQUAL(doze_deque_pop(&d), &jobs[63 - i]);
	}
	CU_ASSERT_TRUE(doze_deque_empty(&d));
	doze_deque_fini(&d);
}

static void indices_wrap(void)
{
	struct doze_deque d;
	struct doze_job *job = NULL;
	int wrong = 0;
	CU_ASSERT_EQUAL(doze_deque_init(&d, 4), 0);
	for (int i = 0; i < 100000; i++) {
		doze_deque_push(&d, &jobs[i % 64]);
		doze_deque_push(&d, &jobs[(i + 1) % 64]);
		wrong += doze_deque_steal(&d, &job) != DOZE_STEAL_success || job != &jobs[i % 64];
		wrong += doze_deque_pop(&d) != &jobs[(i + 1) % 64];
	}
	CU_ASSERT_EQUAL(wrong, 0);
	doze_deque_fini(&d);
}

static void same_job_twice(void)
{
	struct doze_deque d;
	CU_ASSERT_EQUAL(doze_deque_init(&d, 4), 0);
	doze_deque_push(&d, &jobs[0]);
	doze_deque_push(&d, &jobs[0]);
	CU_ASSERT_PTR_EQUAL(doze_deque_pop(&d), &jobs[0]);
	CU_ASSERT_PTR_EQUAL(doze_deque_pop(&d), &jobs[0]);
	CU_ASSERT_PTR_NULL(doze_deque_pop(&d));
	doze_deque_fini(&d);
}

/* ---- the private part ---- */

static void thief_opens_a_private_deque(void)
{
	struct doze_deque d;
	struct doze_job *job = NULL;
	CU_ASSERT_EQUAL(doze_deque_init(&d, 8), 0);
	if (d.all_public) { /* without heavy fences, every entry is public */
		doze_deque_fini(&d);
		return;
	}
	for (int i = 0; i < 4; i++)
		doze_deque_push(&d, &jobs[i]);
	CU_ASSERT_TRUE(doze_deque_has_private(&d));
	CU_ASSERT_EQUAL(doze_deque_steal(&d, &job), DOZE_STEAL_success);
	CU_ASSERT_PTR_EQUAL(job, &jobs[0]);
	CU_ASSERT_EQUAL(da_load(&d.asked, RLX) & DOZE_DEQUE_ASKED, DOZE_DEQUE_OPEN);
	/* The owner's next push closes the deque again and leaves half of the entries to the
	 * thieves. */
	doze_deque_push(&d, &jobs[4]);
	CU_ASSERT_EQUAL(da_load(&d.asked, RLX) & DOZE_DEQUE_ASKED, 0);
	CU_ASSERT_EQUAL(da_load(&d.split, RLX), 3);
	CU_ASSERT_PTR_EQUAL(doze_deque_pop(&d), &jobs[4]);
	for (int i = 1; i < 4; i++) {
		CU_ASSERT_EQUAL(doze_deque_steal(&d, &job), DOZE_STEAL_success);
		CU_ASSERT_PTR_EQUAL(job, &jobs[i]);
	}
	CU_ASSERT_PTR_NULL(doze_deque_pop(&d));
	doze_deque_fini(&d);
}

static void owner_answers_in_a_pop(void)
{
	struct doze_deque d;
	CU_ASSERT_EQUAL(doze_deque_init(&d, 8), 0);
	for (int i = 0; i < 5 && !d.all_public; i++)
		doze_deque_push(&d, &jobs[i]);
	if (!d.all_public) {
		da_store(&d.asked, 1, RLX); /* sets the request that a thief would make */
		CU_ASSERT_PTR_EQUAL(doze_deque_pop(&d), &jobs[4]);
		CU_ASSERT_EQUAL(da_load(&d.asked, RLX), 4);
		CU_ASSERT_EQUAL(da_load(&d.split, RLX), 3);
		CU_ASSERT_PTR_EQUAL(doze_deque_pop(&d), &jobs[3]);
	}
	doze_deque_fini(&d);
}

/* ---- stress: one owner and several thieves take each job exactly once ---- */

enum { STRESS_JOBS = 200000, THIEVES = 3 };

struct stress {
	struct doze_deque deque;
	struct doze_job *jobs;
	DOZE_ATOMIC(unsigned char) * taken; /* how many times each job was taken */
	DOZE_ATOMIC(int) done;
};

static void took(struct stress *s, struct doze_job *job)
{
	(void)da_add(&s->taken[job - s->jobs], 1, RLX);
}

static void thief(void *arg)
{
	struct stress *s = arg;
	struct doze_job *job;
	while (!da_load(&s->done, ACQ) || !doze_deque_empty(&s->deque))
		if (doze_deque_steal(&s->deque, &job) == DOZE_STEAL_success) {
			/* The publisher's plain writes must be visible here; ThreadSanitizer checks
			 * that. */
			if (job->id != (uint64_t)(job - s->jobs))
				abort();
			took(s, job);
		}
}

/* Pushes in small groups and pops most of each group, so that the owner and the thieves meet at the
 * last entry. */
static void owner(struct stress *s, unsigned group)
{
	struct doze_job *job;
	for (int i = 0; i < STRESS_JOBS;) {
		for (unsigned k = 0; k < group && i < STRESS_JOBS; k++, i++) {
			s->jobs[i].id = (uint64_t)i;
			doze_deque_push(&s->deque, &s->jobs[i]);
		}
		for (unsigned k = 0; k < group; k++)
			if ((job = doze_deque_pop(&s->deque)) != NULL)
				took(s, job);
	}
	while ((job = doze_deque_pop(&s->deque)) != NULL)
		took(s, job);
}

static bool public_only; /* simulates a kernel without heavy fences */

static void stress_with_group(unsigned group)
{
	struct stress s;
	struct help_thread *threads[THIEVES];
	int wrong = 0;

	memset(&s, 0, sizeof s);
	s.jobs = calloc(STRESS_JOBS, sizeof *s.jobs);
	s.taken = calloc(STRESS_JOBS, 1);
	CU_ASSERT_EQUAL_FATAL(doze_deque_init(&s.deque, 2), 0);
	if (public_only) {
		s.deque.all_public = true;
		da_store(&s.deque.split, DOZE_DEQUE_PUBLIC, RLX);
	}
	for (int i = 0; i < THIEVES; i++)
		threads[i] = help_thread_start(thief, &s);
	owner(&s, group);
	da_store(&s.done, 1, REL);
	for (int i = 0; i < THIEVES; i++)
		help_thread_join(threads[i]);
	for (int i = 0; i < STRESS_JOBS; i++)
		wrong += s.taken[i] != 1;
	CU_ASSERT_EQUAL(wrong, 0);
	doze_deque_fini(&s.deque);
	free(s.taken);
	free(s.jobs);
}

static void last_entry_goes_to_one(void)
{
	stress_with_group(1);
}

static void growing_under_thieves(void)
{
	stress_with_group(3);
	stress_with_group(5000);
}

static void without_heavy_fences(void)
{
	public_only = true;
	stress_with_group(1);
	stress_with_group(3);
	public_only = false;
}

static const struct suite_test tests[] = {
    {"the owner pops the newest entry", owner_pops_newest},
    {"a thief takes the oldest entry", thief_takes_oldest},
    {"popping from an empty deque changes nothing", empty_pop_changes_nothing},
    {"a full deque grows and keeps its entries in order", grows_and_keeps_order},
    {"the indices wrap around a small ring 100,000 times", indices_wrap},
    {"the same job may be queued twice, as FIFO tokens are", same_job_twice},
    {"a thief opens a deque that has only private entries", thief_opens_a_private_deque},
    {"the owner's next pop grants a thief's request", owner_answers_in_a_pop},
    {"the last entry is taken only once, even without heavy fences", without_heavy_fences},
    {"the last entry goes either to the owner or to one thief", last_entry_goes_to_one},
    {"no entry is lost or duplicated while the deque grows under thieves", growing_under_thieves},
};
SUITE_MAIN("deque", tests)
