/*
 * SPDX-License-Identifier: MIT
 *
 * selection_text.c - see selection_text.h.
 */
#include "selection_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../words/units.h"

/* Returns the highest worker index in any pool, or -1 if there are no workers. */
static int last_worker(const struct doze_model *m)
{
	int last = -1;

	for (size_t i = 0; i < doze_model_workers(m); i++)
		if (doze_model_worker(m, i)->key.index > last)
			last = doze_model_worker(m, i)->key.index;
	return last;
}

static const char *worker_problem(const struct doze_selection *s, int last)
{
	static char text[96];
	int beyond = doze_selection_beyond(s, last);

	if (beyond < 0)
		return NULL;
	if (last < 0)
		return "--worker: this trace shows no workers: omit the option";
	snprintf(text, sizeof text,
		 "--worker: this trace has no worker %d: give indices from 0 to %d", beyond, last);
	return text;
}

const char *doze_selection_problem(const struct doze_selection *s, const struct doze_model *m,
				   bool complete)
{
	static char text[128];
	const struct doze_totals *t = doze_model_totals(m);
	int last = last_worker(m);

	if (complete && doze_selection_by_pool(s) && !doze_model_pools(m))
		return "--pool: this trace has no such pool: omit the option to see all pools";
	if (complete && s->from > t->last_ts - t->first_ts) {
		snprintf(text, sizeof text,
			 "--from is later than the end of the trace, which is %s long: give an "
			 "earlier time",
			 doze_position(t->last_ts - t->first_ts, 0));
		return text;
	}
	return complete || last >= 0 ? worker_problem(s, last) : NULL;
}

const char *doze_selection_when(const struct doze_selection *s, const struct doze_totals *t)
{
	static char text[96];
	int64_t end = t->last_ts - t->first_ts;

	if (doze_selection_by_time(s))
		snprintf(text, sizeof text, "between %s and %s", doze_position(s->from, 0),
			 doze_position(s->to < end ? s->to : end, 0));
	else
		snprintf(text, sizeof text, "in %s", doze_duration(end));
	return text;
}

bool doze_selection_is_plural(const struct doze_selection *s)
{
	return !s->list || strpbrk(s->list, "-,");
}

const char *doze_selection_who(const struct doze_selection *s)
{
	static char text[128];

	*text = 0;
	if (doze_selection_by_worker(s))
		snprintf(text, sizeof text, "worker%s %s", doze_selection_is_plural(s) ? "s" : "",
			 s->list);
	return text;
}

void doze_selection_json(struct doze_json *j, const struct doze_selection *s)
{
	doze_json_int(j, "from", s->from);
	if (s->to != INT64_MAX)
		doze_json_int(j, "to", s->to);
	else
		doze_json_null(j, "to");
	doze_json_string(j, "worker", s->list);
	if (s->pool)
		doze_json_uint(j, "pool", s->pool);
	else if (s->pool_name)
		doze_json_string(j, "pool", s->pool_name);
}
