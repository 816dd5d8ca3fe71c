/*
 * SPDX-License-Identifier: MIT
 *
 * plugin.c - the Babeltrace 2 plug-in `doze`: one sink per view of DOZE_VIEWS, and the filter.
 *
 * A sink decodes the messages of its one input port, feeds them to the model, and prints the view
 * to standard output after the last message.
 */
#include <babeltrace2/babeltrace.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../explain/symbols.h"
#include "../trace/decode.h"
#include "../trace/sink.h"
#include "load_trace.h"
#include "selected.h"
#include "view.h"
#include "wakes_filter.h"

/*
 * ---- The parameters of a sink (`--params=name=value`) ----
 *
 * They are the view's own options and the shared options that it takes. Each value is converted to
 * text and parsed by the option's own check, as on the command line. A bare integer means
 * nanoseconds for a time, and an index for a worker.
 */

struct params {
	struct doze_view_request request;
	char list[256]; /* text of the request's selection.list */
	char pool[256]; /* text of the request's selection.pool_name */
};

#define REQUEST(field) offsetof(struct doze_view_request, field)

/* The options that views share. Each view accepts those that it does not refuse
 * (doze_shared_refusal). */
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

/* Appends a cause to the thread's error. */
#define COMPLAIN(self, ...)                                                                        \
	(void)bt_current_thread_error_append_cause_from_component(self, __FILE__, __LINE__,        \
								  __VA_ARGS__)

/* Appends a cause to the thread's error. If the problem names an option ("--from: ..."), names the
 * parameter instead. */
static void refuse_option(bt_self_component *self, const char *problem)
{
	const char *name = problem + strspn(problem, "-");
	size_t length = strcspn(name, ": ");

	COMPLAIN(self, "parameter `%.*s`%s", (int)length, name, name + length);
}

static bool refuse(bt_self_component *self, const char *name, const char *allowed)
{
	COMPLAIN(self, "parameter `%s`: must be %s", name, allowed);
	return false;
}

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

/* Writes the help text of the component class, one line per parameter. */
static void write_params(const struct doze_view *v, char *text, size_t size)
{
	struct help h = {.text = text, .size = size};

	h.used = (size_t)snprintf(text, size, "Parameters, all optional:\n");
	each_param(v, add_help, &h);
}

