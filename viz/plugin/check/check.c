/*
 * SPDX-License-Identifier: MIT
 *
 * check.c - see check.h.
 */
#include "check.h"

#include <stdlib.h>

#include "../../check/checker.h"
#include "../../views/findings.h"
#include "../common/params.h"
#include "../common/part.h"
#include "../common/sink.h"

struct view {
	struct doze_findings *findings; /* owned */
	struct doze_plugin_part part;
	bool json;
};

static void view_close(void *view)
{
	struct view *v = view;

	doze_findings_free(v->findings);
	free(v);
}

static bool view_open(bt_self_component *self, const bt_value *params, void **view,
		      struct doze_model **model)
{
	static const char *const known[] = {"json", "max", DOZE_PLUGIN_PART_PARAMS, NULL};
	struct doze_model_options options = DOZE_MODEL_DEFAULTS;
	struct view *v = calloc(1, sizeof(*v));
	int64_t max = 20;

	if (!v)
		return false;
	if (doze_params_known(self, params, known) &&
	    doze_param_bool(self, params, "json", &v->json) &&
	    doze_param_count(self, params, "max", 0, 1000000, &max) &&
	    doze_plugin_part_read(&v->part, self, params))
		v->findings = doze_findings_new((size_t)max);
	options.selection = v->part.selection;
	if (v->findings)
		*model = doze_with_checker(
		    doze_model_new_with(&options, &doze_findings_listener, v->findings));
	if (!*model) {
		view_close(v);
		return false;
	}
	*view = v;
	return true;
}

static void view_before(void *view, const struct doze_event *e)
{
	doze_findings_before(((struct view *)view)->findings, e);
}

static void view_after(void *view, const struct doze_event *e)
{
	doze_findings_after(((struct view *)view)->findings, e);
}

static const struct doze_selection *view_part(const void *view)
{
	return &((const struct view *)view)->part.selection;
}

static void view_print(void *view, const struct doze_model *model, FILE *out)
{
	const struct view *v = view;

	if (v->json)
		doze_findings_json(v->findings, model, "babeltrace2", out);
	else
		doze_findings_print(v->findings, model, out);
}

static const struct doze_plugin_view ops = {
    .open = view_open,
    .before = view_before,
    .after = view_after,
    .part = view_part,
    .print = view_print,
    .close = view_close,
};

bt_component_class_initialize_method_status
doze_plugin_check_initialize(bt_self_component_sink *self,
			     bt_self_component_sink_configuration *config, const bt_value *params,
			     void *data)
{
	(void)config;
	(void)data;
	return doze_plugin_sink_initialize(self, params, &ops);
}
