/*
 * SPDX-License-Identifier: MIT
 *
 * view_sink.c - see view_sink.h.
 */
#include "view_sink.h"

#include <stdlib.h>
#include <string.h>

#include "../explain/symbols.h"
#include "../trace/decode.h"
#include "load.h"
#include "selection_text.h"
#include "view_params.h"

struct sink {
	const struct doze_view *view;
	void *state; /* owned; the view's state; null: not created yet */
	struct doze_view_params params;
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
	if (s->state && !doze_view_params_read(&s->params, s->view, s->state, s->self, params))
		return false;
	if (s->state && s->decoder)
		s->model = s->view->open(s->state, r);
	if (!s->model)
		doze_plugin_complain(s->self, "out of memory");
	return s->model != NULL;
}

bt_component_class_initialize_method_status doze_view_sink_initialize(bt_self_component_sink *self,
								      const bt_value *params,
								      const struct doze_view *view)
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

void doze_view_sink_finalize(bt_self_component_sink *self)
{
	sink_free(sink_of(self));
}

bt_component_class_sink_graph_is_configured_method_status
doze_view_sink_configured(bt_self_component_sink *self)
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
		doze_plugin_complain(s->self, "the trace is newer than this plug-in: update doze");
		return false;
	case DOZE_DECODED_LACKS:
		doze_plugin_complain(s->self, doze_decoder_lacks(s->decoder));
		return false;
	case DOZE_DECODED_MEMORY:
		doze_plugin_complain(s->self, "out of memory");
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
		doze_plugin_complain(s->self, "the trace has no doze events: record a program that "
					      "uses libdoze with 'doze record'");
		return false;
	}
	doze_model_finish(s->model, doze_model_totals(s->model)->last_ts);
	problem = doze_selection_problem(&r->selection, s->model, true);
	if (problem) {
		doze_plugin_refuse(s->self, problem);
		return false;
	}
	doze_view_print(s->view, s->state, s->model, r);
	fflush(stdout);
	if (s->view->failed && s->view->failed(s->state)) {
		doze_plugin_complain(s->self, "out of memory");
		return false;
	}
	return true;
}

bt_component_class_sink_consume_method_status doze_view_sink_consume(bt_self_component_sink *self)
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
