/*
 * SPDX-License-Identifier: MIT
 *
 * sim_sleep.c - decides, according to the policy's descriptor, when simulated workers get sleepy,
 * sleep and are woken.
 */
#include "sim_int.h"

#include <stdlib.h>

struct sim_rules sim_rules_of(const struct doze_work *w, const struct doze_policy_descriptor *d)
{
	bool recorded = d == doze_policy_descriptor(w->policy);

	return (struct sim_rules){
	    .tickle = d->word == DOZE_WORD_RULE_TICKLE,
	    .has_sleepy = doze_policy_has_state(d, DOZE_STATE_sleepy),
	    .has_sleeping = doze_policy_has_state(d, DOZE_STATE_sleeping),
	    .rounds_until_sleepy = recorded ? w->rounds_until_sleepy : d->rounds_until_sleepy,
	    .rounds_until_sleeping = recorded ? w->rounds_until_sleeping : d->rounds_until_sleeping,
	};
}

/* Returns whether a sleeper decrements the sleeping count itself when it runs. Otherwise, its waker
 * decrements the count. */
static bool sleeper_counts_out(const struct sim *s)
{
	return (s->set.policy->sees == DOZE_SEES_WORD || s->set.policy->sees == DOZE_SEES_HINT) &&
	       s->set.policy->count_out == DOZE_COUNT_OUT_SLEEPER;
}

static struct doze_wake_facts facts(const struct sim *s)
{
	return (struct doze_wake_facts){
	    .workers = s->set.workers,
	    .sleeping = s->sleeping,
	    .idle = s->inactive - s->sleeping,
	};
}

/* ---- searching ---- */

/* Returns the duration of n search rounds. It varies widely, because the worker yields its CPU in
 * each round. */
static double rounds_take(struct sim *s, uint32_t n)
{
	const struct doze_costs *c = &s->work->costs;
	const double *round = c->round, rounds = c->rounds;
	uint64_t rng = s->rng; /* in a register: a simulation spends a quarter of its time here */
	double sum = 0;

	for (; n; n--)
		sum += round[(uint32_t)(sim_random(&rng) * rounds)];
	s->rng = rng;
	return sum;
}

/* Returns the first round until whose end this much time of all rounds has passed. Starts at any
 * round. */
static uint32_t round_at(const struct doze_costs *c, double at, uint32_t round)
{
	while (round && c->rounds_up_to[round - 1] >= at)
		round--;
	while (round < c->rounds - 1 && c->rounds_up_to[round] < at)
		round++;
	return round;
}

bool sim_guide(struct sim *s)
{
	const struct doze_costs *c = &s->work->costs;
	uint32_t round = 0;

	s->guide = calloc((size_t)c->rounds + 1, sizeof *s->guide);
	for (uint32_t i = 0; s->guide && i <= c->rounds; i++) {
		round = round_at(c, c->rounds_up_to[c->rounds - 1] * i / c->rounds, round);
		s->guide[i] = round;
	}
	return s->guide;
}

/* Returns the time left in the search round that is in progress at a random moment. Such a moment
 * is more likely to be in a long round. */
static double rest_of_round(struct sim *s)
{
	const struct doze_costs *c = &s->work->costs;
	double share = sim_random(&s->rng);
	uint32_t near = s->guide[(uint32_t)(share * c->rounds)];
	uint32_t round = round_at(c, share * c->rounds_up_to[c->rounds - 1], near);

	return sim_random(&s->rng) * c->round[round];
}

/* rounds: number of unsuccessful rounds so far. */
static void set_timers(struct sim *s, uint32_t worker, uint32_t rounds)
{
	uint32_t sleepy = s->rules.rounds_until_sleepy;
	uint32_t sleeping = s->rules.rounds_until_sleeping;
	struct sim_worker *w = &s->worker[worker];
	double in = 0;

	w->turn++;
	w->to_look = false;
	if (!s->rules.has_sleeping)
		return;
	if (s->rules.has_sleepy) {
		in = rounds_take(s, sleepy > rounds ? sleepy - rounds : 0);
		rounds = rounds > sleepy ? rounds : sleepy;
		sim_at_cpu(s, in, SIM_SLEEPY, worker, w->turn);
	}
	in += rounds_take(s, sleeping > rounds ? sleeping - rounds : 0);
	sim_at_cpu(s, in, SIM_SLEEP, worker, w->turn);
}

