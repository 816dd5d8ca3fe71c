/*
 * SPDX-License-Identifier: MIT
 *
 * consume.c - see consume.h.
 */
#include "consume.h"

#include <stdio.h>
#include <stdlib.h>

#include "viz/check/checker.h"
#include "viz/model/model.h"
#include "viz/views/storms.h"
#include "viz/views/timeline.h"
#include "viz/whatif/whatif.h"

struct consumer {
	struct doze_model *storms, *lanes;
	struct doze_storm_log log;
	struct doze_timeline *timeline;
	struct doze_whatif whatif;
};

static FILE *nowhere(void)
{
	static FILE *f;

	if (!f)
		f = fopen("/dev/null", "w");
	return f;
}

struct consumer *consume_begin(void)
{
	struct doze_model_options options = DOZE_MODEL_DEFAULTS;
	struct consumer *c = calloc(1, sizeof(*c));

	if (!c)
		abort();
	c->storms = doze_with_paths(
	    doze_with_checker(doze_model_new_with(&options, &doze_storm_listener, &c->log)));
	c->log.model = c->storms;
	c->timeline = doze_timeline_new(80, &(struct doze_selection)DOZE_SELECT_ALL);
	c->lanes = doze_model_new(&doze_timeline_listener, c->timeline);
	if (!c->storms || !c->timeline || !c->lanes)
		abort();
	c->whatif.model = c->lanes;
	c->whatif.only = doze_policy_descriptor("tickle"); /* differs most */
	c->whatif.max_shown = 10;
	return c;
}

void consume_event(struct consumer *c, const struct doze_event *e)
{
	doze_timeline_event(c->timeline, e);
	doze_model_feed(c->storms, e);
	doze_whatif_event(&c->whatif, e);
	doze_model_feed(c->lanes, e);
}

void consume_loss(struct consumer *c, int64_t from, int64_t to, uint64_t count)
{
	doze_model_discarded(c->storms, from, to, count);
	doze_model_discarded(c->lanes, from, to, count);
}

void consume_end(struct consumer *c)
{
	struct doze_palette palette = {.ascii = true};

	doze_model_finish(c->storms, doze_model_totals(c->storms)->last_ts);
	doze_model_finish(c->lanes, doze_model_totals(c->lanes)->last_ts);
	doze_storm_log_finish(&c->log);
	doze_storms_answer(&c->log, c->storms, nowhere());
	doze_storms_tables(&c->log, c->storms, true, nowhere());
	doze_storms_json(&c->log, c->storms, "fuzz", nowhere());
	doze_timeline_print(c->timeline, c->lanes, &palette, nowhere());
	doze_whatif_print(&c->whatif, nowhere());
	doze_whatif_json(&c->whatif, "fuzz", nowhere());
	doze_model_free(c->storms);
	doze_model_free(c->lanes);
	doze_storm_log_free(&c->log);
	doze_timeline_free(c->timeline);
	free(c);
}
