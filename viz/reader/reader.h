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

#include "../event/binary.h"
#include "../event/event.h"

struct doze_reader;

/** The callbacks of a reader. Called on the thread of doze_reader_run; they must not free the
 * reader. */
struct doze_reader_sink {
	/** One event. The event and its strings are borrowed for the call. */
	void (*event)(void *ctx, const struct doze_event *);
	/** Called when events were lost between from and to (ns since the epoch), on some CPU of
	 * some process. count 0: Babeltrace does not know the number. Babeltrace detects the loss
	 * only after the span, so events inside the span were delivered before. */
	void (*discarded)(void *ctx, int64_t from, int64_t to, uint64_t count);
	/** May be null: part of the description of a binary (binary.h), borrowed for the call. */
	void (*binary)(void *ctx, const struct doze_binary *);
	/** Live only, may be null: the relay has attached the reader, which misses no event from
	 * now on, so the traced program may be started. Called once. */
	void (*attached)(void *ctx);
	/** Live only, may be null: no event arrived for a while; the trace's clock has reached ts.
	 */
	void (*quiet)(void *ctx, int64_t ts);
};

enum doze_reader_status {
	DOZE_READER_END,     /* the trace, or the live session, ended */
	DOZE_READER_STOPPED, /* doze_reader_stop was called */
	DOZE_READER_ERROR,   /* doze_reader_error has the message */
};

/** Opens a recorded trace: any folder at or above those with `metadata` (symbolic links below it
 * are not followed). Returns an owned reader; on failure null with one line in err. Reads the
 * metadata, so it may take a while on a slow disk. */
struct doze_reader *doze_reader_open_dir(const char *dir, char *err, size_t err_size);

/** Returns whether a file of the recorded trace is known to be missing (missing_streams.h), or to
 * differ from the recording's manifest, so that events are missing without a report of lost events.
 */
bool doze_reader_absent(const struct doze_reader *);
/** Returns a description of that file; "" if there is none, or if its name is unknown. Borrowed. */
const char *doze_reader_absent_what(const struct doze_reader *);
/** Returns whether the manifest shows that the trace has all events of its recording, except
 * reported losses. */
bool doze_reader_complete(const struct doze_reader *);

/** Opens net://HOST[:PORT]/host/NAME/SESSION. Asks the relay first, with a deadline of 3 s for the
 * connection and for its greeting, so that the error distinguishes a relay that refuses, one that
 * stalls, an unknown session and one that already has a viewer. The reader waits for a session that
 * has no stream yet. Returns an owned reader; on failure null with one line in err. */
struct doze_reader *doze_reader_open_live(const char *url, char *err, size_t err_size);

/** Runs until the end, a stop, or an error. Call it once. */
enum doze_reader_status doze_reader_run(struct doze_reader *, const struct doze_reader_sink *,
					void *ctx);

/** Makes doze_reader_run return DOZE_READER_STOPPED soon. Any thread, any number of times, also
 * from a signal handler; not after doze_reader_free has begun.
 *
 * A recorded trace stops within a message batch. A live one may be inside a read from a relay that
 * does not answer; the call hangs up, which ends that read (live_proxy.h). After a time limit of
 * its own the thread that waits should exit without doze_reader_free. */
void doze_reader_stop(struct doze_reader *);

/** Returns the error message, "" without an error; borrowed, valid until doze_reader_free. */
const char *doze_reader_error(const struct doze_reader *);

/** Returns whether the trace contains doze's events: one was read, or the metadata declares the
 * provider. False after doze_reader_run means that the trace is from another program. */
bool doze_reader_saw_doze(const struct doze_reader *);

/** What a reader has read, and what it did not understand. */
struct doze_reader_counts {
	uint64_t events;  /* delivered to the sink */
	uint64_t foreign; /* events of other providers: skipped */
	/* Doze events that this version does not know: delivered as `unknown`. */
	uint64_t unknown_events;
	uint64_t unknown_labels; /* unknown enum labels: decoded as value 0 */
	uint64_t discarded;      /* events known to be lost */
	uint64_t losses;         /* spans in which events were lost, also an unknown number */
};
/** Any thread, also while the reader runs; the numbers are then slightly old. */
struct doze_reader_counts doze_reader_counts(const struct doze_reader *);

/** Returns the name of the first doze event that this version does not know, or ""; borrowed. Only
 * after doze_reader_run. */
const char *doze_reader_unknown(const struct doze_reader *);

/** Frees the reader without blocking. Not while doze_reader_run runs. Null is allowed. */
void doze_reader_free(struct doze_reader *);

/** A live session as a relay lists it. Strings are borrowed for the call. */
struct doze_live_session {
	const char *url;  /* URL for doze_reader_open_live */
	const char *name; /* session */
	const char *host; /* traced host */
	uint64_t streams; /* open data streams; 0 = no traced program yet */
	uint64_t clients; /* number of attached viewers; the relay admits one */
};

/** Lists the sessions of the relay at net://HOST[:PORT] (deadlines as in doze_reader_open_live).
 * Returns their number, or -1 with one line in err. */
int doze_live_sessions(const char *relay, void (*each)(void *ctx, const struct doze_live_session *),
		       void *ctx, char *err, size_t err_size);

#endif
