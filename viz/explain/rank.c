/*
 * SPDX-License-Identifier: MIT
 *
 * rank.c - turns costs into causes: decides which causes are listed, and in which order (README.md,
 * "Ranking").
 */
#include <stdlib.h>
#include <string.h>

#include "diagnose_int.h"

/* A cause is listed if its cost is at least this share of the usable time. */
#define WORTH        0.04
#define WORTH_WASTE  0.03  /* for waste: minimum share of the time spent on jobs and waste, */
#define WORTH_AT_ALL 0.001 /* and minimum share of the usable time */

const char *doze_trouble_name(enum doze_trouble k)
{
#define NAME(name, about) [DOZE_TROUBLE_##name] = #name,
	static const char *const names[] = {DOZE_TROUBLES(NAME)};

	return (unsigned)k < DOZE_TROUBLE_COUNT ? names[k] : "?";
}

const char *doze_trouble_about(enum doze_trouble k)
{
#define ABOUT(name, about) [DOZE_TROUBLE_##name] = about,
	static const char *const lines[] = {DOZE_TROUBLES(ABOUT)};

	return (unsigned)k < DOZE_TROUBLE_COUNT ? lines[k] : "?";
}

const char *doze_sure_name(enum doze_confidence_level s)
{
	static const char *const names[] = {"low", "medium", "high"};

	return (unsigned)s <= DOZE_SURE_high ? names[s] : "?";
}

/* Converts a cost to whole ns. In a damaged trace, the times of several workers may add up to more
 * than fits into an int64_t. */
static int64_t whole(double ns)
{
	return ns < (double)INT64_MAX ? (int64_t)ns : INT64_MAX;
}

/* Returns the share of the awake workers' time that they spent waiting for a CPU used by other
 * workers of the traced pools. CPU time that no pool got is blamed on other programs. */
static double waited_for_others(const struct diagnosis *d, const struct diag_pool *p,
				const struct off_cpu_sums *off)
{
	double awake = diag_cost_in(&p->costs, COST_awake, INT64_MIN, INT64_MAX);
	double clock = 0, cpu = 0, capacity, had;

	for (size_t i = 0; i < d->pools; i++) {
		const struct diag_pool *q = d->pool[i];

		clock = q && (double)q->active_clock > clock ? (double)q->active_clock : clock;
		cpu += q ? q->job_cpu : 0;
	}
	capacity = (double)diag_cpus(d) * clock;
	had = capacity > 0 && cpu < capacity ? cpu / capacity : 1;

	return awake > 0 ? off->delay / awake * had : 1;
}

/* Returns a cost that consists of waits for a CPU: at most the time that workers waited for one, if
 * that is known. */
static double at_most_waited(const struct diagnosis *d, const struct diag_pool *p, double cost,
			     int64_t from, int64_t to)
{
	struct off_cpu_sums off = diag_off_sums(d, p);
	double awake = diag_cost_in(&p->costs, COST_awake, INT64_MIN, INT64_MAX), waited;

	if (off.delay <= 0 || !off.delay_is_known || awake <= 0)
		return cost;
	waited = diag_cost_in(&p->costs, COST_awake, from, to) * (off.delay / awake);
	return cost < waited ? cost : waited;
}

/* Returns the cost of crowding. If CPU times are known, limits it to the time that workers may have
 * waited for a CPU. */
static double crowded(const struct diagnosis *d, const struct diag_pool *p, int64_t from,
		      int64_t to)
{
	struct off_cpu_sums off = diag_off_sums(d, p);
	double cost = diag_cost_in(&p->costs, DOZE_TROUBLE_crowded, from, to);
	double awake = diag_cost_in(&p->costs, COST_awake, from, to);
	double waited = p->cpu_wall > 0 ? awake * (1 - p->cpu_ns / p->cpu_wall) : cost;

	cost = cost < waited ? cost : waited;
	if (off.delay <= 0 || !off.delay_is_known)
		return cost;
	waited = awake * waited_for_others(d, p, &off);
	return cost < waited ? cost : waited;
}

