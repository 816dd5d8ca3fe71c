/*
 * SPDX-License-Identifier: MIT
 *
 * sim_work.c - how simulated workers run jobs, publish, wait and find work.
 *
 * A worker that waits runs other jobs on top of its frame. A worker continues a lower frame whose
 * wait has ended before it starts another job, so that a replay of acyclic work never stalls.
 */
#include <stdlib.h>

#include "sim_int.h"

bool sim_queue_push(struct sim_queue *q, uint32_t job)
{
	if (q->tail == q->room) {
		uint32_t n = q->tail - q->head, room = q->room ? q->room : 32;
		uint32_t *jobs = q->job;

		if (2 * n >= q->room) {
			room = 2 * room;
			jobs = reallocarray(NULL, room, sizeof *jobs);
			if (!jobs)
				return false;
		}
		for (uint32_t i = 0; i < n; i++)
			jobs[i] = q->job[q->head + i];
		if (jobs != q->job)
			free(q->job);
		*q = (struct sim_queue){jobs, 0, n, room};
	}
	q->job[q->tail++] = job;
	return true;
}

int32_t sim_frame_new(struct sim *s, uint32_t job, int32_t worker)
{
	int32_t f = s->free_frame;

	if (f >= 0) {
		s->free_frame = s->frame[f].below;
	} else {
		if (s->frames == s->frames_room) {
			uint32_t room = s->frames_room ? 2 * s->frames_room : 64;
			struct sim_frame *larger = reallocarray(s->frame, room, sizeof *larger);

			s->failed |= !larger;
			if (!larger)
				return DOZE_NO_INDEX;
			s->frame = larger;
			s->frames_room = room;
		}
		f = (int32_t)s->frames++;
	}
	s->frame[f] = (struct sim_frame){
	    .job = job,
	    .op = s->work->job[job].first_op,
	    .worker = worker,
	    .below = worker >= 0 ? s->worker[worker].frame : DOZE_NO_INDEX,
	    .in_use = true,
	};
	if (worker >= 0)
		s->worker[worker].frame = f;
	return f;
}

static void drop_frame(struct sim *s, int32_t f)
{
	struct sim_frame *gone = &s->frame[f];

	if (gone->worker >= 0) {
		int32_t *link = &s->worker[gone->worker].frame;

		while (*link != f)
			link = &s->frame[*link].below;
		*link = gone->below;
	}
	gone->in_use = false;
	gone->below = s->free_frame;
	s->free_frame = f;
}

static void can_continue(struct sim *s, int32_t f)
{
	struct sim_frame *frame = &s->frame[f];

	frame->waits = false;
	if (frame->worker < 0) {
		sim_at_now(s, 0, SIM_RESUME, (uint32_t)f, 0);
		return;
	}
	s->worker[frame->worker].ready++;
	sim_latch_set(s, (uint32_t)frame->worker);
}

static void end_job(struct sim *s, int32_t f)
{
	uint32_t job = s->frame[f].job;
	int32_t link = s->waiters[job];

	s->done[job] = true;
	s->left--;
	if (!s->work->job[job].outside)
		s->last_end = s->now;
	drop_frame(s, f);
	for (; link >= 0; link = s->link[link].next)
		if (--s->frame[s->link[link].frame].missing == 0)
			can_continue(s, s->link[link].frame);
}

static bool push_job(struct sim *s, const struct doze_op *op, uint32_t job, uint32_t nth,
		     int32_t worker)
{
	if (op->queue == DOZE_QUEUE_broadcast)
		return sim_queue_push(&s->worker[nth % s->set.workers].turns, job);
	if (op->queue == DOZE_QUEUE_local && worker >= 0)
		return sim_queue_push(&s->worker[worker].deque, job);
	return sim_queue_push(&s->injector, job);
}

static void post(struct sim *s, const struct doze_op *op, int32_t worker)
{
	bool local = op->queue == DOZE_QUEUE_local && worker >= 0;
	bool was_empty = sim_queue_empty(local ? &s->worker[worker].deque : &s->injector);

	for (uint32_t i = 0; i < op->count; i++)
		s->failed |= !push_job(s, op, s->work->ref[op->first + i], i, worker);
	sim_posted(s, op, worker, was_empty);
}

static void add_waiter(struct sim *s, uint32_t job, int32_t f)
{
	if (s->links == s->links_room) {
		uint32_t room = s->links_room ? 2 * s->links_room : 256;
		void *larger = reallocarray(s->link, room, sizeof *s->link);

		s->failed |= !larger;
		if (!larger)
			return;
		s->link = larger;
		s->links_room = room;
	}
	s->link[s->links].frame = f;
	s->link[s->links].next = s->waiters[job];
	s->waiters[job] = (int32_t)s->links++;
	s->frame[f].missing++;
}

