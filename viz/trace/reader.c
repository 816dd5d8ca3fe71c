/*
 * SPDX-License-Identifier: MIT
 *
 * reader.c - see reader.h: runs the graph, delivers its events, and turns its end into a message.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "error_line.h"
#include "live.h"
#include "manifest.h"
#include "reader_int.h"

/*
 * ---- Survives Babeltrace's assertions.
 *
 * Babeltrace 2.0 checks some trace data with assertions: a damaged packet header can make it call
 * abort(), and damaged metadata can make it divide by zero. A program that reads a damaged trace
 * should report it and exit cleanly (a viewer has a terminal to restore), so calls into Babeltrace
 * that read trace data run under a guard. The resulting signals, SIGABRT and SIGFPE, are raised by
 * the call itself, so their handler may leave the call with a jump. All resources that Babeltrace
 * held at that moment are leaked, so the graph must not be used or freed afterwards
 */

static _Thread_local sigjmp_buf jump;
/* Read by the handler, which runs on the same thread. */
static _Thread_local volatile sig_atomic_t inside, armed;

static const int caught[] = {SIGABRT, SIGFPE};
enum { CAUGHT = sizeof(caught) / sizeof(caught[0]) };

/* The previous handlers, for signals outside guards. The viewer's handler restores the terminal. */
static struct sigaction before[CAUGHT];

static void on_fatal(int signal_number, siginfo_t *info, void *context)
{
	const struct sigaction *old = &before[signal_number == SIGABRT ? 0 : 1];

	if (armed)
		siglongjmp(jump, 1);
	if (old->sa_flags & SA_SIGINFO)
		old->sa_sigaction(signal_number, info, context);
	else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
		old->sa_handler(signal_number);
	else
		/* Return with the default action restored: abort() then terminates the process as
		 * usual, and a division by zero is repeated. */
		(void)signal(signal_number, SIG_DFL);
}

static void install_one(int i)
{
	struct sigaction old, mine = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO};

	if (sigaction(caught[i], NULL, &old) != 0)
		return;
	if ((old.sa_flags & SA_SIGINFO) && old.sa_sigaction == on_fatal)
		return;
	before[i] = old;
	(void)sigaction(caught[i], &mine, NULL);
}

/* Installs the handlers again, in case another part of the program has replaced them. */
static void install(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	(void)pthread_mutex_lock(&lock);
	for (int i = 0; i < CAUGHT; i++)
		install_one(i);
	(void)pthread_mutex_unlock(&lock);
}

/* Runs fn(arg) on this thread. Returns true if fn returned, or false if SIGABRT or SIGFPE
 * interrupted it. Must not be nested. Installs handlers for SIGABRT and SIGFPE, which pass signals
 * outside guards on to the previous handlers. */
static bool doze_guarded(void (*fn)(void *arg), void *arg)
{
	volatile bool returned = false;

	install();
	if (sigsetjmp(jump, 1) == 0) {
		inside = armed = 1;
		fn(arg);
		returned = true;
	}
	inside = armed = 0;
	return returned;
}

/* Pause between two polls of a relay that has no data. Its live timer is 50 ms or more. */
#define LIVE_POLL_NS 10000000L

static void count(_Atomic uint64_t *to, uint64_t value)
{
	/* Relaxed: no other access depends on the order of these writes. */
	atomic_store_explicit(to, value, memory_order_relaxed);
}

static void publish_counts(struct doze_reader *r)
{
	const struct doze_decode_counts *c = doze_decoder_counts(r->decoder);

	count(&r->events, c->events);
	count(&r->foreign, c->foreign);
	count(&r->unknown_events, c->unknown_events);
	count(&r->unknown_labels, c->unknown_labels);
	if (c->announced || c->events > 0)
		atomic_store_explicit(&r->saw_doze, true, memory_order_relaxed);
}

