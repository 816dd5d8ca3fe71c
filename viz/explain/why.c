/*
 * SPDX-License-Identifier: MIT
 *
 * why.c - answers a question: keeps the steps of a trace and what caused each, finds the effect
 * that the question refers to, and walks back from it to its causes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../words/option_values.h"
#include "why_int.h"

/* ---- The question ---- */

static bool number(const char *s, int base, uint64_t most, uint64_t *out)
{
	char *end;

	if (!strchr("0123456789abcdefABCDEF", *s) || !*s)
		return false;
	errno = 0;
	*out = strtoull(s, &end, base);
	return !errno && !*end && end != s && *out <= most;
}

const char *doze_check_why(const char *value, void *target)
{
	struct doze_why_question *q = target;
	uint64_t n;

	if (!strncmp(value, "0x", 2) && number(value + 2, 16, UINT64_MAX, &n) && n) {
		q->kind = DOZE_WHY_job;
		q->job = n;
	} else if (*value == 'w' && number(value + 1, 10, DOZE_WORKERS_MAX - 1, &n)) {
		q->kind = DOZE_WHY_worker;
		q->worker = (int32_t)n;
	} else if (!doze_check_duration(value, &q->time)) {
		q->kind = DOZE_WHY_time;
	} else {
		return "a time (20ms), a job (0x2a) or a worker (w3)";
	}
	q->text = value;
	return NULL;
}

/*
 * ---- Steps ----
 *
 * A ring keeps the latest steps, and tables map ids to steps. New entries overwrite old ones, so a
 * chain may end early, but no cause is wrong, because each entry contains its id.
 */

static struct step *slot(const struct why *y, step_no no)
{
	return &y->step[no % STEPS_KEPT];
}

const struct step *why_at(const struct why *y, step_no no)
{
	return no && y->step && slot(y, no)->no == no ? slot(y, no) : 0;
}

/* Clears the event's strings, which belong to the reader. */
static void drop_strings(struct doze_event *e)
{
	if (e->kind == DOZE_EV_pool_start)
		e->u.pool_start.policy = e->u.pool_start.version = e->u.pool_start.name = 0;
}

/* Adds a step with its causes. Returns its number. */
static step_no why_step(struct why *y, const struct doze_pool_view *v,
			const struct doze_worker_view *w, const struct doze_event *e, step_no cause,
			step_no other)
{
	struct step *s;

	if (!y->step)
		y->step = calloc(STEPS_KEPT, sizeof *y->step);
	if (!y->step) {
		y->failed = true;
		return 0;
	}
	s = slot(y, ++y->last);
	*s = (struct step){.no = y->last,
			   .e = *e,
			   .row = v->row,
			   .cause = {cause, other},
			   .active = v->in_state[DOZE_STATE_active],
			   .since = w && w->known ? w->since : e->ts};
	drop_strings(&s->e);
	return y->last;
}

/* Returns the number of a step, adding the step again if it is no longer kept. Returns 0 for 0. */
static step_no why_again(struct why *y, struct step *s)
{
	if (!s->no || why_at(y, s->no) || !y->step)
		return s->no;
	if (s->no == UNSEEN_SLEEP) {
		y->part.fewer++;
		return s->no;
	}
	s->no = ++y->last;
	*slot(y, s->no) = *s;
	return s->no;
}

static struct why_pool *new_pool(struct why *y, const struct doze_pool_view *v)
{
	struct why_pool *p = doze_notes_create(&y->pools, v->row, sizeof *p, y->model);

	if (p) {
		p->v = v;
		why_part_pool(y, p);
	}
	return p;
}

static struct why_worker *new_worker(struct why *y, const struct doze_worker_view *w)
{
	struct why_worker *k = doze_notes_create(&y->workers, w->key.row, sizeof *k, y->model);

	if (k) {
		k->v = w;
		why_part_worker(y, k);
	}
	return k;
}

static struct why_pool *why_pool_of(struct why *y, const struct doze_pool_view *v)
{
	struct why_pool *p = doze_notes_find(&y->pools, v->row);

	if (!p)
		p = new_pool(y, v);
	y->failed |= !p;
	return p;
}

static struct why_worker *why_worker_of(struct why *y, const struct doze_worker_view *w)
{
	struct why_worker *k = doze_notes_find(&y->workers, w->key.row);

	if (!k)
		k = new_worker(y, w);
	y->failed |= !k;
	return k;
}

static size_t slot_of(uint64_t id, size_t size)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % size;
}

