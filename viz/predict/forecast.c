/*
 * SPDX-License-Identifier: MIT
 *
 * forecast.c - a forecast: simulates each setting several times, derives the error of a prediction,
 * and writes the answer as text and JSON.
 *
 * The error has two parts: how far the simulation of the recorded setting is from the recording,
 * and how much repeated simulations of one setting differ, because victims and latencies are chosen
 * at random.
 */
#include "whatif.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../trace/masked_thread.h"
#include "../words/quote.h"
#include "../words/units.h"
#include "../words/wrap.h"

/* Number of simulations per setting; odd, so that the median is one of them. */
enum { RUNS = 5 };

/* ---- The simulations, on several threads ---- */

/* Each thread needs a few bytes per job, so more threads than this would need too much memory. */
enum { THREADS_MAX = 4 };

/* A setting, and its simulated runs with different seeds. */
struct setting {
	struct doze_sim_setting set;
	struct doze_sim_run run[RUNS];
	bool failed;
};

/* The reference, setting[0], and the proposals. */
struct settings {
	const struct doze_work *work;
	struct setting setting[1 + DOZE_PROPOSALS_MAX];
	uint32_t n;           /* number of settings */
	pthread_mutex_t lock; /* protects `begun` and setting[].failed */
	uint32_t begun;       /* number of runs that a thread has taken */
};

/* Simulates one run after the other until all have been taken. A run depends only on its setting
 * and seed, so the results don't depend on the thread. */
static void *simulate_runs(void *arg)
{
	struct settings *all = arg;

	pthread_mutex_lock(&all->lock);
	while (all->begun < all->n * RUNS) {
		uint32_t i = all->begun++;
		struct setting *s = &all->setting[i / RUNS];
		struct doze_sim_setting set = s->set;
		bool ok;

		if (s->failed)
			continue;
		pthread_mutex_unlock(&all->lock);
		set.seed = UINT64_C(0x9e3779b97f4a7c15) * (i % RUNS + 1);
		ok = doze_simulate(all->work, &set, &s->run[i % RUNS]);
		pthread_mutex_lock(&all->lock);
		s->failed |= !ok;
	}
	pthread_mutex_unlock(&all->lock);
	return NULL;
}

/* Returns how many CPUs this process may use, at most THREADS_MAX. */
static int usable_cpus(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

	return n < THREADS_MAX ? n : THREADS_MAX;
}

