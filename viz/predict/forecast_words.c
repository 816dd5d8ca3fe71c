/*
 * SPDX-License-Identifier: MIT
 *
 * forecast_words.c - writes the answer of a forecast in one sentence, and lists the limits of the
 * simulation.
 */
#include <math.h>
#include <string.h>

#include "../words/units.h"
#include "forecast.h"

const char *const doze_forecast_limits[] = {
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

const char *doze_proposal_name(const struct doze_forecast *f, const struct doze_proposal *p,
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

	doze_proposal_name(f, p, name, sizeof name);
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

void doze_forecast_verdict(const struct doze_forecast *f, char *out, size_t size)
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
