/*
 * SPDX-License-Identifier: MIT
 *
 * off_cpu.c - computes how long jobs were without a CPU, and for how much of that time they waited
 * for something other than a CPU, such as a lock, a file or a timer.
 *
 * A worker reports the CPU time of its thread when it starts, falls asleep, wakes and stops, and
 * the snapshots report it in between. Between two reports, the jobs were without a CPU for at least
 * the active time minus the CPU time ("at least" because searches used some of the CPU time). For
 * part of that time the worker waited for a CPU, which the kernel measures over the life of each
 * thread (run_delay_ns). For at least the rest, its jobs waited for something else.
 */
#include <stdio.h>

#include "diagnose_int.h"

/*
 * ---- Limits that the machine sets to the workers' CPU time ----
 *
 * Affinity masks make several workers share a CPU while others are free, and a CPU quota stops the
 * whole control group (both recorded since schema 1.4).
 *
 * Workers with the same mask form a group. If more workers of a group, and of groups whose masks
 * lie within its mask, are active than the mask has CPUs, the rest must wait, whatever else the
 * machine could run.
 */

static bool is_active(enum doze_state s)
{
	return s == DOZE_STATE_active || s == DOZE_STATE_suspended;
}

/* Returns the group of this mask, which it adds if necessary; null if there are too many. */
static struct cpu_group *group_of(struct diag_pool *p, const struct doze_cpu_set *cpus)
{
	for (uint32_t i = 0; i < p->groups; i++)
		if (p->group[i].cpus.mask == cpus->mask && p->group[i].cpus.count == cpus->count)
			return &p->group[i];
	if (p->groups == CPU_GROUPS)
		return 0;
	p->group[p->groups] = (struct cpu_group){.cpus = *cpus};
	return &p->group[p->groups++];
}

/* Moves a worker to the group of its mask. */
static void join_group(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		       const struct doze_cpu_set *cpus)
{
	struct diag_worker *notes = diag_notes_at(d, w->key.row);
	struct cpu_group *from, *to = cpus->count ? group_of(p, cpus) : 0;

	if (!notes || !to)
		return;
	from = notes->group ? &p->group[notes->group - 1] : 0;
	if (from) {
		from->workers--;
		from->active -= notes->counted;
	}
	to->workers++;
	notes->group = (uint32_t)(to - p->group) + 1;
	notes->counted = is_active(w->state);
	to->active += notes->counted;
}

void diag_allowed_state(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
			enum doze_state to)
{
	struct diag_worker *notes = diag_notes_at(d, w->key.row);

	if (!notes || !notes->group || notes->counted == is_active(to))
		return;
	notes->counted = is_active(to);
	p->group[notes->group - 1].active += notes->counted ? 1 : -1;
}

/* Adds the time for which the quota stopped CPUs since the last report. Each stopped CPU stops all
 * workers that want it, so this assumes that the awake workers were spread evenly over the CPUs. */
static void on_throttled(struct diagnosis *d, struct diag_pool *p, uint64_t total, int64_t ts)
{
	uint64_t stopped = p->quota.known && total > p->quota.total ? total - p->quota.total : 0;
	double awake, cpus = (double)diag_pool_cpus(d, p), ns = (double)stopped;

	if (stopped) {
		awake = diag_cost_in(&p->costs, COST_awake, p->quota.since, ts);
		if (ts > p->quota.since && awake > cpus * (double)(ts - p->quota.since))
			ns *= awake / (cpus * (double)(ts - p->quota.since));
		ns = ns < awake ? ns : awake;
		diag_cost_like(&p->costs, DOZE_TROUBLE_throttled, COST_awake, p->quota.since, ts,
			       ns);
		diag_instance(
		    p, DOZE_TROUBLE_throttled,
		    &(struct instance){
			.at = p->quota.since, .end = ts, .cost = ns, .worker = -1, .vtid = -1});
	}
	p->quota.known = true;
	p->quota.since = ts;
	p->quota.total = total;
}

static void on_limits(struct diagnosis *d, struct diag_pool *p,
		      const struct doze_cpu_limits *limits, int64_t ts)
{
	if (!limits->cpus_online)
		return;
	d->cpus_online = limits->cpus_online;
	p->quota.milli = limits->quota_milli;
	on_throttled(d, p, limits->throttled_ns, ts);
}

