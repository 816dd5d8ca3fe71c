/*
 * SPDX-License-Identifier: MIT
 *
 * part.c - see part.h.
 */
#include "part.h"

#include <inttypes.h>
#include <stdio.h>

#include "params.h"
#include "sink.h"

/* `worker=2` comes as a number, `worker="0-3"` as a string. */
static bool read_list(struct doze_plugin_part *p, bt_self_component *self, const bt_value *params)
{
	const bt_value *v = bt_value_map_borrow_entry_value_const(params, "worker");
	const char *only = NULL;
	int length;

	if (!v)
		return true;
	if (bt_value_is_signed_integer(v))
		length =
		    snprintf(p->list, sizeof(p->list), "%" PRId64, bt_value_integer_signed_get(v));
	else if (doze_param_string(self, params, "worker", &only))
		length = snprintf(p->list, sizeof(p->list), "%s", only);
	else
		return false;
	if (length < (int)sizeof(p->list) && !doze_check_worker_list(p->list, &p->selection))
		return true;
	doze_plugin_complain(self, "parameter `worker`: must be worker indices such as 2 or 0-3,6");
	return false;
}

bool doze_plugin_part_read(struct doze_plugin_part *p, bt_self_component *self,
			   const bt_value *params)
{
	p->selection = (struct doze_selection)DOZE_SELECT_ALL;
	if (!doze_param_time(self, params, "from", &p->selection.from) ||
	    !doze_param_time(self, params, "to", &p->selection.to) || !read_list(p, self, params))
		return false;
	if (p->selection.from <= p->selection.to)
		return true;
	doze_plugin_complain(self, "parameter `from`: lies behind `to`: swap them");
	return false;
}