/* Returns the cost of jobs off the CPU. If the trace does not show how long workers waited for a
 * CPU, assumes that all workers in excess of the number of CPUs were waiting. */
static double off_cpu(const struct diagnosis *d, const struct diag_pool *p, int64_t from,
		      int64_t to)
{
	struct off_cpu_sums off = diag_off_sums(d, p);
	double cost = diag_cost_in(&p->costs, DOZE_TROUBLE_offcpu, from, to);

	if (off.delay_is_known)
		return off.off > 0 ? cost * off.waited / off.off : 0;
	return cost - crowded(d, p, from, to);
}

/* Returns the cost of lone work (only one active worker), including the time that other workers
 * searched without a CPU at the same time, but excluding their time in run queues, because with a
 * CPU they might have found a job. While the lone job waits for something other than a CPU,
 * splitting it would not help: that time is charged to `offcpu` only. Limited to what the active
 * workers left of the usable time, because many searching workers share few CPUs. */
static double serial(const struct diagnosis *d, const struct diag_pool *p, int64_t from, int64_t to)
{
	struct off_cpu_sums off = diag_off_sums(d, p);
	double waited = off.off > 0 && off.delay_is_known ? off.waited / off.off : 0;

	double cost = diag_cost_without(&p->costs, DOZE_TROUBLE_serial, DOZE_TROUBLE_offcpu,
					COST_active, waited, from, to) +
		      diag_off_yielded(d, p) * diag_cost_without(&p->costs, COST_yielded_serial,
								 DOZE_TROUBLE_offcpu, COST_active,
								 waited, from, to);
	double left = diag_cost_in(&p->costs, COST_usable, from, to) -
		      diag_cost_in(&p->costs, COST_active, from, to);

	left = left > 0 ? left : 0;
	return cost < left ? cost : left;
}

/* Returns the cost of waiting for outside threads, including the time that workers searched without
 * a CPU. */
static double outside(const struct diag_pool *p, int64_t from, int64_t to)
{
	return diag_cost_in(&p->costs, DOZE_TROUBLE_outside, from, to) +
	       diag_cost_in(&p->costs, COST_yielded_outside, from, to);
}

static double cost_of(const struct diagnosis *d, const struct diag_pool *p, enum doze_trouble k,
		      int64_t from, int64_t to)
{
	switch (k) {
	case DOZE_TROUBLE_crowded:
		return crowded(d, p, from, to);
	case DOZE_TROUBLE_offcpu:
		return off_cpu(d, p, from, to);
	case DOZE_TROUBLE_serial:
		return serial(d, p, from, to);
	case DOZE_TROUBLE_outside:
		return outside(p, from, to);
	case DOZE_TROUBLE_pinned:
	case DOZE_TROUBLE_throttled:
		return at_most_waited(d, p, diag_cost_in(&p->costs, k, from, to), from, to);
	default:
		return diag_cost_in(&p->costs, k, from, to);
	}
}

/* Returns whether a pool's time is part of the diagnosis. Of crews, in a trace that has both, the
 * work is not known. */
static bool is_charged(const struct diag_pool *p)
{
	return p && p->begun && !doze_pool_is_crew(p->v);
}

/* Adds up the costs of one kind over all pools, and stores the row of the pool with the largest
 * cost. */
static void add_up(const struct diagnosis *d, struct doze_diagnosis *out, enum doze_trouble k,
		   struct doze_cause_entry *e)
{
	double most = -1, sum = 0;

	for (size_t i = 0; i < d->pools; i++) {
		const struct diag_pool *p = d->pool[i];
		double cost = is_charged(p) ? cost_of(d, p, k, out->from, out->to) : -1;

		if (cost > most) {
			most = cost;
			e->pool_row = (uint32_t)i;
		}
		sum += cost > 0 ? cost : 0;
	}
	e->cost = out->cost[k] = whole(sum);
}

