/*
 * SPDX-License-Identifier: MIT
 *
 * graph.c - see graph.h.
 */
#include "graph.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error_line.h"
#include "metadata.h"
#include "packets.h"

/* A graph under construction. */
struct build {
	bt_graph *graph;
	bt_component_class_sink *sink;          /* owned */
	const bt_plugin *plugin;                /* owned; the plug-in `ctf` */
	const bt_component_class_source *class; /* not owned; class of the sources */
	const bt_component_source **source;     /* not owned */
	size_t sources;
	uint64_t ports; /* number of output ports of all sources */
	struct doze_graph_part part;
	bool any_ours; /* the metadata of a folder may be doze's */
	bool *foreign; /* owned; per folder: the metadata is another program's */
	char *err;
	size_t err_size;
};

/* libbabeltrace2 links the component classes of all plug-ins in one list, without a lock (its
 * plugin-so.c). Loading a plug-in adds to the list; dropping the last reference to a class removes
 * from it. Two runs of a duel do both on two threads, so this lock orders the changes of the list
 * one after the other. Graphs drop references, too, even while they run: a source that has ended is
 * destroyed. So struct doze_graph holds the plug-in, which holds its classes, for longer than the
 * graph, and drops it last, with the lock. (A lock around the destruction of a graph would not do:
 * a failed assertion of Babeltrace would leave it locked, see reader.c.) */
static pthread_mutex_t classes = PTHREAD_MUTEX_INITIALIZER;

static bool find_class(struct build *b, const char *name)
{
	bt_plugin_find_status found;
	char cause[160];

	pthread_mutex_lock(&classes);
	found = bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &b->plugin);
	pthread_mutex_unlock(&classes);
	if (found == BT_PLUGIN_FIND_STATUS_OK)
		b->class = bt_plugin_borrow_source_component_class_by_name_const(b->plugin, name);
	if (b->class)
		return true;
	doze_bt_cause(cause, sizeof(cause));
	doze_line(b->err, b->err_size,
		  "cannot read traces: Babeltrace 2's plug-in `ctf` not found (%s): install "
		  "babeltrace2",
		  cause);
	return false;
}

/* Returns the number of the first port of a part. */
static uint64_t first_port(const struct build *b, unsigned part)
{
	return b->ports * part / b->part.of;
}

static uint64_t wanted_ports(const struct build *b)
{
	return first_port(b, b->part.number + 1) - first_port(b, b->part.number);
}

/* Connects the sources' ports that belong to the part to the sink's ports, in order. Babeltrace
 * does not read a port that is not connected. */
