/*
 * SPDX-License-Identifier: MIT
 *
 * whatif_test.c - viz/predict: the number of wakes that each rule chooses for a post, and the
 * worker counts on which it bases the choice.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"
#include "viz/predict/whatif.h"

static struct doze_whatif w;
static struct doze_model *model;

static const struct doze_policy_descriptor *rule_of(const char *name)
{
	const struct doze_policy_descriptor *d = doze_policy_descriptor(name);

	if (d == &doze_policy_unknown)
		CU_FAIL_FATAL("no such rule");
	return d;
}

static const struct doze_whatif_sum *sum_of(const char *name)
{
	size_t i = 0;

	while (doze_policy_at(i) != rule_of(name))
		i++;
	return &w.rule[i];
}

/* Feeds a script to the model and to the what-if analysis. If `tickle` is set, the pool has the
 * word of policy tickle, from which a post learns nothing about idle workers and only one bit about
 * sleepers. */
static void replay(const char *text, const char *only, bool tickle)
{
	char line[256];

	doze_model_free(model);
	memset(&w, 0, sizeof w);
	w.model = model = doze_model_new(0, 0);
	w.only = only ? rule_of(only) : NULL;
	w.max_shown = 10;
	while (*text) {
		size_t n = strcspn(text, "\n");
		struct doze_event e;

		snprintf(line, sizeof line, "%.*s", (int)n, text);
		text += n + (text[n] == '\n');
		if (!script_parse(line, &e))
			continue;
		if (tickle && e.kind == DOZE_EV_pool_start)
			e.u.pool_start.word = (struct doze_word_layout){.kind = DOZE_WORD_tickle};
		if (tickle && e.kind == DOZE_EV_post) {
			e.u.post.idle = -1;
			e.u.post.sleeping = e.u.post.sleeping > 0;
		}
		doze_whatif_event(&w, &e);
		doze_model_feed(model, &e);
	}
}

static uint64_t wakes(const char *rule)
{
	return sum_of(rule)->wakes;
}

/* The expected wakes with eight workers, worked out by hand from the policies' READMEs, in the
 * order jec rfc local block spare chain go demand tickle forkjoin condvar spin. */
static void rules(void)
{
	static const char *const name[] = {"jec",    "rfc",      "local",   "block",
					   "spare",  "chain",    "go",      "demand",
					   "tickle", "forkjoin", "condvar", "spin"};
	static const struct {
		struct doze_wake_facts f;
		uint32_t want[12];
	} c[] = {
	    /* the columns: jobs, idle, sleeping, workers, empty, local */
	    {{1, 0, 8, 8, true, false}, {1, 1, 1, 1, 3, 1, 1, 1, 8, 1, 1, 0}},
	    {{1, 0, 5, 8, true, true}, {1, 1, 0, 1, 3, 1, 1, 1, 5, 1, 1, 0}},
	    {{1, 2, 3, 8, false, true}, {1, 0, 1, 0, 1, 0, 0, 1, 3, 1, 1, 0}},
	    {{3, 1, 4, 8, true, true}, {2, 1, 1, 4, 4, 1, 0, 2, 4, 3, 3, 0}},
	    {{9, 0, 4, 8, true, false}, {4, 1, 1, 4, 4, 1, 1, 4, 4, 4, 4, 0}},
	    {{1, 4, 4, 8, true, false}, {0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 1, 0}},
	    {{2, 0, 1, 8, false, true}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}},
	    {{5, 0, 0, 8, false, false}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
	};

	for (size_t i = 0; i < sizeof c / sizeof c[0]; i++)
		for (size_t k = 0; k < 12; k++) {
			uint32_t is = doze_whatif_post(rule_of(name[k]), &c[i].f);

			CU_ASSERT_EQUAL(is, c[i].want[k]);
			if (is != c[i].want[k])
				printf("\n    post %zu, %s: %u, not %u", i, name[k], is,
				       c[i].want[k]);
		}
}

static void work_found(void)
{
	struct doze_wake_facts f = {.idle = 1, .sleeping = 5, .workers = 8};

	CU_ASSERT_EQUAL(doze_policy_found_wakes(rule_of("jec"), &f), 2);
	CU_ASSERT_EQUAL(doze_policy_found_wakes(rule_of("go"), &f), 1);
	CU_ASSERT_EQUAL(doze_policy_found_wakes(rule_of("rfc"), &f), 0);
	CU_ASSERT_EQUAL(doze_policy_found_wakes(rule_of("chain"), &f), 1);
	CU_ASSERT_EQUAL(doze_policy_found_wakes(rule_of("demand"), &f), 2); /* 2 is the maximum */
	f.idle = 2; /* another worker spins */
	CU_ASSERT_EQUAL(doze_policy_found_wakes(rule_of("go"), &f), 0);
	f.sleeping = 1;
	CU_ASSERT_EQUAL(doze_policy_found_wakes(rule_of("jec"), &f), 1);
}

/* Four workers: w0 active, w1 idle, w2 and w3 asleep. */
#define POOL(policy)                                                                               \
	"0 x pool " policy " 4\n1 w0 none>active start\n1 w1 none>active start\n"                  \
	"1 w2 none>active start\n1 w3 none>active start\n"                                         \
	"10 w1 active>idle no_work 0.0.1>0.1.1\n10 w2 active>idle no_work 0.1.1>0.2.1\n"           \
	"10 w3 active>idle no_work 0.2.1>0.3.1\n11 w2 idle>sleepy rounds 0.3.1>0.3.1\n"            \
	"11 w3 idle>sleepy rounds 0.3.1>0.3.1\n12 w2 sleepy>sleeping rounds 0.3.1>1.3.1\n"         \
	"12 w3 sleepy>sleeping rounds 1.3.1>2.3.1\n"

