/*
 * SPDX-License-Identifier: MIT
 *
 * consume.c - see consume.h.
 */
#include "consume.h"

#include <stdio.h>
#include <stdlib.h>

#include "viz/export/export.h"
#include "viz/model/model.h"
#include "viz/report/page.h"
#include "viz/views/view.h"
#include "viz/whatif/whatif.h"

#define FUZZED_VIEW(name, description) {&doze_##name##_view, NULL},
static const struct {
	const struct doze_view *view;
	const char *format; /* the format of an export */
} fuzzed[] = {
    DOZE_VIEWS(FUZZED_VIEW) /* empty, because the macro includes the comma */
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
	struct doze_view_request request;
	struct shown {
		size_t view; /* index into fuzzed[] */
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
	/* Simulates only one setting, because all of them would take a hundred times as long. */
	w->only = doze_policy_descriptor("tickle"); /* the policy that differs most */
	w->workers = 3;
}

static void open_view(struct consumer *c, struct shown *s, size_t view)
{
	s->view = view;
	s->state = doze_view_state(fuzzed[view].view);
	if (!s->state)
		abort();
	set_options(view, s->state);
	s->model = fuzzed[view].view->open(s->state, &c->request);
	if (!s->model)
		abort();
}

struct consumer *consume_begin(uint64_t choice)
{
	struct consumer *c = calloc(1, sizeof(*c));

	if (!c)
		abort();
	c->request = (struct doze_view_request){
	    .selection = DOZE_SELECT_ALL, .columns = 80, .trace = "fuzz", .out = nowhere()};
	for (size_t i = 0; i < CHOSEN; i++)
		open_view(c, &c->shown[i], (choice + i) % VIEWS);
	return c;
}

void consume_event(struct consumer *c, const struct doze_event *e)
{
	c->events++;
	for (size_t i = 0; i < CHOSEN; i++) {
		const struct doze_view *v = fuzzed[c->shown[i].view].view;

		doze_model_begin(c->shown[i].model, e->ts); /* models begin as in doze_load */
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

static void show(const struct doze_view *v, struct shown *s, struct doze_view_request *r)
{
	doze_model_finish(s->model, doze_model_totals(s->model)->last_ts);
	(r->json && v->json ? v->json : v->print)(s->state, s->model, r);
	if (v->close)
		v->close(s->state);
	doze_model_free(s->model);
	free(s->state);
}

void consume_end(struct consumer *c)
{
	c->request.json = c->events % 2;
	for (size_t i = 0; i < CHOSEN; i++)
		show(fuzzed[c->shown[i].view].view, &c->shown[i], &c->request);
	free(c);
}
