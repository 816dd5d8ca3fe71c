/*
 * SPDX-License-Identifier: MIT
 *
 * verdict.c - the most important statement about a trace, in one line.
 */
#include <string.h>

#include "../text/pool_words.h"
#include "../text/units.h"
#include "diagnose_int.h"

static double part_of(const struct doze_diagnosis *out, enum doze_trouble k)
{
	return out->worker_ns ? (double)out->cost[k] / (double)out->worker_ns : 0;
}

static enum doze_trouble largest(const struct doze_diagnosis *out)
{
	enum doze_trouble most = DOZE_TROUBLE_asleep;

	for (int k = 0; k < DOZE_TROUBLE_COUNT; k++)
		if (out->cost[k] > out->cost[most])
			most = (enum doze_trouble)k;
	return most;
}

static void say_healthy(const struct diagnosis *d, struct doze_diagnosis *out)
{
	enum doze_trouble most = largest(out);

	if (!out->worker_ns) {
		(void)snprintf(out->verdict, sizeof out->verdict,
			       "Nothing to judge: no worker of a pool was seen.");
		return;
	}
	(void)snprintf(out->verdict, sizeof out->verdict,
		       "%s: the workers ran jobs for %s of their time, and no cost is above %s "
		       "(the largest: %s, %s). What jobs wait for themselves, such as a lock or a "
		       "file, is not recorded.",
		       out->conclusive ? "Nothing is wrong with the pool"
				       : "Nothing found, but events are missing or the trace "
					 "ends early",
		       doze_share((double)out->active, (double)out->worker_ns), "4 %",
		       doze_trouble_name(most), doze_share(part_of(out, most), 1));
	(void)d;
}

static void end_with(struct doze_diagnosis *out, size_t at, const char *text)
{
	(void)snprintf(out->verdict + at, sizeof out->verdict - at, "%s", text);
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
		end_with(out, strlen(out->verdict),
			 " Inconclusive: events are lost or missing, or the trace ends early.");
}
