/*
 * SPDX-License-Identifier: MIT
 *
 * session.h - LTTng sessions for doze: start and stop a recording or a live session around a
 * program, and leave nothing behind, however it ends.
 *
 * Everything that must be undone belongs to another process, the supervisor (README.md beside this
 * file): the traced program, the daemons, the LTTng session, the temporary folder. It hangs on a
 * socket to the caller; when the socket closes, also because the caller was killed, it cleans up.
 * Calls to the session daemon are made in processes of their own that are killed at a deadline,
 * because liblttng-ctl waits for ever for a daemon that was stopped.
 *
 * One session per process. All functions belong to the thread that called doze_session_start, which
 * must be called before the process has other threads (it forks).
 */
#ifndef DOZE_VIZ_SESSION_H
#define DOZE_VIZ_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum doze_detail { DOZE_DETAIL_STATES, DOZE_DETAIL_JOBS, DOZE_DETAIL_ALL };

/** Upper bound of the live timer: later than this a viewer is not live. */
#define DOZE_LIVE_TIMER_MAX_US 100000
#define DOZE_LIVE_TIMER_US     50000

struct doze_session_options {
	enum doze_detail detail;
	const char *output;      /* record: folder for the trace, absolute; null: one that ends with
				    the session; live: none */
	unsigned live_timer_us;  /* 0 = record only; else at most DOZE_LIVE_TIMER_MAX_US */
	char *const *argv;       /* the traced program, null-terminated */
	const char *policy;      /* reaches the program as DOZE_POLICY; null: its own */
	unsigned workers;        /* reaches the program as DOZE_NUM_THREADS; 0: its own */
	const char *program_log; /* file for its standard output and error; null: a temporary one */
	bool keep_stdin;         /* it reads the caller's standard input; else nothing */
	unsigned deadline_ms;    /* bound for each call to the session daemon; 0: 5000 */
	int interrupt_fd;        /* gives up starting when this is readable; -1: none */
};

struct doze_session;

/** Brings up what is needed, in this order: supervisor, the program (forked, waiting at a gate
 * until doze_session_go), session daemon (a running one is used), relay on 127.0.0.1 (live),
 * session, channel, events, tracker. Strings are borrowed for the call. On failure null and one
 * line in err; nothing is left behind. May take as long as a few deadlines. */
struct doze_session *doze_session_start(const struct doze_session_options *, char *err,
					size_t err_size);

/** The relay URL of a live session (net://127.0.0.1:PORT/host/NAME/SESSION); borrowed, "" when
 * recording. */
const char *doze_session_url(const struct doze_session *);
const char *doze_session_name(const struct doze_session *);
/** The folder that the trace is recorded to; borrowed. */
const char *doze_session_output(const struct doze_session *);
/** The file that the program's output goes to; borrowed. */
const char *doze_session_log(const struct doze_session *);
pid_t doze_session_pid(const struct doze_session *);
/** Readable when there is something for doze_session_poll. */
int doze_session_fd(const struct doze_session *);

/** Opens the gate: the program runs. Call it when the viewer is attached. 0, or -1: it is gone. */
int doze_session_go(struct doze_session *);
/** Sends a signal to the program (and its process group). */
void doze_session_signal(struct doze_session *, int sig);

/** What became of the session so far. */
struct doze_session_state {
	bool ended;           /* the program has ended: status, exec_errno are valid */
	int status;           /* as of waitpid */
	int exec_errno;       /* it could not be started at all; 0 = it could */
	bool forked;          /* it made processes of its own: they are not traced */
	bool left_children;   /* some of them still run */
	bool daemon_lost;     /* the session daemon or the relay ended in mid-run; the trace, too */
	bool finished;        /* the LTTng session is destroyed, the trace complete */
	uint64_t discarded;   /* events that the buffers had no room for; valid when finished */
	bool session_left;    /* the LTTng session still exists: `problem` says why */
	bool lingers;         /* the supervisor stays on for a while */
	bool supervisor_lost; /* it was killed: what it had started may be left behind */
	char problem[400];    /* one line, "" = none */
	char note[400];       /* nothing wrong, but worth knowing; "" = nothing */
};

/** Takes in what has happened; does not block. Borrowed, valid until the next call. */
const struct doze_session_state *doze_session_poll(struct doze_session *);

/** Ends the program if it runs (SIGTERM, after 2 s SIGKILL), stops and destroys the LTTng session
 * so that the trace is complete. A relay stays up, so that a viewer can read to the end. Blocks, at
 * most some deadlines. 0, or -1 and the state's `problem`. */
int doze_session_finish(struct doze_session *);
/** The same without waiting: doze_session_poll tells when it is done. */
void doze_session_finish_soon(struct doze_session *);
/** Finishes if that was not done, stops the daemons that were started, removes what was made, frees
 * the session. *last (may be null) receives the final state. 0, or -1: see last->problem. */
int doze_session_stop(struct doze_session *, struct doze_session_state *last);

#endif