static void why_remember(struct id_slot *table, size_t size, uint64_t id, step_no no)
{
	table[slot_of(id, size)] = (struct id_slot){id, no};
}

/* Returns whether the start of the job has been seen. It may be seen before the post, if the two
 * were recorded on different CPUs. */
static bool why_has_started(const struct why_pool *p, uint64_t job)
{
	const struct id_slot *s = &p->job[slot_of(job, JOB_SLOTS)];

	return s->id == job && (!s->no || s->no == UNSEEN);
}

static step_no why_find(const struct id_slot *table, size_t size, uint64_t id)
{
	const struct id_slot *s = &table[slot_of(id, size)];

	return id && s->id == id ? s->no : 0;
}

/*
 * ---- The chain of an effect ----
 *
 * Starting with the effect, the walk repeatedly takes the latest known step and adds the causes of
 * that step. The chain is therefore in reverse chronological order.
 *
 * The chain ends at a step without a cause (an outside thread, the pool's start), after
 * DOZE_WHY_STEPS steps, or where steps are no longer kept.
 */

struct walk {
	const struct why *why;
	struct effect *effect;
	step_no todo[2 * DOZE_WHY_STEPS];
	size_t count;
};

static void add(struct walk *w, step_no no)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->todo[i] == no)
			return;
	if (no && w->count < 2 * DOZE_WHY_STEPS)
		w->todo[w->count++] = no;
}

/* Removes and returns the number of the latest step. If that step is not kept, none of them is. */
static step_no take_latest(struct walk *w)
{
	size_t best = 0;
	step_no no;

	for (size_t i = 1; i < w->count; i++) {
		const struct step *a = why_at(w->why, w->todo[i]);
		const struct step *b = why_at(w->why, w->todo[best]);

		if (a && (!b || a->e.ts > b->e.ts || (a->e.ts == b->e.ts && a->no > b->no)))
			best = i;
	}
	no = w->todo[best];
	w->todo[best] = w->todo[--w->count];
	return no;
}

static bool is_job(const struct step *s)
{
	return s->e.kind == DOZE_EV_job_start || s->e.kind == DOZE_EV_job_taken;
}

/* Returns whether in this step a worker found no work or fell asleep. The worker's earlier steps do
 * not explain such a step. */
static bool begins_rest(const struct step *s)
{
	return s->e.kind == DOZE_EV_worker_state && (s->e.u.state.to == DOZE_STATE_sleeping ||
						     s->e.u.state.reason == DOZE_REASON_no_work);
}

/* Adds the causes of a step. The step that made a worker run jobs matters only if it came after the
 * post; otherwise the worker was already running. The policy's rule, not earlier steps, explains
 * why a worker fell asleep. */
static void expand(struct walk *w, const struct step *s)
{
	const struct step *post = why_at(w->why, s->cause[0]);
	const struct step *other = why_at(w->why, s->cause[1]);

	if (begins_rest(s))
		return;
	add(w, s->cause[0]);
	if (!is_job(s) || !post || (other && other->e.ts > post->e.ts))
		add(w, s->cause[1]);
}

static void why_chain(const struct why *y, struct effect *e, step_no no)
{
	struct walk w = {.why = y, .effect = e};

	e->count = 0;
	add(&w, no);
	while (w.count && e->count < DOZE_WHY_STEPS) {
		step_no latest = take_latest(&w);
		const struct step *s = why_at(y, latest);

		if (!s) {
			e->truncated = true;
			e->unsure |= why_part_lacks(y, latest);
			continue;
		}
		e->unsure |= why_part_doubts(y, s);
		e->chain[e->count++] = *s;
		expand(&w, s);
	}
	e->truncated |= w.count > 0;
}

const struct step *why_link(const struct effect *e, enum doze_event_kind kind)
{
	for (size_t i = 0; i < e->count; i++)
		if (e->chain[i].e.kind == kind)
			return &e->chain[i];
	return 0;
}

/*
 * ---- The effect that a question refers to (why.md) ----
 *
 * The chain of the best candidate is copied at once, because the steps are not kept for long.
 */

int64_t why_asked_time(const struct why *y)
{
	return doze_model_totals(y->model)->first_ts + y->question.time;
}

static bool in_part(const struct why *y, int64_t ts)
{
	int64_t at = ts - doze_model_totals(y->model)->first_ts;

	return at >= y->question.from && at <= y->question.to;
}

