/*
 * SPDX-License-Identifier: MIT
 *
 * recorder_run.c - measures the wakes, the sleep and the CPU time of the recorded run.
 */
#include "recorder_int.h"

void sim_note_cpu(struct sim_pool *p, const struct doze_event *e, uint64_t cpu, bool woken)
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

void sim_note_active(struct sim_pool *p, const struct doze_event *e)
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

bool sim_has_every_job(const struct sim_pool *p)
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

	if (!p || wake->cause == DOZE_CAUSE_terminate || wake->verdict == DOZE_VERDICT_terminate)
		return;
	p->w.recorded.wakes++;
	p->w.recorded.useful += wake->verdict == DOZE_VERDICT_useful;
	p->w.recorded.futile += wake->verdict == DOZE_VERDICT_futile;
	p->w.recorded.latch += wake->verdict == DOZE_VERDICT_latch;
	p->w.recorded.redundant += wake->verdict == DOZE_VERDICT_redundant;
	if (wake->awake > wake->notified && wake->notified)
		sim_sample(&p->latency, (double)(wake->awake - wake->notified));
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
