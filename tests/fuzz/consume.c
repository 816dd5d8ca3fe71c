/*
 * SPDX-License-Identifier: MIT
 *
 * consume.c - see consume.h.
 */
#include "consume.h"

#include <stdio.h>
#include <stdlib.h>

#include "viz/model/model.h"
#include "viz/predict/whatif.h"
#include "viz/show/export.h"
#include "viz/show/report.h"
#include "viz/show/view.h"

#define FUZZED_VIEW(name, description) {&doze_##name##_view, NULL},
static const struct {
	const struct doze_view *view;
	const char *format; /* the format, for exports only */
} fuzzed[] = {
    DOZE_VIEWS(FUZZED_VIEW) /* no comma here: FUZZED_VIEW ends with one */
    {&doze_whatif_view, NULL},
    {&doze_report_view, NULL},
    {&doze_export_view, "perfetto"},
    {&doze_export_view, "csv"},
    {&doze_export_view, "json"},
    {&doze_export_view, "svg"},
};
enum {
	VIEWS = sizeof(fuzzed) / sizeof(fuzzed[0]),
	CHOSEN = 3, /* views per input */
};

struct consumer {
	struct shown {
		size_t view; /* index into fuzzed[] */
		struct doze_view_request request;
		void *state;
		struct doze_model *model;
	} shown[CHOSEN];
	uint64_t events;
};

static FILE *nowhere(void)
{
	static FILE *f;

	if (!f)
		f = fopen("/dev/null", "w");
	return f;
}

static void set_options(size_t i, void *state)
{
	const struct doze_view_option *format = fuzzed[i].view->options;
	struct doze_whatif *w = state;

	if (fuzzed[i].format &&
	    format->option.check(fuzzed[i].format, (char *)state + format->offset))
		abort();
	if (fuzzed[i].view != &doze_whatif_view)
		return;
	/* Simulates only one setting, because simulating all of them would take a hundred times as
	 * long. */
	w->only = doze_policy_descriptor("tickle"); /* decides least like the recorded policies */
	w->workers = 3;
}

/* Selects a part of the trace for half of the inputs. The seeds are a few ms long. */
static void select_part(struct doze_selection *s, uint64_t choice)
{
	switch (choice / VIEWS % 6) {
	case 0:
		s->from = 500000;
		s->to = 3000000;
		break;
	case 1:
		s->from = 1000000;
		s->pool = 1;
		break;
	case 2:
		s->to = 2000000;
		if (doze_check_worker_list("0-1,3", s))
			abort();
		break;
	}
}

static void open_view(struct shown *s, uint64_t choice)
{
	const struct doze_view *v = fuzzed[choice % VIEWS].view;

	s->view = choice % VIEWS;
	s->request = (struct doze_view_request){
	    .selection = DOZE_SELECT_ALL, .columns = 80, .trace = "fuzz", .out = nowhere()};
	s->state = doze_view_state(v);
	if (!s->state)
		abort();
	set_options(s->view, s->state);
	select_part(&s->request.selection, choice);
	if (v->refuse && v->refuse(s->state, &s->request))
		s->request.selection = (struct doze_selection)DOZE_SELECT_ALL;
	s->model = v->open(s->state, &s->request);
	if (!s->model)
		abort();
}

struct consumer *consume_begin(uint64_t choice)
{
	struct consumer *c = calloc(1, sizeof(*c));

	if (!c)
		abort();
	for (size_t i = 0; i < CHOSEN; i++)
		open_view(&c->shown[i], choice + i);
	return c;
}

void consume_event(struct consumer *c, const struct doze_event *e)
{
	c->events++;
	for (size_t i = 0; i < CHOSEN; i++) {
		const struct doze_view *v = fuzzed[c->shown[i].view].view;

		/* Sets the start of the trace, as doze_load does. */
		doze_model_begin(c->shown[i].model, e->ts);
		if (v->feed)
			v->feed(c->shown[i].state, c->shown[i].model, e);
		else
			doze_model_feed(c->shown[i].model, e);
	}
}

void consume_loss(struct consumer *c, int64_t from, int64_t to, uint64_t count)
{
	for (size_t i = 0; i < CHOSEN; i++)
		doze_model_discarded(c->shown[i].model, from, to, count);
}

static void show(const struct doze_view *v, struct shown *s, bool json)
{
	struct doze_view_request *r = &s->request;

	r->json = json;
	doze_model_finish(s->model, doze_model_totals(s->model)->last_ts);
	(json && v->json ? v->json : v->print)(s->state, s->model, r);
	if (v->close)
		v->close(s->state);
	doze_model_free(s->model);
	free(s->state);
}

void consume_end(struct consumer *c)
{
	for (size_t i = 0; i < CHOSEN; i++)
		show(fuzzed[c->shown[i].view].view, &c->shown[i], c->events % 2);
	free(c);
}
