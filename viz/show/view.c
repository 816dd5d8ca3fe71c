/*
 * SPDX-License-Identifier: MIT
 *
 * view.c - see view.h.
 */
#include "view.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../words/palette.h"

/* ---- Shared options ---- */

/* A command takes every shared option, except those for which its row gives a reason to refuse
 * it. */
static const struct {
	const char *command;
	const char *why_not[DOZE_SHARED_COUNT];
} rows[] = {
    {"diagnose",
     {[DOZE_SHARED_worker] =
	  "diagnose judges all workers together: omit the option, or use 'doze why DIR WORKER'"}},
    {"why", {[DOZE_SHARED_worker] = "name the worker as the question, e.g. 'doze why DIR w3'"}},
    {"report",
     {[DOZE_SHARED_json] = ("the page contains its data: 'doze storms --json' and 'doze diagnose "
			    "--json' print it"),
      [DOZE_SHARED_color] =
	  "the page is always in colour; press d on the page to switch between light and dark",
      [DOZE_SHARED_ascii] = "the page draws pictures, not characters: omit the option"}},
    {"export",
     {[DOZE_SHARED_json] = "give --format=json, or --format=perfetto",
      [DOZE_SHARED_color] = "the exported file has no colours to choose: omit the option",
      [DOZE_SHARED_ascii] = "the exported file is always UTF-8: omit the option"}},
    {"replay",
     {[DOZE_SHARED_json] = ("the viewer draws a screen: 'doze timeline --json' prints the "
			    "lanes")}},
};

/* Returns DOZE_SHARED_COUNT if no option has this name. */
static enum doze_shared_option option_named(const char *name)
{
	int i = 0;

	while (i < DOZE_SHARED_COUNT &&
	       strcmp(doze_shared_name((enum doze_shared_option)i), name) != 0)
		i++;
	return (enum doze_shared_option)i;
}

const char *doze_shared_name(enum doze_shared_option o)
{
#define NAME(name) #name,
	static const char *const names[] = {DOZE_SHARED_OPTIONS(NAME)};
#undef NAME

	return (unsigned)o < DOZE_SHARED_COUNT ? names[o] : "?";
}

const char *doze_shared_refusal(const char *command, const char *option)
{
	enum doze_shared_option o = option_named(option);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0] && o < DOZE_SHARED_COUNT; i++)
		if (!strcmp(rows[i].command, command))
			return rows[i].why_not[o];
	return NULL;
}

const char *doze_shared_sink_refusal(const char *option)
{
	return option_named(option) == DOZE_SHARED_phase
		   ? "a sink reads the trace only once: give from and to instead"
		   : NULL;
}

/* ---- Views ---- */

void *doze_view_state(const struct doze_view *view)
{
	void *state = calloc(1, view->size ? view->size : 1);

	if (state && view->defaults)
		memcpy(state, view->defaults, view->size);
	return state;
}

const char *doze_view_part_option(const struct doze_view_request *r)
{
	const struct doze_selection *s = &r->selection;

	if (r->phase)
		return "phase";
	if (s->from)
		return "from";
	if (doze_selection_by_time(s))
		return "to";
	return doze_selection_by_worker(s) ? "worker" : NULL;
}

static enum doze_paint_kind kind_of(const struct doze_view *v, const struct doze_view_request *r)
{
	if (r->json)
		return DOZE_PAINT_JSON;
	return v->takes & DOZE_VIEW_DRAWS ? DOZE_PAINT_PICTURE : DOZE_PAINT_TEXT;
}

void doze_view_feed(const struct doze_view *v, void *state, struct doze_model *m,
		    const struct doze_event *e)
{
	if (v->feed)
		v->feed(state, m, e);
	else
		doze_model_feed(m, e);
}

bool doze_view_any_part(const void *state, const struct doze_view_request *r,
			struct doze_selection *range)
{
	(void)state, (void)r, (void)range;
	return true;
}

void doze_view_print(const struct doze_view *v, void *state, const struct doze_model *m,
		     const struct doze_view_request *r)
{
	struct doze_view_request painted = *r;
	struct doze_paint p;

	if (v->takes & DOZE_VIEW_WRITES) {
		v->print(state, m, r);
		return;
	}
	painted.out = doze_paint_begin(&p, r->out, &r->palette, kind_of(v, r));
	(r->json ? v->json : v->print)(state, m, &painted);
	doze_paint_end(&p);
}