void diag_allowed_event(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
			const struct doze_event *e)
{
	switch (e->kind) {
	case DOZE_EV_pool_start:
		p->quota.known = false; /* a new pool may have the number of an ended one */
		on_limits(d, p, &e->u.pool_start.limits, e->ts);
		break;
	case DOZE_EV_pool_stop:
		if (p->quota.known)
			on_throttled(d, p, e->u.pool_stop.limits.throttled_ns, e->ts);
		break;
	case DOZE_EV_snapshot:
		on_limits(d, p, &e->u.snapshot.limits, e->ts);
		if (w)
			join_group(d, p, w, &e->u.snapshot.cpus);
		break;
	case DOZE_EV_worker_start:
		if (w)
			join_group(d, p, w, &e->u.worker_start.cpus);
		break;
	case DOZE_EV_worker_stop:
		if (w)
			join_group(d, p, w, &e->u.worker_stop.cpus);
		break;
	default:
		break;
	}
}

static bool lies_within(const struct doze_cpu_set *inner, const struct doze_cpu_set *outer)
{
	return inner->count <= outer->count && !(inner->mask & ~outer->mask);
}

int64_t diag_pinned(const struct diagnosis *d, const struct diag_pool *p, uint32_t *group)
{
	int64_t most = 0;

	for (uint32_t i = 0; i < p->groups; i++) {
		const struct doze_cpu_set *cpus = &p->group[i].cpus;
		int64_t over = -(int64_t)cpus->count;

		if (cpus->count >= d->cpus_online)
			continue;
		for (uint32_t k = 0; k < p->groups; k++)
			over += lies_within(&p->group[k].cpus, cpus) ? p->group[k].active : 0;
		if (over > most) {
			most = over;
			*group = i;
		}
	}
	return most;
}

int64_t diag_pool_cpus(const struct diagnosis *d, const struct diag_pool *p)
{
	struct doze_cpu_set all = {0, 0};
	uint32_t known = 0, largest = 0;

	for (uint32_t i = 0; i < p->groups; i++) {
		const struct cpu_group *g = &p->group[i];

		known += g->workers;
		all.mask |= g->workers ? g->cpus.mask : 0;
		largest = g->workers && g->cpus.count > largest ? g->cpus.count : largest;
	}
	all.count = (uint32_t)__builtin_popcountll(all.mask);
	all.count = all.count > largest ? all.count : largest;
	if (!known || known < p->v->known_workers || all.count > diag_cpus(d))
		return diag_cpus(d);
	return all.count;
}

const char *diag_cpu_list(const struct doze_cpu_set *cpus, char *text, size_t size)
{
	size_t at = 0;

	text[0] = 0;
	for (int cpu = 0; cpu < 64 && at + 8 < size; cpu++) {
		int first = cpu;

		if (!(cpus->mask >> cpu & 1))
			continue;
		while (cpu < 63 && (cpus->mask >> (cpu + 1) & 1))
			cpu++;
		at += (size_t)snprintf(text + at, size - at, first < cpu ? "%s%d-%d" : "%s%d",
				       at ? "," : "", first, cpu);
	}
	return text;
}

/* ---- Jobs without a CPU ---- */

#define MOSTLY 0.9

static void note(struct diag_pool *p, const struct doze_worker_view *w, int64_t from, int64_t to,
		 double off)
{
	diag_instance(p, DOZE_TROUBLE_offcpu,
		      &(struct instance){
			  .at = from, .end = to, .cost = off, .worker = w->key.index, .vtid = -1});
}

/* Called when a nap, which the snapshots divide into several reports, has ended. */
static void end_nap(struct diag_pool *p, const struct doze_worker_view *w, struct off_cpu *o,
		    int64_t ts)
{
	if (o->nap_since)
		note(p, w, o->nap_since, ts, o->nap);
	o->nap_since = 0;
	o->nap = 0;
}

/* Charges the time without a CPU since the last report, and extends the nap or ends it. */
static void charge(struct diag_pool *p, const struct doze_worker_view *w, struct off_cpu *o,
		   int64_t ts, double off)
{
	double active = (double)o->active;
	bool naps = off >= MOSTLY * active && active >= MOSTLY * (double)(ts - o->since);

	diag_cost_like(&p->costs, DOZE_TROUBLE_offcpu, COST_active, o->since, ts, off);
	o->off += off;
	if (naps || o->nap_since) { /* a nap ends within the report that follows it */
		o->nap_since = o->nap_since ? o->nap_since : o->since;
		o->nap += off;
	} else {
		note(p, w, o->since, ts, off);
	}
	if (!naps)
		end_nap(p, w, o, ts);
}

/* Called when the thread reports its CPU time. */
static void report(struct diag_pool *p, const struct doze_worker_view *w, struct off_cpu *o,
		   int64_t ts, uint64_t cpu)
{
	double used = cpu > o->cpu ? (double)(cpu - o->cpu) : 0, active = (double)o->active;

	if (o->known && cpu >= o->cpu && active > 0) {
		p->job_wall += active;
		p->job_cpu += used < active ? used : active;
		if (used < active)
			charge(p, w, o, ts, active - used);
	} else {
		end_nap(p, w, o, o->since);
	}
	o->known = true;
	o->since = ts;
	o->cpu = cpu;
	o->active = 0;
}

