/*
 * SPDX-License-Identifier: MIT
 *
 * chain.c - computes the length of the longest chain of dependent jobs, assuming that every job
 * starts as soon as it is published, and every wait ends as soon as its jobs have ended.
 */
#include <stdlib.h>

#include "sim_int.h"
#include "simulate.h"

struct chain {
	const struct doze_work *work;
	struct sim_heap ready; /* heap of the jobs that are ready to run */
	int32_t *op;           /* per job: index of its next operation */
	uint32_t *missing;     /* per job: number of jobs for which it waits */
	bool *done;
	int32_t *waiters;
	struct {
		int32_t job, next;
	} * link;
	uint32_t links;
	double now, last;
	bool without_outside, failed;
};

static void schedule(struct chain *c, uint32_t job, double in)
{
	struct sim_event e = {.at = c->now + in, .order = job, .who = job};

	c->failed |= !sim_heap_push(&c->ready, e);
}

static bool must_wait(struct chain *c, uint32_t job, const struct doze_op *op)
{
	for (uint32_t i = 0; i < op->count; i++) {
		uint32_t other = c->work->ref[op->first + i];

		if (c->done[other] || other == job)
			continue;
		c->link[c->links].job = (int32_t)job;
		c->link[c->links].next = c->waiters[other];
		c->waiters[other] = (int32_t)c->links++;
		c->missing[job]++;
	}
	return c->missing[job] > 0;
}

static void end(struct chain *c, uint32_t job)
{
	c->done[job] = true;
	if (!c->work->job[job].outside)
		c->last = c->now;
	for (int32_t l = c->waiters[job]; l >= 0; l = c->link[l].next)
		if (--c->missing[c->link[l].job] == 0)
			schedule(c, (uint32_t)c->link[l].job, 0);
}

/* Runs the job until it needs time, waits or ends. */
static void run(struct chain *c, uint32_t job)
{
	while (c->op[job] >= 0) {
		const struct doze_op *op = &c->work->op[c->op[job]];
		double ns = op->ns - op->wakes * c->work->costs.wake;

		c->op[job] = op->next;
		if (op->kind == DOZE_OP_post) {
			for (uint32_t i = 0; i < op->count; i++)
				schedule(c, c->work->ref[op->first + i], 0);
		} else if (op->kind == DOZE_OP_wait) {
			if (must_wait(c, job, op))
				return;
		} else if (ns > 0 && !(c->without_outside && c->work->job[job].outside)) {
			schedule(c, job, ns);
			return;
		}
	}
	end(c, job);
}

static bool prepare(struct chain *c)
{
	uint32_t n = c->work->jobs;

	c->op = malloc((n + 1) * sizeof *c->op);
	c->missing = calloc(n + 1, sizeof *c->missing);
	c->done = calloc(n + 1, sizeof *c->done);
	c->waiters = malloc((n + 1) * sizeof *c->waiters);
	c->link = calloc(c->work->refs + 1, sizeof *c->link);
	if (!c->op || !c->missing || !c->done || !c->waiters || !c->link)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		c->op[i] = c->work->job[i].first_op;
		c->waiters[i] = DOZE_NO_INDEX;
		c->done[i] = !c->work->job[i].posted && !c->work->job[i].outside;
		if (c->work->job[i].outside)
			schedule(c, i, 0);
	}
	return true;
}

double doze_sim_chain(const struct doze_work *w, bool without_outside)
{
	struct chain c = {.work = w, .without_outside = without_outside};

	if (prepare(&c)) {
		while (c.ready.n && !c.failed) {
			struct sim_event e = sim_heap_pop(&c.ready);

			c.now = e.at;
			run(&c, e.who);
		}
	}
	free(c.op);
	free(c.missing);
	free(c.done);
	free(c.waiters);
	free(c.link);
	free(c.ready.e);
	return c.failed ? 0 : c.last;
}

double doze_sim_work(const struct doze_work *w)
{
	double sum = 0;

	for (uint32_t i = 0; i < w->ops; i++)
		if (w->op[i].kind == DOZE_OP_work)
			sum += w->op[i].ns;
	return sum;
}