/* Makes the worker check the queues after `in` ns of CPU time. */
static void look_in(struct sim *s, uint32_t worker, double in)
{
	struct sim_worker *w = &s->worker[worker];

	if (w->to_look)
		return;
	w->to_look = true;
	sim_at_cpu(s, in + s->charge, SIM_ROUND, worker, w->turn);
}

static void all_look(struct sim *s)
{
	for (uint32_t i = 0; s->searching && i < s->set.workers; i++)
		if (s->worker[i].state == SIM_SEARCHING)
			look_in(s, i, rest_of_round(s));
}

void sim_start_looking(struct sim *s, uint32_t worker)
{
	s->inactive++;
	sim_set_state(s, worker, SIM_SEARCHING);
	s->worker[worker].sleepy = false;
	set_timers(s, worker, 0);
	look_in(s, worker, s->work->costs.take);
}

/* ---- waking ---- */

static double latency(struct sim *s)
{
	const struct doze_costs *c = &s->work->costs;

	return c->latency[(uint32_t)(sim_random(&s->rng) * c->latencies)];
}

static void wake(struct sim *s, uint32_t target, enum doze_cause cause)
{
	struct sim_worker *w = &s->worker[target];

	s->run.wakes++;
	s->charge += s->work->costs.wake;
	if (w->notified) {
		s->run.redundant++;
		return;
	}
	w->notified = true;
	w->wake_cause = cause;
	if (!sleeper_counts_out(s))
		s->sleeping--;
	sim_at_now(s, s->charge + latency(s), SIM_AWAKE, target, 0);
}

/* Returns the worker to wake: if a condition variable chooses, the worker that has slept longest,
 * otherwise the sleeper with the lowest index. */
static int32_t target_of(const struct sim *s, uint32_t from)
{
	enum doze_aim aim = s->set.policy->aim;
	int32_t best = DOZE_NO_INDEX;

	for (uint32_t i = from; i < s->set.workers; i++) {
		const struct sim_worker *w = &s->worker[i];

		if (w->state != SIM_ASLEEP || (w->notified && aim != DOZE_AIM_AGAIN))
			continue;
		if (aim != DOZE_AIM_SIGNAL && aim != DOZE_AIM_HINT)
			return (int32_t)i;
		if (best < 0 || w->asleep_since < s->worker[best].asleep_since)
			best = (int32_t)i;
	}
	return best;
}

static void wake_any(struct sim *s, uint32_t n, enum doze_cause cause)
{
	bool signal = s->set.policy->aim == DOZE_AIM_SIGNAL || s->set.policy->aim == DOZE_AIM_HINT;
	uint32_t from = 0;

	for (int32_t target; n && (target = target_of(s, from)) >= 0; n--) {
		wake(s, (uint32_t)target, cause);
		from = signal ? 0 : (uint32_t)target + 1;
	}
	/* The poster also signals the condition variable when no worker sleeps; count these signals
	 * as redundant wakes. */
	if (s->set.policy->aim == DOZE_AIM_HINT && cause != DOZE_CAUSE_latch) {
		s->run.wakes += n;
		s->run.redundant += n;
		s->charge += n * s->work->costs.wake;
	}
}

/* Simulates that a thread clears tickle's word: the sleepy worker starts a new search, and all
 * sleepers wake. */
static void tickle(struct sim *s, enum doze_cause cause)
{
	if (s->sleepy >= 0) {
		s->worker[s->sleepy].sleepy = false;
		if (s->worker[s->sleepy].state == SIM_SEARCHING) {
			set_timers(s, (uint32_t)s->sleepy, 0);
			look_in(s, (uint32_t)s->sleepy, rest_of_round(s));
		}
		s->sleepy = DOZE_NO_INDEX;
	}
	wake_any(s, s->set.workers, cause);
}

void sim_posted(struct sim *s, const struct doze_op *op, int32_t by, bool was_empty)
{
	const struct doze_policy_descriptor *d = s->set.policy;
	bool local = op->queue == DOZE_QUEUE_local && by >= 0;
	enum doze_cause cause = local ? DOZE_CAUSE_push : DOZE_CAUSE_inject;
	struct doze_wake_facts f = facts(s);

	s->jec++;
	f.jobs = op->count;
	f.was_empty = was_empty;
	f.local = local;
	if (s->rules.tickle)
		tickle(s, cause);
	else if (op->queue == DOZE_QUEUE_broadcast)
		wake_any(s, s->set.workers, DOZE_CAUSE_broadcast);
	else if (d->wakes)
		wake_any(s, doze_policy_post_wakes(d, &f), cause);
	all_look(s);
}