/* Adds the time since the last event to the active time, if the worker was active. */
static void spend(const struct doze_worker_view *w, struct off_cpu *o, int64_t ts)
{
	bool active = w->known && !w->unknown && w->state == DOZE_STATE_active;

	if (o->segment && ts > o->segment && active)
		o->active += ts - o->segment;
	o->segment = ts;
}

void diag_off_state(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		    enum doze_reason why, int64_t ts, uint64_t cpu)
{
	struct off_cpu *o = diag_off_at(d, w->key.row);

	if (!o)
		return;
	if (why == DOZE_REASON_start)
		*o = (struct off_cpu){0};
	spend(w, o, ts);
	if (d->event && d->event->kind == DOZE_EV_worker_state)
		o->jobs_run = d->event->u.state.jobs_run;
	if (why == DOZE_REASON_takes_over) {
		o->known = false;
		o->passed = true;
	}
	if (cpu || why == DOZE_REASON_start) { /* before schema 1.3, the first report was 0 */
		report(p, w, o, ts, cpu);
		end_nap(p, w, o, ts);
	}
}

void diag_off_end(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w)
{
	struct off_cpu *o = diag_off_at(d, w->key.row);

	if (o)
		end_nap(p, w, o, o->since);
}

/* Called at each snapshot. A nap belongs to one job, so the nap of an earlier job ends where the
 * interval before this snapshot began; if one job has begun since, the interval is that job's. Of
 * several jobs it cannot be told which one was off the CPU, so their nap does not go on. */
static void take_snapshot(struct diag_pool *p, const struct doze_worker_view *w, struct off_cpu *o,
			  const struct doze_event *e)
{
	uint64_t begun = e->u.snapshot.jobs_run - o->jobs_run;

	spend(w, o, e->ts);
	if (begun)
		end_nap(p, w, o, o->since);
	report(p, w, o, e->ts, e->u.snapshot.cpu_ns);
	if (begun > 1)
		end_nap(p, w, o, e->ts);
	o->jobs_run = e->u.snapshot.jobs_run;
	o->delay = e->u.snapshot.run_delay_ns;
}

void diag_off_event(struct diagnosis *d, struct diag_pool *p, const struct doze_worker_view *w,
		    const struct doze_event *e)
{
	struct off_cpu *o = diag_off_at(d, w->key.row);

	if (!o)
		return;
	if (e->kind == DOZE_EV_woken && e->u.woken.cpu_ns) {
		o->active = 0;
		report(p, w, o, e->ts, e->u.woken.cpu_ns);
	} else if (e->kind == DOZE_EV_snapshot && e->u.snapshot.cpu_ns && o->segment) {
		take_snapshot(p, w, o, e);
	} else if (e->kind == DOZE_EV_worker_stop) {
		o->delay = e->u.worker_stop.run_delay_ns;
	}
}

/* Discards the workers' known states and CPU times, because any state change may be among the lost
 * events. */
void diag_off_lost(struct diagnosis *d)
{
	for (size_t i = 0; i < d->workers; i++) {
		d->worker[i].off.known = false;
		d->worker[i].off.segment = 0;
		d->worker[i].off.nap_since = 0;
	}
}

static const struct off_cpu *off_of(const struct diagnosis *d, const struct diag_pool *p,
				    int32_t index)
{
	const struct doze_worker_view *w = doze_pool_worker(p->v, index);

	return w && w->key.row < d->workers ? &d->worker[w->key.row].off : 0;
}

struct off_cpu_sums diag_off_sums(const struct diagnosis *d, const struct diag_pool *p)
{
	struct off_cpu_sums sums = {.active = p->job_wall, .cpu = p->job_cpu};
	double known = 0;

	for (int32_t i = 0; i < (int32_t)p->v->index_end; i++) {
		const struct off_cpu *o = off_of(d, p, i);
		double delay = o ? (double)o->delay : 0;

		if (!o)
			continue;
		sums.off += o->off;
		sums.delay += delay;
		sums.waited += o->off > delay ? o->off - delay : 0;
		known += delay > 0 && !o->passed ? o->off : 0;
	}
	sums.delay_is_known = known >= MOSTLY * sums.off;
	return sums;
}

double diag_off_yielded(const struct diagnosis *d, const struct diag_pool *p)
{
	double all = 0, rest = 0;

	for (int32_t i = 0; i < (int32_t)p->v->index_end; i++) {
		const struct off_cpu *o = off_of(d, p, i);
		double delay = o ? (double)o->delay : 0;

		if (!o)
			continue;
		all += o->yielded;
		rest += o->yielded > delay ? o->yielded - delay : 0;
	}
	return all > 0 ? rest / all : 1;
}
