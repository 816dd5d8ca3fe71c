/*
 * SPDX-License-Identifier: MIT
 *
 * timeline.c - see timeline.h.
 */
#include "timeline.h"

#include <stdlib.h>

#include "../../views/timeline.h"
#include "../common/params.h"
#include "../common/part.h"
#include "../common/sink.h"

struct view {
	struct doze_timeline *timeline; /* owned */
	struct doze_plugin_part part;
	struct doze_palette palette;
};

static bool read_params(struct view *v, bt_self_component *self, const bt_value *params,
			int64_t *columns)
{
	static const char *const known[] = {"columns", "ascii", "color", DOZE_PLUGIN_PART_PARAMS,
					    NULL};

	return doze_params_known(self, params, known) &&
	       doze_param_count(self, params, "columns", DOZE_TIMELINE_NARROWEST,
				DOZE_TIMELINE_WIDEST, columns) &&
	       doze_param_bool(self, params, "ascii", &v->palette.ascii) &&
	       doze_param_bool(self, params, "color", &v->palette.color) &&
	       doze_plugin_part_read(&v->part, self, params);
}

static void view_close(void *view)
{
	struct view *v = view;

	doze_timeline_free(v->timeline);
	free(v);
}

static bool view_open(bt_self_component *self, const bt_value *params, void **view,
		      struct doze_model **model)
{
	struct view *v = calloc(1, sizeof(*v));
	int64_t columns = 80;

	if (!v)
		return false;
	v->palette.ascii = !doze_locale_utf8();
	if (read_params(v, self, params, &columns))
		v->timeline = doze_timeline_new((size_t)columns, &v->part.selection);
	if (v->timeline)
		*model = doze_model_new(&doze_timeline_listener, v->timeline);
	*view = v;
	if (*model)
		return true;
	*view = NULL;
	view_close(v);
	return false;
}

static void view_before(void *view, const struct doze_event *e)
{
	doze_timeline_event(((struct view *)view)->timeline, e);
}

static const struct doze_selection *view_part(const void *view)
{
	return &((const struct view *)view)->part.selection;
}

static void view_print(void *view, const struct doze_model *model, FILE *out)
{
	const struct view *v = view;

	doze_timeline_print(v->timeline, model, &v->palette, out);
}

static const struct doze_plugin_view ops = {
    .open = view_open,
    .before = view_before,
    .part = view_part,
    .print = view_print,
    .close = view_close,
};

bt_component_class_initialize_method_status
doze_plugin_timeline_initialize(bt_self_component_sink *self,
				bt_self_component_sink_configuration *config,
				const bt_value *params, void *data)
{
	(void)config;
	(void)data;
	return doze_plugin_sink_initialize(self, params, &ops);
}