/* Makes the candidate the effect if its delay is the longest so far. Returns whether it did so. */
static bool consider(struct why *y, enum effect_kind kind, int64_t delay, step_no no)
{
	if (y->effect.kind && delay <= y->effect.delay)
		return false;
	y->effect = (struct effect){.kind = kind, .delay = delay, .slept = -1};
	why_chain(y, &y->effect, no);
	return true;
}

/* Records when the worker began to be busy with other jobs, for the headline. */
static void note_busy(struct why *y, const struct doze_worker_view *w)
{
	const struct why_worker *k = why_worker_of(y, w);
	const struct step *state = k ? why_at(y, k->state) : 0;

	y->effect.busy = k && k->ended && state && k->ended > state->e.ts ? state->e.ts : 0;
	y->effect.unsure |= k && why_part_lacks(y, k->state);
}

static void started_late(struct why *y, const struct doze_worker_view *w, step_no no, int64_t delay)
{
	if (consider(y, EFFECT_job, delay, no))
		note_busy(y, w);
}

/* Considers a job that waited while the worker in question slept and no wake of that worker was in
 * progress. */
static void slept_meanwhile(struct why *y, const struct doze_worker_view *w,
			    const struct step *post, step_no no, int64_t delay)
{
	const struct doze_worker_view *s =
	    doze_pool_worker(doze_model_pool(y->model, w->pool_row), y->question.worker);
	struct why_worker *k = s ? why_worker_of(y, s) : 0;

	if (!k || !k->asleep.no || k->notified || k->asleep.e.ts > post->e.ts ||
	    !consider(y, EFFECT_missed, delay, no))
		return;
	note_busy(y, w);
	y->effect.slept = s->key.index;
	y->effect.slept_since = k->asleep.e.ts;
	y->effect.ignored = k->ignored;
}

/* Considers the worker's delay. A worker that ran other jobs after the post was not late. */
static void ask_worker(struct why *y, const struct doze_worker_view *w, const struct step *job,
		       const struct step *post)
{
	const struct step *came = why_at(y, job->cause[1]);
	const struct why_worker *k = why_worker_of(y, w);
	const struct step *woken = k ? why_at(y, k->woken) : 0;
	int64_t delay = job->e.ts - post->e.ts;

	if (!in_part(y, job->e.ts))
		return;
	if (w->key.index != y->question.worker)
		slept_meanwhile(y, w, post, job->no, delay);
	else if ((woken && woken->e.ts > post->e.ts) || (came && came->since < post->e.ts))
		started_late(y, w, job->no, delay);
}

static void why_started(struct why *y, const struct doze_worker_view *w, step_no no)
{
	const struct step *job = why_at(y, no), *post = job ? why_at(y, job->cause[0]) : 0;
	const struct doze_why_question *q = &y->question;
	int64_t delay = post ? job->e.ts - post->e.ts : 0;

	if (!job)
		return;
	if (q->kind == DOZE_WHY_job && job->e.u.job.id == q->job && !y->effect.kind)
		started_late(y, w, no, delay);
	else if (q->kind == DOZE_WHY_none && post && in_part(y, job->e.ts))
		started_late(y, w, no, delay);
	else if (q->kind == DOZE_WHY_worker && post)
		ask_worker(y, w, job, post);
	else if (q->kind == DOZE_WHY_time && post && post->e.ts <= why_asked_time(y) &&
		 job->e.ts > why_asked_time(y))
		started_late(y, w, no, delay);
}

static void why_awake(struct why *y, const struct doze_worker_view *w, step_no no)
{
	const struct step *woken = why_at(y, no), *wake = woken ? why_at(y, woken->cause[0]) : 0;
	const struct doze_why_question *q = &y->question;

	if (woken && !woken->cause[0])
		why_part_no_wake(y, &woken->e);
	if (!wake || wake->e.u.wake.cause == DOZE_CAUSE_terminate)
		return;
	if (((q->kind == DOZE_WHY_none ||
	      (q->kind == DOZE_WHY_worker && w->key.index == q->worker)) &&
	     in_part(y, woken->e.ts)) ||
	    (q->kind == DOZE_WHY_time && wake->e.ts <= why_asked_time(y) &&
	     woken->e.ts > why_asked_time(y)))
		(void)consider(y, EFFECT_wake, woken->e.ts - wake->e.ts, no);
}

static bool posts_it(const struct why *y, const struct doze_event *e)
{
	return y->question.kind == DOZE_WHY_job && e->u.post.job &&
	       y->question.job - e->u.post.job < e->u.post.jobs;
}

