/*
 * SPDX-License-Identifier: MIT
 *
 * scope.c - see scope.h.
 */
#include "scope.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../text/complain.h"
#include "../text/units.h"

static bool has(const void *ctx, int worker)
{
	return doze_options_shows(ctx, worker);
}

struct doze_scope doze_scope_of(const struct doze_options *o)
{
	return (struct doze_scope){
	    .from = o->from, .to = o->to, .has = o->only ? has : 0, .ctx = o};
}

bool doze_scope_by_time(const struct doze_options *o)
{
	return o && (o->from > 0 || o->to != INT64_MAX);
}

bool doze_scope_by_worker(const struct doze_options *o)
{
	return o && o->only;
}

/* The highest index of any pool: a pool announces how many workers it has. -1: there is none. */
static int last_worker(const struct doze_model *m)
{
	int last = -1;

	for (size_t i = 0; i < doze_model_workers(m); i++)
		if (doze_model_worker(m, i)->key.index > last)
			last = doze_model_worker(m, i)->key.index;
	return last;
}

static const char *worker_objection(const struct doze_options *o, int last)
{
	static char text[96];
	int beyond = doze_options_beyond(o, last);

	if (beyond < 0)
		return 0;
	if (last < 0)
		return "--worker: no worker is seen in this trace: leave it out";
	snprintf(text, sizeof text,
		 "--worker: there is no worker %d in this trace: give indices from 0 to %d", beyond,
		 last);
	return text;
}

const char *doze_scope_objection(const struct doze_options *o, const struct doze_model *m,
				 bool complete)
{
	static char text[128];
	const struct doze_totals *t = doze_model_totals(m);
	int last = last_worker(m);

	if (complete && o->from > t->last_ts - t->first_ts) {
		snprintf(text, sizeof text,
			 "--from lies behind the end of the trace, which is %s long: give an "
			 "earlier time",
			 doze_position(t->last_ts - t->first_ts, 0));
		return text;
	}
	return complete || last >= 0 ? worker_objection(o, last) : 0;
}

int doze_scope_check(const struct doze_options *o, const char *cmd, const struct doze_model *m)
{
	const char *why = doze_scope_objection(o, m, true);

	if (why)
		doze_complain("%s: %s", cmd, why);
	return why ? DOZE_EXIT_USAGE : DOZE_EXIT_OK;
}

const char *doze_scope_when(const struct doze_options *o, const struct doze_totals *t)
{
	static char text[96];
	int64_t end = t->last_ts - t->first_ts;

	if (doze_scope_by_time(o))
		snprintf(text, sizeof text, "between %s and %s", doze_position(o->from, 0),
			 doze_position(o->to < end ? o->to : end, 0));
	else
		snprintf(text, sizeof text, "in %s", doze_duration(end));
	return text;
}

const char *doze_scope_who(const struct doze_options *o)
{
	static char text[128];

	*text = 0;
	if (doze_scope_by_worker(o))
		snprintf(text, sizeof text, "worker%s %s", strpbrk(o->only, "-,") ? "s" : "",
			 o->only);
	return text;
}

void doze_scope_json(struct doze_json *j, const struct doze_options *o)
{
	doze_json_int(j, "from", o ? o->from : 0);
	if (o && o->to != INT64_MAX)
		doze_json_int(j, "to", o->to);
	else
		doze_json_null(j, "to");
	doze_json_string(j, "worker", o ? o->only : 0);
}
