/*
 * SPDX-License-Identifier: MIT
 *
 * params.c - see params.h.
 */
#include "params.h"

#include <string.h>

#include "../../text/option_values.h"

static bool refuse(bt_self_component *self, const char *name, const char *allowed)
{
	(void)bt_current_thread_error_append_cause_from_component(
	    self, __FILE__, __LINE__, "parameter `%s`: must be %s", name, allowed);
	return false;
}

static const bt_value *find(const bt_value *params, const char *name)
{
	return bt_value_map_borrow_entry_value_const(params, name);
}

bool doze_param_bool(bt_self_component *self, const bt_value *params, const char *name, bool *to)
{
	const bt_value *v = find(params, name);

	if (v && !bt_value_is_bool(v))
		return refuse(self, name, "yes or no");
	if (v)
		*to = bt_value_bool_get(v) != BT_FALSE;
	return true;
}

/* Babeltrace's parser makes a signed integer of `3` and an unsigned one of `+3`. */
static bool as_integer(const bt_value *v, int64_t *to)
{
	if (bt_value_is_signed_integer(v)) {
		*to = bt_value_integer_signed_get(v);
		return true;
	}
	if (!bt_value_is_unsigned_integer(v) || bt_value_integer_unsigned_get(v) > INT64_MAX)
		return false;
	*to = (int64_t)bt_value_integer_unsigned_get(v);
	return true;
}

bool doze_param_count(bt_self_component *self, const bt_value *params, const char *name,
		      int64_t low, int64_t high, int64_t *to)
{
	const bt_value *v = find(params, name);
	int64_t n;

	if (!v)
		return true;
	if (!as_integer(v, &n) || n < low || n > high)
		return refuse(self, name, "an integer in range (see the class's help)");
	*to = n;
	return true;
}

bool doze_param_ratio(bt_self_component *self, const bt_value *params, const char *name, double *to)
{
	const bt_value *v = find(params, name);
	int64_t n;
	double d;

	if (!v)
		return true;
	if (bt_value_is_real(v))
		d = bt_value_real_get(v);
	else if (as_integer(v, &n))
		d = (double)n;
	else
		return refuse(self, name, "a number from 0 to 1");
	if (!(d >= 0 && d <= 1))
		return refuse(self, name, "a number from 0 to 1");
	*to = d;
	return true;
}

bool doze_param_time(bt_self_component *self, const bt_value *params, const char *name, int64_t *to)
{
	const bt_value *v = find(params, name);
	const char *problem;

	if (!v || (as_integer(v, to) && *to >= 0))
		return true;
	if (!bt_value_is_string(v))
		return refuse(self, name, "nanoseconds, or a string like \"20ms\"");
	problem = doze_check_duration(bt_value_string_get(v), to);
	return problem ? refuse(self, name, problem) : true;
}

bool doze_param_string(bt_self_component *self, const bt_value *params, const char *name,
		       const char **to)
{
	const bt_value *v = find(params, name);

	if (v && !bt_value_is_string(v))
		return refuse(self, name, "a string");
	if (v)
		*to = bt_value_string_get(v);
	return true;
}

struct known {
	bt_self_component *self;
	const char *const *names;
};

static bt_value_map_foreach_entry_const_func_status check_one(const char *key,
							      const bt_value *value, void *data)
{
	const struct known *k = data;

	(void)value;
	for (const char *const *n = k->names; *n; n++)
		if (strcmp(*n, key) == 0)
			return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	refuse(k->self, key, "one that this class knows (babeltrace2 help sink.doze.…)");
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_ERROR;
}

bool doze_params_known(bt_self_component *self, const bt_value *params, const char *const *known)
{
	struct known k = {self, known};

	return bt_value_map_foreach_entry_const(params, check_one, &k) ==
	       BT_VALUE_MAP_FOREACH_ENTRY_CONST_STATUS_OK;
}
