/*
 * SPDX-License-Identifier: MIT
 *
 * stretches.c - accounts for one worker's time from waking up to its next sleep (a stretch), and
 * computes what its searches in that time cost.
 *
 * A search costs the CPU time that it took: its share of the stretch's CPU time (schema 1.1). The
 * rest of the search is like sleep, because the worker had yielded its CPU. But the time that the
 * worker waited in a run queue (schema 1.3) is not a cost of this pool. If the trace has no CPU
 * times, the length of the search counts, up to a limit for its rounds. The last search before a
 * sleep counts as part of falling asleep: up to SMALL_NS of its cost are not charged.
 */
#include "diagnose_int.h"

/* The maximum cost, in ns, of searches that are charged to `small` (the worker was woken for a
 * short job), and the maximum part of the last search before a sleep that is not charged. */
#define SMALL_NS 1000000
#define ROUND_NS 20000    /* maximum CPU time of one search round, ns */
#define USUAL_NS 5000     /* 99th percentile of a round's CPU time on a busy machine, ns */
#define FLUSH_NS 50000000 /* ns; a worker that never sleeps is accounted for about this often */

/* ---- futile decisions ---- */

static uint32_t storm_size(const struct diagnosis *d, const struct diag_pool *p)
{
	const struct doze_model_options *o = doze_model_limits(d->model);
	double share = o->storm_min_share * (double)diag_workers(p->v);
	uint32_t least = (uint32_t)share;

	least += (double)least < share;
	return least > o->storm_min_wakes ? least : o->storm_min_wakes;
}

static void settle(struct diagnosis *d, struct diag_pool *p, struct decision *k)
{
	double min_futile = doze_model_limits(d->model)->storm_min_futile;
	bool storm = k->woken >= storm_size(d, p) && k->woken > k->jobs &&
		     (double)k->futile >= min_futile * (double)k->woken;
	enum doze_trouble kind = storm ? DOZE_TROUBLE_storm : DOZE_TROUBLE_chain;
	struct instance i = {.at = k->from,
			     .end = k->to,
			     .cost = k->cost,
			     .worker = k->waker,
			     .vtid = k->vtid,
			     .n = k->woken,
			     .m = k->futile,
			     .why = k->cause};

	if (k->id && k->futile && k->cost > 0) {
		diag_cost(&p->costs, kind, k->from, k->to, k->cost);
		i.post.jobs = k->jobs;
		i.post.caller = k->caller;
		diag_instance(p, kind, &i);
	}
	k->id = 0;
}

static struct decision *decision_of(struct diagnosis *d, struct diag_pool *p, uint64_t id)
{
	struct decision *k = &p->decision[id % DECISIONS];

	if (k->id != id) {
		settle(d, p, k);
		*k = (struct decision){.id = id};
	}
	return k;
}

void diag_decision_post(struct diagnosis *d, struct diag_pool *p, const struct doze_event *e)
{
	struct decision *k;

	p->post_vtid = e->vtid;
	p->post_caller = e->u.post.caller;
	if (!e->u.post.decision_id)
		return;
	k = decision_of(d, p, e->u.post.decision_id);
	k->jobs += e->u.post.jobs;
	k->caller = e->u.post.caller;
}

static bool posts(enum doze_cause c)
{
	return c == DOZE_CAUSE_push || c == DOZE_CAUSE_inject;
}

void diag_wake(struct diagnosis *d, struct diag_pool *p, const struct doze_event *e)
{
	struct decision *k;

	if (!e->u.wake.decision_id)
		return;
	k = decision_of(d, p, e->u.wake.decision_id);
	if (!k->from) {
		k->from = k->to = e->ts;
		k->waker = e->worker;
		k->vtid = e->vtid;
		k->cause = e->u.wake.cause;
		if (!k->caller && posts(e->u.wake.cause) && e->vtid == p->post_vtid)
			k->caller = p->post_caller;
	}
}

void diag_decisions_end(struct diagnosis *d, struct diag_pool *p)
{
	for (int i = 0; i < DECISIONS; i++)
		settle(d, p, &p->decision[i]);
}

/* ---- the time spent searching in a stretch ---- */

/* Returns the length of a search, ns, limited to the time that its rounds take at round_ns each.
 * The number of rounds is limited unless the policy never sleeps. In a longer search, the worker
 * had no CPU for part of the time. */
static double by_rounds(const struct diag_pool *p, double round_ns, double ns)
{
	double most = ((double)p->v->rounds_until_sleeping + 1) * round_ns;
	bool limited =
	    p->v->rounds_until_sleeping && doze_policy_has_state(p->v->rules, DOZE_STATE_sleeping);

	return limited && most < ns ? most : ns;
}

