/*
 * SPDX-License-Identifier: MIT
 *
 * recorder.c - follows the events of a recording and notes what each thread's jobs did.
 *
 * Durations are CPU time: while more workers run than the machine has CPUs, each worker gets a
 * share of the CPUs, and the recording's clock is slowed down accordingly. The simulation applies
 * the same rule, with its own number of workers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_int.h"
#include "simulate.h"

/* ---- The durations of the pool's own operations ---- */

/* Keeps a random sample of all values (Vitter's algorithm R). The random sequence is fixed, so that
 * every run gives the same result. */
static void sample(struct sim_samples *s, double v)
{
	uint64_t at = s->seen++;

	if (s->n < SIM_SAMPLES_MAX) {
		s->v[s->n++] = v;
		return;
	}
	at = (at * UINT64_C(0x9e3779b97f4a7c15) >> 16) % s->seen;
	if (at < SIM_SAMPLES_MAX)
		s->v[at] = v;
}

static double median(struct sim_samples *s, double otherwise)
{
	if (!s->n)
		return otherwise;
	qsort(s->v, s->n, sizeof *s->v, sim_by_value);
	return s->v[s->n / 2];
}

static void on_search(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	if (t->last_search && e->u.search.rounds == t->last_round + 1 && e->ts > t->last_search)
		sample(&p->round, (double)(e->ts - t->last_search));
	t->last_search = e->ts;
	t->last_round = e->u.search.rounds;
}

/* Measures how long taking a job, a search round and a wake take. */
static void measure(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_search:
		on_search(p, t, e);
		break;
	case DOZE_EV_job_start:
		if (t->last_end && e->u.job.source == DOZE_SOURCE_local && !t->depth)
			sample(&p->take, (double)(e->ts - t->last_end));
		break;
	case DOZE_EV_worker_state:
		t->last_end = 0;
		break;
	case DOZE_EV_wake:
		/* One wake takes as long as the time between two consecutive wakes of the same
		 * decision. */
		if (t->last_wake && t->last_decision == e->u.wake.decision_id)
			sample(&p->wake, (double)(e->ts - t->last_wake));
		t->last_wake = e->ts;
		t->last_decision = e->u.wake.decision_id;
		break;
	default:
		break;
	}
	if (e->kind == DOZE_EV_job_end)
		t->last_end = e->ts;
}

/* Copies the samples in ascending order, or stores `otherwise` as the only value if there are no
 * samples. Returns the number of values, or 0 if out of memory. */
static uint32_t copy(struct sim_samples *s, double otherwise, double **out)
{
	(void)median(s, 0); /* called only because it sorts the samples */
	*out = calloc(s->n + 1, sizeof **out);
	if (!*out)
		return 0;
	for (uint32_t i = 0; i < s->n; i++)
		(*out)[i] = s->v[i];
	if (!s->n)
		(*out)[0] = otherwise;
	return s->n ? s->n : 1;
}

static void finish_costs(struct sim_pool *p)
{
	struct doze_costs *c = &p->w.costs;
	double sum = 0;

	/* The defaults, for a recording without such samples, are typical durations on a current
	 * machine, in ns. */
	c->take = median(&p->take, 100);
	c->wake = median(&p->wake, 4000);
	c->rounds = copy(&p->round, 500, &c->round);
	c->latencies = copy(&p->latency, 50000, &c->latency);
	c->rounds_up_to = calloc(c->rounds + 1, sizeof *c->rounds_up_to);
	p->w.failed |= !c->rounds || !c->latencies || !c->rounds_up_to;
	for (uint32_t i = 0; !p->w.failed && i < c->rounds; i++)
		c->rounds_up_to[i] = sum += c->round[i];
}

/* ---- The wakes, the sleep and the CPU time of the recorded run ---- */

/* Records a worker's CPU time, which a trace has for the moments when a worker wakes up or falls
 * asleep. */