static double column(const struct diagnosis *d, unsigned k, int64_t from, int64_t to)
{
	double sum = 0;

	for (size_t i = 0; i < d->pools; i++)
		if (is_charged(d->pool[i]))
			sum += diag_cost_in(&d->pool[i]->costs, k, from, to);
	return sum;
}

/* Returns whether the kind is waste: futile wakes or searches. Waste is compared with the time that
 * workers spent, excluding their sleep. */
static bool is_waste(enum doze_trouble k)
{
	return k == DOZE_TROUBLE_storm || k == DOZE_TROUBLE_chain || k == DOZE_TROUBLE_small ||
	       k == DOZE_TROUBLE_burn;
}

/* Returns the share of the jobs' time during which they had a CPU. Returns 1 if that share is
 * unknown, or if the CPU times of searches are unknown (spin), because then the whole duration of
 * the searches is counted. */
static double jobs_on_cpu(const struct diagnosis *d)
{
	double wall = 0, cpu = 0;

	for (size_t i = 0; i < d->pools; i++) {
		const struct diag_pool *p = d->pool[i];
		bool known = p && p->cpu_wall > 0;

		wall += known ? p->job_wall : 0;
		cpu += known ? p->job_cpu : 0;
	}
	return wall > 0 ? cpu / wall : 1;
}

/* Returns the time that workers spent on jobs and on searches listed as waste. Searches are counted
 * by their CPU time, so jobs are too. */
static double spent(const struct diagnosis *d, const struct doze_diagnosis *out)
{
	double ns = (double)out->active * jobs_on_cpu(d);

	for (int k = 0; k < DOZE_TROUBLE_COUNT; k++)
		ns += is_waste((enum doze_trouble)k) ? (double)out->cost[k] : 0;
	return ns;
}

static bool is_worth(const struct diagnosis *d, const struct doze_diagnosis *out,
		     const struct doze_cause_entry *e)
{
	if (e->kind == DOZE_TROUBLE_hang || e->kind == DOZE_TROUBLE_standstill)
		return e->cost > 0;
	if (is_waste(e->kind))
		return e->share >= WORTH_AT_ALL && (double)e->cost >= WORTH_WASTE * spent(d, out);
	return e->share >= WORTH;
}

/* Returns whether masks or a quota took a share of the CPUs that is worth listing. */
static bool is_limited(const struct doze_diagnosis *out)
{
	int64_t cost = out->cost[DOZE_TROUBLE_pinned] + out->cost[DOZE_TROUBLE_throttled];

	return (double)cost >= WORTH * (double)out->usable_ns;
}

/* Returns the rank of a cause. Causes within the pool come before a lack of work or CPUs. `serial`
 * counts as a lack of work if the pool waits even longer for an outside thread. */
static int rank_of(const struct diagnosis *d, const struct doze_diagnosis *out,
		   const struct doze_cause_entry *e)
{
	enum doze_trouble k = e->kind;

	switch (k) {
	case DOZE_TROUBLE_hang:
	case DOZE_TROUBLE_standstill:
		return 0;
	case DOZE_TROUBLE_breach:
		return 1;
	case DOZE_TROUBLE_outside:
		return 3;
	case DOZE_TROUBLE_crowded: /* a mask or a quota also crowds the CPUs that are left */
		return is_limited(out) ? 3 : 2;
	case DOZE_TROUBLE_serial:
		return out->cost[k] < out->cost[DOZE_TROUBLE_outside] ? 3 : 2;
	case DOZE_TROUBLE_offcpu: /* if the run delay is unknown, other programs may be the cause */
		return diag_off_sums(d, d->pool[e->pool_row]).delay_is_known ? 2 : 3;
	default:
		return 2;
	}
}

static int compare(const void *pa, const void *pb)
{
	const struct doze_cause_entry *a = pa, *b = pb;
	int by_rank = a->rank - b->rank;

	if (by_rank)
		return by_rank;
	return (a->cost < b->cost) - (a->cost > b->cost);
}

