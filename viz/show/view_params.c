/*
 * SPDX-License-Identifier: MIT
 *
 * view_params.c - see view_params.h.
 *
 * Each value is converted to text and parsed by the option's own check, as on the command line. A
 * bare integer means nanoseconds for a time, and an index for a worker.
 */
#include "view_params.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "shared_options.h"

#define REQUEST(field) offsetof(struct doze_view_request, field)

/* The options that views share. Each view accepts those that it does not refuse
 * (viz/show/shared_options.h). */
static const struct doze_view_option shared[] = {
    {{"json", 0, NULL, "print one JSON object", doze_check_flag, NULL},
     REQUEST(json),
     DOZE_VIEW_SINK},
    {{"ascii", 0, NULL, "use ASCII characters only", doze_check_flag, NULL},
     REQUEST(palette.ascii),
     DOZE_VIEW_SINK},
    {{"color", 0, NULL, "use colours", doze_check_flag, NULL},
     REQUEST(palette.color),
     DOZE_VIEW_SINK},
    {{"from", 0, "T", "start of the range, from the first event: nanoseconds, or \"20ms\"",
      doze_check_duration, NULL},
     REQUEST(selection.from),
     DOZE_VIEW_SINK},
    {{"to", 0, "T", "end of the range, from the first event", doze_check_duration, NULL},
     REQUEST(selection.to),
     DOZE_VIEW_SINK},
    {{"worker", 0, "LIST", "only these workers, such as 2 or \"0-3,6\"", doze_check_worker_list,
      NULL},
     REQUEST(selection),
     DOZE_VIEW_SINK},
    {{"pool", 0, "POOL", "only the pool with this number or name", doze_check_pool, NULL},
     REQUEST(selection),
     DOZE_VIEW_SINK},
};
#define SHARED (sizeof shared / sizeof shared[0])

void doze_plugin_complain(bt_self_component *self, const char *what)
{
	(void)bt_current_thread_error_append_cause_from_component(self, __FILE__, __LINE__, "%s",
								  what);
}

void doze_plugin_refuse(bt_self_component *self, const char *problem)
{
	const char *name = problem + strspn(problem, "-");
	size_t length = strcspn(name, ": ");

	(void)bt_current_thread_error_append_cause_from_component(
	    self, __FILE__, __LINE__, "parameter `%.*s`%s", (int)length, name, name + length);
}

static bool refuse(bt_self_component *self, const char *name, const char *allowed)
{
	(void)bt_current_thread_error_append_cause_from_component(
	    self, __FILE__, __LINE__, "parameter `%s`: must be %s", name, allowed);
	return false;
}

/* ---- the list of parameters ---- */

static bool has_shared(const struct doze_view *v, const char *name)
{
	return !doze_shared_refusal(v->name, name) && (v->json || strcmp(name, "json") != 0);
}

/* Calls visit for each parameter of the view, until visit returns false. in_request: the value is
 * stored in the request rather than in the view's state. */
static bool each_param(const struct doze_view *v,
		       bool (*visit)(void *ctx, const struct doze_view_option *, bool in_request),
		       void *ctx)
{
	for (const struct doze_view_option *o = v->options; o && o->option.name; o++)
		if (o->only != DOZE_VIEW_COMMAND && !visit(ctx, o, false))
			return false;
	for (size_t i = 0; i < SHARED; i++)
		if (has_shared(v, shared[i].option.name) && !visit(ctx, &shared[i], true))
			return false;
	return true;
}

/* ---- the help text ---- */

struct help {
	char *text;
	size_t used, size;
};

static bool add_help(void *ctx, const struct doze_view_option *o, bool in_request)
{
	struct help *h = ctx;
	char left[64];
	int n;

	(void)in_request;
	snprintf(left, sizeof left, "%s=%s", o->option.name,
		 o->option.value ? o->option.value : "yes");
	n = snprintf(h->text + h->used, h->size - h->used, "  %-18s %s\n", left, o->option.help);
	if (n > 0 && (size_t)n < h->size - h->used)
		h->used += (size_t)n;
	return true;
}

void doze_view_params_help(const struct doze_view *v, char *text, size_t size)
{
	struct help h = {.text = text, .size = size};

	h.used = (size_t)snprintf(text, size, "Parameters, all optional:\n");
	each_param(v, add_help, &h);
}

/* ---- reading the parameters' values ---- */