static void why_posted(struct why *y, step_no no)
{
	const struct step *post = why_at(y, no);
	bool gap = post && y->question.kind == DOZE_WHY_time && post->e.ts > why_asked_time(y);

	if (!post || y->next.kind || (!gap && !posts_it(y, &post->e)))
		return;
	y->next = (struct effect){.kind = gap ? EFFECT_gap : EFFECT_unrun, .slept = -1};
	why_chain(y, &y->next, no);
}

static void why_moment(struct why *y, const struct doze_pool_view *v, const struct doze_event *e)
{
	if (y->question.kind != DOZE_WHY_time || y->moment.taken || e->ts <= why_asked_time(y))
		return;
	y->moment.taken = true;
	y->moment.row = v->row;
	for (int s = 0; s < DOZE_STATE_COUNT; s++)
		y->moment.in_state[s] = v->in_state[s];
}

/* Makes the sleep of a worker that does not wake up before the trace ends the effect. */
static void sleeps_on(struct why *y, struct why_worker *k, int64_t ts)
{
	step_no no = k->latch ? k->latch : why_again(y, &k->asleep);

	y->effect = (struct effect){.kind = EFFECT_sleep,
				    .delay = ts - k->asleep.e.ts,
				    .slept = k->v->key.index,
				    .slept_since = k->asleep.e.ts,
				    .ignored = k->ignored};
	why_chain(y, &y->effect, no);
}

static bool asked_of_sleeper(const struct why *y, const struct why_worker *k)
{
	const struct doze_why_question *q = &y->question;

	if (q->kind == DOZE_WHY_worker)
		return k->v->key.index == q->worker && (k->latch || !y->effect.kind);
	return q->kind == DOZE_WHY_time && !y->next.kind && why_asked_time(y) >= k->asleep.e.ts &&
	       (!y->effect.kind || (k->latch && y->effect.kind != EFFECT_job));
}

/* Returns whether a job that was posted in this step and never started answers the question. */
static bool asked_of_unstarted(const struct why *y, const struct step *post)
{
	const struct doze_why_question *q = &y->question;

	return (q->kind == DOZE_WHY_none && in_part(y, post->e.ts)) ||
	       (q->kind == DOZE_WHY_time && post->e.ts <= why_asked_time(y));
}

/* Considers the job that was posted first among those that never started. This is certain only if
 * the trace contains each start. */
static void consider_unstarted(struct why *y, const struct doze_pool_view *v, int64_t ts)
{
	const struct why_pool *p = why_pool_of(y, v);
	const struct step *first = 0;
	uint64_t job = 0;

	if (!p || v->stopped || !v->jobs_level || doze_model_totals(y->model)->discarded)
		return;
	for (size_t i = 0; i < JOB_SLOTS; i++) {
		const struct step *post = p->job[i].id ? why_at(y, p->job[i].no) : 0;

		if (!post || !asked_of_unstarted(y, post) ||
		    (first &&
		     (post->e.ts > first->e.ts || (post->no == first->no && p->job[i].id > job))))
			continue;
		first = post;
		job = p->job[i].id;
	}
	if (first && consider(y, EFFECT_unrun, ts - first->e.ts, first->no))
		y->effect.job = job;
}

void why_end(struct why *y, const struct doze_pool_view *v, int64_t ts)
{
	for (int32_t i = 0; !v->stopped && i < (int32_t)v->index_end; i++) {
		const struct doze_worker_view *w = doze_pool_worker(v, i);
		struct why_worker *k = w ? why_worker_of(y, w) : 0;

		if (k && k->asleep.no && asked_of_sleeper(y, k))
			sleeps_on(y, k, ts);
	}
	consider_unstarted(y, v, ts);
	if (!y->effect.kind && y->next.kind) {
		y->effect = y->next;
		y->effect.delay = ts - y->next.chain[0].e.ts;
	}
}

/*
 * ---- The observer of the model ----
 *
 * Which event is a step, and which earlier steps caused it.
 *
 *	post          the job that the poster runs
 *	wake          the post of its decision; the latch that was set; how its waker found work
 *	woken         the wake; how the worker had fallen asleep
 *	worker_state  the step before it; the latch that was set
 *	job           the post; how its worker came to run jobs
 *	latch set     the job of the thread that set it
 */

