/*
 * SPDX-License-Identifier: MIT
 *
 * storms.c - see storms.h.
 */
#include "../../views/storms.h"

#include <stdlib.h>

#include "../common/params.h"
#include "../common/part.h"
#include "../common/sink.h"
#include "storms.h"

struct view {
	struct doze_storm_log log;
	struct doze_plugin_part part;
	bool json, brief, histograms;
};

static bool read_params(struct view *v, struct doze_model_options *o, bt_self_component *self,
			const bt_value *params)
{
	static const char *const known[] = {
	    "json",        "brief",        "histogram",   "storm-wakes",
	    "storm-share", "storm-futile", "storm-merge", DOZE_PLUGIN_PART_PARAMS,
	    NULL};
	int64_t wakes = o->storm_min_wakes;
	bool ok = doze_params_known(self, params, known) &&
		  doze_param_bool(self, params, "json", &v->json) &&
		  doze_param_bool(self, params, "brief", &v->brief) &&
		  doze_param_bool(self, params, "histogram", &v->histograms) &&
		  doze_param_count(self, params, "storm-wakes", 1, 1000000, &wakes) &&
		  doze_param_ratio(self, params, "storm-share", &o->storm_min_share) &&
		  doze_param_ratio(self, params, "storm-futile", &o->storm_min_futile) &&
		  doze_param_time(self, params, "storm-merge", &o->storm_merge_ns) &&
		  doze_plugin_part_read(&v->part, self, params);

	o->storm_min_wakes = (uint32_t)wakes;
	o->selection = v->part.selection;
	return ok;
}

static void view_close(void *view)
{
	struct view *v = view;

	doze_storm_log_free(&v->log);
	free(v);
}

static bool view_open(bt_self_component *self, const bt_value *params, void **view,
		      struct doze_model **model)
{
	struct doze_model_options options = DOZE_MODEL_DEFAULTS;
	struct view *v = calloc(1, sizeof(*v));

	if (!v)
		return false;
	if (read_params(v, &options, self, params))
		*model =
		    doze_with_paths(doze_model_new_with(&options, &doze_storm_listener, &v->log));
	if (!*model) {
		view_close(v);
		return false;
	}
	v->log.model = *model;
	*view = v;
	return true;
}

static const struct doze_selection *view_part(const void *view)
{
	return &((const struct view *)view)->part.selection;
}

static void view_print(void *view, const struct doze_model *model, FILE *out)
{
	struct view *v = view;

	doze_storm_log_finish(&v->log);
	if (v->json) {
		doze_storms_json(&v->log, model, "babeltrace2", out);
		return;
	}
	doze_storms_answer(&v->log, model, out);
	if (!v->brief)
		doze_storms_tables(&v->log, model, v->histograms, out);
}

static const struct doze_plugin_view ops = {
    .open = view_open,
    .part = view_part,
    .print = view_print,
    .close = view_close,
};

bt_component_class_initialize_method_status
doze_plugin_storms_initialize(bt_self_component_sink *self,
			      bt_self_component_sink_configuration *config, const bt_value *params,
			      void *data)
{
	(void)config;
	(void)data;
	return doze_plugin_sink_initialize(self, params, &ops);
}