static void note_cpu(struct sim_pool *p, const struct doze_event *e, uint64_t cpu, bool woken)
{
	struct sim_cpu *c;
	double span;

	if (e->worker < 0 || (uint32_t)e->worker >= p->sets || !cpu)
		return;
	c = &p->cpu_at[e->worker];
	span = p->clock - c->clock;
	/* Use only the time from a wake to the next sleep, and only if the worker was mostly
	 * active: a searching worker yields its CPU. */
	if (!woken && c->known && c->active > 0.8 * span) {
		p->cpu_used += (double)(cpu - c->cpu);
		p->cpu_span += span;
	}
	*c = (struct sim_cpu){
	    .clock = p->clock, .cpu = cpu, .known = woken, .jobs_run = c->jobs_run};
}

static void note_active(struct sim_pool *p, const struct doze_event *e)
{
	struct sim_cpu *c;

	if (e->worker < 0 || (uint32_t)e->worker >= p->sets)
		return;
	c = &p->cpu_at[e->worker];
	if (c->is_active)
		c->active += p->clock - c->active_since;
	c->jobs_run = e->u.state.jobs_run;
	c->is_active = e->u.state.to == DOZE_STATE_active;
	c->active_since = p->clock;
}

/* Returns whether the trace has a start for each job that the workers counted. */
static bool has_every_job(const struct sim_pool *p)
{
	uint64_t run = 0;

	for (uint32_t i = 0; i < p->sets; i++)
		run += p->cpu_at[i].jobs_run;
	return p->started > 0 && p->started >= run;
}

static struct sim_pool *pool_at(struct doze_recorder *r, const struct doze_worker_key *k)
{
	for (size_t i = 0; i < SIM_POOLS_MAX; i++) {
		const struct doze_pool_view *v = r->pool[i] ? r->pool[i]->view : NULL;

		if (v && v->host == k->host && v->vpid == k->vpid && v->pool == k->pool)
			return r->pool[i];
	}
	return NULL;
}

void doze_recorder_verdict(struct doze_recorder *r, const struct doze_wake *wake)
{
	struct sim_pool *p = pool_at(r, &wake->target);
	int64_t late;

	if (!p || wake->cause == DOZE_CAUSE_terminate || wake->verdict == DOZE_VERDICT_terminate)
		return;
	p->w.recorded.wakes++;
	p->w.recorded.useful += wake->verdict == DOZE_VERDICT_useful;
	p->w.recorded.futile += wake->verdict == DOZE_VERDICT_futile;
	p->w.recorded.latch += wake->verdict == DOZE_VERDICT_latch;
	p->w.recorded.redundant += wake->verdict == DOZE_VERDICT_redundant;
	late = doze_wake_delay(wake, DOZE_DELAY_notify_awake);
	if (late > 0)
		sample(&p->latency, (double)late);
}

void doze_recorder_interval(struct doze_recorder *r, const struct doze_interval *iv)
{
	struct sim_pool *p = iv->state == DOZE_STATE_sleeping ? pool_at(r, &iv->who) : NULL;
	int64_t from;

	if (!p || !p->first_post)
		return;
	from = iv->from > p->first_post ? iv->from : p->first_post;
	if (iv->to > from)
		p->w.recorded.asleep += (double)(iv->to - from);
	/* The pool's last job ends the run: sum up the sleep since the latest job, to subtract it
	 * if no other job follows. */
	if (iv->to > p->last_job_end && p->last_job_end)
		p->asleep_after +=
		    (double)(iv->to - (p->last_job_end > from ? p->last_job_end : from));
}

/* ---- The jobs on the stacks of the threads ---- */

/* A post with more jobs than this is damaged, or contains too much work to replay. */
enum { JOBS_OF_A_POST_MAX = 1 << 20 };

static struct sim_pool *pool_new(const struct doze_pool_view *view, unsigned cpus)
{
	struct sim_pool *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->view = view;
	p->cpus = cpus ? cpus : 1e9;
	p->w.on_cpu = 1;
	p->w.pool_row = view->row;
	return p;
}

