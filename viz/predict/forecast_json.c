/*
 * SPDX-License-Identifier: MIT
 *
 * forecast_json.c - prints a forecast as JSON. Times are in ns, shares are fractions. New fields
 * may be added, but none is renamed while `format` stays the same.
 */
#include <math.h>

#include "../words/json_writer.h"
#include "forecast.h"

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
	doze_json_string(j, "name", doze_proposal_name(f, p, text, sizeof text));
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

	doze_forecast_verdict(f, text, sizeof text);
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
	for (const char *const *a = doze_forecast_limits; *a; a++)
		doze_json_string(&j, 0, *a);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}