static bool connect_all(struct build *b, const bt_component_sink *sink)
{
	uint64_t at = 0, first = first_port(b, b->part.number), count = wanted_ports(b);

	for (size_t i = 0; i < b->sources; i++) {
		uint64_t n = bt_component_source_get_output_port_count(b->source[i]);

		for (uint64_t p = 0; p < n; p++, at++)
			if (at >= first && at - first < count &&
			    bt_graph_connect_ports(
				b->graph,
				bt_component_source_borrow_output_port_by_index_const(b->source[i],
										      p),
				bt_component_sink_borrow_input_port_by_index_const(sink,
										   at - first),
				NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
				return false;
	}
	return true;
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

static bool add_source(struct build *b, const bt_value *params)
{
	const bt_component_source *source = NULL;
	char name[32];

	snprintf(name, sizeof(name), "trace%zu", b->sources);
	if (params)
		(void)bt_graph_add_source_component(b->graph, b->class, name, params,
						    BT_LOGGING_LEVEL_NONE, &source);
	if (!source)
		return false;
	b->source[b->sources++] = source;
	b->ports += bt_component_source_get_output_port_count(source);
	return true;
}

static bool describe(const struct build *b, bt_component_descriptor_set *all,
		     bt_value *const *params, size_t sources)
{
	const bt_component_class *source =
	    bt_component_class_source_as_component_class_const(b->class);
	bt_component_descriptor_set_add_descriptor_status st =
	    bt_component_descriptor_set_add_descriptor(
		all, bt_component_class_sink_as_component_class_const(b->sink), NULL);

	for (size_t i = 0; i < sources; i++)
		if (st == BT_COMPONENT_DESCRIPTOR_SET_ADD_DESCRIPTOR_STATUS_OK)
			st = bt_component_descriptor_set_add_descriptor(all, source, params[i]);
	return st == BT_COMPONENT_DESCRIPTOR_SET_ADD_DESCRIPTOR_STATUS_OK;
}

/* Creates the graph for sources with these parameters. Its version of the message interchange
 * protocol is the newest one that all components support: CTF 2 requires version 1, which
 * Babeltrace 2.0 does not have. If a source cannot tell, as with damaged metadata, the graph has
 * version 0, and the error appears when the source is added. */
static bool create_graph(struct build *b, bt_value *const *params, size_t sources)
{
	bt_component_descriptor_set *all = bt_component_descriptor_set_create();
	uint64_t version = 0;

	if (!all || !describe(b, all, params, sources) ||
	    bt_get_greatest_operative_mip_version(all, BT_LOGGING_LEVEL_NONE, &version) !=
		BT_GET_GREATEST_OPERATIVE_MIP_VERSION_STATUS_OK) {
		bt_current_thread_clear_error();
		version = 0;
	}
	bt_component_descriptor_set_put_ref(all);
	b->graph = bt_graph_create(version);
	return b->graph != NULL;
}

/* ---- Reads a folder in a child process first, to find out whether that crashes ---- */

#define TRIAL_MESSAGES 64
#define TRIAL_SECONDS  5

static bool take_one(void *ctx, const bt_message *m)
{
	unsigned *left = ctx;

	(void)m;
	return (*left)-- > 0;
}

static void try_reading(struct build *b, const char *folder)
{
	bt_value *params = inputs_params(folder);
	unsigned left = TRIAL_MESSAGES;
	const struct doze_sink_target target = {take_one, &left};
	const bt_component_sink *sink;

	if (!params || !create_graph(b, &params, 1) || !add_source(b, params) || b->ports == 0)
		return;
	b->part = DOZE_GRAPH_ALL;
	sink = doze_sink_add(b->graph, b->sink, &target, b->ports);
	if (sink && connect_all(b, sink))
		(void)bt_graph_run(b->graph);
}

/* Runs in the child. A crash is an expected result, so this suppresses the parent's handlers, core
 * dumps and output. */
static void child(struct build *b, const char *folder)
{
	static const int fatal[] = {SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGXCPU};
	struct rlimit seconds = {TRIAL_SECONDS, TRIAL_SECONDS}, none = {0, 0};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (unsigned i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		(void)signal(fatal[i], SIG_DFL);
	(void)setrlimit(RLIMIT_CPU, &seconds);
	(void)setrlimit(RLIMIT_CORE, &none);
	if (null >= 0) {
		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
	}
	try_reading(b, folder);
	_exit(0);
}

/* Tries to read the first messages of a folder in a silent child process with at most a few seconds
 * of CPU time. Returns false if that crashed or took longer. Returns true if no child could be
 * created, because the result is then unknown. */
static bool survives(struct build *b, const char *folder)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		child(b, folder);
	if (pid < 0)
		return true;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool try_folder(struct build *b, const char *folder)
{
	if (survives(b, folder))
		return true;
	doze_line(
	    b->err, b->err_size,
	    "cannot read the trace: %s: corrupted (Babeltrace crashed on it): record it again",
	    folder);
	return false;
}

/* Metadata in CTF 2 is a sequence of JSON texts, each of which begins with a record separator. */
static bool is_readable(struct build *b, const char *folder, const char *metadata)
{
	if (metadata[0] != '\x1e' || doze_mip_newest() > 0)
		return true;
	doze_line(
	    b->err, b->err_size,
	    "cannot read the trace: %s: its format is CTF 2, which Babeltrace %u.%u does not read: "
	    "install Babeltrace 2.1 or later",
	    folder, bt_version_get_major(), bt_version_get_minor());
	return false;
}

/* Finds damage that would crash Babeltrace: with the reader's own checks where possible, otherwise
 * in a child process. */
static bool frame_is_sound(struct build *b, const char *folder, bool *foreign)
{
	char *metadata = doze_metadata_read(folder, b->err, b->err_size);
	enum doze_packets packets = DOZE_PACKETS_DAMAGED;

	if (metadata && is_readable(b, folder, metadata))
		packets = doze_packets_check(folder, metadata, b->err, b->err_size);
	if (packets == DOZE_PACKETS_UNKNOWN && try_folder(b, folder))
		packets = DOZE_PACKETS_SOUND;
	*foreign = metadata && doze_metadata_is_foreign(metadata);
	b->any_ours |= !*foreign;
	free(metadata);
	return packets == DOZE_PACKETS_SOUND;
}

void doze_graph_explain_foreign(const char *folder, char *err, size_t err_size)
{
	doze_line(err, err_size,
		  "cannot read the trace: %s: not a trace of doze, because its metadata does not "
		  "declare doze:pool_start: record a trace with 'doze record'",
		  folder);
}

static bool add_folder(struct build *b, const char *folder, const bt_value *params)
{
	char cause[256];

	if (add_source(b, params))
		return true;
	doze_bt_cause(cause, sizeof(cause));
	doze_line(b->err, b->err_size,
		  "cannot read the trace: %s: corrupted or truncated (%s): record it again", folder,
		  cause);
	return false;
}

static bool build_begin(struct build *b, const char *class, size_t sources)
{
	/* Silence Babeltrace's log, which would garble the screen; the reader collects the causes
	 * of errors itself. */
	bt_logging_set_global_level(BT_LOGGING_LEVEL_NONE);
	b->err[0] = '\0';
	b->sink = doze_sink_class();
	b->source = calloc(sources, sizeof(const bt_component_source *));
	b->foreign = calloc(sources, sizeof(*b->foreign));
	return b->sink && b->source && b->foreign && find_class(b, class);
}

void doze_graph_disconnect(struct doze_graph *g)
{
	BT_GRAPH_PUT_REF_AND_RESET(g->graph);
}

void doze_graph_free(struct doze_graph *g)
{
	doze_graph_disconnect(g);
	pthread_mutex_lock(&classes);
	BT_PLUGIN_PUT_REF_AND_RESET(g->plugin);
	pthread_mutex_unlock(&classes);
}

/* Adds and connects the sink if everything has succeeded so far. Otherwise writes the thread's
 * error to err. Returns the graph, which is then empty. */
static struct doze_graph build_end(struct build *b, const struct doze_sink_target *target, bool ok)
{
	struct doze_graph built;
	const bt_component_sink *sink =
	    ok ? doze_sink_add(b->graph, b->sink, target, wanted_ports(b)) : NULL;
	char cause[256];

	ok = sink && connect_all(b, sink);
	built = (struct doze_graph){b->graph, b->plugin, b->foreign && !b->any_ours, b->ports};
	if (!ok) {
		doze_bt_cause(cause, sizeof(cause));
		if (b->err[0] == '\0')
			doze_line(b->err, b->err_size,
				  "cannot read the trace: Babeltrace: %s: see `doze doctor`",
				  cause);
		doze_graph_free(&built);
	}
	bt_component_class_sink_put_ref(b->sink);
	free(b->source);
	free(b->foreign);
	/* A source can succeed but leave an error on the thread, which would make the next call
	 * abort. */
	bt_current_thread_clear_error();
	return built;
}

static bool add_folders(struct build *b, const struct doze_folders *folders)
{
	bt_value **params = calloc(folders->count, sizeof(*params));
	bool ok = params != NULL;
	size_t at = 0; /* the folder that a failure is about */

	for (size_t i = 0; ok && i < folders->count; i++)
		ok = frame_is_sound(b, folders->path[at = i], &b->foreign[i]) &&
		     (params[i] = inputs_params(folders->path[i])) != NULL;
	ok = ok && create_graph(b, params, folders->count);
	for (size_t i = 0; ok && i < folders->count; i++)
		ok = add_folder(b, folders->path[at = i], params[i]);
	if (!ok && b->foreign[at])
		doze_graph_explain_foreign(folders->path[at], b->err, b->err_size);
	for (size_t i = 0; params && i < folders->count; i++)
		bt_value_put_ref(params[i]);
	free(params);
	return ok;
}

struct doze_graph doze_graph_dir(const struct doze_folders *folders, struct doze_graph_part part,
				 const struct doze_sink_target *target, char *err, size_t err_size)
{
	struct build b = {.part = part, .err = err, .err_size = err_size};
	bool ok = build_begin(&b, "fs", folders->count) && add_folders(&b, folders);

	if (ok && b.ports == 0) {
		doze_line(err, err_size,
			  "the trace is empty: %s has metadata but no data stream: did the program "
			  "load its tracepoint provider?",
			  folders->path[0]);
		ok = false;
	}
	return build_end(&b, target, ok);
}

static bt_value *live_params(const char *url)
{
	bt_value *params = inputs_params(url);

	/* "end": once the session is destroyed, the graph delivers the relay's remaining data and
	 * ends. The default, "continue", would wait for another session with that name. */
	if (params && bt_value_map_insert_string_entry(params, "session-not-found-action", "end") ==
			  BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
		return params;
	bt_value_put_ref(params);
	return NULL;
}

struct doze_graph doze_graph_live(const char *url, const struct doze_sink_target *target, char *err,
				  size_t err_size)
{
	struct build b = {
	    .part = DOZE_GRAPH_ALL, .err = err, .err_size = err_size, .any_ours = true};
	bt_value *params = live_params(url);
	bool ok = build_begin(&b, "lttng-live", 1) && params && create_graph(&b, &params, 1) &&
		  add_source(&b, params);

	bt_value_put_ref(params);
	return build_end(&b, target, ok);
}
