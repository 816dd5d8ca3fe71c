/*
 * SPDX-License-Identifier: MIT
 *
 * graph.c - see graph.h.
 */
#include "graph.h"

#include <stdbool.h>
#include <stdio.h>

#include "text.h"

/* Of what is being built; so that a function has one argument for all of it. */
struct build {
	bt_graph *graph;
	const bt_component_filter *muxer; /* weak; null: sources go straight to the sink */
	const bt_port_input *sink;        /* weak */
	uint64_t muxer_ports;             /* used ones */
	char *err;
	size_t err_size;
};

static bool no_plugin(struct build *b, const char *name)
{
	char cause[160];

	doze_bt_cause(cause, sizeof(cause));
	doze_line(
	    b->err, b->err_size,
	    "cannot read traces: Babeltrace 2 plug-in `%s` not found: install babeltrace2 (%s)",
	    name, cause);
	return false;
}

static const bt_plugin *find_plugin(struct build *b, const char *name)
{
	const bt_plugin *plugin = NULL;

	if (bt_plugin_find(name, BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) !=
	    BT_PLUGIN_FIND_STATUS_OK)
		no_plugin(b, name);
	return plugin;
}

static bool add_muxer(struct build *b)
{
	const bt_plugin *plugin = find_plugin(b, "utils");
	const bt_component_class_filter *class =
	    plugin ? bt_plugin_borrow_filter_component_class_by_name_const(plugin, "muxer") : NULL;
	bool ok = class && bt_graph_add_filter_component(b->graph, class, "muxer", NULL,
							 BT_LOGGING_LEVEL_NONE, &b->muxer) ==
			       BT_GRAPH_ADD_COMPONENT_STATUS_OK;

	if (plugin && !ok)
		no_plugin(b, "utils");
	bt_plugin_put_ref(plugin);
	return ok;
}

static const bt_component_class_source *source_class(struct build *b, const char *name,
						     const bt_plugin **plugin)
{
	const bt_component_class_source *class = NULL;

	*plugin = find_plugin(b, "ctf");
	if (*plugin)
		class = bt_plugin_borrow_source_component_class_by_name_const(*plugin, name);
	if (*plugin && !class)
		no_plugin(b, "ctf");
	return class;
}

static bool connect_one(struct build *b, const bt_port_output *out)
{
	const bt_port_input *in = b->sink;

	/* The muxer always has one free input port; it adds the next one when it is taken. */
	if (b->muxer)
		in = bt_component_filter_borrow_input_port_by_index_const(b->muxer,
									  b->muxer_ports++);
	return bt_graph_connect_ports(b->graph, out, in, NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
}

static bool connect_all(struct build *b, const bt_component_source *source)
{
	uint64_t n = bt_component_source_get_output_port_count(source);

	for (uint64_t i = 0; i < n; i++)
		if (!connect_one(b,
				 bt_component_source_borrow_output_port_by_index_const(source, i)))
			return false;
	return true;
}

static bool connect_muxer(struct build *b)
{
	return bt_graph_connect_ports(
		   b->graph, bt_component_filter_borrow_output_port_by_index_const(b->muxer, 0),
		   b->sink, NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
}

static bt_value *inputs_params(const char *input)
{
	bt_value *params = bt_value_map_create();
	bt_value *inputs = NULL;

	if (params &&
	    bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) ==
		BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    bt_value_array_append_string_element(inputs, input) ==
		BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK)
		return params;
	bt_value_put_ref(params);
	return NULL;
}

static const bt_component_source *add_source(struct build *b, const char *class_name,
					     const char *name, const bt_value *params)
{
	const bt_plugin *plugin;
	const bt_component_class_source *class = source_class(b, class_name, &plugin);
	const bt_component_source *source = NULL;

	if (class && params)
		(void)bt_graph_add_source_component(b->graph, class, name, params,
						    BT_LOGGING_LEVEL_NONE, &source);
	bt_plugin_put_ref(plugin);
	return source;
}

static bool add_folder(struct build *b, const char *folder, size_t number)
{
	bt_value *params = inputs_params(folder);
	const bt_component_source *source;
	char name[32], cause[256];

	snprintf(name, sizeof(name), "trace%zu", number);
	source = add_source(b, "fs", name, params);
	bt_value_put_ref(params);
	if (source && connect_all(b, source))
		return true;
	if (b->err[0] != '\0') /* no plug-in: said already */
		return false;
	doze_bt_cause(cause, sizeof(cause));
	doze_line(b->err, b->err_size,
		  "cannot read the trace: %s: corrupted or truncated (%s): record it again", folder,
		  cause);
	return false;
}

static bool build_begin(struct build *b, const struct doze_sink_target *target)
{
	/* Babeltrace's log would land on the screen; the causes of errors we collect ourselves. */
	bt_logging_set_global_level(BT_LOGGING_LEVEL_NONE);
	b->err[0] = '\0';
	b->graph = bt_graph_create(0);
	b->sink = b->graph ? doze_sink_add(b->graph, target) : NULL;
	return b->sink != NULL;
}

/* Gives the graph up after an error; the one on the thread is taken, the line is filled. */
static bt_graph *build_failed(struct build *b)
{
	char cause[256];

	doze_bt_cause(cause, sizeof(cause));
	if (b->err[0] == '\0')
		doze_line(b->err, b->err_size,
			  "cannot read the trace: Babeltrace: %s: see `doze doctor`", cause);
	bt_graph_put_ref(b->graph);
	return NULL;
}

bt_graph *doze_graph_dir(const struct doze_folders *folders, const struct doze_sink_target *target,
			 char *err, size_t err_size)
{
	struct build b = {.err = err, .err_size = err_size};
	bool ok = build_begin(&b, target) && add_muxer(&b);

	for (size_t i = 0; ok && i < folders->count; i++)
		ok = add_folder(&b, folders->path[i], i);
	if (ok && b.muxer_ports == 0) {
		doze_line(err, err_size,
			  "nothing in the trace: %s has metadata but no data stream: was the "
			  "traced program's provider found?",
			  folders->path[0]);
		ok = false;
	}
	return ok && connect_muxer(&b) ? b.graph : build_failed(&b);
}

static bt_value *live_params(const char *url)
{
	bt_value *params = inputs_params(url);

	/* `end`: when the session is destroyed, what is in the relay is still delivered, then the
	 * graph ends. With the default, `continue`, it would wait for a session of that name. */
	if (params && bt_value_map_insert_string_entry(params, "session-not-found-action", "end") ==
			  BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
		return params;
	bt_value_put_ref(params);
	return NULL;
}

bt_graph *doze_graph_live(const char *url, const struct doze_sink_target *target, char *err,
			  size_t err_size)
{
	struct build b = {.err = err, .err_size = err_size};
	bt_value *params = live_params(url);
	const bt_component_source *source = NULL;
	bool ok;

	if (build_begin(&b, target))
		source = add_source(&b, "lttng-live", "live", params);
	bt_value_put_ref(params);
	/* The live source has one port and orders its streams itself: no muxer. */
	ok = source && connect_all(&b, source);
	return ok ? b.graph : build_failed(&b);
}