static bool make_workers(struct sim_pool *p, uint32_t n)
{
	void *set, *at;

	if (n <= p->sets)
		return true;
	if (n > DOZE_SIM_WORKERS_MAX)
		return false;
	set = reallocarray(p->set, n, sizeof *p->set);
	p->set = set ? set : p->set;
	at = reallocarray(p->cpu_at, n, sizeof *p->cpu_at);
	p->cpu_at = at ? at : p->cpu_at;
	if (!set || !at)
		return false;
	memset(p->cpu_at + p->sets, 0, (n - p->sets) * sizeof *p->cpu_at);
	for (; p->sets < n; p->sets++)
		p->set[p->sets] = (struct sim_set){.job = DOZE_NO_INDEX};
	return true;
}

static struct sim_thread *thread_of(struct sim_pool *p, int32_t vtid)
{
	int32_t *at = sim_map_at(&p->thread_of, (uint32_t)vtid);
	struct sim_thread *threads;

	if (at && *at >= 0)
		return &p->thread[*at];
	threads = at ? sim_grow(p, p->thread, p->threads, &p->threads_room, sizeof *threads) : NULL;
	if (!threads)
		return NULL;
	p->thread = threads;
	*at = (int32_t)p->threads++;
	threads[*at] =
	    (struct sim_thread){.vtid = vtid, .last_job = DOZE_NO_INDEX, .outside = DOZE_NO_INDEX};
	return &threads[*at];
}

/* Advances p->clock to ts. The clock is slowed down while there are more runnable workers than
 * CPUs, so it measures the CPU time that each runnable worker received. */
static void advance(struct sim_pool *p, int64_t ts)
{
	const uint32_t *n = p->view->in_state;
	double load =
	    doze_sim_load(n[DOZE_STATE_active], n[DOZE_STATE_idle] + n[DOZE_STATE_sleepy]);

	if (p->last_ts && ts > p->last_ts)
		p->clock += (double)(ts - p->last_ts) * (load > p->cpus ? p->cpus / load : 1);
	p->last_ts = ts > p->last_ts ? ts : p->last_ts;
}

static int32_t top(const struct sim_thread *t)
{
	return t->depth ? t->stack[t->depth - 1] : DOZE_NO_INDEX;
}

/* Ends a period during which the job on top of the stack was computing. */
static void pause_work(struct sim_pool *p, struct sim_thread *t)
{
	struct doze_op *op;

	if (t->counts && top(t) >= 0 && (p->clock > t->mark || t->wakes)) {
		op = sim_op(p, top(t), DOZE_OP_work);
		if (op) {
			op->ns = p->clock - t->mark;
			op->wakes = t->wakes;
		}
	}
	t->counts = false;
	t->wakes = 0;
}

static void continue_work(struct sim_pool *p, struct sim_thread *t)
{
	t->counts = t->depth > 0;
	t->mark = p->clock;
}

static void on_job_start(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	int32_t j = sim_job_at(p, e->u.job.id);
	int32_t *stack = sim_grow(p, t->stack, t->depth, &t->room, sizeof *stack);

	pause_work(p, t);
	if (!stack || j < 0)
		return;
	t->stack = stack;
	if (p->job[j].started) {
		p->w.broken++;
		return;
	}
	stack[t->depth++] = j;
	p->job[j].started = true;
	p->started++;
	continue_work(p, t);
}

static void on_job_end(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	int32_t j = sim_job_at(p, e->u.job.id);

	pause_work(p, t);
	if (j < 0 || top(t) != j) {
		p->w.broken++;
		return;
	}
	sim_waited_at_end(p, j);
	p->job[j].ended = e->ts;
	p->last_job_end = e->ts;
	p->asleep_after = 0;
	t->depth--;
	t->last_job = j;
	if (top(t) >= 0)
		sim_waited_nested(p, top(t), j);
	continue_work(p, t);
}