/* Returns the cost of a search whose CPU time is unknown. */
static double unknown_cost(const struct diag_pool *p, const struct stretch *s)
{
	return by_rounds(p, ROUND_NS * (double)s->searches, (double)s->search);
}

/* Returns an estimate of the CPU time of the stretch's search. Both the search and the jobs may
 * have lacked a CPU for part of their time, so the CPU time is divided between them in proportion
 * to their lengths. A long search gets less than its share, because it yields its CPU in each
 * round. The search gets at least the CPU time that exceeds the length of the jobs. */
static double search_cost(const struct stretch *s, double cpu)
{
	double least = cpu - (double)s->active;
	double share = cpu * (double)s->search / (double)(s->search + s->active);

	share = share < s->usual ? share : s->usual;
	return share > least ? share : least;
}

/* Returns the cost of the stretch's search: its CPU time if known, otherwise an estimate from its
 * length. */
static double cost_of_search(struct diag_pool *p, const struct stretch *s, uint64_t cpu_to)
{
	double wall = (double)(s->search + s->active), cpu;

	if (!s->cpu_known || !cpu_to || cpu_to < s->cpu_from || wall <= 0)
		return unknown_cost(p, s);
	cpu = (double)(cpu_to - s->cpu_from);
	cpu = cpu < wall ? cpu : wall;
	p->cpu_ns += cpu;
	p->cpu_wall += wall;
	return search_cost(s, cpu);
}

static void in_vain(struct diagnosis *d, struct diag_pool *p, const struct stretch *s, int64_t ts,
		    double cost)
{
	struct decision *k = decision_of(d, p, s->decision);

	if (!k->from) {
		k->from = s->notified;
		k->waker = s->waker;
		k->vtid = s->waker_vtid;
		k->cause = s->cause;
	}
	k->futile++;
	k->cost += cost;
	k->to = ts > k->to ? ts : k->to;
}

static void charge(struct diag_pool *p, const struct doze_worker_view *w, enum doze_trouble kind,
		   const struct stretch *s, int64_t ts, double cost)
{
	struct instance i = {.at = s->longest_at,
			     .end = s->longest_at + s->longest,
			     .cost = cost,
			     .worker = w->key.index,
			     .vtid = -1,
			     .why = s->cause};

	if (cost <= 0)
		return;
	diag_cost_like(&p->costs, kind, COST_search, s->since, ts, cost);
	diag_instance(p, kind, &i);
}

/* Accounts for the search time during which the worker had no CPU. From the part in which another
 * worker was active, rank.c later subtracts the run delay, which is not known yet. */
static void yielded(struct diag_pool *p, const struct stretch *s, struct off_cpu *o, int64_t ts,
		    double ns)
{
	double beside = s->search ? (double)s->beside_active / (double)s->search : 0;
	double outside = s->search ? (double)s->for_outside / (double)s->search : 0;

	if (o)
		o->yielded += ns;
	diag_cost_like(&p->costs, COST_yielded_serial, COST_search, s->since, ts, ns * beside);
	diag_cost_like(&p->costs, COST_yielded_outside, COST_search, s->since, ts, ns * outside);
}

/* Returns the part of the cost that is not charged, because it belongs to falling asleep: the cost
 * of the last search before the sleep, up to SMALL_NS. */
static double falling_asleep(const struct stretch *s, double cost, bool whole)
{
	double share = s->search ? (double)s->last_search / (double)s->search : 0;
	double tail = whole ? cost * share : 0;

	return tail < SMALL_NS ? tail : SMALL_NS;
}

/* Accounts for the stretch up to ts. whole: the worker sleeps or stops now. */
static void account(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		    struct stretch *s, int64_t ts, uint64_t cpu_to, bool whole)
{
	double cost = cost_of_search(p, s, cpu_to);

	yielded(p, s, diag_off_at(d, w->key.row), ts, (double)s->search - cost);
	if (s->woken && s->cause == DOZE_CAUSE_terminate)
		return;
	if (s->woken && whole && !s->found && !s->latch && s->decision)
		in_vain(d, p, s, ts, cost);
	else if (s->woken && whole && s->found && cost < SMALL_NS && (double)s->active < cost)
		charge(p, w, DOZE_TROUBLE_small, s, ts, cost);
	else
		charge(p, w, DOZE_TROUBLE_burn, s, ts, cost - falling_asleep(s, cost, whole));
}