static void sums(void)
{
	replay(POOL("jec") "20 w0 post local 1 empty wakes 0 d0 2.3.1>2.3.1\n"
			   "21 w0 post local 1 full wakes 1 d1 2.3.1>2.3.1\n"
			   "22 w0 wake w2 id1 d1 push 2.3.1>1.3.1\n"
			   "23 x post broadcast 4 empty wakes 0 d0 1.3.1>1.3.1\n"
			   "24 w1 idle>active found_stolen 1.3.1>1.2.1\n"
			   "25 w1 wake w3 id2 d2 work_found 1.2.1>0.2.1\n",
	       "tickle", false);
	CU_ASSERT_EQUAL(w.posts, 2); /* a broadcast is not a decision */
	CU_ASSERT_EQUAL(w.jobs, 2);
	CU_ASSERT_STRING_EQUAL(w.policy, "jec");
	CU_ASSERT_EQUAL(w.guessed, 0);
	CU_ASSERT_EQUAL(w.recorded.wakes, 1);
	CU_ASSERT_EQUAL(w.given, 1);
	CU_ASSERT_EQUAL(w.recorded.found, 1);
	CU_ASSERT_EQUAL(wakes("jec"), 1);
	CU_ASSERT_EQUAL(sum_of("jec")->more + sum_of("jec")->fewer, 0);
	/* jec would wake two workers, but only one sleeps. */
	CU_ASSERT_EQUAL(sum_of("jec")->found, 1);
	CU_ASSERT_EQUAL(sum_of("go")->found, 0); /* w2 was notified and thus counts as spinning */
	CU_ASSERT_EQUAL(wakes("tickle"), 4);
	CU_ASSERT_EQUAL(sum_of("tickle")->most, 2);
	CU_ASSERT_EQUAL(sum_of("tickle")->more, 2);
	CU_ASSERT_EQUAL(wakes("spin"), 0);
	CU_ASSERT_EQUAL(sum_of("spin")->fewer, 1);
	CU_ASSERT_EQUAL(w.shown, 2);
	CU_ASSERT_EQUAL(w.post[1].recorded, 1);
	CU_ASSERT_EQUAL(w.post[1].would, 2);
	CU_ASSERT_EQUAL(w.post[0].facts.idle, 1);
}

/* The trace has no words with the values of other policies, so the workers' states are used
 * instead. The second post arrives after both sleepers have been notified. The sleepers' bit of
 * tickle is clear then, and no worker is left to wake. */
static void states_stand_in(void)
{
	replay(POOL("tickle") "20 w0 post local 1 empty wakes 4 d1 2.3.1>2.3.1\n"
			      "21 w0 wake w2 id1 d1 push all\n21 w0 wake w3 id2 d1 push all\n"
			      "22 w0 post local 1 empty wakes 0 d0 0.0.0>0.0.0\n",
	       0, true);
	CU_ASSERT_EQUAL(w.guessed, 2);
	CU_ASSERT_EQUAL(w.recorded.wakes, 2);
	CU_ASSERT_EQUAL(w.given, 2);
	CU_ASSERT_EQUAL(wakes("tickle"), 2);
	CU_ASSERT_EQUAL(wakes("rfc"), 0);   /* w1 is idle according to its state */
	CU_ASSERT_EQUAL(wakes("spare"), 2); /* 1 job + 2 spare - 1 idle */

	/* A notified worker is not woken again. It counts as idle. */
	replay(POOL("tickle") "21 w0 wake w2 id1 d1 push all\n"
			      "22 w0 post local 1 empty wakes 4 d2 1.0.0>1.0.0\n",
	       0, true);
	CU_ASSERT_EQUAL(wakes("tickle"), 1);
	CU_ASSERT_EQUAL(wakes("spare"), 1); /* 1 job + 2 spare - 2 idle */

	/* The bit changes before the state does, so a worker is about to sleep. */
	replay("0 x pool tickle 2\n1 w0 post local 1 empty wakes 2 d1 1.0.0>1.0.0\n", 0, true);
	CU_ASSERT_EQUAL(wakes("tickle"), 1);
}

static void unknown_beginning(void)
{
	replay("20 w0 post local 1 empty wakes 1 d1 1.1.1>1.1.1\n", 0, false);
	CU_ASSERT_EQUAL(w.posts, 0);
	replay("0 x pool mine 2\n20 w0 post local 1 empty wakes 1 d1 1.1.1>1.1.1\n", 0, false);
	CU_ASSERT_STRING_EQUAL(w.policy, "mine"); /* a policy that this version does not know */
	CU_ASSERT_EQUAL(wakes("jec"), 1);
}

static void nobody_left(void)
{
	doze_model_free(model);
	model = 0;
}

static const struct suite_test tests[] = {
    {"each rule chooses the number of wakes that its README states", rules},
    {"a worker that finds work wakes as many workers as the rule requires", work_found},
    {"wakes are added up, and posts that differ are listed", sums},
    {"the workers' states replace counts that a post did not record", states_stand_in},
    {"a trace without a beginning or with an unknown policy is accepted", unknown_beginning},
    {"the analysis frees all its memory", nobody_left},
};
SUITE_MAIN("what if", tests)
