/*
 * SPDX-License-Identifier: MIT
 *
 * reader.h - reads doze events from a trace folder or a live relay, through Babeltrace 2.
 *
 * A reader is one Babeltrace graph: source.ctf.fs (one component per folder that contains a
 * metadata file) or source.ctf.lttng-live, and doze's sink, which merges the streams. Events reach
 * the sink in the order of their timestamps.
 *
 * Threads: bt_graph_run_once can block for seconds on a relay, so for a live trace doze_reader_run
 * should have its own thread, on which it makes the callbacks. Everything else belongs to one
 * thread at a time, except where a function says otherwise.
 *
 * Errors are one line, without a newline: what failed, where, what to do.
 */
#ifndef DOZE_VIZ_READER_H
#define DOZE_VIZ_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "binary.h"
#include "event.h"
#include "manifest.h"

struct doze_reader;

/** The callbacks of a reader. They are called on the thread of doze_reader_run and must not free
 * the reader. */
struct doze_reader_sink {
	/** Called for each event. The event and its strings are borrowed for the duration of the
	 * call. */
	void (*event)(void *ctx, const struct doze_event *);
	/** Called when events were lost between from and to (ns since the epoch), on some CPU of
	 * some process. count 0: Babeltrace does not know the number. Babeltrace detects a loss
	 * only after the span, so events inside the span have already been delivered. */
	void (*discarded)(void *ctx, int64_t from, int64_t to, uint64_t count);
	/** Called with a part of the description of a binary (binary.h), borrowed for the duration
	 * of the call. May be null. */
	void (*binary)(void *ctx, const struct doze_binary *);
	/** Live only; called once when the relay has attached the reader. The reader misses no
	 * event from then on, so the traced program may be started. May be null. */
	void (*attached)(void *ctx);
	/** Live only; called when no event has arrived for a while. The trace's clock has reached
	 * ts. May be null. */
	void (*quiet)(void *ctx, int64_t ts);
};

enum doze_reader_status {
	DOZE_READER_END,     /* the trace or the live session has ended */
	DOZE_READER_STOPPED, /* doze_reader_stop was called */
	DOZE_READER_ERROR,   /* doze_reader_error returns the message */
};

/** Opens a recorded trace: any folder that contains `metadata` files at any depth (symbolic links
 * below the folder are not followed). Returns a reader owned by the caller, or null with one line
 * in err. Compares all files with the manifest, if there is one, which takes about a second per
 * gigabyte, or as long as the disk needs. */
struct doze_reader *doze_reader_open_dir(const char *dir, char *err, size_t err_size);
/** The same, and reports how far that comparison is. */
struct doze_reader *doze_reader_open_checking(const char *dir, const struct doze_checking *,
					      char *err, size_t err_size);

/** Returns whether a file of the recorded trace is known to be missing (manifest.h) or to
 * differ from the recording's manifest. Events are then missing without a report of lost events. */
bool doze_reader_absent(const struct doze_reader *);
/** Returns a description of the missing or damaged file, or "" if there is none or its name is
 * unknown. Borrowed. */
const char *doze_reader_absent_what(const struct doze_reader *);
/** Returns whether the manifest shows that the trace has all events of its recording, except for
 * reported losses. */
bool doze_reader_complete(const struct doze_reader *);

/** Opens net://HOST[:PORT]/host/NAME/SESSION. Queries the relay first, with a deadline of 3 s for
 * the connection and for its greeting, in order to distinguish a relay that refuses, one that
 * stalls, an unknown session, and a session that already has a viewer. If the session has no stream
 * yet, the reader waits for one. Returns a reader owned by the caller, or null with one line in
 * err. */
struct doze_reader *doze_reader_open_live(const char *url, char *err, size_t err_size);

/** Runs until the end, a stop, or an error. Call this once. */
enum doze_reader_status doze_reader_run(struct doze_reader *, const struct doze_reader_sink *,
					void *ctx);

/** Makes doze_reader_run return DOZE_READER_STOPPED soon. Any thread, any number of times, even
 * from a signal handler, but not once doze_reader_free has begun. A recorded trace stops within one
 * message batch. A live reader may be blocked in a read from a relay that does not answer; this
 * call closes the connection, which ends that read (live.h). A thread that waits for the
 * reader should have its own time limit, and then exit without doze_reader_free. */
void doze_reader_stop(struct doze_reader *);

/** Returns the error message, or "" without an error. Borrowed; valid until doze_reader_free. */
const char *doze_reader_error(const struct doze_reader *);

/** Returns whether the trace contains doze's events: one was read, or the metadata declares the
 * provider. If this is false after doze_reader_run, the trace is from another program. */
bool doze_reader_saw_doze(const struct doze_reader *);

/** What a reader has read, and what it did not recognise. */
struct doze_reader_counts {
	uint64_t events;  /* delivered to the sink */
	uint64_t foreign; /* events of other providers, which are skipped */
	/* Doze events unknown to this version, which are delivered as `unknown`. */
	uint64_t unknown_events;
	uint64_t unknown_labels; /* unknown enum labels, which are decoded as value 0 */
	uint64_t discarded;      /* events known to be lost */
	uint64_t losses;         /* number of spans in which events were lost, even if their number
				  * is unknown */
};
/** Returns the counts. Any thread, even while the reader is running; the numbers are then slightly
 * out of date. */
struct doze_reader_counts doze_reader_counts(const struct doze_reader *);

/** Returns the name of the first doze event that this version does not know, or "". Borrowed. Call
 * this only after doze_reader_run. */
const char *doze_reader_unknown(const struct doze_reader *);

/** Frees the reader without blocking. Must not be called during doze_reader_run. Null is
 * allowed. */
void doze_reader_free(struct doze_reader *);

/** A live session as listed by a relay. Strings are borrowed for the duration of the call. */
struct doze_live_session {
	const char *url;  /* URL for doze_reader_open_live */
	const char *name; /* name of the session */
	const char *host; /* traced host */
	uint64_t streams; /* number of open data streams; 0 = no traced program yet */
	uint64_t clients; /* number of attached viewers; the relay allows only one */
};

/** Lists the sessions of the relay at net://HOST[:PORT], with the deadlines of
 * doze_reader_open_live. Returns their number, or -1 with one line in err. */
int doze_live_sessions(const char *relay, void (*each)(void *ctx, const struct doze_live_session *),
		       void *ctx, char *err, size_t err_size);

#endif
