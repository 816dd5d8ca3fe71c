/*
 * SPDX-License-Identifier: MIT
 *
 * reader_open.c - see reader.h: opens a recorded trace or a live session.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assertion_guard.h"
#include "live.h"
#include "live_proxy.h"
#include "manifest.h"
#include "missing_streams.h"
#include "reader_int.h"
#include "text.h"

static struct doze_reader *reader_new(const char *where, char *err, size_t err_size)
{
	struct doze_reader *r = calloc(1, sizeof(*r));

	if (r) {
		r->where = strdup(where);
		r->decoder = doze_decoder_new();
		r->interrupter = bt_interrupter_create();
		r->target = (struct doze_sink_target){doze_reader_take, r};
		r->into = &r->event;
	}
	if (r && r->where && r->decoder && r->interrupter)
		return r;
	doze_line(err, err_size, "out of memory while opening %s: close other programs", where);
	doze_reader_free(r);
	return NULL;
}

static struct doze_reader *reader_with(struct doze_reader *r, struct doze_graph graph, char *err,
				       size_t err_size)
{
	r->graph = graph;
	if (!graph.graph) {
		doze_reader_free(r);
		return NULL;
	}
	if (bt_graph_add_interrupter(graph.graph, r->interrupter) ==
	    BT_GRAPH_ADD_INTERRUPTER_STATUS_OK)
		return r;
	doze_bt_cause(err, err_size);
	doze_reader_free(r);
	return NULL;
}

/* What to open under the guard, and the result. */
struct opening {
	const struct doze_folders *folders;
	struct doze_sink_target *target;
	struct doze_graph graph; /* the result; empty if an assertion failed */
	char *err;
	size_t err_size;
};

static void open_graph(void *arg)
{
	struct opening *o = arg;

	o->graph = doze_graph_dir(o->folders, o->target, o->err, o->err_size);
}

static void check_manifest(struct doze_reader *r, const char *dir)
{
	enum doze_manifest_verdict v =
	    doze_manifest_check(dir, r->absent_what, sizeof(r->absent_what));

	r->absent |= v == DOZE_MANIFEST_DAMAGED;
	r->complete = v == DOZE_MANIFEST_COMPLETE && !r->absent;
}

struct doze_reader *doze_reader_open_dir(const char *dir, char *err, size_t err_size)
{
	struct doze_reader *r = reader_new(dir, err, err_size);
	struct doze_folders folders;
	struct opening o = {.folders = &folders, .err = err, .err_size = err_size};

	if (!r)
		return NULL;
	o.target = &r->target;
	if (doze_folders_find(&folders, dir, err, err_size) != 0)
		return reader_with(r, o.graph, err, err_size);
	for (size_t i = 0; i < folders.count; i++)
		r->absent |= doze_stream_absent(folders.path[i]);
	check_manifest(r, dir);
	if (!doze_guarded(open_graph, &o))
		doze_reader_aborted(dir, err, err_size);
	doze_folders_clear(&folders);
	return reader_with(r, o.graph, err, err_size);
}

/* Builds a graph that reaches the relay through the proxy; see live_proxy.h. */
static struct doze_graph live_graph(struct doze_reader *r, const char *url, char *err,
				    size_t err_size)
{
	struct doze_live_url u;
	char through[400];
	struct doze_graph none = {0};
	uint16_t port;

	if (!doze_live_url_parse(&u, url, true, err, err_size))
		return none;
	r->between = doze_live_proxy_start(&u, &port, err, err_size);
	if (!r->between)
		return none;
	snprintf(through, sizeof(through), "net://127.0.0.1:%u/host/%s/%s", port, u.host,
		 u.session);
	return doze_graph_live(through, &r->target, err, err_size);
}

struct doze_reader *doze_reader_open_live(const char *url, char *err, size_t err_size)
{
	struct doze_reader *r;

	if (!doze_live_check(url, err, err_size))
		return NULL;
	r = reader_new(url, err, err_size);
	if (!r)
		return NULL;
	r->live = true;
	return reader_with(r, live_graph(r, url, err, err_size), err, err_size);
}
