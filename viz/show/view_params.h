/*
 * SPDX-License-Identifier: MIT
 *
 * view_params.h - the parameters of a sink (`--params=name=value`): the view's own options and the
 * shared options that it takes.
 */
#ifndef DOZE_VIZ_PLUGIN_VIEW_PARAMS_H
#define DOZE_VIZ_PLUGIN_VIEW_PARAMS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "view.h"

struct doze_view_params {
	struct doze_view_request request;
	char list[256]; /* text of the request's selection.list */
	char pool[256]; /* text of the request's selection.pool_name */
};

/** Stores the parameters in the request and in the view's state. Missing parameters keep their
 * defaults. `p` must not move afterwards. If a parameter is unknown or has the wrong type or value,
 * or if the selected range ends before it begins, appends a cause to the thread's error and returns
 * false. */
bool doze_view_params_read(struct doze_view_params *p, const struct doze_view *, void *state,
			   bt_self_component *, const bt_value *params);

/** Writes the help text of the component class, one line per parameter. */
void doze_view_params_help(const struct doze_view *, char *text, size_t size);

/** Appends a cause to the thread's error. If the problem names an option ("--from: ..."), names the
 * parameter instead. */
void doze_plugin_refuse(bt_self_component *, const char *problem);
/** Appends a cause to the thread's error. */
void doze_plugin_complain(bt_self_component *, const char *what);

#endif