static void simulate(struct settings *all)
{
	pthread_t helper[THREADS_MAX];
	int helpers = 0, cpus = usable_cpus();

	while (helpers + 1 < cpus && doze_masked_thread(&helper[helpers], simulate_runs, all) == 0)
		helpers++;
	(void)simulate_runs(all);
	while (helpers)
		pthread_join(helper[--helpers], NULL);
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

/* Computes the means of a setting's runs, and the median of their makespans. *spread becomes half
 * the range of the makespans, relative to their median. Returns false if the setting was not
 * simulated. */
static bool summarize(const struct setting *s, struct doze_sim_run *mean, double *spread)
{
	double makespan[RUNS];

	*mean = (struct doze_sim_run){0};
	if (s->failed)
		return false;
	for (int i = 0; i < RUNS; i++) {
		makespan[i] = s->run[i].makespan;
		add(mean, &s->run[i]);
	}
	qsort(makespan, RUNS, sizeof *makespan, sim_by_value);
	mean->makespan = makespan[RUNS / 2];
	*spread = mean->makespan > 0 ? (makespan[RUNS - 1] - makespan[0]) / 2 / mean->makespan : 0;
	return mean->makespan > 0;
}

/* ---- The forecast ---- */

void doze_forecast_begin(struct doze_forecast *f, const struct doze_work *w, double recorded_cpus,
			 double cpus)
{
	*f = (struct doze_forecast){.work = w};
	f->recorded_cpus = recorded_cpus > 0 ? recorded_cpus : w->workers;
	f->cpus = cpus > 0 ? cpus : f->recorded_cpus;
}

void doze_forecast_add(struct doze_forecast *f, const struct doze_policy_descriptor *d,
		       uint32_t workers)
{
	if (f->proposals < DOZE_PROPOSALS_MAX)
		f->proposal[f->proposals++] =
		    (struct doze_proposal){.policy = d, .workers = workers};
}

static void finish_reference(struct doze_forecast *f, const struct setting *s)
{
	const struct doze_work *w = f->work;

	f->failed = !summarize(s, &f->base, &f->base_spread);
	if (f->failed)
		return;
	f->off = f->base.makespan / w->recorded.makespan - 1;
	f->chain = doze_sim_chain(w, false);
	f->chain_inside = doze_sim_chain(w, true);
	f->cpu_work = doze_sim_work(w) * w->on_cpu;
}

static void finish_proposal(const struct doze_forecast *f, struct doze_proposal *p,
			    const struct setting *s)
{
	double spread;

	p->failed = !summarize(s, &p->run, &spread);
	if (p->failed)
		return;
	p->change = p->run.makespan / f->base.makespan - 1;
	/* The change is a ratio of two simulated makespans, so add the errors of both. Assume that
	 * the reference has an error of at least 1 %, because of clocks and medians. */
	p->error = (1 + p->change) * (fmax(fabs(f->off), 0.01) + f->base_spread + spread);
	p->run.makespan = f->work->recorded.makespan * (1 + p->change);
}

void doze_forecast_run(struct doze_forecast *f)
{
	const struct doze_work *w = f->work;
	struct settings all = {.work = w, .n = 1 + f->proposals, .lock = PTHREAD_MUTEX_INITIALIZER};
	const struct doze_policy_descriptor *own = doze_policy_descriptor(w->policy);

	all.setting[0].set = (struct doze_sim_setting){own, w->workers, f->recorded_cpus, 1};
	for (uint32_t i = 0; i < f->proposals; i++)
		all.setting[1 + i].set = (struct doze_sim_setting){
		    f->proposal[i].policy, f->proposal[i].workers, f->cpus, 1};
	f->failed = own == &doze_policy_unknown || !w->workers || w->recorded.makespan <= 0;
	if (!f->failed) {
		simulate(&all);
		finish_reference(f, &all.setting[0]);
	}
	/* A change is relative to the reference, so there is none without it. */
	if (f->failed)
		f->proposals = 0;
	for (uint32_t i = 0; i < f->proposals; i++)
		finish_proposal(f, &f->proposal[i], &all.setting[1 + i]);
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

/* ---- The answer in words ---- */

/* The limits of the simulation; ends with null. */
static const char *const limits[] = {
    "Durations are as recorded at level all, so they include the time taken by the recording "
    "itself, and delays caused by cache misses and by locks that other workers held. The "
    "simulation does not model locks between jobs.",
    "The jobs are as recorded, although a loop that is split by the number of workers would create "
    "different jobs.",
    "Each job waits for the same events as in the recording. A wait that ended immediately was not "
    "recorded, unless a latch was set for it.",
    "A thread outside the pool is assumed to wait for its jobs if its posts follow the ends of "
    "those jobs more closely than they follow each other.",
    "Searching workers are assumed to take little CPU time from others. The effect of other "
    "programs on the machine is part of the recorded durations.",
    0};

/* Writes what a proposal changes: "8 workers", "rfc", "rfc with 8 workers". */
static const char *proposal_name(const struct doze_forecast *f, const struct doze_proposal *p,
				 char *out, size_t size)
{
	bool policy = strcmp(p->policy->name, f->work->policy) != 0;
	bool workers = p->workers != f->work->workers;
	size_t used = 0;

	*out = '\0';
	if (policy)
		used = (size_t)snprintf(out, size, "%s", p->policy->name);
	if (workers || (!policy && f->cpus == f->recorded_cpus))
		used += (size_t)snprintf(out + used, size - used, "%s%s", policy ? " with " : "",
					 doze_plural(p->workers, "worker"));
	if (f->cpus != f->recorded_cpus && used < size)
		snprintf(out + used, size - used, "%s%s", used ? " on " : "",
			 doze_plural((uint64_t)f->cpus, "CPU"));
	return out;
}

/* Writes why no setting can be much faster, or "" if nothing prevents it. */
static void reason(const struct doze_forecast *f, char *out, size_t size)
{
	double run = f->work->recorded.makespan;
	bool outside = f->chain - f->chain_inside > f->chain / 2;

	*out = '\0';
	if (f->chain > 0.8 * run)
		snprintf(out, size, ": the longest chain is %.0f %% of the run%s",
			 fmin(100, 100 * f->chain / run),
			 outside ? ", which mostly depends on the pace of outside threads" : "");
	else if (f->work->on_cpu == 1 && f->cpu_work / f->cpus > 0.8 * run)
		snprintf(out, size, ": the jobs keep %s busy for %.0f %% of the run",
			 doze_plural((uint64_t)f->cpus, "CPU"),
			 fmin(100, 100 * f->cpu_work / f->cpus / run));
}

static void change(const struct doze_forecast *f, const struct doze_proposal *p, char *out,
		   size_t size)
{
	snprintf(out, size, "%s instead of %s (%+.0f %%, give or take %.0f)",
		 doze_duration((int64_t)p->run.makespan),
		 doze_duration((int64_t)f->work->recorded.makespan), 100 * p->change,
		 ceil(100 * p->error));
}

static void one(const struct doze_forecast *f, const struct doze_proposal *p, char *out,
		size_t size)
{
	char name[64], by[128], why[160];

	proposal_name(f, p, name, sizeof name);
	change(f, p, by, sizeof by);
	reason(f, why, sizeof why);
	if (p->failed)
		snprintf(out, size, "The recorded work cannot be replayed with %s.", name);
	else if (p->change < -p->error)
		snprintf(out, size, "With %s the run would be shorter: %s.", name, by);
	else if (p->change > p->error)
		snprintf(out, size, "With %s the run would be longer: %s%s.", name, by, why);
	else
		snprintf(out, size, "%s would not help%s (%+.0f %%, give or take %.0f).", name, why,
			 100 * p->change, ceil(100 * p->error));
	if (*out >= 'a' && *out <= 'z' &&
	    strncmp(out, p->policy->name, strlen(p->policy->name)) != 0)
		*out = (char)(*out - 'a' + 'A');
}

/* Writes the answer as one sentence. */
static void write_answer(const struct doze_forecast *f, char *out, size_t size)
{
	const struct doze_proposal *best = doze_forecast_best(f);
	char why[160];

	reason(f, why, sizeof why);
	if (f->failed)
		snprintf(out, size, "No prediction: the recorded work cannot be replayed.");
	else if (fabs(f->off) > DOZE_FORECAST_OFF_MAX)
		snprintf(
		    out, size,
		    "No prediction: the simulation of the recording itself takes %s instead of "
		    "%s (%+.0f %%).",
		    doze_duration((int64_t)f->base.makespan),
		    doze_duration((int64_t)f->work->recorded.makespan), 100 * f->off);
	else if (f->proposals == 1)
		one(f, &f->proposal[0], out, size);
	else if (best && best->change < -best->error)
		one(f, best, out, size);
	else
		snprintf(out, size, "No other policy or number of workers would help%s.", why);
}

/* ---- Text ---- */

static void reproduced(FILE *out, const char *name, const char *was, const char *is, double a,
		       double b)
{
	char off[16] = "";

	if (a > 0)
		snprintf(off, sizeof off, "%+.0f %%", 100 * (b / a - 1));
	fprintf(out, "  %-16s%12s%12s%9s\n", name, was, is, off);
}

static void times(FILE *out, const char *name, double a, double b)
{
	reproduced(out, name, doze_duration((int64_t)a), doze_duration((int64_t)b), a, b);
}

static void counts(FILE *out, const char *name, double a, double b)
{
	reproduced(out, name, doze_count((uint64_t)(a + 0.5)), doze_count((uint64_t)(b + 0.5)), a,
		   b);
}

static void reference(const struct doze_forecast *f, FILE *out)
{
	const struct doze_sim_run *r = &f->work->recorded, *s = &f->base;

	fprintf(out,
		"\nThe recorded setting, simulated, to show how reliable the simulation is:\n");
	fprintf(out, "  %-16s%12s%12s%9s\n", "", "recorded", "simulated", "off");
	times(out, "time", r->makespan, s->makespan);
	times(out, "asleep", r->asleep, s->asleep);
	counts(out, "wakes", r->wakes, s->wakes);
	counts(out, "useful", r->useful, s->useful);
	counts(out, "futile", r->futile, s->futile);
}

static void row(const struct doze_proposal *p, FILE *out)
{
	char change[32] = "cannot be replayed";

	if (!p->failed)
		snprintf(change, sizeof change, "%+.0f %% +-%.0f", 100 * p->change,
			 ceil(100 * p->error));
	fprintf(out, "  %-10s%8u%12s%13s%9s%9s%12s\n", p->policy->name, p->workers,
		p->failed ? "-" : doze_duration((int64_t)p->run.makespan), change,
		p->failed ? "-" : doze_count((uint64_t)(p->run.wakes + 0.5)),
		p->failed ? "-" : doze_count((uint64_t)(p->run.futile + 0.5)),
		p->failed ? "-" : doze_duration((int64_t)p->run.asleep));
}

static void predictions(const struct doze_forecast *f, FILE *out)
{
	fprintf(out, "\nPredictions%s%s:\n", f->cpus != f->recorded_cpus ? " for " : "",
		f->cpus != f->recorded_cpus ? doze_plural((uint64_t)f->cpus, "CPU") : "");
	fprintf(out, "  %-10s%8s%12s%13s%9s%9s%12s\n", "policy", "workers", "time", "change",
		"wakes", "futile", "asleep");
	for (uint32_t i = 0; i < f->proposals; i++)
		row(&f->proposal[i], out);
}

static void bounds(const struct doze_forecast *f, FILE *out)
{
	double run = f->work->recorded.makespan;
	char text[400];

	snprintf(text, sizeof text, "Simulated from %s%s%s, recorded with %s under %s on %s.%s\n",
		 doze_plural(f->work->jobs - f->work->most_outside, "job"), *f->pool ? " of " : "",
		 f->pool, doze_plural(f->work->workers, "worker"), f->work->policy,
		 doze_plural((uint64_t)f->recorded_cpus, "CPU"),
		 *f->pool ? " The other pools are not simulated (--pool selects one)." : "");
	doze_wrap(out, text, 0);
	fprintf(out, "Longest chain: %s, %s of the run; without outside threads %s.\n",
		doze_duration((int64_t)f->chain), doze_share(f->chain, run),
		doze_duration((int64_t)f->chain_inside));
	fprintf(out, "CPU time of the jobs: %s.\n", doze_duration((int64_t)f->cpu_work));
	if (f->work->on_cpu < 1)
		fprintf(out, "While jobs ran, they used a CPU for %.0f %% of the time.\n",
			100 * f->work->on_cpu);
	if (f->work->broken)
		fprintf(out, "%s %s incomplete in the trace.\n",
			doze_plural(f->work->broken, "job"), f->work->broken == 1 ? "is" : "are");
}

static void truth(const struct doze_forecast *f, FILE *out)
{
	const struct doze_proposal *p = doze_forecast_best(f);
	double change = f->truth.makespan / f->again.makespan - 1;
	char name[64], text[240];

	if (!f->verified || !p)
		return;
	snprintf(text, sizeof text,
		 "\nVerified: in new recordings, %s took %s, and the recorded setting took %s: a "
		 "change of %+.0f %% (predicted: %+.0f %%). %s\n",
		 proposal_name(f, p, name, sizeof name), doze_duration((int64_t)f->truth.makespan),
		 doze_duration((int64_t)f->again.makespan), 100 * change, 100 * p->change,
		 fabs(change - p->change) <= p->error
		     ? "The difference is within the margin of error."
		     : "The difference is outside the margin of error.");
	doze_wrap(out, text, 0);
	fprintf(out, "  %-16s%12s%12s%9s\n", "", "measured", "predicted", "off");
	times(out, "asleep", f->truth.asleep, p->run.asleep);
	counts(out, "wakes", f->truth.wakes, p->run.wakes);
	counts(out, "useful", f->truth.useful, p->run.useful);
	counts(out, "futile", f->truth.futile, p->run.futile);
}

void doze_forecast_print(const struct doze_forecast *f, FILE *out)
{
	char text[400];

	write_answer(f, text, sizeof text - 1);
	doze_wrap(out, strcat(text, "\n"), 0);
	fputc('\n', out);
	bounds(f, out);
	if (f->failed)
		return;
	reference(f, out);
	if (f->proposals)
		predictions(f, out);
	truth(f, out);
	fputs("\nLimits:\n", out);
	for (const char *const *a = limits; *a; a++) {
		snprintf(text, sizeof text, "- %s\n", *a);
		doze_wrap(out, text, 2);
	}
}

/*
 * ---- JSON ----
 *
 * Times are in ns, shares are fractions. New fields
 * may be added, but none is renamed while `format` stays the same.
 */

static void run(struct doze_json *j, const char *name, const struct doze_sim_run *r)
{
	doze_json_open(j, name, '{');
	doze_json_int(j, "time", llround(r->makespan));
	doze_json_int(j, "asleep", llround(r->asleep));
	doze_json_real(j, "wakes", r->wakes);
	doze_json_real(j, "useful", r->useful);
	doze_json_real(j, "futile", r->futile);
	doze_json_real(j, "latch", r->latch);
	doze_json_real(j, "redundant", r->redundant);
	doze_json_close(j, '}');
}

static void proposal(struct doze_json *j, const char *name, const struct doze_forecast *f,
		     const struct doze_proposal *p)
{
	char text[64];

	doze_json_open(j, name, '{');
	doze_json_string(j, "name", proposal_name(f, p, text, sizeof text));
	doze_json_string(j, "policy", p->policy->name);
	doze_json_uint(j, "workers", p->workers);
	doze_json_bool(j, "replayed", !p->failed);
	if (!p->failed) {
		doze_json_real(j, "change", p->change);
		doze_json_real(j, "error", p->error);
		run(j, "predicted", &p->run);
	}
	doze_json_close(j, '}');
}

static void verified(struct doze_json *j, const struct doze_forecast *f)
{
	const struct doze_proposal *p = doze_forecast_best(f);

	if (!f->verified || !p)
		return;
	doze_json_open(j, "verified", '{');
	doze_json_string(j, "policy", p->policy->name);
	doze_json_uint(j, "workers", p->workers);
	run(j, "measured", &f->truth);
	run(j, "recorded_again", &f->again);
	doze_json_real(j, "change", f->truth.makespan / f->again.makespan - 1);
	doze_json_real(j, "off", f->truth.makespan / f->again.makespan - 1 - p->change);
	doze_json_close(j, '}');
}

void doze_forecast_json(const struct doze_forecast *f, const char *dir, FILE *out)
{
	struct doze_json j = {.out = out};
	char text[400];

	write_answer(f, text, sizeof text);
	doze_json_open(&j, 0, '{');
	doze_json_string(&j, "format", "doze-forecast/1");
	doze_json_bool(&j, "model", true);
	doze_json_string(&j, "trace", dir);
	doze_json_string(&j, "pool", *f->pool ? f->pool : NULL);
	doze_json_string(&j, "verdict", text);
	doze_json_string(&j, "policy", f->work->policy);
	doze_json_uint(&j, "workers", f->work->workers);
	doze_json_real(&j, "cpus", f->recorded_cpus);
	doze_json_real(&j, "cpus_of_proposals", f->cpus);
	doze_json_uint(&j, "jobs", f->work->jobs - f->work->most_outside);
	doze_json_uint(&j, "incomplete_jobs", f->work->broken);
	doze_json_int(&j, "longest_chain", llround(f->chain));
	doze_json_int(&j, "longest_chain_inside", llround(f->chain_inside));
	doze_json_int(&j, "cpu_time", llround(f->cpu_work));
	run(&j, "recorded", &f->work->recorded);
	run(&j, "simulated", &f->base);
	doze_json_real(&j, "off", f->off);
	doze_json_open(&j, "proposals", '[');
	for (uint32_t i = 0; i < f->proposals; i++)
		proposal(&j, 0, f, &f->proposal[i]);
	doze_json_close(&j, ']');
	if (doze_forecast_best(f))
		proposal(&j, "best", f, doze_forecast_best(f));
	verified(&j, f);
	doze_json_open(&j, "limits", '[');
	for (const char *const *a = limits; *a; a++)
		doze_json_string(&j, 0, *a);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}
