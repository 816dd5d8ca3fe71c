/*
 * SPDX-License-Identifier: MIT
 *
 * recorder_costs.c - measures how long a worker takes to get its next job, to search all queues
 * once and to wake a sleeper, and how long a woken worker takes to run.
 */
#include <stdlib.h>

#include "recorder_int.h"

/* Keeps a random sample of all values (Vitter's algorithm R). The random sequence is fixed, so that
 * every run gives the same result. */
void sim_sample(struct sim_samples *s, double v)
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

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double sim_median(struct sim_samples *s, double otherwise)
{
	if (!s->n)
		return otherwise;
	qsort(s->v, s->n, sizeof *s->v, by_value);
	return s->v[s->n / 2];
}

static void on_search(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	if (t->last_search && e->u.search.rounds == t->last_round + 1 && e->ts > t->last_search)
		sim_sample(&p->round, (double)(e->ts - t->last_search));
	t->last_search = e->ts;
	t->last_round = e->u.search.rounds;
}

void sim_costs_event(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_search:
		on_search(p, t, e);
		break;
	case DOZE_EV_job_start:
		if (t->last_end && e->u.job.source == DOZE_SOURCE_local && !t->depth)
			sim_sample(&p->take, (double)(e->ts - t->last_end));
		break;
	case DOZE_EV_worker_state:
		t->last_end = 0;
		break;
	case DOZE_EV_wake:
		/* One wake takes as long as the time between two consecutive wakes of the same
		 * decision. */
		if (t->last_wake && t->last_decision == e->u.wake.decision_id)
			sim_sample(&p->wake, (double)(e->ts - t->last_wake));
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
	(void)sim_median(s, 0); /* called only because it sorts the samples */
	*out = calloc(s->n + 1, sizeof **out);
	if (!*out)
		return 0;
	for (uint32_t i = 0; i < s->n; i++)
		(*out)[i] = s->v[i];
	if (!s->n)
		(*out)[0] = otherwise;
	return s->n ? s->n : 1;
}

void sim_costs_finish(struct sim_pool *p)
{
	struct doze_costs *c = &p->w.costs;
	double sum = 0;

	/* The defaults, for a recording without such samples, are typical durations on a current
	 * machine, in ns. */
	c->take = sim_median(&p->take, 100);
	c->wake = sim_median(&p->wake, 4000);
	c->rounds = copy(&p->round, 500, &c->round);
	c->latencies = copy(&p->latency, 50000, &c->latency);
	c->rounds_up_to = calloc(c->rounds + 1, sizeof *c->rounds_up_to);
	p->w.failed |= !c->rounds || !c->latencies || !c->rounds_up_to;
	for (uint32_t i = 0; !p->w.failed && i < c->rounds; i++)
		c->rounds_up_to[i] = sum += c->round[i];
}
