/*
 * SPDX-License-Identifier: MIT
 *
 * why_part.c - answers a question about a time from a part of the trace around that time, and finds
 * out whether the whole trace would give the same answer. Where that is not certain, it is not
 * assumed.
 *
 * The answer can be trusted if
 *	- nothing was in progress at the time in question that began before the part: no wake, no
 *	  decision, no job;
 *	- no step of its chain happened while something from before the part was in progress,
 *	  because such a step may lack causes;
 *	- the chain never leads to a step before the part.
 */
#include "../model/part.h"
#include "why_int.h"

/* For this long before the time in question, no job from before the part may wait. One moment is
 * not enough: a job may start before its post is reported, and is then briefly counted as less than
 * none. */
#define CHECKED INT64_C(1000000)

/* ---- At the beginning of the part ---- */

void doze_why_part_begin(struct doze_model *m)
{
	struct why *y = why_of(m);
	int64_t after = doze_model_totals(m)->last_ts;

	y->part = (struct why_part){.alone = true, .after = after, .cold = UINT64_MAX};
	y->part.unsure = after > why_asked_time(y) - CHECKED;
}

void why_part_pool(struct why *y, struct why_pool *p)
{
	if (y->part.alone && p->v->started)
		p->post = UNSEEN;
}

void why_part_worker(struct why *y, struct why_worker *k)
{
	if (!y->part.alone || !k->v->known)
		return;
	k->state = k->job = k->woken = k->latch = UNSEEN;
	if (k->v->state == DOZE_STATE_sleeping)
		k->asleep.no = UNSEEN_SLEEP;
}

/* ---- Up to the time in question ---- */

/* Returns whether the trace reports when each job of the pool starts; if it reports no start at
 * all, no job matters. */
static bool reports_jobs(const struct doze_pool_view *v)
{
	return v->level != DOZE_LEVEL_states;
}

/* Returns whether a job may wait that was posted before the part. */
static bool may_wait(const struct why *y, const struct doze_pool_view *v)
{
	const struct why_pool *p = doze_notes_find(&y->pools, v->row);
	int64_t jobs = v->jobs_waiting - (p ? p->unstarted : 0);

	if (v->stopped || !reports_jobs(v))
		return false;
	for (int32_t i = 0; i < (int32_t)v->index_end; i++) {
		const struct doze_worker_view *w = doze_pool_worker(v, i);

		jobs += w && w->job_in_hand;
	}
	return !v->jobs_level || jobs > 0;
}

void why_part_event(struct why *y, const struct doze_event *e)
{
	int64_t asked;

	if (!y->part.alone || y->part.unsure)
		return;
	if (!y->part.warm && doze_model_is_settled_by(y->model, y->part.after)) {
		y->part.warm = true;
		y->part.cold = y->last;
	}
	asked = why_asked_time(y);
	if (y->moment.taken || e->ts < asked - CHECKED)
		return;
	y->part.unsure |= e->ts > asked && !y->part.warm;
	for (size_t i = 0; i < doze_model_pools(y->model); i++)
		y->part.unsure |= may_wait(y, doze_model_pool(y->model, i));
}

/* ---- The chain ---- */

bool why_part_lacks(const struct why *y, step_no no)
{
	return no == UNSEEN_SLEEP || (no == UNSEEN && y->last < STEPS_KEPT);
}

bool why_part_doubts(const struct why *y, const struct step *s)
{
	return y->part.alone &&
	       (s->no <= y->part.cold || y->last - s->no + y->part.fewer >= STEPS_KEPT);
}

void why_part_no_wake(struct why *y, const struct doze_event *e)
{
	y->part.unsure |= y->part.alone && e->ts > why_asked_time(y);
}

/* The post may have been before the part, or it may be reported after the start, because the two
 * happened on different CPUs. */
void why_part_no_post(struct why *y, struct why_pool *p, const struct doze_event *e,
		      struct id_slot *s)
{
	if (!y->part.alone || e->ts <= why_asked_time(y))
		return;
	s->no = UNSEEN;
	p->early++;
}

void why_part_late_post(struct why_pool *p, struct id_slot *s)
{
	p->early -= s->no == UNSEEN;
	s->no = 0;
}

/* ---- The end of the part ---- */

/* Returns whether no job waits any more that was posted by the time in question, and each job that
 * started since then is known to have been posted later. */
static bool all_started(const struct why *y, struct why_pool *p)
{
	if (p->early)
		return false;
	while (p->answered < JOB_SLOTS) {
		const struct step *post = why_at(y, p->job[p->answered].no);

		if (post && post->e.ts <= why_asked_time(y))
			return false;
		p->answered++;
	}
	return true;
}

static bool has_no_effect_to_come(const struct why *y)
{
	for (size_t i = 0; i < y->pools.capacity; i++) {
		struct why_pool *p = doze_notes_find(&y->pools, (uint32_t)i);

		if (p && reports_jobs(p->v) && !all_started(y, p))
			return false;
	}
	return true;
}

bool doze_why_part_settled(const struct doze_model *m)
{
	const struct why *y = why_of(m);

	if (y->part.unsure || y->failed)
		return true;
	return y->moment.taken && (y->effect.kind || y->next.kind) && has_no_effect_to_come(y);
}

bool doze_why_part_end(struct doze_model *m)
{
	struct why *y = why_of(m);

	for (size_t i = 0; i < doze_model_pools(m); i++)
		why_end(y, doze_model_pool(m, i), doze_model_totals(m)->last_ts);
	for (size_t i = 0; i < y->pools.capacity; i++) {
		const struct why_pool *p = doze_notes_find(&y->pools, (uint32_t)i);

		y->part.unsure |= p && p->early;
	}
	return y->question.cpus && !y->part.unsure && !y->effect.unsure;
}
