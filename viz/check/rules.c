/*
 * SPDX-License-Identifier: MIT
 *
 * rules.c - the table policy x rule, the rule on state transitions, the wake rules of posts.
 */
#include "rules.h"

#include <string.h>

#define R(n) (1u << DOZE_REASON_##n)

/* jec (Rayon): a queue that had jobs already shows that whoever is idle has not kept up, so one for
 * each job; otherwise one for each job that no idle worker will take. */
static uint32_t wakes_jec(const struct post_facts *f)
{
	if (!f->was_empty)
		return f->jobs;
	return f->jobs > f->idle ? f->jobs - f->idle : 0;
}

/* RFC 5: if there are not enough idle threads, pick one sleeping thread. */
static uint32_t wakes_rfc(const struct post_facts *f)
{
	return f->idle < f->jobs;
}

/* RFC 5, "looking at the local queue": an empty deque indicates idle threads. It is not empty any
 * more when the second of several jobs comes. */
static uint32_t wakes_local(const struct post_facts *f)
{
	return f->local ? !f->was_empty || f->jobs > 1 : wakes_rfc(f);
}

/* RFC 5, "waking blocks": with 5 threads awake, 3 more. */
static uint32_t wakes_block(const struct post_facts *f)
{
	uint32_t awake = f->workers > f->sleeping ? f->workers - f->sleeping : 0, power = 1;

	while (power <= awake)
		power *= 2;
	return f->idle < f->jobs ? power - awake : 0;
}

/* RFC 5, hazards: wake with the goal that there be two idle threads. */
static uint32_t wakes_spare(const struct post_facts *f)
{
	return f->idle < f->jobs + 2 ? f->jobs + 2 - f->idle : 0;
}

/* Go: unpark one if nobody spins. */
static uint32_t wakes_go(const struct post_facts *f)
{
	return f->idle == 0;
}

static uint32_t wakes_none(const struct post_facts *f)
{
	(void)f;
	return 0;
}

/* tickle: everybody, when somebody sleeps (the workers' number stands for that). */
static uint32_t wakes_tickle(const struct post_facts *f)
{
	return f->sleeping ? f->workers : 0;
}

/* condvar, forkjoin: one signal for each job, as long as somebody waits. */
static uint32_t wakes_signal(const struct post_facts *f)
{
	return f->jobs < f->sleeping ? f->jobs : f->sleeping;
}

#define RFC_NEVER (R(jec_changed) | R(tickled) | R(recheck))

#define C(n)  (1u << DOZE_CAUSE_##n)
#define POSTS (C(push) | C(inject) | C(latch) | C(broadcast) | C(terminate))

#define RFC       true, WORD_COUNTS, DECREMENT_SLEEPER, SEES_WORD
#define RFC_WAKES AIM_AGAIN, LATCH_OWNER, 0, POSTS, RFC_NEVER

static const struct policy_rules table[] = {
    /* name, sleepy, sleeping, word, who decrements, what a post sees, its wakes,
       whom a wake may hit, whom a latch wakes, wakes for work found, causes of wakes, reasons
       unknown to it */
    {"jec", true, true, WORD_JEC, DECREMENT_WAKER, SEES_WORD, wakes_jec, AIM_ONCE, LATCH_OWNER, 2,
     POSTS | C(work_found), R(tickled) | R(recheck) | R(self_wake)},
    {"rfc", false, RFC, wakes_rfc, RFC_WAKES},
    {"local", false, RFC, wakes_local, RFC_WAKES},
    {"block", false, RFC, wakes_block, RFC_WAKES},
    {"spare", false, RFC, wakes_spare, RFC_WAKES},
    {"chain", false, RFC, wakes_rfc, AIM_AGAIN, LATCH_OWNER, 1, POSTS | C(work_found), RFC_NEVER},
    {"go", false, true, WORD_COUNTS, DECREMENT_WAKER, SEES_WORD, wakes_go, AIM_ONCE, LATCH_OWNER, 1,
     POSTS | C(work_found), R(jec_changed) | R(tickled) | R(self_wake)},
    {"tickle", true, true, WORD_TICKLE, DECREMENT_NOBODY, SEES_BIT, wakes_tickle, AIM_ONCE,
     LATCH_ANY, 0, POSTS | C(job_done) | C(work_found), R(jec_changed) | R(recheck)},
    {"forkjoin", false, true, WORD_COUNTS, DECREMENT_SLEEPER, SEES_HINT, wakes_signal, AIM_HINT,
     LATCH_ALL, 0, POSTS, RFC_NEVER},
    {"condvar", false, true, WORD_COUNTS, DECREMENT_SLEEPER, SEES_EXACT, wakes_signal, AIM_SIGNAL,
     LATCH_ALL, 0, POSTS, RFC_NEVER},
    {"spin", false, false, WORD_FREE, DECREMENT_NOBODY, SEES_HINT, wakes_none, AIM_NEVER,
     LATCH_FREE, 0, 0, 0},
    {"?", true, true, WORD_FREE, DECREMENT_NOBODY, SEES_FREE, 0, AIM_FREE, LATCH_FREE, 0, 0, 0},
};

#define POLICIES (sizeof table / sizeof table[0])
#define UNKNOWN  (&table[POLICIES - 1])

const struct policy_rules *policy_rules_of(const char *policy)
{
	for (size_t i = 0; i < POLICIES; i++)
		if (!strcmp(table[i].name, policy))
			return &table[i];
	return UNKNOWN;
}

bool doze_pool_has_jec(const struct doze_pool_view *p)
{
	const struct policy_rules *r = policy_rules_of(p->policy);

	return r->word == WORD_JEC ||
	       (r == UNKNOWN && p->layout.kind == DOZE_WORD_counters && p->layout.bits_jec);
}

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
	    [DOZE_STATE_sleepy][DOZE_STATE_idle] = R(jec_changed) | R(tickled) | R(latch_set),
	    [DOZE_STATE_sleepy][DOZE_STATE_sleeping] = R(rounds),
	    [DOZE_STATE_sleeping][DOZE_STATE_idle] =
		R(woken) | R(self_wake) | R(found_injected) | R(found_broadcast) | R(recheck),
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

	/* Without a sleepy state an idle worker goes to sleep straight away; a policy that nobody
	 * knows may do either. */
	if ((!r->sleepy || r == UNKNOWN) && from == DOZE_STATE_idle && to == DOZE_STATE_sleeping)
		reasons = R(rounds);
	if (to == DOZE_STATE_sleepy && !r->sleepy)
		return "this policy's workers do not get sleepy";
	if (to == DOZE_STATE_sleeping && !r->sleeping)
		return "this policy's workers do not sleep";
	if (!reasons)
		return "there is no such transition";
	if ((unsigned)why >= DOZE_REASON_COUNT || !(reasons & (1u << why)))
		return "not for this reason";
	if (r->never & (1u << why))
		return "this policy has no such reason";
	return 0;
}
