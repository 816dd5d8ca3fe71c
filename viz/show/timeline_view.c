/*
 * SPDX-License-Identifier: MIT
 *
 * timeline_view.c - the view `timeline`: the lanes of the workers as text.
 */
#include "timeline.h"
#include "view.h"

struct timeline {
	struct doze_timeline *timeline; /* owned */
	unsigned width;                 /* 0: use the width of the request */
};

static const char *check_width(const char *value, void *target)
{
	static char allowed[48];
	unsigned n;

	snprintf(allowed, sizeof allowed, "a number from %d to %d", DOZE_TIMELINE_NARROWEST,
		 DOZE_TIMELINE_WIDEST);
	if (doze_check_count(value, &n) || n < DOZE_TIMELINE_NARROWEST || n > DOZE_TIMELINE_WIDEST)
		return allowed;
	*(unsigned *)target = n;
	return NULL;
}

static const struct doze_view_option options[] = {
    {.option = {"width", 'W', "COLUMNS", "width of the output (default: the terminal's, or 80)",
		check_width, NULL},
     .offset = offsetof(struct timeline, width),
     .only = DOZE_VIEW_COMMAND},
    {.option = {"columns", 0, "N", "width of the output, 20 to 10000 (default 80)", check_width,
		NULL},
     .offset = offsetof(struct timeline, width),
     .only = DOZE_VIEW_SINK},
    {.option = {0}},
};

static struct doze_model *timeline_open(void *state, const struct doze_view_request *r)
{
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
	struct timeline *t = state;
	size_t columns = r->columns;

	/* Limit the model only to the pool: the timeline itself applies the time range and the
	 * workers. */
	limits.selection = doze_selection_of_pool(&r->selection);
	if (columns < DOZE_TIMELINE_NARROWEST)
		columns = DOZE_TIMELINE_NARROWEST;
	t->timeline = doze_timeline_new(t->width ? t->width : columns, &r->selection);
	return t->timeline ? doze_model_new_with(&limits, &doze_timeline_listener, t->timeline)
			   : NULL;
}

static void timeline_feed(void *state, struct doze_model *m, const struct doze_event *e)
{
	struct timeline *t = state;

	doze_timeline_begin(t->timeline, doze_model_totals(m)->first_ts);
	doze_model_feed(m, e);
}

static void timeline_print(void *state, const struct doze_model *m,
			   const struct doze_view_request *r)
{
	doze_timeline_print(((struct timeline *)state)->timeline, m, &r->palette, r->out);
}

static void timeline_json(void *state, const struct doze_model *m,
			  const struct doze_view_request *r)
{
	doze_timeline_json(((struct timeline *)state)->timeline, m, r->trace, r->out);
}

static void timeline_close(void *state)
{
	doze_timeline_free(((struct timeline *)state)->timeline);
}

const struct doze_view doze_timeline_view = {
    .name = "timeline",
    .takes = DOZE_VIEW_DRAWS,
    .options = options,
    .size = sizeof(struct timeline),
    .open = timeline_open,
    .feed = timeline_feed,
    .print = timeline_print,
    .json = timeline_json,
    .close = timeline_close,
};