static void begin(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		  struct stretch *s, int64_t ts)
{
	const struct doze_wake *k = doze_worker_wake(w);
	uint64_t cpu = s->cpu_from;
	bool known = s->cpu_known;

	*s = (struct stretch){.open = true, .since = ts, .segment = ts, .cpu_known = known};
	s->cpu_from = cpu;
	s->active_clock = p->active_clock;
	s->outside_clock = p->outside_clock;
	if (w->wake_phase == DOZE_WAKE_none || !k->notified)
		return;
	s->woken = true;
	s->cause = k->cause;
	s->decision = k->decision_id;
	s->waker = k->waker;
	s->waker_vtid = k->waker_vtid;
	s->notified = k->notified;
	if (k->decision_id)
		decision_of(d, p, k->decision_id)->woken++;
}

/* Adds the time since the worker's last state change to the total of that state, searching or
 * active. */
static void add_segment(struct diag_pool *p, const struct doze_worker_view *w, struct stretch *s,
			int64_t ts)
{
	int64_t ns = ts > s->segment ? ts - s->segment : 0;
	int64_t beside = p->active_clock - s->active_clock;

	if (w->state == DOZE_STATE_idle || w->state == DOZE_STATE_sleepy) {
		s->search += ns;
		s->last_search += ns;
		s->usual += by_rounds(p, USUAL_NS, (double)ns);
		s->searches += w->state == DOZE_STATE_idle;
		diag_cost(&p->costs, COST_search, s->segment, ts, (double)ns);
		if (ns > s->longest) {
			s->longest = ns;
			s->longest_at = s->segment;
		}
		s->beside_active += beside < ns ? beside : ns;
		s->for_outside += p->outside_clock - s->outside_clock;
	} else if (w->state == DOZE_STATE_active) {
		s->active += ns;
		s->last_search = 0;
	}
	s->segment = ts;
	s->active_clock = p->active_clock;
	s->outside_clock = p->outside_clock;
}

static void flush(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		  struct stretch *s, int64_t ts)
{
	account(d, p, w, s, ts, 0, false);
	s->woken = false;
	s->since = ts;
	s->search = s->active = s->beside_active = s->for_outside = 0;
	s->last_search = s->longest = 0;
	s->usual = 0;
	s->searches = 0;
	s->cpu_known = false;
}

static bool rests(enum doze_state s)
{
	return s == DOZE_STATE_sleeping || s == DOZE_STATE_stopped;
}

/* Returns whether to account for the stretch now. Otherwise a worker that never sleeps would be
 * accounted for only when it stops. */
static bool is_long(const struct diag_pool *p, const struct stretch *s, int64_t ts)
{
	return ts - s->since > FLUSH_NS && !doze_policy_has_state(p->v->rules, DOZE_STATE_sleeping);
}

static uint64_t cpu_of(const struct diagnosis *d)
{
	const struct doze_event *e = d->event;

	return e && e->kind == DOZE_EV_worker_state ? e->u.state.cpu_ns : 0;
}

void diag_state(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		enum doze_state to, enum doze_reason why, int64_t ts)
{
	struct stretch *s = diag_worker_at(d, w->key.row);

	if (!s)
		return;
	diag_off_state(d, p, w, why, ts, cpu_of(d));
	if (to == DOZE_STATE_active && !diag_active(p->v))
		diag_gap_found(p);
	p->leaving -= s->leaving;
	s->leaving = false;
	if (s->open)
		add_segment(p, w, s, ts);
	if (s->open && rests(to)) {
		account(d, p, w, s, ts, cpu_of(d), true);
		*s = (struct stretch){0};
	} else if (s->open && is_long(p, s, ts)) {
		flush(d, p, w, s, ts);
	} else if (!s->open && !rests(to)) {
		begin(d, p, w, s, ts);
		/* The thread has just started, so its CPU time is known. */
		if (why == DOZE_REASON_start) {
			s->cpu_known = true;
			s->cpu_from = cpu_of(d); /* 0 before schema 1.3 */
		}
	}
	s->latch |= to == DOZE_STATE_active && why == DOZE_REASON_latch_set;
	s->found |= to == DOZE_STATE_active && why != DOZE_REASON_latch_set;
	p->active_index += to == DOZE_STATE_active ? w->key.index : 0;
	p->active_index -= w->known && w->state == DOZE_STATE_active ? w->key.index : 0;
}

void diag_woken(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		const struct doze_event *e)
{
	struct stretch *s = diag_worker_at(d, w->key.row);

	if (!s || s->open)
		return;
	p->leaving += !s->leaving;
	s->leaving = true;
	s->cpu_from = e->u.woken.cpu_ns;
	s->cpu_known = e->u.woken.cpu_ns > 0;
}

void diag_stretch_end(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		      int64_t ts)
{
	struct stretch *s = diag_worker_at(d, w->key.row);

	if (!s || !s->open)
		return;
	add_segment(p, w, s, ts);
	account(d, p, w, s, ts, 0, false);
	s->open = false;
}
