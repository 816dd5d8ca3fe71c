/*
 * SPDX-License-Identifier: MIT
 *
 * forecast.c - simulates a setting several times, and derives the error of a prediction.
 *
 * The error has two parts: how far the simulation of the recorded setting is from the recording,
 * and how much repeated simulations of one setting differ, because victims and latencies are chosen
 * at random.
 */
#include "forecast.h"

#include <math.h>
#include <stdlib.h>

/* Number of simulations per setting; odd, so that the median is one of them. */
enum { RUNS = 5 };

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void add(struct doze_sim_run *sum, const struct doze_sim_run *r)
{
	sum->asleep += r->asleep / RUNS;
	sum->wakes += r->wakes / RUNS;
	sum->useful += r->useful / RUNS;
	sum->futile += r->futile / RUNS;
	sum->latch += r->latch / RUNS;
	sum->redundant += r->redundant / RUNS;
}

/* Simulates one setting RUNS times. *spread becomes half the range of the makespans, relative to
 * their median. */
static bool simulate(const struct doze_work *w, struct doze_sim_setting set,
		     struct doze_sim_run *mean, double *spread)
{
	double makespan[RUNS];

	*mean = (struct doze_sim_run){0};
	for (int i = 0; i < RUNS; i++) {
		struct doze_sim_run one;

		set.seed = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(i + 1);
		if (!doze_simulate(w, &set, &one))
			return false;
		makespan[i] = one.makespan;
		add(mean, &one);
	}
	qsort(makespan, RUNS, sizeof *makespan, by_value);
	mean->makespan = makespan[RUNS / 2];
	*spread = mean->makespan > 0 ? (makespan[RUNS - 1] - makespan[0]) / 2 / mean->makespan : 0;
	return mean->makespan > 0;
}

void doze_forecast_begin(struct doze_forecast *f, const struct doze_work *w, double recorded_cpus,
			 double cpus)
{
	struct doze_sim_setting set = {doze_policy_descriptor(w->policy), w->workers,
				       recorded_cpus > 0 ? recorded_cpus : w->workers, 1};

	*f = (struct doze_forecast){.work = w, .recorded_cpus = set.cpus};
	f->cpus = cpus > 0 ? cpus : set.cpus;
	f->failed = set.policy == &doze_policy_unknown || !w->workers ||
		    w->recorded.makespan <= 0 || !simulate(w, set, &f->base, &f->base_spread);
	if (f->failed)
		return;
	f->off = f->base.makespan / w->recorded.makespan - 1;
	f->chain = doze_sim_chain(w, false);
	f->chain_inside = doze_sim_chain(w, true);
	f->cpu_work = doze_sim_work(w) * w->on_cpu;
}

void doze_forecast_add(struct doze_forecast *f, const struct doze_policy_descriptor *d,
		       uint32_t workers)
{
	struct doze_sim_setting set = {d, workers, f->cpus, 1};
	struct doze_proposal *p = &f->proposal[f->proposals];
	double spread;

	if (f->failed || f->proposals == DOZE_PROPOSALS_MAX)
		return;
	f->proposals++;
	*p = (struct doze_proposal){.policy = d, .workers = workers};
	p->failed = !simulate(f->work, set, &p->run, &spread);
	if (p->failed)
		return;
	p->change = p->run.makespan / f->base.makespan - 1;
	/* The change is a ratio of two simulated makespans, so add the errors of both. Assume that
	 * the reference has an error of at least 1 %, because of clocks and medians. */
	p->error = (1 + p->change) * (fmax(fabs(f->off), 0.01) + f->base_spread + spread);
	p->run.makespan = f->work->recorded.makespan * (1 + p->change);
}

static bool is_recorded(const struct doze_forecast *f, const struct doze_policy_descriptor *d,
			uint32_t workers)
{
	return workers == f->work->workers && f->cpus == f->recorded_cpus &&
	       d == doze_policy_descriptor(f->work->policy);
}

void doze_forecast_add_all(struct doze_forecast *f)
{
	const struct doze_policy_descriptor *own = doze_policy_descriptor(f->work->policy);
	uint32_t n = f->work->workers;
	const uint32_t widths[] = {1, n / 2, n, n + 1, 2 * n, 4 * n};
	uint32_t last = 0;

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		if (widths[i] > last && widths[i] <= DOZE_SIM_WORKERS_MAX &&
		    !is_recorded(f, own, widths[i]))
			doze_forecast_add(f, own, widths[i]);
		last = widths[i] > last ? widths[i] : last;
	}
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		if (doze_policy_at(i) != own)
			doze_forecast_add(f, doze_policy_at(i), n);
}

const struct doze_proposal *doze_forecast_best(const struct doze_forecast *f)
{
	const struct doze_proposal *best = NULL;

	for (uint32_t i = 0; i < f->proposals; i++) {
		const struct doze_proposal *p = &f->proposal[i];

		if (!p->failed && (!best || p->change + p->error < best->change + best->error))
			best = p;
	}
	return best;
}