static void take_loss(struct doze_reader *r, const struct doze_loss *l)
{
	atomic_fetch_add_explicit(&r->losses, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->discarded, l->count, memory_order_relaxed);
	if (r->sink->discarded)
		r->sink->discarded(r->ctx, l->from, l->to, l->count);
}

static bool refuse_newer(struct doze_reader *r, const struct doze_event *e)
{
	doze_line(r->error, sizeof(r->error),
		  "trace is newer than this program: %s has schema %u.%u (libdoze %s); this "
		  "program reads up to %d.%d: update doze",
		  r->where, e->u.pool_start.schema_major, e->u.pool_start.schema_minor,
		  e->u.pool_start.version, DOZE_SCHEMA_MAJOR, DOZE_SCHEMA_MINOR);
	return false;
}

static bool take_decoded(struct doze_reader *r, enum doze_decoded what, const struct doze_event *e,
			 const struct doze_loss *l)
{
	switch (what) {
	case DOZE_DECODED_EVENT:
		r->sink->event(r->ctx, e);
		return true;
	case DOZE_DECODED_LOSS:
		take_loss(r, l);
		return true;
	case DOZE_DECODED_QUIET:
		if (r->sink->quiet)
			r->sink->quiet(r->ctx, l->to);
		return true;
	case DOZE_DECODED_BINARY:
		if (r->sink->binary)
			r->sink->binary(r->ctx, doze_decoder_binary(r->decoder));
		return true;
	case DOZE_DECODED_NEWER:
		return refuse_newer(r, e);
	case DOZE_DECODED_LACKS:
		doze_line(r->error, sizeof(r->error),
			  "trace lacks a field: %s: %s: record it again", r->where,
			  doze_decoder_lacks(r->decoder));
		return false;
	case DOZE_DECODED_MEMORY:
		doze_line(r->error, sizeof(r->error),
			  "out of memory while reading %s: close other programs", r->where);
		return false;
	default:
		return true;
	}
}

/* Called by the sink for each message; ctx is the reader. Returns false to end the graph. */
static bool doze_reader_take(void *ctx, const bt_message *msg)
{
	struct doze_reader *r = ctx;
	struct doze_event *e = r->into;
	struct doze_loss l;
	enum doze_decoded what = doze_decode(r->decoder, msg, e, &l);
	bool go_on;

	/* Suspends the guard, because it must not catch aborts of doze's own code. */
	armed = 0;
	go_on = take_decoded(r, what, e, &l);
	armed = inside;
	r->refused |= !go_on;
	return go_on;
}

/* Writes an error line about a failed assertion in Babeltrace. */
static void doze_reader_aborted(const char *where, char *err, size_t err_size)
{
	doze_line(err, err_size,
		  "cannot read the trace: %s: corrupted (an assertion of Babeltrace failed): "
		  "record it again",
		  where);
}

bool doze_reader_absent(const struct doze_reader *r)
{
	return r->absent;
}

const char *doze_reader_absent_what(const struct doze_reader *r)
{
	return r->absent_what;
}

bool doze_reader_complete(const struct doze_reader *r)
{
	return r->complete;
}

static bool stopped(struct doze_reader *r)
{
	return atomic_load_explicit(&r->stop, memory_order_relaxed);
}

static void say_attached(struct doze_reader *r)
{
	if (r->attached || !r->live)
		return;
	r->attached = true;
	if (r->sink->attached)
		r->sink->attached(r->ctx);
}

static void explain_failure(struct doze_reader *r)
{
	char cause[320];

	doze_bt_cause(cause, sizeof(cause));
	if (r->graph.foreign)
		doze_graph_explain_foreign(r->where, r->error, sizeof(r->error));
	else if (!r->live)
		doze_line(r->error, sizeof(r->error),
			  "cannot read the rest of the trace: %s: corrupted or truncated (%s): "
			  "record it again",
			  r->where, cause);
	else if (strstr(cause, "already a viewer"))
		doze_line(r->error, sizeof(r->error),
			  "cannot attach: %s already has a viewer attached, and the relay allows "
			  "only one: quit the other viewer first",
			  r->where);
	else
		doze_line(r->error, sizeof(r->error),
			  "lost the relay: %s: %s: is lttng-relayd still running?", r->where,
			  cause);
}