static bool must_wait(struct sim *s, const struct doze_op *op, int32_t f)
{
	for (uint32_t i = 0; i < op->count; i++) {
		uint32_t job = s->work->ref[op->first + i];

		if (!s->done[job] && job != s->frame[f].job)
			add_waiter(s, job, f);
	}
	s->frame[f].waits = s->frame[f].missing > 0;
	return s->frame[f].waits;
}

/* Executes one operation. Returns whether the next one follows immediately. */
static bool operate(struct sim *s, const struct doze_op *op, int32_t f)
{
	int32_t worker = s->frame[f].worker;
	double ns = op->ns - op->wakes * s->work->costs.wake;

	switch (op->kind) {
	case DOZE_OP_work:
		sim_at_cpu(s, (ns > 0 ? ns : 0) + s->charge, SIM_STEP, (uint32_t)f, 0);
		s->charge = 0;
		return false;
	case DOZE_OP_pause:
		if (worker >= 0)
			sim_set_state(s, (uint32_t)worker, SIM_BLOCKED);
		sim_at_now(s, op->ns + s->charge, SIM_RESUME, (uint32_t)f, 0);
		s->charge = 0;
		return false;
	case DOZE_OP_post:
		post(s, op, worker);
		return true;
	default:
		return !must_wait(s, op, f);
	}
}

/* Runs the frame until it computes, pauses, waits or ends. */
void sim_frame_run(struct sim *s, int32_t f)
{
	int32_t worker = s->frame[f].worker;
	bool more = true;

	if (worker >= 0 && s->worker[worker].state == SIM_BLOCKED)
		sim_set_state(s, (uint32_t)worker, SIM_ACTIVE);
	s->charge = 0;
	while (more && s->frame[f].op >= 0 && !s->failed) {
		const struct doze_op *op = &s->work->op[s->frame[f].op];

		s->frame[f].op = op->next;
		more = operate(s, op, f);
	}
	if (more && !s->failed) {
		end_job(s, f);
		if (worker >= 0) {
			sim_job_done(s);
			sim_seek(s, (uint32_t)worker);
		}
	} else if (s->frame[f].waits && worker >= 0) {
		sim_seek(s, (uint32_t)worker);
	}
}

static int32_t ready_frame(const struct sim *s, uint32_t worker)
{
	int32_t f = s->worker[worker].frame;

	while (f >= 0 && s->frame[f].waits)
		f = s->frame[f].below;
	return f;
}

static bool take_own(struct sim_worker *w, int32_t *job)
{
	if (!sim_queue_empty(&w->deque))
		*job = (int32_t)w->deque.job[--w->deque.tail];
	else if (!sim_queue_empty(&w->turns))
		*job = (int32_t)w->turns.job[w->turns.head++];
	else
		return false;
	return true;
}

static bool steal(struct sim *s, uint32_t worker, int32_t *job)
{
	uint32_t n = s->set.workers, start = (uint32_t)(sim_random(s) * n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t victim = start + i < n ? start + i : start + i - n;
		struct sim_queue *q = &s->worker[victim].deque;

		if (victim == worker || sim_queue_empty(q))
			continue;
		*job = (int32_t)q->job[q->head++];
		return true;
	}
	return false;
}

bool sim_find(struct sim *s, uint32_t worker, int32_t *job)
{
	struct sim_worker *w = &s->worker[worker];

	*job = DOZE_NO_INDEX;
	if (w->ready || take_own(w, job) || steal(s, worker, job))
		return true;
	if (sim_queue_empty(&s->injector))
		return false;
	*job = (int32_t)s->injector.job[s->injector.head++];
	return true;
}

bool sim_has_jobs(const struct sim *s)
{
	bool any = !sim_queue_empty(&s->injector);

	for (uint32_t i = 0; i < s->set.workers && !any; i++)
		any = !sim_queue_empty(&s->worker[i].deque);
	return any;
}

void sim_start(struct sim *s, uint32_t worker, int32_t job)
{
	int32_t f =
	    job >= 0 ? sim_frame_new(s, (uint32_t)job, (int32_t)worker) : ready_frame(s, worker);

	if (f < 0)
		return;
	if (job < 0)
		s->worker[worker].ready--;
	/* Starting a new job takes an additional time, costs.take. For a job that continues after a
	 * wait, the recorded times already include the overhead. */
	sim_at_cpu(s, (job >= 0 ? s->work->costs.take : 0) + s->charge, SIM_STEP, (uint32_t)f, 0);
	s->charge = 0;
}

void sim_seek(struct sim *s, uint32_t worker)
{
	struct sim_worker *w = &s->worker[worker];
	int32_t job = DOZE_NO_INDEX;

	if (w->ready || take_own(w, &job))
		sim_start(s, worker, job);
	else
		sim_start_looking(s, worker);
}
