/*
 * SPDX-License-Identifier: MIT
 *
 * recorder_waits.c - determines what a job waited for, in a recording that shows only that it
 * waited.
 *
 * The id of a join's latch is the id of the job that a thief may steal. The thief sets the latch
 * after this job, so the join waits for this job alone. A scope's latch is set by the job that ends
 * last. A scope therefore waits for all jobs that the waiting job has published and, recursively,
 * for the jobs that those jobs have published, provided that they ended before the wait did. A wait
 * for a future is ended by the job whose thread sets the latch.
 */
#include "recorder_int.h"

static void await(struct sim_pool *p, int32_t job)
{
	if (job < 0 || p->w.job[job].awaited)
		return;
	if (sim_ref(p, job))
		p->w.job[job].awaited = true;
}

/* Appends the job's children that have ended and are not awaited yet, and removes the awaited
 * children from the job's list. joins: whether to include jobs that are half of a join. */
static void await_children(struct sim_pool *p, int32_t job, bool joins)
{
	int32_t *link = &p->w.job[job].children;

	while (*link != DOZE_NO_INDEX) {
		struct doze_work_job *c = &p->w.job[*link];
		int32_t child = *link;

		if (c->ended && (joins || !c->has_latch))
			await(p, child);
		if (c->awaited)
			*link = c->sibling;
		else
			link = &c->sibling;
	}
}

/* Appends the children of the job and, recursively, of all appended jobs. */
static void await_scope(struct sim_pool *p, int32_t job, uint32_t first, bool joins)
{
	await_children(p, job, joins);
	for (uint32_t i = first; i < p->w.refs; i++)
		await_children(p, (int32_t)p->w.ref[i], true);
}

void sim_waited_nested(struct sim_pool *p, int32_t job, int32_t nested)
{
	struct doze_work_job *j = &p->w.job[job];
	uint32_t first = p->w.refs;

	if (p->w.job[nested].parent == job) {
		await(p, nested);
		if (!p->w.job[nested].has_latch)
			await_scope(p, job, first, false);
	} else {
		/* The nested job is not a child: the thread ran it while waiting for its innermost
		 * join. */
		while (j->children != DOZE_NO_INDEX && p->w.job[j->children].awaited)
			j->children = p->w.job[j->children].sibling;
		if (j->children != DOZE_NO_INDEX && p->w.job[j->children].ended &&
		    p->w.job[j->children].has_latch)
			await(p, j->children);
	}
	sim_op_wait(p, job, first);
}

/* Returns the latch that ended the wait: the latch announced by the thread if there is one,
 * otherwise the latest latch set for the worker. */
static struct sim_set latch_of(struct sim_pool *p, const struct sim_thread *t, int32_t worker)
{
	struct sim_set s = {.job = DOZE_NO_INDEX};
	int32_t *by = t->latch ? sim_map_at(&p->latch_of, t->latch) : NULL;

	if (worker >= 0 && (uint32_t)worker < p->sets &&
	    (!t->latch || p->set[worker].id == t->latch))
		s = p->set[worker];
	else if (by)
		s = (struct sim_set){DOZE_LATCH_KIND_future, t->latch, *by};
	return s;
}

void sim_waited_latch(struct sim_pool *p, int32_t job, struct sim_thread *t, int32_t worker)
{
	struct sim_set s = latch_of(p, t, worker);
	uint32_t first = p->w.refs;

	t->latch = 0;
	if (s.kind == DOZE_LATCH_KIND_count)
		await_scope(p, job, first, false);
	else if (s.job != job)
		await(p, s.job);
	/* The job that set the latch ended this wait, even if another wait already includes that
	 * job. */
	if (p->w.refs == first && s.job >= 0 && s.job != job)
		(void)sim_ref(p, s.job);
	sim_op_wait(p, job, first);
}

void sim_waited_at_end(struct sim_pool *p, int32_t job)
{
	uint32_t first = p->w.refs;

	await_scope(p, job, first, true);
	sim_op_wait(p, job, first);
}

static void note_set(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	int32_t owner = e->u.latch.owner, *half = sim_map_at(&p->job_of, e->u.latch.id);
	int32_t *by = sim_map_at(&p->latch_of, e->u.latch.id);

	/* A latch that is not half of a join may have the same id as some job, so also check that
	 * the thread has just finished this job. */
	if (half && *half >= 0 && *half == t->last_job)
		p->w.job[*half].has_latch = true;
	if (by)
		*by = t->last_job;
	if (owner >= 0 && (uint32_t)owner < p->sets)
		p->set[owner] = (struct sim_set){e->u.latch.kind, e->u.latch.id, t->last_job};
}

void sim_latch_event(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	if (e->u.latch.to == DOZE_LATCH_set)
		note_set(p, t, e);
	else if (e->u.latch.kind != DOZE_LATCH_KIND_terminate)
		t->latch = e->u.latch.to == DOZE_LATCH_unset ? t->latch : e->u.latch.id;
}