static enum doze_reader_status run_graph(struct doze_reader *r)
{
	static const struct timespec pause = {0, LIVE_POLL_NS};

	while (!stopped(r)) {
		/* With damaged traces, sources sometimes return OK but leave an error on the
		 * thread, which would make the next call abort. */
		bt_current_thread_clear_error();
		switch (bt_graph_run_once(r->graph.graph)) {
		case BT_GRAPH_RUN_ONCE_STATUS_OK:
			say_attached(r);
			break;
		case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
			say_attached(r);
			(void)nanosleep(&pause, NULL);
			break;
		case BT_GRAPH_RUN_ONCE_STATUS_END:
			return r->refused ? DOZE_READER_ERROR : DOZE_READER_END;
		default:
			if (stopped(r))
				break;
			explain_failure(r);
			return DOZE_READER_ERROR;
		}
		publish_counts(r);
	}
	return DOZE_READER_STOPPED;
}

static void run_guarded(void *arg)
{
	struct doze_reader *r = arg;

	r->status = run_graph(r);
	/* Disconnecting from the relay can block, too, so do it here, where a stop can still
	 * interrupt it. */
	doze_graph_disconnect(&r->graph);
}

enum doze_reader_status doze_reader_run(struct doze_reader *r, const struct doze_reader_sink *sink,
					void *ctx)
{
	r->sink = sink;
	r->ctx = ctx;
	if (!doze_guarded(run_guarded, r)) {
		doze_reader_aborted(r->where, r->error, sizeof(r->error));
		r->status = DOZE_READER_ERROR;
		/* After a failed assertion, the graph must not be freed: see "Survives Babeltrace's
		 * assertions" above. */
		r->graph.graph = NULL;
	}
	publish_counts(r);
	bt_current_thread_clear_error();
	return r->status;
}

void doze_reader_stop(struct doze_reader *r)
{
	int saved = errno;

	atomic_store_explicit(&r->stop, true, memory_order_relaxed);
	/* This only sets a flag, so it is safe in a signal handler. */
	bt_interrupter_set(r->interrupter);
	if (r->between)
		doze_live_proxy_hang_up(r->between);
	errno = saved;
}

const char *doze_reader_error(const struct doze_reader *r)
{
	return r->error;
}

const char *doze_reader_unknown(const struct doze_reader *r)
{
	return *r->unknown ? r->unknown : doze_decoder_counts(r->decoder)->unknown;
}

bool doze_reader_saw_doze(const struct doze_reader *r)
{
	return atomic_load_explicit(&r->saw_doze, memory_order_relaxed);
}

static uint64_t counted(const _Atomic uint64_t *n)
{
	return atomic_load_explicit(n, memory_order_relaxed);
}

struct doze_reader_counts doze_reader_counts(const struct doze_reader *r)
{
	return (struct doze_reader_counts){
	    .events = counted(&r->events),
	    .foreign = counted(&r->foreign),
	    .unknown_events = counted(&r->unknown_events),
	    .unknown_labels = counted(&r->unknown_labels),
	    .discarded = counted(&r->discarded),
	    .losses = counted(&r->losses),
	};
}

void doze_reader_free(struct doze_reader *r)
{
	if (!r)
		return;
	/* This disconnects from the relay, so the proxy must still be open. */
	doze_graph_free(&r->graph);
	doze_live_proxy_stop(r->between);
	bt_interrupter_put_ref(r->interrupter);
	doze_decoder_free(r->decoder);
	free(r->where);
	free(r);
}

