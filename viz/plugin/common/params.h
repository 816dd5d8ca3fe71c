/*
 * SPDX-License-Identifier: MIT
 *
 * params.h - parameters of our component classes (`--params=name=value`).
 */
#ifndef DOZE_VIZ_PLUGIN_PARAMS_H
#define DOZE_VIZ_PLUGIN_PARAMS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stdint.h>

/** Each reads one parameter into *to, which keeps its value when the parameter is absent. False,
 * with a cause appended to the thread's error, when it has the wrong type or range. */
bool doze_param_bool(bt_self_component *, const bt_value *params, const char *name, bool *to);
bool doze_param_count(bt_self_component *, const bt_value *params, const char *name, int64_t low,
		      int64_t high, int64_t *to);
bool doze_param_ratio(bt_self_component *, const bt_value *params, const char *name, double *to);
/** A duration: integer nanoseconds, or a string as on doze's command line ("20ms"). */
bool doze_param_time(bt_self_component *, const bt_value *params, const char *name, int64_t *to);
bool doze_param_string(bt_self_component *, const bt_value *params, const char *name,
		       const char **to);
/** True when each parameter is in the list (ended by null); otherwise a cause names the first that
 * is not, so that a mistyped name does not pass in silence. */
bool doze_params_known(bt_self_component *, const bt_value *params, const char *const *known);

#endif
