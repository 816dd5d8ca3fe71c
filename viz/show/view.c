/*
 * SPDX-License-Identifier: MIT
 *
 * view.c - see view.h.
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "../words/paint.h"

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