/* ---- opening a recorded trace or a live session ---- */

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
	struct doze_graph_part part;
	struct doze_sink_target *target;
	struct doze_graph graph; /* the result; empty if an assertion failed */
	char *err;
	size_t err_size;
};

static void open_graph(void *arg)
{
	struct opening *o = arg;

	o->graph = doze_graph_dir(o->folders, o->part, o->target, o->err, o->err_size);
}

static void check_manifest(struct doze_reader *r, const char *dir, const struct doze_checking *c)
{
	enum doze_manifest_verdict v =
	    doze_manifest_check(dir, c, r->absent_what, sizeof(r->absent_what));

	r->absent |= v == DOZE_MANIFEST_DAMAGED;
	r->complete = v == DOZE_MANIFEST_COMPLETE && !r->absent;
}

struct doze_reader *doze_reader_open_dir(const char *dir, char *err, size_t err_size)
{
	return doze_reader_open_checking(dir, NULL, err, err_size);
}

struct doze_reader *doze_reader_open_checking(const char *dir, const struct doze_checking *c,
					      char *err, size_t err_size)
{
	struct doze_reader *r = reader_new(dir, err, err_size);
	struct doze_folders folders;
	struct opening o = {
	    .folders = &folders, .part = DOZE_GRAPH_ALL, .err = err, .err_size = err_size};

	if (!r)
		return NULL;
	o.target = &r->target;
	if (doze_folders_find(&folders, dir, err, err_size) != 0)
		return reader_with(r, o.graph, err, err_size);
	for (size_t i = 0; i < folders.count; i++)
		r->absent |= doze_stream_absent(folders.path[i]);
	r->folder = folders.count == 1;
	check_manifest(r, dir, c);
	if (!doze_guarded(open_graph, &o))
		doze_reader_aborted(dir, err, err_size);
	doze_folders_clear(&folders);
	return reader_with(r, o.graph, err, err_size);
}

/* ---- parts of a recorded trace ---- */

static unsigned usable_cpus(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

	return n < DOZE_READER_PARTS ? (unsigned)n : DOZE_READER_PARTS;
}

unsigned doze_reader_parts(const struct doze_reader *r)
{
	unsigned cpus = usable_cpus();

	if (r->live || !r->folder || !r->complete || r->graph.streams < 2)
		return 1;
	return r->graph.streams < cpus ? (unsigned)r->graph.streams : cpus;
}

struct doze_reader *doze_reader_part(const struct doze_reader *whole, struct doze_graph_part part)
{
	char err[sizeof(whole->error)];
	struct doze_reader *r = reader_new(whole->where, err, sizeof(err));
	struct doze_folders folders;
	struct opening o = {.folders = &folders, .part = part, .err = err, .err_size = sizeof(err)};

	if (!r)
		return NULL;
	o.target = &r->target;
	if (doze_folders_find(&folders, whole->where, err, sizeof(err)) != 0)
		return reader_with(r, o.graph, err, sizeof(err));
	(void)doze_guarded(open_graph, &o);
	doze_folders_clear(&folders);
	return reader_with(r, o.graph, err, sizeof(err));
}

void doze_reader_add_part(struct doze_reader *r, const struct doze_reader *part)
{
	struct doze_reader_counts c = doze_reader_counts(part);

	/* Relaxed: see count(). */
	atomic_fetch_add_explicit(&r->events, c.events, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->foreign, c.foreign, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->unknown_events, c.unknown_events, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->unknown_labels, c.unknown_labels, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->discarded, c.discarded, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->losses, c.losses, memory_order_relaxed);
	if (doze_reader_saw_doze(part))
		atomic_store_explicit(&r->saw_doze, true, memory_order_relaxed);
	if (!*r->unknown)
		memcpy(r->unknown, doze_reader_unknown(part), sizeof(r->unknown));
	if (!*r->error)
		memcpy(r->error, part->error, sizeof(r->error));
}

/* Builds a graph that reaches the relay through the proxy; see live.h. */
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
