/*
 * SPDX-License-Identifier: MIT
 *
 * simulate.c - the clocks and the events of a simulation.
 */
#include "simulate.h"

#include <stdlib.h>

#include "sim_int.h"

/* Limit on the number of events per operation and worker. A simulation that exceeds the limit makes
 * no progress. */
enum { EVENTS_PER_OP = 1000 };

static bool before(const struct sim_event *a, const struct sim_event *b)
{
	return a->at < b->at || (a->at == b->at && a->order < b->order);
}

bool sim_heap_push(struct sim_heap *h, struct sim_event e)
{
	uint32_t i = h->n;

	if (h->n == h->room) {
		uint32_t room = h->room ? 2 * h->room : 256;
		struct sim_event *larger = reallocarray(h->e, room, sizeof *larger);

		if (!larger)
			return false;
		h->e = larger;
		h->room = room;
	}
	for (h->n++; i && before(&e, &h->e[(i - 1) / 2]); i = (i - 1) / 2)
		h->e[i] = h->e[(i - 1) / 2];
	h->e[i] = e;
	return true;
}

struct sim_event sim_heap_pop(struct sim_heap *h)
{
	struct sim_event first = h->e[0], last = h->e[--h->n];
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		child += child + 1 < h->n && before(&h->e[child + 1], &h->e[child]);
		if (!before(&h->e[child], &last))
			break;
		h->e[i] = h->e[child];
		i = child;
	}
	h->e[i] = last;
	return first;
}

/* xorshift64* (Marsaglia; multiplier by Vigna). */
double sim_random(struct sim *s)
{
	uint64_t x = s->rng;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	s->rng = x;
	return (double)((x * UINT64_C(0x2545f4914f6cdd1d)) >> 11) / 9007199254740992.0;
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
	if (!s->worker || !s->done || !s->waiters)
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
}

bool doze_simulate(const struct doze_work *w, const struct doze_sim_setting *set,
		   struct doze_sim_run *run)
{
	struct sim s = {.work = w, .set = *set};
	uint64_t most = ((uint64_t)w->ops + set->workers) * EVENTS_PER_OP, events = 0;
	struct sim_event e;
	bool ok = prepare(&s);

	if (ok)
		begin(&s);
	while (ok && s.left && !s.failed && events++ < most && next(&s, &e))
		handle(&s, &e);
	for (uint32_t i = 0; ok && i < set->workers; i++)
		if (s.worker[i].state == SIM_ASLEEP)
			s.run.asleep += s.last_end - s.worker[i].asleep_since;
	s.run.makespan = s.last_end;
	*run = s.run;
	ok = ok && !s.failed && !s.left;
	clear(&s);
	return ok;
}
