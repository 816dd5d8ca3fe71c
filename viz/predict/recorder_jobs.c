/*
 * SPDX-License-Identifier: MIT
 *
 * recorder_jobs.c - the jobs of a recording, their operations, and what they waited for.
 */
#include <stdlib.h>

#include "../trace/grow.h"
#include "recorder_int.h"

void *sim_grow(struct sim_pool *p, void *array, uint32_t used, size_t *room, size_t size)
{
	void *larger = p->w.failed ? NULL : doze_grow(array, room, used, size);

	p->w.failed |= !larger;
	return larger;
}

void *sim_grow_large(struct sim_pool *p, struct sim_spill *s, uint32_t used, size_t size)
{
	p->w.failed = p->w.failed || !sim_spill_grow(s, ((size_t)used + 1) * size);
	return p->w.failed ? NULL : s->at;
}

void sim_rest(const struct sim_pool *p, uint64_t step)
{
	doze_work_rest(&p->w, step);
	if (step & 0x1ffff)
		return;
	sim_spill_rest(&p->job_spill);
	sim_spill_rest(&p->post_spill);
}

static uint32_t slot_of(const struct sim_map *m, uint64_t key)
{
	/* Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4). */
	uint32_t at = (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (m->room - 1);

	while (m->value[at] != DOZE_NO_INDEX - 1 && m->key[at] != key)
		at = (at + 1) & (m->room - 1);
	return at;
}

static bool make_room(struct sim_map *m)
{
	struct sim_map larger = {.room = m->room ? m->room * 2 : 256};

	larger.key = calloc(larger.room, sizeof *larger.key);
	larger.value = malloc(larger.room * sizeof *larger.value);
	if (!larger.key || !larger.value) {
		free(larger.key);
		free(larger.value);
		return false;
	}
	for (uint32_t i = 0; i < larger.room; i++)
		larger.value[i] = DOZE_NO_INDEX - 1;
	for (uint32_t i = 0; i < m->room; i++) {
		if (m->value[i] == DOZE_NO_INDEX - 1)
			continue;
		uint32_t at = slot_of(&larger, m->key[i]);
		larger.key[at] = m->key[i];
		larger.value[at] = m->value[i];
	}
	larger.used = m->used;
	free(m->key);
	free(m->value);
	*m = larger;
	return true;
}

int32_t *sim_map_at(struct sim_map *m, uint64_t key)
{
	uint32_t at;

	if (2 * m->used >= m->room && !make_room(m))
		return NULL;
	at = slot_of(m, key);
	if (m->value[at] == DOZE_NO_INDEX - 1) {
		m->key[at] = key;
		m->value[at] = DOZE_NO_INDEX;
		m->used++;
	}
	return &m->value[at];
}

int32_t sim_job_new(struct sim_pool *p)
{
	struct doze_work_job *work =
	    sim_grow_large(p, &p->w.job_spill, p->w.jobs, sizeof *p->w.job);
	struct sim_job *jobs = sim_grow_large(p, &p->job_spill, p->w.jobs, sizeof *p->job);

	if (!work || !jobs)
		return DOZE_NO_INDEX;
	p->w.job = work;
	p->job = jobs;
	work[p->w.jobs] =
	    (struct doze_work_job){.first_op = DOZE_NO_INDEX, .last_op = DOZE_NO_INDEX};
	jobs[p->w.jobs] = (struct sim_job){
	    .parent = DOZE_NO_INDEX,
	    .children = DOZE_NO_INDEX,
	    .sibling = DOZE_NO_INDEX,
	};
	return (int32_t)p->w.jobs++;
}

int32_t sim_job_at(struct sim_pool *p, uint64_t id)
{
	int32_t *at = sim_map_at(&p->job_of, id);

	if (!at) {
		p->w.failed = true;
		return DOZE_NO_INDEX;
	}
	if (*at == DOZE_NO_INDEX)
		*at = sim_job_new(p);
	return *at;
}

bool sim_ref(struct sim_pool *p, int32_t job)
{
	uint32_t *refs = sim_grow_large(p, &p->w.ref_spill, p->w.refs, sizeof *p->w.ref);

	if (!refs || job < 0)
		return false;
	p->w.ref = refs;
	refs[p->w.refs++] = (uint32_t)job;
	return true;
}

struct doze_op *sim_op(struct sim_pool *p, int32_t job, enum doze_op_kind kind)
{
	struct doze_op *ops = sim_grow_large(p, &p->w.op_spill, p->w.ops, sizeof *p->w.op);
	struct doze_work_job *j;

	if (!ops || job < 0)
		return NULL;
	p->w.op = ops;
	j = &p->w.job[job];
	if (j->last_op == DOZE_NO_INDEX)
		j->first_op = (int32_t)p->w.ops;
	else
		ops[j->last_op].next = (int32_t)p->w.ops;
	j->last_op = (int32_t)p->w.ops;
	ops[p->w.ops] = (struct doze_op){.kind = kind, .next = DOZE_NO_INDEX};
	return &ops[p->w.ops++];
}

/* Appends an operation that waits for the jobs in w.ref from index `first` on, if there are
 * any. */
static void wait_for(struct sim_pool *p, int32_t job, uint32_t first)
{
	struct doze_op *op = p->w.refs > first ? sim_op(p, job, DOZE_OP_wait) : NULL;

	if (!op)
		return;
	op->first = first;
	op->count = p->w.refs - first;
}

/*
 * ---- What a job waited for: a recording shows only that it waited ----
 *
 * The id of a join's latch is the id of the job that a thief may steal. The thief sets the latch
 * after this job, so the join waits for this job alone. A scope's latch is set by the job that ends
 * last. A scope therefore waits for all jobs that the waiting job has published and, recursively,
 * for the jobs that those jobs have published, provided that they ended before the wait did. A wait
 * for a future is ended by the job whose thread sets the latch.
 */

static void await(struct sim_pool *p, int32_t job)
{
	if (job < 0 || p->job[job].awaited)
		return;
	if (sim_ref(p, job))
		p->job[job].awaited = true;
}

/* Appends the job's children that have ended and are not awaited yet, and removes the awaited
 * children from the job's list. joins: whether to include jobs that are half of a join. */
static void await_children(struct sim_pool *p, int32_t job, bool joins)
{
	int32_t *link = &p->job[job].children;

	while (*link != DOZE_NO_INDEX) {
		struct sim_job *c = &p->job[*link];
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
	struct sim_job *j = &p->job[job];
	uint32_t first = p->w.refs;

	if (p->job[nested].parent == job) {
		await(p, nested);
		if (!p->job[nested].has_latch)
			await_scope(p, job, first, false);
	} else {
		/* The nested job is not a child: the thread ran it while waiting for its innermost
		 * join. */
		while (j->children != DOZE_NO_INDEX && p->job[j->children].awaited)
			j->children = p->job[j->children].sibling;
		if (j->children != DOZE_NO_INDEX && p->job[j->children].ended &&
		    p->job[j->children].has_latch)
			await(p, j->children);
	}
	wait_for(p, job, first);
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
	wait_for(p, job, first);
}

void sim_waited_at_end(struct sim_pool *p, int32_t job)
{
	uint32_t first = p->w.refs;

	await_scope(p, job, first, true);
	wait_for(p, job, first);
}

static void note_set(struct sim_pool *p, struct sim_thread *t, const struct doze_event *e)
{
	int32_t owner = e->u.latch.owner, *half = sim_map_at(&p->job_of, e->u.latch.id);
	int32_t *by = sim_map_at(&p->latch_of, e->u.latch.id);

	/* A latch that is not half of a join may have the same id as some job, so also check that
	 * the thread has just finished this job. */
	if (half && *half >= 0 && *half == t->last_job)
		p->job[*half].has_latch = true;
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

/*
 * ---- Whether outside threads publish at their own pace, or only when their jobs are done ----
 *
 * The trace does not show whether such a thread waits. If all jobs that a thread had published were
 * done before its next post, it may have waited for them, or it may have done something else. If it
 * waited, the time since the end of the jobs varies less; otherwise, the time since its last post
 * varies less.
 */

/* Sums for computing the mean and variance (Welford). */
struct spread {
	double n, mean, squares;
};

static void add(struct spread *s, double v)
{
	double d = v - s->mean;

	s->n++;
	s->mean += d / s->n;
	s->squares += d * (v - s->mean);
}

/* The posts of one thread so far. */
struct outside {
	int64_t posted; /* time of the thread's last post, ns */
	/* when all jobs of the thread's posts so far had ended, ns; INT64_MAX: one of them has no
	 * recorded end */
	int64_t done;
	bool restarted;        /* `posted` and `done` have been reset for the second pass */
	uint32_t pending_from; /* index of the first post since the thread's last wait */
	struct spread since_post, since_done;
};

/* Returns when all jobs of the post had ended, or INT64_MAX if one of them has no recorded end. */
static int64_t done_at(const struct sim_pool *p, const struct sim_post *post)
{
	int64_t done = 0;

	for (uint32_t i = 0; i < post->count; i++) {
		int64_t ended = p->job[p->w.ref[post->first + i]].ended;

		ended = ended ? ended : INT64_MAX;
		done = ended > done ? ended : done;
	}
	return done;
}

static bool waited(const struct outside *o)
{
	double closed = o->since_done.n > 2 ? o->since_done.squares : o->since_done.mean;
	double open = o->since_done.n > 2 ? o->since_post.squares : o->since_post.mean / 2;

	return closed < open;
}

static void measure(struct outside *o, const struct sim_pool *p, const struct sim_post *post)
{
	int64_t done = done_at(p, post);

	if (o->posted && o->done <= post->ts) {
		add(&o->since_post, (double)(post->ts - o->posted));
		add(&o->since_done, (double)(post->ts - o->done));
	}
	o->posted = post->ts;
	o->done = done > o->done ? done : o->done;
}

static void add_pause(struct sim_pool *p, int32_t job, double ns)
{
	struct doze_op *op = ns > 0 ? sim_op(p, job, DOZE_OP_pause) : NULL;

	if (op)
		op->ns = ns;
}

/* Appends the post to the operations of its thread. */
static void append(struct sim_pool *p, struct outside *o, uint32_t index)
{
	struct sim_post post = p->post[index];
	int64_t since = o->posted ? o->posted : p->first_post;
	struct doze_op *op;

	if (o->posted && o->done <= post.ts && waited(o)) {
		uint32_t first = p->w.refs;

		for (uint32_t i = o->pending_from; i < index; i++)
			for (uint32_t k = 0; p->post[i].by == post.by && k < p->post[i].count; k++)
				(void)sim_ref(p, (int32_t)p->w.ref[p->post[i].first + k]);
		wait_for(p, post.by, first);
		since = o->done;
		o->pending_from = index;
	}
	add_pause(p, post.by, (double)(post.ts - since));
	op = sim_op(p, post.by, DOZE_OP_post);
	if (op) {
		op->queue = post.queue;
		op->first = post.first;
		op->count = post.count;
	}
	o->posted = post.ts;
	o->done = done_at(p, &post) > o->done ? done_at(p, &post) : o->done;
}

void sim_outside_finish(struct sim_pool *p)
{
	/* After a failure, a post may lack its thread. */
	struct outside *by = p->w.failed ? NULL : calloc(p->w.jobs + 1, sizeof *by);

	if (!by) {
		p->w.failed = true;
		return;
	}
	/* The first pass measures the pauses, the second one appends the posts. */
	for (uint32_t i = 0; i < p->posts; i++) {
		measure(&by[p->post[i].by], p, &p->post[i]);
		sim_rest(p, i);
	}
	for (uint32_t i = 0; i < p->posts; i++) {
		struct outside *o = &by[p->post[i].by];

		sim_rest(p, i);
		if (o->restarted)
			continue;
		o->restarted = true;
		o->posted = o->done = 0;
		o->pending_from = i;
	}
	for (uint32_t i = 0; i < p->posts && !p->w.failed; i++) {
		append(p, &by[p->post[i].by], i);
		sim_rest(p, i);
	}
	free(by);
}
