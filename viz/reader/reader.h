/*
 * SPDX-License-Identifier: MIT
 *
 * reader.h - from a trace folder or a live relay to doze events, through Babeltrace 2.
 *
 * A reader is one Babeltrace graph: source.ctf.fs (one component per folder that holds a metadata
 * file) or source.ctf.lttng-live, and our sink, which merges the streams. Events reach the sink in
 * the order of their timestamps.
 *
 * Threads: bt_graph_run_once can block for seconds on a relay, so for a live trace
 * doze_reader_run belongs into a thread of its own; the callbacks are made on that thread.
 * Everything else belongs to one thread at a time, except where a function says otherwise.
 *
 * Errors are one line, without a newline: what, where, what to do.
 */
#ifndef DOZE_VIZ_READER_H
#define DOZE_VIZ_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "../event/event.h"

struct doze_reader;

/** Where the reader delivers. Called on the thread of doze_reader_run; must not free the reader. */
struct doze_reader_sink {
	/** One event. The event and its strings are borrowed for the call. */
	void (*event)(void *ctx, const struct doze_event *);
	/** Events were lost between from and to (ns since the epoch), on some CPU of some process.
	 * count 0: Babeltrace knows that events were lost, not how many. Made when Babeltrace
	 * learns of it, which is after the span: events inside it were delivered before. */
	void (*discarded)(void *ctx, int64_t from, int64_t to, uint64_t count);
	/** Live only, may be null: the relay has attached us; nothing that the session's programs
	 * emit from now on is missed, so a traced program may be started. Called once. */
	void (*attached)(void *ctx);
	/** Live only, may be null: nothing came for a while; the trace's clock has reached ts. */
	void (*quiet)(void *ctx, int64_t ts);
};

enum doze_reader_status {
	DOZE_READER_END,     /* the trace, or the live session, ended */
	DOZE_READER_STOPPED, /* doze_reader_stop was called */
	DOZE_READER_ERROR,   /* doze_reader_error says what, where, what to do */
};

/** Opens a recorded trace: any folder at or above the ones with `metadata` (symbolic links below it
 * are not followed). Returns an owned reader; on failure null, and one line into err. Reads the
 * metadata, so it may take a while on a slow disk. */
struct doze_reader *doze_reader_open_dir(const char *dir, char *err, size_t err_size);

/** Whether a file of the recorded trace is known to be gone (absent.h), so that events are missing
 * which nobody reports lost. */
bool doze_reader_absent(const struct doze_reader *);

/** Opens net://HOST[:PORT]/host/NAME/SESSION. Asks the relay first, with a deadline of 3 s for the
 * connection and for its greeting, so that a relay that refuses or stalls, an unknown session and
 * one that already has a viewer are told apart. A session without a stream yet is fine: the
 * reader waits. Returns an owned reader; on failure null, and one line into err. */
struct doze_reader *doze_reader_open_live(const char *url, char *err, size_t err_size);

/** Runs until the end, a stop, or an error; to be called once. */
enum doze_reader_status doze_reader_run(struct doze_reader *, const struct doze_reader_sink *,
					void *ctx);

/** Makes doze_reader_run return DOZE_READER_STOPPED soon. Any thread, any number of times, also in
 * a signal handler; not after doze_reader_free has begun.
 *
 * A recorded trace stops within a message batch. A live one may be inside a read from a relay that
 * does not answer; the call interrupts that read (SIGURG to the running thread). A stop that comes
 * just before the read begins cannot interrupt it: whoever waits for the thread calls this again,
 * say every 50 ms, until doze_reader_run has returned, and after a bound of its own gives the
 * thread up (exit without doze_reader_free) instead of waiting for the network. */
void doze_reader_stop(struct doze_reader *);

/** What went wrong, "" when nothing did; borrowed, valid until doze_reader_free. */
const char *doze_reader_error(const struct doze_reader *);

/** Whether the traced session holds doze's events: a doze event came, or the metadata announces the
 * provider. False after doze_reader_run = the trace is of another program. */
bool doze_reader_saw_doze(const struct doze_reader *);

/** What was read and what was not understood; may be read by any thread while the reader runs
 * (each number is then a recent one). */
struct doze_reader_counts {
	uint64_t events;         /* delivered to the sink */
	uint64_t foreign;        /* events of other providers: skipped */
	uint64_t unknown_events; /* doze events of a name unknown here: delivered as `unknown` */
	uint64_t unknown_labels; /* enum labels unknown here: decoded as value 0 */
	uint64_t discarded;      /* events known to be lost */
	uint64_t losses;         /* spans with a loss, also of unknown size */
};
struct doze_reader_counts doze_reader_counts(const struct doze_reader *);

/** Name of traced host number `host` (doze_event.host), "?" when unknown; borrowed. */
const char *doze_reader_host(const struct doze_reader *, uint32_t host);

/** Frees the reader; does not block. Not while doze_reader_run is under way. Null is fine. */
void doze_reader_free(struct doze_reader *);

/** A live session as a relay lists it. Strings are borrowed for the call. */
struct doze_live_session {
	const char *url;  /* to give to doze_reader_open_live */
	const char *name; /* session */
	const char *host; /* traced host */
	uint64_t streams; /* open data streams; 0 = no traced program yet */
	uint64_t clients; /* viewers attached; the relay admits one */
};

/** Lists the sessions of the relay at net://HOST[:PORT] (deadlines as in doze_reader_open_live).
 * Returns how many, or -1 and one line into err. */
int doze_live_sessions(const char *relay, void (*each)(void *ctx, const struct doze_live_session *),
		       void *ctx, char *err, size_t err_size);

#endif
