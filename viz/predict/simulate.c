/*
 * SPDX-License-Identifier: MIT
 *
 * simulate.c - the simulated workers and their jobs, the clocks and events, and the longest chain
 * of jobs. sim_sleep.c has the policy: when workers search, sleep and are woken.
 */
#include "simulate.h"

#include <stdlib.h>

#include "../trace/grow.h"
#include "sim_int.h"

/*
 * ---- Running, publishing and finding jobs ----
 *
 * A worker that waits runs other jobs on top of its frame. A worker continues a lower frame whose
 * wait has ended before it starts another job, so that a replay of acyclic work never stalls.
 */

static bool sim_queue_push(struct sim_queue *q, uint32_t job)
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

static int32_t sim_frame_new(struct sim *s, uint32_t job, int32_t worker)
{
	int32_t f = s->free_frame;

	if (f >= 0) {
		s->free_frame = s->frame[f].below;
	} else {
		struct sim_frame *frames =
		    doze_grow(s->frame, &s->frames_room, s->frames, sizeof *frames);

		s->failed |= !frames;
		if (!frames)
			return DOZE_NO_INDEX;
		s->frame = frames;
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
	void *links = doze_grow(s->link, &s->links_room, s->links, sizeof *s->link);

	s->failed |= !links;
	if (!links)
		return;
	s->link = links;
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
	double ns;

	switch (op->kind) {
	case DOZE_OP_work:
		ns = op->ns - op->wakes * s->work->costs.wake;
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
static void sim_frame_run(struct sim *s, int32_t f)
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
	uint32_t n = s->set.workers, start = (uint32_t)(sim_random(&s->rng) * n);

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

/* ---- Clocks and events ---- */

/* Limit on the number of events per operation and worker. A simulation that exceeds the limit makes
 * no progress. */
enum { EVENTS_PER_OP = 1000 };

/* Without branches: the processor cannot predict the order of random times. */
static bool before(const struct sim_event *a, const struct sim_event *b)
{
	return (a->at < b->at) | ((a->at == b->at) & (a->order < b->order));
}

/* Stores the event at the free index i, or above. */
static void sift_up(struct sim_heap *h, uint32_t i, struct sim_event e)
{
	for (; i && before(&e, &h->e[(i - 1) / 2]); i = (i - 1) / 2)
		h->e[i] = h->e[(i - 1) / 2];
	h->e[i] = e;
}

static bool sim_heap_push(struct sim_heap *h, struct sim_event e)
{
	struct sim_event *events = doze_grow(h->e, &h->room, h->n, sizeof *events);

	if (!events)
		return false;
	h->e = events;
	sift_up(h, h->n++, e);
	return true;
}

/* Moves the free place down to a leaf and then stores the last event there or above. This is faster
 * than to compare the last event on each level, because it nearly always belongs at the bottom. */
static struct sim_event sim_heap_pop(struct sim_heap *h)
{
	struct sim_event first = h->e[0], last = h->e[--h->n];
	uint32_t i = 0, child;

	/* h->e[h->n] is the old place of `last`, so it can be compared, too. */
	while ((child = 2 * i + 1) < h->n) {
		child += (child + 1 < h->n) & before(&h->e[child + 1], &h->e[child]);
		h->e[i] = h->e[child];
		i = child;
	}
	sift_up(h, i, last);
	return first;
}

void sim_at_now(struct sim *s, double in, enum sim_event_kind kind, uint32_t who, uint32_t turn)
{
	struct sim_event e = {s->now + in, s->order++, kind, who, turn};

	s->failed |= !sim_heap_push(&s->by_now, e);
}

void sim_at_cpu(struct sim *s, double in, enum sim_event_kind kind, uint32_t who, uint32_t turn)
{
	struct sim_event e = {s->cpu + in, s->order++, kind, who, turn};

	s->failed |= !sim_heap_push(&s->by_cpu, e);
}

void sim_set_state(struct sim *s, uint32_t worker, enum sim_state to)
{
	struct sim_worker *w = &s->worker[worker];

	s->computing -= w->state == SIM_ACTIVE;
	s->searching -= w->state == SIM_SEARCHING;
	w->state = to;
	s->computing += to == SIM_ACTIVE;
	s->searching += to == SIM_SEARCHING;
}

/* Returns the CPU time per unit of time that each runnable worker gets. */
static double speed(const struct sim *s)
{
	double load = doze_sim_load(s->computing * s->work->on_cpu, s->searching);

	return load > s->set.cpus ? s->set.cpus / load : 1;
}

static bool next(struct sim *s, struct sim_event *e)
{
	double rate = speed(s), cpu_at = 0, at;
	bool by_cpu = s->by_cpu.n > 0;

	if (!s->by_cpu.n && !s->by_now.n)
		return false;
	if (by_cpu)
		cpu_at = s->now + (s->by_cpu.e[0].at - s->cpu) / rate;
	if (by_cpu && s->by_now.n && s->by_now.e[0].at < cpu_at)
		by_cpu = false;
	*e = sim_heap_pop(by_cpu ? &s->by_cpu : &s->by_now);
	at = by_cpu ? cpu_at : e->at;
	if (at > s->now) {
		s->cpu += (at - s->now) * rate;
		s->now = at;
	}
	if (by_cpu && e->at > s->cpu)
		s->cpu = e->at; /* set exactly, to avoid rounding errors */
	return true;
}

static void handle(struct sim *s, const struct sim_event *e)
{
	bool timer = e->kind == SIM_ROUND || e->kind == SIM_SLEEPY || e->kind == SIM_SLEEP;

	if (timer &&
	    (s->worker[e->who].turn != e->turn || s->worker[e->who].state != SIM_SEARCHING))
		return;
	switch (e->kind) {
	case SIM_STEP:
	case SIM_RESUME:
		sim_frame_run(s, (int32_t)e->who);
		break;
	case SIM_ROUND:
		sim_on_round(s, e->who);
		break;
	case SIM_SLEEPY:
		sim_on_sleepy(s, e->who);
		break;
	case SIM_SLEEP:
		sim_on_sleep(s, e->who);
		break;
	case SIM_AWAKE:
		sim_on_awake(s, e->who);
		break;
	}
}

static bool prepare(struct sim *s)
{
	const struct doze_work *w = s->work;

	s->worker = calloc(s->set.workers, sizeof *s->worker);
	s->done = calloc(w->jobs, sizeof *s->done);
	s->waiters = malloc(w->jobs * sizeof *s->waiters);
	if (!s->worker || !s->done || !s->waiters || !sim_guide(s))
		return false;
	for (uint32_t i = 0; i < w->jobs; i++)
		s->waiters[i] = DOZE_NO_INDEX;
	for (uint32_t i = 0; i < s->set.workers; i++)
		s->worker[i].frame = DOZE_NO_INDEX;
	/* Jobs whose post was lost cannot be replayed, so treat them as done. */
	for (uint32_t i = 0; i < w->jobs; i++) {
		s->done[i] = !w->job[i].posted && !w->job[i].outside;
		s->left += !s->done[i];
	}
	s->free_frame = s->sleepy = DOZE_NO_INDEX;
	s->rng = s->set.seed;
	s->computing = s->set.workers; /* all workers count as computing until they have their first
					* state */
	return true;
}

static void begin(struct sim *s)
{
	if (s->work->asleep_at_first)
		sim_asleep_at_first(s);
	else
		for (uint32_t i = 0; i < s->set.workers; i++)
			sim_start_looking(s, i);
	for (uint32_t i = 0; i < s->work->jobs && !s->failed; i++) {
		int32_t f =
		    s->work->job[i].outside ? sim_frame_new(s, i, DOZE_NO_INDEX) : DOZE_NO_INDEX;

		if (f >= 0)
			sim_frame_run(s, f);
	}
}

static void clear(struct sim *s)
{
	for (uint32_t i = 0; s->worker && i < s->set.workers; i++) {
		free(s->worker[i].deque.job);
		free(s->worker[i].turns.job);
	}
	free(s->worker);
	free(s->frame);
	free(s->injector.job);
	free(s->done);
	free(s->waiters);
	free(s->link);
	free(s->by_now.e);
	free(s->by_cpu.e);
	free(s->guide);
}

bool doze_simulate(const struct doze_work *w, const struct doze_sim_setting *set,
		   struct doze_sim_run *run)
{
	struct sim s = {.work = w, .set = *set, .rules = sim_rules_of(w, set->policy)};
	uint64_t most = ((uint64_t)w->ops + set->workers) * EVENTS_PER_OP, events = 0;
	struct sim_event e;
	bool ok = prepare(&s);

	if (ok)
		begin(&s);
	while (ok && s.left && !s.failed && events++ < most && next(&s, &e)) {
		handle(&s, &e);
		doze_work_rest(w, events);
	}
	for (uint32_t i = 0; ok && i < set->workers; i++)
		if (s.worker[i].state == SIM_ASLEEP)
			s.run.asleep += s.last_end - s.worker[i].asleep_since;
	s.run.makespan = s.last_end;
	*run = s.run;
	ok = ok && !s.failed && !s.left;
	clear(&s);
	return ok;
}

/*
 * ---- The longest chain of dependent jobs ----
 *
 * Every job starts as soon as it is published, and every wait ends as soon as its jobs have ended.
 */

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

static bool chain_waits(struct chain *c, uint32_t job, const struct doze_op *op)
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

/* Returns how long work or a pause takes without wakes, in ns. */
static double takes(const struct chain *c, const struct doze_op *op)
{
	return op->ns - op->wakes * c->work->costs.wake;
}

/* Runs the job until it needs time, waits or ends. */
static void run(struct chain *c, uint32_t job)
{
	while (c->op[job] >= 0) {
		const struct doze_op *op = &c->work->op[c->op[job]];

		c->op[job] = op->next;
		if (op->kind == DOZE_OP_post) {
			for (uint32_t i = 0; i < op->count; i++)
				schedule(c, c->work->ref[op->first + i], 0);
		} else if (op->kind == DOZE_OP_wait) {
			if (chain_waits(c, job, op))
				return;
		} else if (takes(c, op) > 0 && !(c->without_outside && c->work->job[job].outside)) {
			schedule(c, job, takes(c, op));
			return;
		}
	}
	end(c, job);
}

static bool chain_begin(struct chain *c)
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
	uint64_t steps = 0;

	if (chain_begin(&c)) {
		while (c.ready.n && !c.failed) {
			struct sim_event e = sim_heap_pop(&c.ready);

			c.now = e.at;
			run(&c, e.who);
			doze_work_rest(w, ++steps);
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

	for (uint32_t i = 0; i < w->ops; i++) {
		if (w->op[i].kind == DOZE_OP_work)
			sum += w->op[i].ns;
		doze_work_rest(w, i);
	}
	return sum;
}
