/*
 * SPDX-License-Identifier: MIT
 *
 * recorder_outside.c - decides whether outside threads publish at their own pace, or only when
 * their earlier jobs are done.
 *
 * The trace does not show whether such a thread waits. If all jobs that a thread had published were
 * done before its next post, it may have waited for them, or it may have done something else. If it
 * waited, the time since the end of the jobs varies less; otherwise, the time since its last post
 * varies less.
 */
#include <math.h>
#include <stdlib.h>

#include "recorder_int.h"

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
		int64_t ended = p->w.job[p->w.ref[post->first + i]].ended;

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
		sim_op_wait(p, post.by, first);
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
	struct outside *by = calloc(p->w.jobs + 1, sizeof *by);

	if (!by) {
		p->w.failed = true;
		return;
	}
	/* The first pass measures the pauses, the second one appends the posts. */
	for (uint32_t i = 0; i < p->posts; i++)
		measure(&by[p->post[i].by], p, &p->post[i]);
	for (uint32_t i = 0; i < p->posts; i++) {
		struct outside *o = &by[p->post[i].by];

		if (o->restarted)
			continue;
		o->restarted = true;
		o->posted = o->done = 0;
		o->pending_from = i;
	}
	for (uint32_t i = 0; i < p->posts && !p->w.failed; i++)
		append(p, &by[p->post[i].by], i);
	free(by);
}
