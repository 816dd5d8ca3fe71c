/*
 * SPDX-License-Identifier: MIT
 *
 * rules.c - the table policy x rule, and the rule on state transitions.
 */
#include <string.h>

#include "rules.h"

/* name, sleepy, sleeping, jec, who decrements, wakes of a post, a latch wakes its owner only */
static const struct policy_rules table[] = {
    {"jec", true, true, true, DECREMENT_WAKER, WAKES_JEC, true},
    {"rfc", false, true, false, DECREMENT_SLEEPER, WAKES_RFC, true},
    {"local", true, true, true, DECREMENT_WAKER, WAKES_LOCAL, true},
    {"block", true, true, true, DECREMENT_WAKER, WAKES_BLOCK, true},
    {"spare", true, true, true, DECREMENT_WAKER, WAKES_SPARE, true},
    {"go", true, true, false, DECREMENT_WAKER, WAKES_GO, true},
    {"tickle", true, true, false, DECREMENT_UNKNOWN, WAKES_ANY, false},
    {"forkjoin", true, true, false, DECREMENT_UNKNOWN, WAKES_ANY, false},
    {"spin", false, false, false, DECREMENT_UNKNOWN, WAKES_NONE, true},
    {"condvar", true, true, false, DECREMENT_UNKNOWN, WAKES_ANY, false},
    {"?", true, true, false, DECREMENT_UNKNOWN, WAKES_ANY, false},
};

const struct policy_rules *policy_rules_of(const char *policy)
{
	size_t n = sizeof table / sizeof table[0];

	for (size_t i = 0; i < n; i++)
		if (!strcmp(table[i].name, policy))
			return &table[i];
	return &table[n - 1];
}

#define R(n) (1u << DOZE_REASON_##n)
#define FOUND                                                                                      \
	(R(found_local) | R(found_stolen) | R(found_injected) | R(found_broadcast) | R(latch_set))

/* Reasons that are legal for a transition; 0 = the transition itself is not. */
static uint32_t legal_reasons(enum doze_state from, enum doze_state to)
{
	static const uint32_t legal[DOZE_STATE_COUNT][DOZE_STATE_COUNT] = {
	    [DOZE_STATE_none][DOZE_STATE_active] = R(start),
	    [DOZE_STATE_active][DOZE_STATE_idle] = R(no_work),
	    [DOZE_STATE_idle][DOZE_STATE_active] = FOUND | R(terminate),
	    [DOZE_STATE_idle][DOZE_STATE_sleepy] = R(rounds),
	    [DOZE_STATE_sleepy][DOZE_STATE_active] = FOUND | R(terminate),
	    [DOZE_STATE_sleepy][DOZE_STATE_idle] = R(jec_changed) | R(tickled) | R(recheck) |
						   R(latch_set) | R(found_injected) |
						   R(found_broadcast),
	    [DOZE_STATE_sleepy][DOZE_STATE_sleeping] = R(rounds),
	    [DOZE_STATE_sleeping][DOZE_STATE_idle] = R(woken) | R(self_wake) | R(found_injected) |
						     R(found_broadcast) | R(latch_set) | R(recheck),
	    [DOZE_STATE_active][DOZE_STATE_blocked] = R(mark_blocked),
	    [DOZE_STATE_blocked][DOZE_STATE_active] = R(mark_unblocked),
	    [DOZE_STATE_active][DOZE_STATE_stopped] = R(terminate),
	    [DOZE_STATE_idle][DOZE_STATE_stopped] = R(terminate),
	};

	return legal[from][to];
}

const char *rule_transition(const struct policy_rules *r, enum doze_state from, enum doze_state to,
			    enum doze_reason why)
{
	uint32_t reasons = legal_reasons(from, to);

	/* Without a sleepy state an idle worker goes to sleep straight away. */
	if (!r->sleepy && from == DOZE_STATE_idle && to == DOZE_STATE_sleeping)
		reasons = R(rounds);
	if (to == DOZE_STATE_sleepy && !r->sleepy)
		return "this policy's workers do not get sleepy";
	if (to == DOZE_STATE_sleeping && !r->sleeping)
		return "this policy's workers do not sleep";
	if (!reasons)
		return "there is no such transition";
	if ((unsigned)why >= DOZE_REASON_COUNT || !(reasons & (1u << why)))
		return "not for this reason";
	return 0;
}