/* Returns the latest step that shows what the acting thread was doing. */
static step_no doing(struct why *y, const struct doze_worker_view *w)
{
	struct why_worker *k = w ? why_worker_of(y, w) : 0;

	if (!k)
		return 0;
	if (k->job == UNSEEN) /* nor is it known whether it runs */
		return UNSEEN;
	return k->runs && k->job ? k->job : k->state;
}

/* Maps a job to its post. */
static void why_posts(struct why *y, struct why_pool *p, uint64_t job, const struct doze_event *e,
		      step_no no)
{
	struct id_slot *s = &p->job[slot_of(job, JOB_SLOTS)];

	if (why_has_started(p, job)) {
		why_part_late_post(p, s);
		return;
	}
	/* The job of the entry can no longer be counted when it starts. */
	y->part.unsure |= y->part.alone && s->no && s->id != job;
	why_remember(p->job, JOB_SLOTS, job, no);
	p->unstarted += e->u.post.queue != DOZE_QUEUE_broadcast;
}

static void on_post(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		    const struct doze_event *e)
{
	step_no no = why_step(y, p->v, w, e, doing(y, w), 0);

	for (uint32_t i = 0; e->u.post.job && i < e->u.post.jobs && i < JOB_SLOTS; i++)
		why_posts(y, p, e->u.post.job + i, e, no);
	if (e->u.post.decision_id)
		why_remember(p->decision, WAKE_SLOTS, e->u.post.decision_id, no);
	for (int32_t i = 0; !e->u.post.wakes && i < (int32_t)p->v->index_end; i++) {
		const struct doze_worker_view *s = doze_pool_worker(p->v, i);
		struct why_worker *k = s ? why_worker_of(y, s) : 0;

		if (k && k->asleep.no)
			k->ignored++;
	}
	p->post = no;
	why_posted(y, no);
}

static step_no cause_of_wake(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
			     const struct why_worker *target, const struct doze_event *e)
{
	step_no post = why_find(p->decision, WAKE_SLOTS, e->u.wake.decision_id);
	struct why_worker *k = w ? why_worker_of(y, w) : 0;

	/* Under tickle, a post has no decision id. The latest post caused the wake if the same
	 * thread made both. */
	if (!post && (e->u.wake.cause == DOZE_CAUSE_push || e->u.wake.cause == DOZE_CAUSE_inject) &&
	    (p->post == UNSEEN || (why_at(y, p->post) && why_at(y, p->post)->e.vtid == e->vtid)))
		post = p->post;
	if (post)
		return post;
	if (e->u.wake.cause == DOZE_CAUSE_latch && target && target->latch)
		return target->latch;
	if (e->u.wake.cause == DOZE_CAUSE_work_found && k)
		return k->state;
	return doing(y, w);
}

static void on_wake(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		    const struct doze_event *e)
{
	const struct doze_worker_view *t = doze_pool_worker(p->v, e->u.wake.target);
	struct why_worker *target = t ? why_worker_of(y, t) : 0;
	step_no no = why_step(y, p->v, w, e, cause_of_wake(y, p, w, target, e), 0);

	why_remember(p->wake, WAKE_SLOTS, e->u.wake.wake_id, no);
	if (target)
		target->notified = true;
}

static void on_woken(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	struct why_worker *k = why_worker_of(y, w);
	step_no wake = why_find(p->wake, WAKE_SLOTS, e->u.woken.wake_id);

	if (!k)
		return;
	k->woken = k->state =
	    why_step(y, p->v, w, e, wake, k->asleep.no ? why_again(y, &k->asleep) : 0);
	why_awake(y, w, k->woken);
	k->asleep.no = k->latch = 0;
	k->notified = false;
}

/* Returns whether a change of state adds nothing to the chain: it follows a `woken`, or is one
 * between idle and sleepy. */
static bool follows(const struct doze_event *e)
{
	return (e->u.state.from == DOZE_STATE_sleeping && e->u.state.reason == DOZE_REASON_woken) ||
	       (e->u.state.from == DOZE_STATE_idle && e->u.state.to == DOZE_STATE_sleepy) ||
	       (e->u.state.from == DOZE_STATE_sleepy && e->u.state.to == DOZE_STATE_idle);
}

