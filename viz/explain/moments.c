/*
 * SPDX-License-Identifier: MIT
 *
 * moments.c - accounts for the time between two events, during which no worker changes its state.
 *
 * Each moment of each worker is charged at most once. A worker's search is accounted for when its
 * stretch ends (stretches.c); its sleep and its jobs are accounted for here. Sleep is charged only
 * for as many sleepers as the CPUs could have run, except while jobs waited for them.
 */
#include "diagnose_int.h"

/*
 * ---- How many jobs wait in queues, and how long each recorded job waited ----
 *
 * At level `all`, every post and start is recorded, and the model counts the waiting jobs. Below
 * that level, all posts and starts are recorded only while a worker sleeps. While a worker sleeps,
 * the number is therefore known: a worker that falls asleep reports how many jobs it leaves in the
 * queues (schema 1.1), and each later post or start changes the number. While no worker sleeps, the
 * number does not matter.
 *
 * A job's start may be recorded before its post if they are recorded on different CPUs, so the
 * count may briefly be negative, by at most one job per worker. If records were skipped
 * (`skipped`), the number becomes an interval.
 */

static bool counts(enum doze_source s)
{
	return s != DOZE_SOURCE_inline && s != DOZE_SOURCE_broadcast;
}

static struct waiting *slot_of(struct queued *q, uint64_t id)
{
	return &q->job[(id * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
}

/* Remembers when the jobs of a post, whose ids are consecutive, were posted. */
static void remember(struct queued *q, const struct doze_event *e)
{
	for (uint32_t i = 0; e->u.post.job && i < e->u.post.jobs && i < JOBS; i++)
		*slot_of(q, e->u.post.job + i) = (struct waiting){e->u.post.job + i, e->ts};
}

static void started(struct queued *q, const struct doze_event *e)
{
	struct waiting *w = slot_of(q, e->u.job.id);

	if (!e->u.job.id || w->id != e->u.job.id) {
		q->unknown++;
		return;
	}
	doze_hist_add(&q->delay, e->ts - w->ts);
	w->id = 0;
}

static void posted(struct diag_pool *p, const struct doze_event *e)
{
	struct queued *q = &p->queued;

	if (e->u.post.queue == DOZE_QUEUE_broadcast)
		return;
	if (q->low <= 0)
		q->first = doze_waiting_post_of(e);
	q->low += e->u.post.jobs;
	q->high += (int64_t)e->u.post.jobs + e->u.post.skipped;
	remember(q, e);
}

static void taken(struct diag_pool *p, const struct doze_event *e)
{
	struct queued *q = &p->queued;
	int64_t floor = -(int64_t)p->v->known_workers;

	if (!counts(e->u.job.source))
		return;
	q->low -= 1 + (int64_t)e->u.job.skipped;
	q->low = q->low < floor ? floor : q->low;
	q->high = q->high > q->low ? q->high - 1 : q->low;
	if (e->worker >= 0) /* otherwise the job was cancelled */
		started(q, e);
}

/* Called when a worker falls asleep; its event reports the jobs left in the queues. */
static void left(struct diag_pool *p, const struct doze_event *e)
{
	struct queued *q = &p->queued;

	q->low = (int64_t)e->u.state.left_in_deques + e->u.state.left_injected;
	q->high = e->u.state.left_injected ? INT32_MAX : q->low;
	if (q->low <= 0)
		q->first.known = false;
}

void diag_queued_event(struct diag_pool *p, const struct doze_event *e)
{
	if (e->kind == DOZE_EV_post)
		posted(p, e);
	else if (e->kind == DOZE_EV_job_taken || e->kind == DOZE_EV_job_start)
		taken(p, e);
	else if (e->kind == DOZE_EV_worker_state && e->u.state.to == DOZE_STATE_sleeping)
		left(p, e);
}

void diag_queued_lost(struct diag_pool *p)
{
	p->queued.low = p->queued.high = 0;
	p->queued.first.known = false;
}

/* ns; a shorter time with only one active worker (lone work) is charged to `outside`, not to
 * `serial`. */
#define SERIAL_MIN 1000000
/* If no second worker becomes active before all workers sleep again, lone work is charged to
 * `serial` only if its longest part takes at least this share of the time since the pool's
 * start. */
#define LONE_JOB 0.1
/* The longest time that a busy thread usually keeps a CPU while others wait for it, ns. */
#define TURN_NS    4000000
#define MOST_TURNS 16 /* maximum number of threads assumed to wait for the same CPU */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}
static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- Moments ---- */

/* A moment is the time between two events. The numbers of workers and jobs are constant in it. */
struct moment {
	int64_t from, to;
	double ns; /* length of the moment */
	uint32_t workers;
	int64_t active, searching, sleeping, blocked, notified;
	int64_t capacity;    /* number of workers that the CPUs they may use could run at once */
	int64_t usable;      /* number of workers that all CPUs could run at once */
	int64_t missed;      /* minimum number of sleeping workers for which jobs wait */
	int64_t missed_most; /* maximum number of these workers */
	int64_t waiting;     /* known minimum number of jobs in queues */
};

static inline struct moment moment_of(const struct diagnosis *d, const struct diag_pool *p,
				      int64_t to)
{
	const uint32_t *in = p->v->in_state;
	struct moment t = {
	    .from = p->last, .to = to, .ns = (double)(to - p->last), .workers = diag_workers(p->v)};
	int64_t lack;

	t.active = diag_active(p->v);
	t.searching = (int64_t)in[DOZE_STATE_idle] + in[DOZE_STATE_sleepy];
	t.sleeping = in[DOZE_STATE_sleeping];
	t.blocked = in[DOZE_STATE_blocked];
	t.notified = (int64_t)p->v->notified + p->leaving;
	t.capacity = least(t.workers, p->groups ? diag_pool_cpus(d, p) : diag_cpus(d));
	t.usable = least(t.workers, diag_cpus(d));
	lack = least(diag_queued(p) - t.searching - t.notified, t.sleeping - t.notified);
	t.missed = most(lack, 0);
	lack = least(diag_queued_most(p) - t.searching - t.notified, t.sleeping - t.notified);
	t.missed_most = most(lack, 0);
	t.waiting = p->v->jobs_level ? p->v->jobs_waiting : diag_queued(p);
	return t;
}

static double worker_ns(const struct moment *t, int64_t workers)
{
	return (double)workers * t->ns;
}

static void add(struct diag_pool *p, unsigned column, const struct moment *t, int64_t workers)
{
	if (workers > 0)
		diag_cost(&p->costs, column, t->from, t->to, worker_ns(t, workers));
}

/* ---- spans of trouble ---- */

static void extend(struct span *s, const struct moment *t, int64_t workers, int64_t n)
{
	if (!s->open)
		*s = (struct span){.open = true, .since = t->from, .worker = -1, .vtid = -1};
	s->cost += worker_ns(t, workers);
	s->most = n > s->most ? (uint32_t)n : s->most;
}

static void note(struct diag_pool *p, enum doze_trouble kind, const struct span *s, int64_t end)
{
	struct instance i = {.at = s->since,
			     .end = end,
			     .cost = s->cost,
			     .worker = s->worker,
			     .vtid = s->vtid,
			     .n = s->most,
			     .m = s->others,
			     .post = s->post};

	diag_instance(p, kind, &i);
}

static void charge(struct diag_pool *p, enum doze_trouble kind, const struct span *s, int64_t end)
{
	diag_cost(&p->costs, kind, s->since, end, s->cost);
	note(p, kind, s, end);
}

static void on_asleep(struct diag_pool *p, const struct moment *t)
{
	if (!t->missed) {
		if (p->asleep.open)
			charge(p, DOZE_TROUBLE_asleep, &p->asleep, t->from);
		p->asleep.open = false;
		return;
	}
	if (!p->asleep.open) {
		extend(&p->asleep, t, 0, 0);
		p->asleep.post = p->queued.first;
	}
	extend(&p->asleep, t, t->missed, diag_queued(p));
}

/* Returns the number of active workers of all pools. */
static int64_t diag_all_active(const struct diagnosis *d)
{
	int64_t n = 0;

	for (const struct diag_pool *p = d->live; p; p = p->next_live)
		n += diag_active(p->v);
	return n;
}

/* Charges the time of active workers in excess of the CPUs. All pools share the CPUs, so each
 * pool's part of this cost is proportional to its number of active workers. */
static void on_crowd(const struct diagnosis *d, struct diag_pool *p, const struct moment *t)
{
	int64_t all = p->next_live || d->live != p ? diag_all_active(d) : t->active;
	int64_t over = t->active ? all - (int64_t)diag_cpus(d) : 0;
	uint32_t others = (uint32_t)(all - t->active);

	if (over > 0 && diag_cpus(d)) {
		extend(&p->crowd, t, 0, t->active);
		p->crowd.cost += worker_ns(t, over) * (double)t->active / (double)all;
		p->crowd.others = others > p->crowd.others ? others : p->crowd.others;
	} else if (p->crowd.open) {
		charge(p, DOZE_TROUBLE_crowded, &p->crowd, t->from);
		p->crowd.open = false;
	}
}

/* Charges the time of active workers whose masks contain too few CPUs, except those that would have
 * to wait on all CPUs of the machine, too. */
static void on_pinned(const struct diagnosis *d, struct diag_pool *p, const struct moment *t)
{
	uint32_t group = 0;
	int64_t over = t->active ? diag_pinned(d, p, &group) : 0;

	over -= most(t->active - (int64_t)diag_cpus(d), 0);
	if (over > 0) {
		extend(&p->pinned, t, over, t->active);
		p->pinned.others = group;
	} else if (p->pinned.open) {
		charge(p, DOZE_TROUBLE_pinned, &p->pinned, t->from);
		p->pinned.open = false;
	}
}

/* ---- moments with one active worker ---- */

/* Charges the lone work since all workers last slept. If it consists only of short parts, an
 * outside thread supplied one job at a time, so it is charged to `outside`, not to `serial`.
 * joined: a second worker has become active. */
static void end_alone(struct diag_pool *p, bool joined)
{
	bool serial =
	    joined || (double)p->alone_longest >= LONE_JOB * (double)(p->alone_to - p->start);

	if (p->alone.open && p->alone_longest < SERIAL_MIN)
		serial = false;
	if (p->alone.open && serial)
		charge(p, DOZE_TROUBLE_serial, &p->alone, p->alone_to);
	else if (p->alone.open)
		diag_cost(&p->costs, DOZE_TROUBLE_outside, p->alone.since, p->alone_to,
			  p->alone.cost);
	p->alone.open = false;
	p->alone_longest = 0;
}

static void end_lone(struct diag_pool *p, int64_t end)
{
	int64_t length = end - p->lone.since;

	if (!p->lone.open)
		return;
	p->lone.open = false;
	if (p->peak > 1 && length >= SERIAL_MIN) {
		charge(p, DOZE_TROUBLE_serial, &p->lone, end);
	} else if (p->peak > 1) {
		diag_cost(&p->costs, DOZE_TROUBLE_outside, p->lone.since, end, p->lone.cost);
	} else {
		if (!p->alone.open)
			p->alone = (struct span){.open = true,
						 .since = p->lone.since,
						 .worker = p->lone.worker,
						 .vtid = -1};
		p->alone.cost += p->lone.cost;
		p->alone_to = end;
		p->alone_longest = most(p->alone_longest, length);
	}
}

static void on_lone(struct diag_pool *p, const struct moment *t)
{
	int64_t unused = least(t->sleeping - t->missed, t->capacity - t->active - t->searching);

	if (t->active == 1 && t->workers > 1) {
		extend(&p->lone, t, most(unused, 0), 1);
		p->lone.worker = p->v->started ? (int32_t)p->active_index : -1;
		p->peak = p->peak ? p->peak : 1;
		return;
	}
	if (t->active > 1 && p->peak < 2) {
		end_lone(p, t->from);
		end_alone(p, true);
		p->peak = 2;
	}
	end_lone(p, t->from);
	if (t->active > 1)
		add(p, DOZE_TROUBLE_serial, t, unused);
	if (t->active == 0 && t->searching == 0) {
		end_alone(p, false);
		p->peak = 0;
	}
}

/* ---- moments without an active worker ---- */

static void count_outsider(struct diag_pool *p, int32_t vtid, int64_t from, int64_t to)
{
	uint32_t i = 0;

	while (i < p->outsiders && p->outsider[i] != vtid)
		i++;
	if (i == OUTSIDERS)
		i--;
	if (i == p->outsiders)
		p->outsider[p->outsiders++] = vtid;
	diag_waited(p, i, from, to);
}

void diag_gap_named(struct diag_pool *p, int32_t vtid)
{
	if (p->unnamed_to)
		count_outsider(p, vtid, p->unnamed_from, p->unnamed_to);
	p->unnamed_from = p->unnamed_to = 0;
}

static void end_gap(struct diag_pool *p, int64_t end)
{
	struct span length = p->gap;

	if (!p->gap.open)
		return;
	p->gap.open = false;
	p->unnamed_from = p->gap.since;
	p->unnamed_to = end;
	if (p->gap.vtid >= 0)
		diag_gap_named(p, p->gap.vtid);
	diag_cost(&p->costs, DOZE_TROUBLE_outside, p->gap.since, end, p->gap.cost);
	/* Shows the whole gap to the user, whether workers slept or searched in it. */
	length.cost = (double)(end - p->gap.since);
	note(p, DOZE_TROUBLE_outside, &length, end);
}

static void on_gap(struct diag_pool *p, const struct moment *t)
{
	int64_t unused = least(t->sleeping - t->missed, t->capacity - t->searching);

	if (t->active) {
		end_gap(p, t->from);
		p->rest_since = 0;
		add(p, DOZE_TROUBLE_outside, t, least(t->blocked, t->capacity - t->active));
		return;
	}
	diag_gap_named(p, -1);
	if (t->searching)
		p->rest_since = 0;
	else if (!p->rest_since)
		p->rest_since = t->from;
	extend(&p->gap, t, most(unused, 0) + least(t->blocked, t->capacity), t->sleeping);
}

/* Advances the outside clock, which measures how long workers search while none is active and no
 * job is known to wait. The pool then waits for an outside thread, whether or not the searching
 * workers have a CPU: with a CPU they would find nothing. Like sleepers, searching workers count
 * only up to the number of CPUs. */
static void on_search(struct diag_pool *p, const struct moment *t)
{
	int64_t ns = t->to - t->from, counted = ns;

	if (t->active) {
		p->gap_search = p->gap_clock = 0;
	} else if (t->searching > 0 && t->waiting <= 0) {
		if (t->searching > t->capacity)
			counted =
			    (int64_t)((double)ns * (double)t->capacity / (double)t->searching);
		p->outside_clock += counted;
		p->gap_clock += counted;
		p->gap_search += ns;
	}
}

/* Returns how long a searching worker may wait for its turn on a CPU, ns. Estimates the number of
 * other threads from the share of the jobs' time during which they had a CPU. */
static double turn(const struct diag_pool *p)
{
	double others = p->job_cpu > 0 ? p->job_wall / p->job_cpu - 1 : 1;

	others = others > 1 ? others : 1;
	return TURN_NS * (others < MOST_TURNS ? others : MOST_TURNS);
}

/* While no worker sleeps, posts are not recorded. The job may have been posted, or the latch set,
 * while all searching workers were waiting for a CPU. The outside thread is not charged for that
 * part of the gap. */
void diag_gap_found(struct diag_pool *p)
{
	double part = p->gap_search > 0 ? turn(p) / (double)p->gap_search : 1;

	p->outside_clock -= (int64_t)((double)p->gap_clock * (part < 1 ? part : 1));
	p->gap_search = p->gap_clock = 0;
}

/* ---- all costs of a moment ---- */

static int64_t spend_lost(const struct diagnosis *d, struct diag_pool *p, int64_t ts)
{
	int64_t until = least(ts, p->lost_until);
	struct moment t = {.from = p->last, .to = until, .ns = (double)(until - p->last)};

	add(p, DOZE_TROUBLE_losses, &t, least(diag_workers(p->v), diag_cpus(d)));
	add(p, COST_all, &t, diag_workers(p->v));
	add(p, COST_usable, &t, least(diag_workers(p->v), diag_cpus(d)));
	return until;
}

/* Adds the moment's total, awake, active and usable worker time. All of them usually belong to the
 * same slot, which is then looked up only once. */
static void count_workers(struct diag_pool *p, const struct moment *t)
{
	double *slot = t->workers ? diag_cost_slot(&p->costs, t->from, t->to) : 0;

	if (!slot) {
		add(p, COST_all, t, t->workers);
		add(p, COST_awake, t, t->active + t->searching);
		add(p, COST_active, t, t->active);
		add(p, COST_usable, t, t->usable);
		return;
	}
	slot[COST_all] += worker_ns(t, t->workers);
	slot[COST_awake] += worker_ns(t, t->active + t->searching);
	slot[COST_active] += worker_ns(t, t->active);
	slot[COST_usable] += worker_ns(t, t->usable);
}

static void spend_known(struct diagnosis *d, struct diag_pool *p, int64_t ts)
{
	struct moment t = moment_of(d, p, ts);

	count_workers(p, &t);
	diag_profile(p, (unsigned)least(t.active, PROFILE - 1), t.from, t.to);
	p->active_clock += t.active ? t.to - t.from : 0;
	if (t.missed_most) {
		p->missed_low += worker_ns(&t, t.missed);
		p->missed_high += worker_ns(&t, t.missed_most);
	}
	if (t.missed || p->asleep.open)
		on_asleep(p, &t);
	if (t.active || p->crowd.open)
		on_crowd(d, p, &t);
	if (p->groups)
		on_pinned(d, p, &t);
	on_lone(p, &t);
	on_gap(p, &t);
	on_search(p, &t);
}

void diag_spend(struct diagnosis *d, struct diag_pool *p, int64_t ts)
{
	if (ts <= p->last || p->ended)
		return;
	if (p->last < p->lost_until)
		p->last = spend_lost(d, p, ts);
	if (p->last < ts)
		spend_known(d, p, ts);
	p->last = ts;
}

void diag_spans_end(struct diagnosis *d, struct diag_pool *p)
{
	struct moment none = {.from = p->last, .to = p->last};

	on_asleep(p, &none);
	on_crowd(d, p, &none);
	on_pinned(d, p, &none);
	end_lone(p, p->last);
	end_alone(p, false);
	diag_gap_named(p, -1);
	p->gap.vtid = -1; /* no outside thread ended the last gap */
	end_gap(p, p->last);
	p->unnamed_to = 0; /* nor did a thread that posts to a later pool with the same number */
}
