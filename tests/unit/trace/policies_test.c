/*
 * SPDX-License-Identifier: MIT
 *
 * policies_test.c - the descriptors of viz/trace agree with the library's registry and explain
 * every legal action of a worker.
 */
#include <stdio.h>
#include <string.h>

#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/policies.h"
#include "viz/words/event_text.h"

static void same_as_registry(void)
{
	size_t registered = 0;

	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p; p++, registered++) {
		CU_ASSERT_STRING_EQUAL(doze_policy_descriptor((*p)->name)->name, (*p)->name);
		if (doze_policy_descriptor((*p)->name) == &doze_policy_unknown)
			printf("\n    %s has no descriptor", (*p)->name);
	}
	CU_ASSERT_EQUAL(registered, DOZE_POLICY_COUNT);
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		CU_ASSERT_PTR_NOT_NULL(doze_policy_find(doze_policy_at(i)->name));
		if (!doze_policy_find(doze_policy_at(i)->name))
			printf("\n    %s is not in the registry", doze_policy_at(i)->name);
	}
	CU_ASSERT_PTR_NULL(doze_policy_at(DOZE_POLICY_COUNT));
}

static void same_words(void)
{
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);
		const struct doze_sleep_policy *p = doze_policy_find(d->name);
		enum doze_word_kind kind =
		    d->word == DOZE_WORD_RULE_TICKLE ? DOZE_WORD_tickle : DOZE_WORD_counters;

		CU_ASSERT_TRUE_FATAL(p != NULL);
		CU_ASSERT_TRUE(p->word_kind == kind || d->word == DOZE_WORD_RULE_NONE);
		CU_ASSERT_EQUAL(d->rounds_until_sleepy, p->rounds_until_sleepy);
		CU_ASSERT_EQUAL(d->rounds_until_sleeping, p->rounds_until_sleeping);
	}
}

/* Checks that a worker can reach each state of its policy by a legal transition, and leave it. */
static void states_connected(void)
{
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);

		for (int s = 0; s < DOZE_STATE_COUNT; s++) {
			uint32_t out = 0;

			for (int to = 0; to < DOZE_STATE_COUNT; to++)
				out |= d->legal[s][to];
			CU_ASSERT_EQUAL(out != 0, doze_policy_has_state(d, (enum doze_state)s) &&
						      s != DOZE_STATE_stopped);
		}
	}
}

static struct doze_event transition(enum doze_state from, enum doze_state to, enum doze_reason why)
{
	return (struct doze_event){.kind = DOZE_EV_worker_state,
				   .u.state = {.from = from, .to = to, .reason = why}};
}

static void explained(const struct doze_policy_descriptor *d, int from, int to)
{
	for (int why = 0; why < DOZE_REASON_COUNT; why++) {
		struct doze_event e =
		    transition((enum doze_state)from, (enum doze_state)to, (enum doze_reason)why);

		if (!(d->legal[from][to] & (1u << why)))
			continue;
		CU_ASSERT_TRUE(*doze_policy_sentence(d, &e) != 0);
		if (!*doze_policy_sentence(d, &e))
			printf("\n    %s: %s -> %s (%s)", d->name, doze_state_name(from),
			       doze_state_name(to), doze_reason_name(why));
	}
}

static void all_explained(void)
{
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);

		for (int from = 0; from < DOZE_STATE_COUNT; from++)
			for (int to = 0; to < DOZE_STATE_COUNT; to++)
				explained(d, from, to);
		for (int kind = DOZE_EV_latch; kind <= DOZE_EV_sleep_abort; kind++) {
			struct doze_event e = {.kind = (enum doze_event_kind)kind};

			CU_ASSERT_TRUE(*doze_policy_sentence(d, &e) != 0);
		}
	}
}

/* The sentence about waking up must name the same thread as the descriptor. */
static void explains_which_thread_decrements(void)
{
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);
		struct doze_event e =
		    transition(DOZE_STATE_sleeping, DOZE_STATE_idle, DOZE_REASON_woken);
		const char *text = doze_policy_sentence(d, &e);

		if (!doze_policy_has_state(d, DOZE_STATE_sleeping))
			continue;
		CU_ASSERT_EQUAL(
		    strstr(text, "the waker has already decremented the count of sleepers") != NULL,
		    d->count_out == DOZE_COUNT_OUT_WAKER);
		CU_ASSERT_EQUAL(
		    strstr(text, "the sleeper decrements the count of sleepers itself") != NULL,
		    d->count_out == DOZE_COUNT_OUT_SLEEPER);
	}
}