struct reading {
	struct params *p;
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
	COMPLAIN(n->self, "parameter `%s`: %s", name, why);
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

/* Stores the parameters in the request and in the view's state. Missing parameters keep their
 * defaults. `p` must not move afterwards. If a parameter is unknown or has the wrong type or value,
 * or if the selected range ends before it begins, appends a cause to the thread's error and returns
 * false. */
static bool read_params(struct params *p, const struct doze_view *v, void *state,
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
	refuse_option(self, problem);
	return false;
}

/* ---- A sink ---- */

struct sink {
	const struct doze_view *view;
	void *state; /* owned; the view's state; null: not created yet */
	struct params params;
	struct doze_model *model;      /* owned */
	struct doze_decoder *decoder;  /* owned */
	bt_message_iterator *iterator; /* owned; created by graph_is_configured */
	bt_self_component *self;       /* not owned */
	uint64_t events;               /* number of events in all pools */
};

static struct sink *sink_of(bt_self_component_sink *self)
{
	return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

static void sink_free(struct sink *s)
{
	if (s->state && s->view->close)
		s->view->close(s->state);
	free(s->state);
	doze_model_free(s->model);
	doze_decoder_free(s->decoder);
	bt_message_iterator_put_ref(s->iterator);
	free(s);
}

/* Creates the view. If a parameter is wrong or memory runs out, appends a cause to the thread's
 * error and returns false. */
static bool open_view(struct sink *s, const bt_value *params)
{
	struct doze_view_request *r = &s->params.request;

	*r = (struct doze_view_request){.selection = DOZE_SELECT_ALL,
					.palette.ascii =
					    s->view->takes & DOZE_VIEW_DRAWS && !doze_locale_utf8(),
					.columns = 80,
					.trace = "babeltrace2",
					.out = stdout};
	s->state = doze_view_state(s->view);
	s->decoder = doze_decoder_new();
	if (s->state && !read_params(&s->params, s->view, s->state, s->self, params))
		return false;
	if (s->state && s->decoder)
		s->model = s->view->open(s->state, r);
	if (!s->model)
		COMPLAIN(s->self, "out of memory");
	return s->model != NULL;
}

/* The initialize method of the view's component class. */
static bt_component_class_initialize_method_status
sink_initialize(bt_self_component_sink *self, const bt_value *params, const struct doze_view *view)
{
	struct sink *s = calloc(1, sizeof(*s));

	if (!s)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	s->view = view;
	s->self = bt_self_component_sink_as_self_component(self);
	if (open_view(s, params) && bt_self_component_sink_add_input_port(self, "in", NULL, NULL) ==
					BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
		bt_self_component_set_data(s->self, s);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
	}
	sink_free(s);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

static void sink_finalize(bt_self_component_sink *self)
{
	sink_free(sink_of(self));
}

static bt_component_class_sink_graph_is_configured_method_status
sink_configured(bt_self_component_sink *self)
{
	/* Both enums use the same values. */
	return (bt_component_class_sink_graph_is_configured_method_status)
	    bt_message_iterator_create_from_sink_component(
		self, bt_self_component_sink_borrow_input_port_by_index(self, 0),
		&sink_of(self)->iterator);
}

static void take_event(struct sink *s, const struct doze_event *e)
{
	s->events++;
	if (!doze_load_takes(s->model, &s->params.request.selection, e))
		return;
	if (s->view->feed)
		s->view->feed(s->state, s->model, e);
	else
		doze_model_feed(s->model, e);
}

/* Processes one message. If the sink cannot continue, appends a cause to the thread's error and
 * returns false. */
static bool take_message(struct sink *s, const bt_message *msg)
{
	struct doze_event e;
	struct doze_loss l;

	switch (doze_decode(s->decoder, msg, &e, &l)) {
	case DOZE_DECODED_EVENT:
		take_event(s, &e);
		return true;
	case DOZE_DECODED_LOSS:
		doze_model_discarded(s->model, l.from, l.to, l.count);
		return true;
	case DOZE_DECODED_QUIET:
		doze_model_clock(s->model, l.to);
		return true;
	case DOZE_DECODED_BINARY:
		doze_symbols_add(s->model, doze_decoder_binary(s->decoder));
		return true;
	case DOZE_DECODED_NEWER:
		COMPLAIN(s->self, "the trace is newer than this plug-in: update doze");
		return false;
	case DOZE_DECODED_LACKS:
		COMPLAIN(s->self, "%s", doze_decoder_lacks(s->decoder));
		return false;
	case DOZE_DECODED_MEMORY:
		COMPLAIN(s->self, "out of memory");
		return false;
	default:
		return true;
	}
}

static bool take_messages(struct sink *s, bt_message_array_const messages, uint64_t count)
{
	bool ok = true;

	for (uint64_t i = 0; i < count; i++) {
		ok = ok && take_message(s, messages[i]);
		bt_message_put_ref(messages[i]);
	}
	return ok;
}

/* Prints the view. On failure, appends a cause to the thread's error and returns false. */
static bool finish(struct sink *s)
{
	const struct doze_view_request *r = &s->params.request;
	const char *problem;

	if (!s->events) {
		COMPLAIN(s->self, "the trace has no doze events: record a program that "
				  "uses libdoze with 'doze record'");
		return false;
	}
	doze_model_finish(s->model, doze_model_totals(s->model)->last_ts);
	problem = doze_selection_problem(&r->selection, s->model, true);
	if (problem) {
		refuse_option(s->self, problem);
		return false;
	}
	doze_view_print(s->view, s->state, s->model, r);
	fflush(stdout);
	if (s->view->failed && s->view->failed(s->state)) {
		COMPLAIN(s->self, "out of memory");
		return false;
	}
	return true;
}

static bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink *self)
{
	struct sink *s = sink_of(self);
	bt_message_array_const messages;
	uint64_t count;
	bt_message_iterator_next_status st =
	    bt_message_iterator_next(s->iterator, &messages, &count);

	if (st == BT_MESSAGE_ITERATOR_NEXT_STATUS_END && !finish(s))
		return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
	if (st != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_component_class_sink_consume_method_status)st;
	return take_messages(s, messages, count)
		   ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
		   : BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
}

/* ---- The component classes ---- */

BT_PLUGIN_MODULE();

BT_PLUGIN_WITH_ID(doze, "doze");
BT_PLUGIN_DESCRIPTION_WITH_ID(doze, "Sleep and wake decisions of a doze thread pool");
BT_PLUGIN_LICENSE_WITH_ID(doze, "MIT");

/* Babeltrace's macros take constants, so each sink needs its own initialize method. The help text
 * is written when the plug-in is loaded, before Babeltrace reads it. */
#define INITIALIZE(id, description)                                                                \
	static bt_component_class_initialize_method_status id##_initialize(                        \
	    bt_self_component_sink *self, bt_self_component_sink_configuration *config,            \
	    const bt_value *params, void *data)                                                    \
	{                                                                                          \
		(void)config, (void)data;                                                          \
		return sink_initialize(self, params, &doze_##id##_view);                           \
	}                                                                                          \
	static char id##_help[2048];
DOZE_VIEWS(INITIALIZE)

__attribute__((constructor)) static void write_help(void)
{
#define HELP(id, description) write_params(&doze_##id##_view, id##_help, sizeof id##_help);
	DOZE_VIEWS(HELP)
}

/* The versions of the message interchange protocol that the reader's decoder understands. */
static bt_component_class_get_supported_mip_versions_method_status
supported_versions(bt_integer_range_set_unsigned *versions)
{
	return (bt_component_class_get_supported_mip_versions_method_status)
	    bt_integer_range_set_unsigned_add_range(versions, 0, doze_mip_newest());
}

static bt_component_class_get_supported_mip_versions_method_status
sink_versions(bt_self_component_class_sink *self, const bt_value *params, void *data,
	      bt_logging_level level, bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return supported_versions(versions);
}

static bt_component_class_get_supported_mip_versions_method_status
filter_versions(bt_self_component_class_filter *self, const bt_value *params, void *data,
		bt_logging_level level, bt_integer_range_set_unsigned *versions)
{
	(void)self, (void)params, (void)data, (void)level;
	return supported_versions(versions);
}

#define SINK(id, description)                                                                      \
	BT_PLUGIN_SINK_COMPONENT_CLASS_WITH_ID(doze, id, #id, sink_consume);                       \
	BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION_WITH_ID(doze, id, description);                 \
	BT_PLUGIN_SINK_COMPONENT_CLASS_HELP_WITH_ID(doze, id, id##_help);                          \
	BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(doze, id, id##_initialize);       \
	BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(doze, id, sink_finalize);           \
	BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD_WITH_ID(doze, id,                \
									  sink_configured);        \
	BT_PLUGIN_SINK_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_WITH_ID(doze, id,         \
										 sink_versions);
DOZE_VIEWS(SINK)

BT_PLUGIN_FILTER_COMPONENT_CLASS_WITH_ID(doze, wakes, "wakes", doze_plugin_wakes_next);
BT_PLUGIN_FILTER_COMPONENT_CLASS_DESCRIPTION_WITH_ID(
    doze, wakes, "Add an event `doze_verdict:wake` with the verdict on each wake");
BT_PLUGIN_FILTER_COMPONENT_CLASS_HELP_WITH_ID(doze, wakes, DOZE_PLUGIN_WAKES_HELP);
BT_PLUGIN_FILTER_COMPONENT_CLASS_INITIALIZE_METHOD_WITH_ID(doze, wakes,
							   doze_plugin_wakes_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_WITH_ID(doze, wakes,
									   filter_versions);
BT_PLUGIN_FILTER_COMPONENT_CLASS_FINALIZE_METHOD_WITH_ID(doze, wakes, doze_plugin_wakes_finalize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_WITH_ID(
    doze, wakes, doze_plugin_wakes_iterator_initialize);
BT_PLUGIN_FILTER_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD_WITH_ID(
    doze, wakes, doze_plugin_wakes_iterator_finalize);