void sim_latch_set(struct sim *s, uint32_t owner)
{
	struct sim_worker *w = &s->worker[owner];
	enum doze_latch_wakes rule = s->set.policy->latch;

	if (s->rules.tickle)
		tickle(s, DOZE_CAUSE_latch);
	else if (w->state == SIM_ASLEEP && rule == DOZE_LATCH_WAKES_ALL)
		wake_any(s, s->set.workers, DOZE_CAUSE_latch);
	else if (w->state == SIM_ASLEEP && !w->notified)
		wake(s, owner, DOZE_CAUSE_latch);
	if (w->state == SIM_SEARCHING)
		look_in(s, owner, rest_of_round(s));
}

void sim_job_done(struct sim *s)
{
	if (s->rules.tickle)
		tickle(s, DOZE_CAUSE_job_done);
}

/* ---- the steps of a searching worker ---- */

static void settle(struct sim *s, struct sim_worker *w, int32_t job, bool found)
{
	if (!w->wake_open)
		return;
	w->wake_open = false;
	if (!found)
		s->run.futile++;
	else if (job < 0 && w->wake_cause == DOZE_CAUSE_latch)
		s->run.latch++;
	else
		s->run.useful++;
}

static void found(struct sim *s, uint32_t worker, int32_t job)
{
	const struct doze_policy_descriptor *d = s->set.policy;
	struct sim_worker *w = &s->worker[worker];
	struct doze_wake_facts f = facts(s);
	uint32_t wakes = doze_policy_found_wakes(d, &f);

	settle(s, w, job, true);
	s->inactive--;
	w->turn++;
	w->to_look = false;
	sim_set_state(s, worker, SIM_ACTIVE);
	s->charge = 0;
	if (s->rules.tickle && w->sleepy)
		tickle(s, DOZE_CAUSE_work_found);
	else if (wakes && (!d->found_if_more || sim_has_jobs(s)))
		wake_any(s, wakes, DOZE_CAUSE_work_found);
	w->sleepy = false;
	sim_start(s, worker, job);
}

void sim_on_round(struct sim *s, uint32_t worker)
{
	int32_t job;

	s->worker[worker].to_look = false;
	if (sim_find(s, worker, &job))
		found(s, worker, job);
}

void sim_on_sleepy(struct sim *s, uint32_t worker)
{
	struct sim_worker *w = &s->worker[worker];

	if (s->rules.tickle && s->sleepy >= 0) {
		/* Under tickle, only one worker at a time can be sleepy. Another worker is sleepy,
		 * so this worker tries again after one more round. */
		set_timers(s, worker, s->set.policy->rounds_until_sleepy - 1);
		return;
	}
	if (s->rules.tickle)
		s->sleepy = (int32_t)worker;
	w->sleepy = true;
	w->jec = s->jec;
}

static void fall_asleep(struct sim *s, uint32_t worker)
{
	struct sim_worker *w = &s->worker[worker];

	settle(s, w, DOZE_NO_INDEX, false);
	sim_set_state(s, worker, SIM_ASLEEP);
	w->turn++;
	w->sleepy = w->notified = w->to_look = false;
	if (s->sleepy == (int32_t)worker)
		s->sleepy = DOZE_NO_INDEX;
	s->sleeping++;
	w->asleep_since = s->now;
}

void sim_on_sleep(struct sim *s, uint32_t worker)
{
	const struct doze_policy_descriptor *d = s->set.policy;
	struct sim_worker *w = &s->worker[worker];
	int32_t job;

	if (sim_find(s, worker, &job)) {
		found(s, worker, job);
		return;
	}
	if (d->word == DOZE_WORD_RULE_JEC && w->jec != s->jec) {
		w->sleepy = false;
		set_timers(s, worker, d->rounds_until_sleepy);
		return;
	}
	fall_asleep(s, worker);
}

void sim_on_awake(struct sim *s, uint32_t worker)
{
	struct sim_worker *w = &s->worker[worker];

	s->run.asleep += s->now - w->asleep_since;
	if (sleeper_counts_out(s))
		s->sleeping--;
	w->notified = false;
	w->wake_open = true;
	sim_set_state(s, worker, SIM_SEARCHING);
	set_timers(s, worker, 0);
	look_in(s, worker, 0);
}

void sim_asleep_at_first(struct sim *s)
{
	for (uint32_t i = 0; i < s->set.workers; i++) {
		s->inactive++;
		if (s->rules.has_sleeping) {
			fall_asleep(s, i);
		} else {
			sim_set_state(s, i, SIM_SEARCHING);
			set_timers(s, i, 0);
		}
	}
}