static const char *why(const char *policy, uint32_t sleepy, uint32_t sleeping, enum doze_state to)
{
	static char text[400];
	const struct doze_pool_view p = {
	    .policy = policy, .rounds_until_sleepy = sleepy, .rounds_until_sleeping = sleeping};
	struct doze_event e = transition(DOZE_STATE_idle, to, DOZE_REASON_rounds);

	return doze_event_why(text, sizeof text, &p, &e);
}

static void prints_recorded_rounds(void)
{
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(why("jec", 7, 9, DOZE_STATE_sleepy), "After 7 fruitless rounds a"));
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(why("tickle", 1, 9, DOZE_STATE_sleepy), "After 1 fruitless round a"));
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(why("rfc", 7, 9, DOZE_STATE_sleeping), "After 9 fruitless rounds a"));
	CU_ASSERT_PTR_NOT_NULL(
	    strstr(why("rfc", 0, 0, DOZE_STATE_sleeping), "After enough fruitless rounds a"));
	CU_ASSERT_PTR_NOT_NULL(strstr(why("jec", 7, 9, DOZE_STATE_sleeping), "one atomic step"));
}

static void explains_illegal_transitions(void)
{
	static const struct {
		const char *policy, *why;
		enum doze_state from, to;
		enum doze_reason reason;
	} c[] = {
	    {"jec", NULL, DOZE_STATE_sleepy, DOZE_STATE_idle, DOZE_REASON_jec_changed},
	    {"jec", "this policy has no such reason", DOZE_STATE_sleeping, DOZE_STATE_idle,
	     DOZE_REASON_self_wake},
	    {"jec", "there is no such transition", DOZE_STATE_idle, DOZE_STATE_sleeping,
	     DOZE_REASON_rounds},
	    {"rfc", "this policy's workers do not get sleepy", DOZE_STATE_idle, DOZE_STATE_sleepy,
	     DOZE_REASON_rounds},
	    {"rfc", NULL, DOZE_STATE_sleepy, DOZE_STATE_active, DOZE_REASON_found_local},
	    {"spin", "this policy's workers do not sleep", DOZE_STATE_idle, DOZE_STATE_sleeping,
	     DOZE_REASON_rounds},
	    {"go", "this transition cannot have this reason", DOZE_STATE_active, DOZE_STATE_idle,
	     DOZE_REASON_woken},
	    {"nobody", NULL, DOZE_STATE_idle, DOZE_STATE_sleeping, DOZE_REASON_rounds},
	};

	for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
		const char *is = doze_policy_transition(doze_policy_descriptor(c[i].policy),
							c[i].from, c[i].to, c[i].reason);

		CU_ASSERT_STRING_EQUAL(is ? is : "legal", c[i].why ? c[i].why : "legal");
	}
}

static void advises_all(void)
{
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++) {
		const struct doze_policy_descriptor *d = doze_policy_at(i);

		CU_ASSERT_PTR_NOT_NULL(doze_policy_redundant(d));
		for (int cause = 0; cause < DOZE_CAUSE_COUNT; cause++) {
			CU_ASSERT_PTR_NOT_NULL(doze_policy_advice(d, (enum doze_cause)cause, true));
			CU_ASSERT_PTR_NOT_NULL(
			    doze_policy_advice(d, (enum doze_cause)cause, false));
		}
	}
}

static const struct suite_test tests[] = {
    {"each policy in the registry has one descriptor", same_as_registry},
    {"the descriptors and the registry agree on the contents of the word", same_words},
    {"each state can be reached and left by legal transitions", states_connected},
    {"each legal transition, post, wake and latch has an explanation", all_explained},
    {"the explanation of a wake names the thread that decrements the sleeper count",
     explains_which_thread_decrements},
    {"an explanation states the recorded number of rounds", prints_recorded_rounds},
    {"an illegal transition is explained", explains_illegal_transitions},
    {"each cause of futile wakes has its own advice", advises_all},
};

SUITE_MAIN("policies", tests)