static void on_state(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	struct why_worker *k = why_worker_of(y, w);
	bool latch = e->u.state.reason == DOZE_REASON_latch_set;

	if (!k || follows(e))
		return;
	k->state = why_step(y, p->v, w, e, k->state, latch ? k->latch : 0);
	if (e->u.state.to == DOZE_STATE_sleeping && k->state) {
		k->asleep = *why_at(y, k->state);
		k->latch = 0;
		k->notified = false;
		k->ignored = 0;
	} else if (e->u.state.to == DOZE_STATE_active || e->u.state.to == DOZE_STATE_idle) {
		k->asleep.no = 0;
		k->runs = k->runs && e->u.state.from != DOZE_STATE_none;
	}
}

static void on_job(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		   const struct doze_event *e)
{
	struct why_worker *k = why_worker_of(y, w);
	const struct step *before = k ? why_at(y, k->job) : 0;
	step_no post = why_find(p->job, JOB_SLOTS, e->u.job.id);

	/* Before schema 1.2, both job_taken and job_start could report the same start. */
	if (!k || !e->u.job.id || e->u.job.source == DOZE_SOURCE_inline ||
	    (before && k->runs && before->e.u.job.id == e->u.job.id))
		return;
	p->unstarted -= post && e->u.job.source != DOZE_SOURCE_broadcast;
	k->job = why_step(y, p->v, w, e, post, k->state);
	why_remember(p->job, JOB_SLOTS, e->u.job.id, 0);
	if (!post)
		why_part_no_post(y, p, e, &p->job[slot_of(e->u.job.id, JOB_SLOTS)]);
	k->runs = true;
	why_started(y, w, k->job);
}

static void on_job_end(struct why *y, const struct doze_worker_view *w, const struct doze_event *e)
{
	struct why_worker *k = why_worker_of(y, w);
	const struct step *job = k ? why_at(y, k->job) : 0;

	if (!k)
		return;
	k->ended = e->ts;
	if (job && job->e.u.job.id == e->u.job.id)
		k->runs = false;
}

static void on_latch(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	const struct doze_worker_view *o = doze_pool_worker(p->v, e->u.latch.owner);
	struct why_worker *owner = o ? why_worker_of(y, o) : 0;

	if (owner && e->u.latch.to == DOZE_LATCH_set)
		owner->latch = why_step(y, p->v, w, e, doing(y, w), 0);
}

static void see_cpu(struct why *y, int32_t cpu)
{
	uint64_t bit = UINT64_C(1) << (cpu & 63);

	if (cpu < 0 || cpu >= WHY_CPUS || (y->cpu_seen[cpu / 64] & bit))
		return;
	y->cpu_seen[cpu / 64] |= bit;
	y->cpus++;
}

static void dispatch(struct why *y, struct why_pool *p, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	if (e->kind == DOZE_EV_post)
		on_post(y, p, w, e);
	else if (e->kind == DOZE_EV_wake)
		on_wake(y, p, w, e);
	else if (e->kind == DOZE_EV_latch)
		on_latch(y, p, w, e);
	else if (w && e->kind == DOZE_EV_woken)
		on_woken(y, p, w, e);
	else if (w && e->kind == DOZE_EV_worker_state)
		on_state(y, p, w, e);
	else if (w && (e->kind == DOZE_EV_job_taken || e->kind == DOZE_EV_job_start))
		on_job(y, p, w, e);
	else if (w && e->kind == DOZE_EV_job_end)
		on_job_end(y, w, e);
}

static void on_event(void *ctx, const struct doze_pool_view *v, const struct doze_worker_view *w,
		     const struct doze_event *e)
{
	struct why *y = ctx;
	struct why_pool *p;

	why_part_event(y, e);
	p = why_pool_of(y, v);
	see_cpu(y, e->cpu);
	why_moment(y, v, e);
	if (p)
		dispatch(y, p, w, e);
}

static void on_finish(void *ctx, const struct doze_pool_view *v, int64_t ts)
{
	why_end(ctx, v, ts);
}

static void on_free(void *ctx)
{
	struct why *y = ctx;

	doze_notes_free(&y->pools);
	doze_notes_free(&y->workers);
	free(y->step);
	free(y);
}

static const struct doze_observer observer = {
    .free = on_free,
    .event = on_event,
    .finish = on_finish,
};

struct doze_model *doze_with_why(struct doze_model *m, const struct doze_why_question *q)
{
	struct why *y;

	if (!m)
		return 0;
	y = calloc(1, sizeof *y);
	if (y && doze_model_observe(m, &observer, y)) {
		y->model = m;
		y->question = *q;
		return m;
	}
	free(y);
	doze_model_free(m);
	return 0;
}

struct why *why_of(const struct doze_model *m)
{
	return doze_model_observed_by(m, &observer);
}