static void adopt(struct sim_pool *p, int32_t parent, int32_t child)
{
	struct sim_job *c = &p->job[child];

	p->w.job[child].posted = true;
	c->parent = parent;
	if (parent < 0)
		return;
	c->sibling = p->job[parent].children;
	p->job[parent].children = child;
}

static void keep_post(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e,
		      uint32_t first)
{
	struct sim_post *posts = sim_grow_large(p, &p->post_spill, p->posts, sizeof *posts);

	if (!posts)
		return;
	p->post = posts;
	if (t->outside == DOZE_NO_INDEX) {
		t->outside = sim_job_new(p);
		if (t->outside >= 0)
			p->w.job[t->outside].outside = true;
		p->w.most_outside++;
	}
	posts[p->posts++] =
	    (struct sim_post){e->ts, t->outside, e->u.post.queue, first, p->w.refs - first};
}

static void note_first_post(struct sim_pool *p, int64_t ts)
{
	p->first_post = ts;
	p->w.asleep_at_first = 2 * p->view->in_state[DOZE_STATE_sleeping] >= p->view->workers;
}

static void on_post(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	int32_t parent = top(t);
	uint32_t first = p->w.refs;
	bool counted = t->counts;
	struct doze_op *op;

	if (!p->first_post)
		note_first_post(p, e->ts);
	p->w.failed |= e->u.post.jobs > JOBS_OF_A_POST_MAX;
	for (uint32_t i = 0; i < e->u.post.jobs && e->u.post.job && !p->w.failed; i++) {
		int32_t j = sim_job_at(p, e->u.post.job + i);

		if (j >= 0 && !p->w.job[j].posted && sim_ref(p, j))
			adopt(p, parent, j);
	}
	if (parent < 0) {
		keep_post(p, t, e, first);
		return;
	}
	pause_work(p, t);
	op = p->w.refs > first ? sim_op(p, parent, DOZE_OP_post) : NULL;
	if (op) {
		op->queue = e->u.post.queue;
		op->first = first;
		op->count = p->w.refs - first;
	}
	if (counted)
		continue_work(p, t);
}

/* Called when a worker changes its state. A worker computes only while it is active. */
static void on_state(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	struct doze_op *op;

	if (e->u.state.from == DOZE_STATE_active) {
		pause_work(p, t);
		t->blocked = e->u.state.to == DOZE_STATE_blocked ? e->ts : 0;
		return;
	}
	if (e->u.state.to != DOZE_STATE_active)
		return;
	if (t->blocked) {
		op = top(t) >= 0 ? sim_op(p, top(t), DOZE_OP_pause) : NULL;
		if (op)
			op->ns = (double)(e->ts - t->blocked);
		t->blocked = 0;
	} else if (top(t) >= 0 && (e->u.state.reason == DOZE_REASON_latch_set ||
				   e->u.state.reason == DOZE_REASON_takes_over)) {
		sim_waited_latch(p, top(t), t, e->worker);
	}
	continue_work(p, t);
}

static void dispatch(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_job_start:
		on_job_start(p, t, e);
		break;
	case DOZE_EV_job_end:
		on_job_end(p, t, e);
		break;
	case DOZE_EV_post:
		on_post(p, t, e);
		break;
	case DOZE_EV_worker_state:
		note_active(p, e);
		if (e->u.state.to == DOZE_STATE_sleeping)
			note_cpu(p, e, e->u.state.cpu_ns, false);
		on_state(p, t, e);
		break;
	case DOZE_EV_woken:
		note_cpu(p, e, e->u.woken.cpu_ns, true);
		break;
	case DOZE_EV_latch:
		sim_latch_event(p, t, e);
		break;
	case DOZE_EV_wake:
		t->wakes++;
		break;
	default:
		break;
	}
}

