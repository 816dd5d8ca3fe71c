/*
 * SPDX-License-Identifier: MIT
 *
 * view_params.h - the parameters of a sink (`--params=name=value`): the view's own options, and the
 * shared ones that it takes.
 */
#ifndef DOZE_VIZ_PLUGIN_VIEW_PARAMS_H
#define DOZE_VIZ_PLUGIN_VIEW_PARAMS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "../views/view.h"

struct doze_view_params {
	struct doze_view_request request;
	char list[256]; /* the request's selection.list */
};

/** Reads the parameters into the request and the view's state. A parameter that is absent leaves
 * its value as it is; `p` must not move afterwards. False, with a cause appended to the thread's
 * error, when one has the wrong type or value, when the view does not know it, or when the selected
 * range ends before it begins. */
bool doze_view_params_read(struct doze_view_params *p, const struct doze_view *, void *state,
			   bt_self_component *, const bt_value *params);

/** Writes the help of the component class: a line for each parameter. */
void doze_view_params_help(const struct doze_view *, char *text, size_t size);

/** Appends a cause to the thread's error. */
void doze_plugin_complain(bt_self_component *, const char *what);

#endif
