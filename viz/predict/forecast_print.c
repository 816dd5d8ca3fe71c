/*
 * SPDX-License-Identifier: MIT
 *
 * forecast_print.c - prints a forecast as text.
 */
#include <math.h>
#include <string.h>

#include "../words/units.h"
#include "../words/wrap.h"
#include "forecast.h"

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
		 doze_proposal_name(f, p, name, sizeof name),
		 doze_duration((int64_t)f->truth.makespan),
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

	doze_forecast_verdict(f, text, sizeof text - 1);
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
	for (const char *const *a = doze_forecast_limits; *a; a++) {
		snprintf(text, sizeof text, "- %s\n", *a);
		doze_wrap(out, text, 2);
	}
}
