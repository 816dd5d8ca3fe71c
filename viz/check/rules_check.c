/*
 * SPDX-License-Identifier: MIT
 *
 * rules_check.c - what options.check adds to the rules that always hold (transition, wake-pair,
 * chain, counters): hands each event to the rules, and judges what may not last.
 */
#include "rules.h"

#include <stdio.h>
#include <string.h>

/* A thread from outside has its notes in the pool, a worker in itself. */
static struct actor *actor_of(struct pool *p, struct worker *w, const struct doze_event *e)
{
	struct actor *a;

	if (w)
		return &w->actor;
	a = &p->actors[(uint32_t)e->vtid % ACTORS];
	if (a->vtid != e->vtid)
		*a = (struct actor){.vtid = e->vtid};
	return a;
}

void rules_lost(struct doze_model *m)
{
	for (size_t i = 0; i < m->row_count; i++) {
		m->rows[i]->actor = (struct actor){0};
		m->rows[i]->due.set = false;
		m->rows[i]->slept_on = 0;
	}
	for (size_t i = 0; i < m->pool_count; i++)
		memset(m->pools[i]->actors, 0, sizeof m->pools[i]->actors);
}

void rules_event(struct doze_model *m, struct pool *p, struct worker *w, const struct doze_event *e)
{
	struct actor *a;

	if (e->unknown_label)
		return;
	rules_word(m, p, w, e);
	rules_jec(m, p, w, e);
	if (e->kind == DOZE_EV_post)
		rules_post(m, p, e);
	else if (e->kind == DOZE_EV_wake)
		rules_wake(m, p, e);
	if (e->kind != DOZE_EV_pool_start) {
		a = actor_of(p, w, e);
		rules_latch(m, p, a, e);
		rules_carry(m, p, a, e);
	}
	if (e->kind == DOZE_EV_wake)
		p->wake_ts = e->ts;
	if (e->kind == DOZE_EV_pool_stop)
		rules_stopped(m, p, e->ts);
}

/* The pool is gone: all its workers must have gone before. */
void rules_stopped(struct doze_model *m, struct pool *p, int64_t ts)
{
	for (uint32_t i = 0; i < p->room; i++) {
		struct worker *w = p->by_index[i];

		if (w && w->known && !w->span_lost && w->v.state != DOZE_STATE_stopped)
			finding(m, "terminate", w->v.key, ts, "the pool stopped while it was %s",
				doze_state_name(w->v.state));
	}
}

/* Everybody sleeps and nobody has been notified. */
static bool all_asleep(const struct pool *p)
{
	return p->v.workers && p->in_state[DOZE_STATE_sleeping] == p->v.workers && !p->unsure &&
	       !p->notified;
}

static int64_t last_asleep(const struct pool *p)
{
	int64_t ts = INT64_MIN;

	for (uint32_t i = 0; i < p->room; i++)
		if (p->by_index[i] && p->by_index[i]->v.since > ts)
			ts = p->by_index[i]->v.since;
	return ts;
}

/* All slept already when the last job was injected, and nobody was woken for it. */
static bool ignored(const struct pool *p)
{
	return p->inject_ts > last_asleep(p) && p->wake_ts <= p->inject_ts;
}

/* Jobs are left over: published more than taken. Needs every post and every start, from the pool's
 * own start on, and no loss. A worker does not sleep over its own deque, so what is left over was
 * injected: perhaps before the last one fell asleep, who did not see it. */
static bool left_over(const struct doze_model *m, const struct pool *p)
{
	return p->v.jobs_level && p->v.started && m->lost_to == INT64_MIN && p->jobs.waiting > 0;
}

/* A job was injected, all sleep, and nobody is being woken for it. */
static void check_stranded(struct doze_model *m, struct pool *p, int64_t ts)
{
	char asleep[48] = "the only worker sleeps";

	if (!p->inject_ts || !all_asleep(p) || !(ignored(p) || left_over(m, p)))
		return;
	if (p->v.workers > 1)
		snprintf(asleep, sizeof asleep, "all %u workers sleep", p->v.workers);
	finding_about(m, "stranded", pool_key(p, -1), ts, p->inject_ts,
		      "a job was injected %.3f ms ago, %s, and nobody was woken",
		      (double)(ts - p->inject_ts) / 1e6, asleep);
	p->inject_ts = 0;
}

/* A broadcast has a job for each worker that no other can run: who slept before it and sleeps on
 * was left alone with it. */
static void check_broadcast(struct doze_model *m, struct pool *p, int64_t ts)
{
	for (uint32_t i = 0; p->broadcast_ts && i < p->room; i++) {
		struct worker *w = p->by_index[i];

		if (w && known_state(w, DOZE_STATE_sleeping) && !w->span_lost &&
		    w->phase == WAKE_NONE && !w->leaving && w->v.since < p->broadcast_ts)
			finding_about(
			    m, "stranded", w->v.key, ts, p->broadcast_ts,
			    "its job of a broadcast has waited %.3f ms, and nobody woke it",
			    (double)(ts - p->broadcast_ts) / 1e6);
	}
	p->broadcast_ts = 0;
}

/* Termination was announced, and somebody sleeps on. */
static void check_terminating(struct doze_model *m, struct pool *p, int64_t ts)
{
	if (!p->terminating || p->v.stopped)
		return;
	for (uint32_t i = 0; i < p->room; i++) {
		struct worker *w = p->by_index[i];

		if (w && known_state(w, DOZE_STATE_sleeping) && !w->span_lost &&
		    w->phase == WAKE_NONE && w->v.since < p->terminate_ts)
			finding_about(m, "terminate", w->v.key, ts, p->terminate_ts,
				      "the pool has been stopping for %.3f ms, and nobody woke it",
				      (double)(ts - p->terminate_ts) / 1e6);
	}
	p->terminating = false;
}

/* Called when nothing has moved for so long that no thread can still be between two steps. */
void rules_quiet(struct doze_model *m, struct pool *p, int64_t ts)
{
	if (ts <= m->lost_to)
		return;
	check_stranded(m, p, ts);
	if (!p->notified)
		check_broadcast(m, p, ts);
	check_terminating(m, p, ts);
	rules_carry_end(m, p, ts);
	rules_latch_end(m, p, ts);
}

void rules_finish(struct doze_model *m, struct pool *p, int64_t ts)
{
	/* A trace that was cut off may have been cut in the middle of anything. */
	if (!p->v.stopped || ts <= m->lost_to)
		return;
	rules_carry_end(m, p, ts);
	rules_latch_end(m, p, ts);
}
