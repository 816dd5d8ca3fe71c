/*
 * SPDX-License-Identifier: MIT
 *
 * verdict.c - writes the verdict: the most important statement about a trace, in one line.
 */
#include <string.h>

#include "../words/pool_words.h"
#include "../words/units.h"
#include "diagnose_int.h"
#include "foreign.h"

#define KNOWN 0.9  /* minimum share of the jobs' time for which the CPU time must be known */
#define CROWD 0.04 /* minimum share of time lost to other programs that is mentioned */

static double part_of(const struct doze_diagnosis *out, enum doze_trouble k)
{
	return out->usable_ns ? (double)out->cost[k] / (double)out->usable_ns : 0;
}

static enum doze_trouble largest(const struct doze_diagnosis *out)
{
	enum doze_trouble most = DOZE_TROUBLE_asleep;

	for (int k = 0; k < DOZE_TROUBLE_COUNT; k++)
		if (out->cost[k] > out->cost[most])
			most = (enum doze_trouble)k;
	return most;
}

/* Returns the part of a wait for a CPU that is due to masks and quotas. */
static double kept_off(const struct diag_pool *p, double delay)
{
	double ns = diag_cost_in(&p->costs, DOZE_TROUBLE_pinned, INT64_MIN, INT64_MAX) +
		    diag_cost_in(&p->costs, DOZE_TROUBLE_throttled, INT64_MIN, INT64_MAX);

	return ns < delay ? ns : delay;
}

/* Returns a sentence on the CPU time of the jobs, in a static buffer. */
static const char *on_a_cpu(const struct diagnosis *d, const struct doze_diagnosis *out)
{
	static char text[240];
	struct off_cpu_sums all = {0};

	for (size_t i = 0; i < d->pools; i++) {
		struct off_cpu_sums one = {0};

		if (d->pool[i] && d->pool[i]->begun)
			one = diag_off_sums(d, d->pool[i]);
		all.active += one.active;
		all.cpu += one.cpu;
		all.delay += one.delay;
		if (d->pool[i] && d->pool[i]->begun)
			all.delay -= kept_off(d->pool[i], one.delay);
	}
	if (all.active < KNOWN * (double)out->active)
		return "The trace does not show what the jobs themselves waited for, such as a "
		       "lock or a file.";
	(void)snprintf(text, sizeof text, "Jobs had a CPU for %s of their time",
		       doze_share(all.cpu, all.active));
	if (all.delay >= CROWD * all.active)
		(void)snprintf(
		    text + strlen(text), sizeof text - strlen(text),
		    d->cpus_online ? "; other threads or programs used the CPUs for up to %s of it"
				   : "; for up to %s of it they waited for one: because of other "
				     "threads or programs, a CPU mask or a quota",
		    doze_share(all.delay < all.active ? all.delay : all.active, all.active));
	return strcat(text, ".");
}

static void say_healthy(const struct diagnosis *d, struct doze_diagnosis *out)
{
	enum doze_trouble most = largest(out);

	if (!out->worker_ns) {
		(void)snprintf(out->verdict, sizeof out->verdict,
			       "Nothing to diagnose: the trace shows no workers.");
		return;
	}
	(void)snprintf(out->verdict, sizeof out->verdict,
		       "%s: the workers ran jobs for %s of their time, and no cost is above %s "
		       "(the largest: %s, %s). %s",
		       out->conclusive ? "Nothing is wrong with the pool"
				       : "Nothing found, but events are missing or the trace "
					 "ends early",
		       doze_share((double)out->active, (double)out->worker_ns), "4 %",
		       doze_trouble_name(most), doze_share(part_of(out, most), 1),
		       on_a_cpu(d, out));
}

static void end_with(struct doze_diagnosis *out, size_t at, const char *text)
{
	(void)snprintf(out->verdict + at, sizeof out->verdict - at, "%s", text);
}

void diag_verdict_foreign(const struct doze_model *m, struct doze_diagnosis *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	struct doze_foreign f;

	out->foreign = true;
	doze_foreign_take(m, &f);
	doze_foreign_verdict(&f, out->verdict, sizeof out->verdict);
	if (t->findings && (t->certain || (!t->missing && !t->discarded)))
		end_with(out, strlen(out->verdict),
			 " The trace contradicts itself: see 'doze check'.");
	else if (!out->conclusive && !f.counted)
		end_with(
		    out, strlen(out->verdict),
		    " Inconclusive: events were lost or are missing, or the trace ends early.");
}

void diag_verdict(const struct diagnosis *d, struct doze_diagnosis *out)
{
	const struct doze_cause_entry *e = out->cause;
	const char *pool = out->count ? doze_pool_words(d->model, e->pool_row) : "";

	if (!out->count) {
		say_healthy(d, out);
		return;
	}
	(void)snprintf(out->verdict, sizeof out->verdict, "%s%s%s%s%s%s%s.", pool,
		       *pool ? ": " : "", e->cause, e->cost ? " (" : "",
		       e->cost ? doze_duration(e->cost) : "", e->cost ? " of worker time, " : "",
		       e->cost ? doze_share(e->share, 1) : "");
	if (e->cost)
		end_with(out, strlen(out->verdict) - 1, ").");
	if (e->sure == DOZE_SURE_low)
		end_with(
		    out, strlen(out->verdict),
		    " Inconclusive: events were lost or are missing, or the trace ends early.");
}