struct reading {
	struct doze_view_params *p;
	void *state;
	bt_self_component *self;
	const bt_value *params;
	const char *name; /* the parameter being searched for */
};

/* Converts the value to text. Returns false if the option does not accept its type. Babeltrace
 * parses `3` as a signed integer and `+3` as an unsigned one. */
static bool as_text(const bt_value *v, doze_option_fn *check, char *text, size_t size)
{
	const char *unit = check == doze_check_duration ? "ns" : "";
	int n = -1;

	if (bt_value_is_string(v))
		n = snprintf(text, size, "%s", bt_value_string_get(v));
	else if (bt_value_is_signed_integer(v))
		n = snprintf(text, size, "%" PRId64 "%s", bt_value_integer_signed_get(v), unit);
	else if (bt_value_is_unsigned_integer(v))
		n = snprintf(text, size, "%" PRIu64 "%s", bt_value_integer_unsigned_get(v), unit);
	else if (bt_value_is_real(v) && check == doze_check_ratio)
		n = snprintf(text, size, "%.30f", bt_value_real_get(v));
	return n >= 0 && (size_t)n < size;
}

static bool read_flag(const struct reading *r, const char *name, const bt_value *v, void *target)
{
	if (!bt_value_is_bool(v))
		return refuse(r->self, name, "yes or no");
	*(bool *)target = bt_value_bool_get(v) != BT_FALSE;
	return true;
}

static bool read_param(void *ctx, const struct doze_view_option *o, bool in_request)
{
	struct reading *r = ctx;
	const char *name = o->option.name, *allowed;
	const bt_value *v = bt_value_map_borrow_entry_value_const(r->params, name);
	void *target = (in_request ? (char *)&r->p->request : (char *)r->state) + o->offset;
	char own[sizeof r->p->list];
	/* The selection points to these two texts, so they must outlive this call. */
	char *text = o->option.check == doze_check_worker_list ? r->p->list
		     : o->option.check == doze_check_pool      ? r->p->pool
							       : own;

	if (!v)
		return true;
	if (o->option.check == doze_check_flag)
		return read_flag(r, name, v, target);
	allowed = as_text(v, o->option.check, text, sizeof own)
		      ? o->option.check(text, target)
		      : "a number, or a string (see the class's help)";
	if (allowed && o->option.check == doze_check_duration)
		allowed = "nanoseconds, or a string like \"20ms\"";
	return allowed ? refuse(r->self, name, allowed) : true;
}

/* Visitor: returns false, which ends the search, if this is the wanted parameter. */
static bool is_other(void *ctx, const struct doze_view_option *o, bool in_request)
{
	(void)in_request;
	return strcmp(o->option.name, ((struct reading *)ctx)->name) != 0;
}

struct names {
	const struct doze_view *view;
	bt_self_component *self;
};

/* If the view or all sinks refuse the shared option, reports why and returns true. */
static bool refuse_shared(const struct names *n, const char *name)
{
	const char *why = doze_shared_refusal(n->view->name, name);

	why = why ? why : doze_shared_sink_refusal(name);
	if (!why)
		return false;
	(void)bt_current_thread_error_append_cause_from_component(n->self, __FILE__, __LINE__,
								  "parameter `%s`: %s", name, why);
	return true;
}

static bt_value_map_foreach_entry_const_func_status check_name(const char *name, const bt_value *v,
							       void *ctx)
{
	const struct names *n = ctx;
	struct reading r = {.name = name};

	(void)v;
	if (!each_param(n->view, is_other, &r))
		return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	if (!refuse_shared(n, name))
		refuse(n->self, name,
		       "a parameter of this class (see babeltrace2 help sink.doze.CLASS)");
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_ERROR;
}

bool doze_view_params_read(struct doze_view_params *p, const struct doze_view *v, void *state,
			   bt_self_component *self, const bt_value *params)
{
	struct names names = {v, self};
	struct reading r = {.p = p, .state = state, .self = self, .params = params};
	const struct doze_selection *s = &p->request.selection;
	const char *problem;

	if (bt_value_map_foreach_entry_const(params, check_name, &names) !=
		BT_VALUE_MAP_FOREACH_ENTRY_CONST_STATUS_OK ||
	    !each_param(v, read_param, &r))
		return false;
	problem = s->from > s->to ? "parameter `from`: later than `to`: swap them"
		  : v->refuse     ? v->refuse(state, &p->request)
				  : NULL;
	if (!problem)
		return true;
	doze_plugin_refuse(self, problem);
	return false;
}