static bool is_breach(const struct diagnosis *d, const struct doze_diagnosis *out)
{
	const struct doze_finding *f = &d->finding.first;
	const struct doze_totals *t = doze_model_totals(d->model);

	return d->finding.any && f->ts >= out->from && f->about <= out->to &&
	       (f->certain || (!t->missing && !t->discarded));
}

static bool is_lost(const struct doze_diagnosis *out)
{
	return out->cost[DOZE_TROUBLE_losses] > 0;
}

static bool belongs(const struct diagnosis *d, const struct doze_diagnosis *out,
		    const struct doze_cause_entry *e)
{
	if (e->kind == DOZE_TROUBLE_breach)
		return is_breach(d, out);
	if (e->kind == DOZE_TROUBLE_losses)
		return is_lost(out);
	return is_worth(d, out, e);
}

/* ---- the diagnosed part and its totals ---- */

static void clip(const struct diagnosis *d, struct doze_diagnosis *out)
{
	const struct doze_totals *t = doze_model_totals(d->model);
	int64_t last = t->last_ts;

	out->from = out->from > t->first_ts ? out->from : t->first_ts;
	for (size_t i = 0; i < d->pools; i++)
		if (d->pool[i] && d->pool[i]->last > last)
			last = d->pool[i]->last;
	out->to = out->to < last ? out->to : last;
}

static void totals(const struct diagnosis *d, struct doze_diagnosis *out)
{
	const struct doze_totals *t = doze_model_totals(d->model);

	out->worker_ns = whole(column(d, COST_all, out->from, out->to));
	out->usable_ns = whole(column(d, COST_usable, out->from, out->to));
	out->awake = whole(column(d, COST_awake, out->from, out->to));
	out->active = whole(column(d, COST_active, out->from, out->to));
	out->conclusive = !t->discarded && !t->missing && !t->truncated && !t->evicted;
	for (size_t i = 0; i < doze_model_pools(d->model); i++)
		out->conclusive &= strcmp(doze_model_pool(d->model, i)->policy, "?") != 0;
}

void diag_rank(const struct diagnosis *d, struct doze_diagnosis *out)
{
	clip(d, out);
	totals(d, out);
	out->foreign = doze_model_is_foreign(d->model);
	for (int k = 0; k < DOZE_TROUBLE_COUNT && d->pools && !out->foreign; k++) {
		struct doze_cause_entry *e = &out->cause[out->count];

		*e = (struct doze_cause_entry){.kind = (enum doze_trouble)k};
		add_up(d, out, e->kind, e);
		e->share = out->usable_ns ? (double)e->cost / (double)out->usable_ns : 0;
		e->share = e->share < 1 ? e->share : 1;
		out->count += belongs(d, out, e);
	}
	for (size_t i = 0; i < out->count; i++)
		out->cause[i].rank = rank_of(d, out, &out->cause[i]);
	qsort(out->cause, out->count, sizeof *out->cause, compare);
}

bool doze_lost_parallelism(const struct doze_model *m, struct doze_lost_parallelism *out)
{
	const struct diagnosis *d = diagnosis_of(m);
	double low = 0, high = 0;

	*out = (struct doze_lost_parallelism){0};
	for (size_t i = 0; d && i < d->pools; i++) {
		const struct diag_pool *p = d->pool[i];

		if (!p)
			continue;
		low += p->missed_low;
		high += p->missed_high;
		out->times += diag_part(p, p->start, p->last).times[DOZE_TROUBLE_asleep];
		out->unknown += p->queued.unknown;
		doze_hist_merge(&out->delay, &p->queued.delay);
	}
	out->low = whole(low);
	out->high = whole(high);
	out->jobs = out->delay.n;
	return d != NULL;
}

double doze_diagnosis_job_delay(const struct doze_model *m, double percentile, uint64_t *n)
{
	const struct diagnosis *d = diagnosis_of(m);
	struct doze_hist all = {0};

	for (size_t i = 0; d && i < d->pools; i++)
		if (d->pool[i])
			doze_hist_merge(&all, &d->pool[i]->queued.delay);
	*n = all.n;
	return (double)doze_hist_percentile(&all, percentile) / 1e9;
}
