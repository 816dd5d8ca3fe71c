/*
 * SPDX-License-Identifier: MIT
 *
 * allowed.c - accounts for limits that the machine sets to the workers' CPU time: affinity masks
 * that make several workers share a CPU while others are free, and a CPU quota that stops the whole
 * control group (both recorded since schema 1.4).
 *
 * Workers with the same mask form a group. If more workers of a group, and of groups whose masks
 * lie within its mask, are active than the mask has CPUs, the rest must wait, whatever else the
 * machine could run.
 */
#include <stdio.h>

#include "diagnose_int.h"

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