static struct sim_pool *pool_of(struct doze_recorder *r, const struct doze_event *e)
{
	const struct doze_pool_view *view = doze_model_pool_of(r->model, e);

	if (!view || view->row >= SIM_POOLS_MAX)
		return NULL;
	if (!r->pool[view->row])
		r->pool[view->row] = pool_new(view, r->cpus);
	return r->pool[view->row];
}

void doze_recorder_event(struct doze_recorder *r, const struct doze_event *e)
{
	struct sim_pool *p = e->kind == DOZE_EV_snapshot ? NULL : pool_of(r, e);
	struct sim_thread *t;

	if (!p || p->w.failed)
		return;
	advance(p, e->ts);
	t = thread_of(p, e->vtid);
	if (!t || !make_workers(p, p->view->workers))
		return;
	measure(p, t, e);
	dispatch(p, t, e);
	sim_rest(p, p->events++);
}

static void free_maps(struct sim_pool *p)
{
	free(p->job_of.key);
	free(p->job_of.value);
	free(p->latch_of.key);
	free(p->latch_of.value);
	free(p->thread_of.key);
	free(p->thread_of.value);
	p->job_of = p->latch_of = p->thread_of = (struct sim_map){0};
}

static void finish_pool(struct sim_pool *p)
{
	p->w.every_job = has_every_job(p);
	for (uint32_t i = 0; i < p->w.jobs; i++) {
		const struct doze_work_job *j = &p->w.job[i];

		p->w.broken += !j->outside && (!p->job[i].ended || !j->posted);
		sim_rest(p, i);
	}
	snprintf(p->w.policy, sizeof p->w.policy, "%s", p->view->policy);
	p->w.workers = p->view->workers;
	p->w.rounds_until_sleepy = p->view->rounds_until_sleepy;
	p->w.rounds_until_sleeping = p->view->rounds_until_sleeping;
	p->w.recorded.asleep -= p->asleep_after;
	p->w.recorded.makespan = (double)(p->last_job_end - p->first_post);
	/* If the workers used less than 80 % of the CPU time available to them, jobs must have
	 * waited for something other than a CPU. A smaller difference is only noise. */
	if (p->cpu_used < 0.8 * p->cpu_span)
		p->w.on_cpu = p->cpu_used / p->cpu_span;
	/* The simulations need the memory. */
	free_maps(p);
	sim_outside_finish(p);
	sim_spill_free(&p->job_spill);
	sim_spill_free(&p->post_spill);
	p->posts = 0;
	finish_costs(p);
}

struct doze_recorder *doze_recorder_new(const struct doze_model *m, unsigned cpus)
{
	struct doze_recorder *r = calloc(1, sizeof *r);

	if (!r)
		return NULL;
	r->model = m;
	r->cpus = cpus;
	return r;
}

const struct doze_work *doze_recorder_finish(struct doze_recorder *r)
{
	struct sim_pool *most = NULL;

	for (size_t i = 0; i < SIM_POOLS_MAX; i++)
		if (r->pool[i] && (!most || r->pool[i]->w.jobs > most->w.jobs))
			most = r->pool[i];
	if (!most || !most->w.jobs)
		return NULL;
	finish_pool(most);
	return &most->w;
}

static void pool_free(struct sim_pool *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->threads; i++)
		free(p->thread[i].stack);
	free_maps(p);
	free(p->thread);
	sim_spill_free(&p->job_spill);
	sim_spill_free(&p->post_spill);
	free(p->set);
	free(p->cpu_at);
	sim_spill_free(&p->w.job_spill);
	sim_spill_free(&p->w.op_spill);
	sim_spill_free(&p->w.ref_spill);
	free(p->w.costs.latency);
	free(p->w.costs.round);
	free(p->w.costs.rounds_up_to);
	free(p);
}

void doze_recorder_free(struct doze_recorder *r)
{
	for (size_t i = 0; r && i < SIM_POOLS_MAX; i++)
		pool_free(r->pool[i]);
	free(r);
}
