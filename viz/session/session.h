/*
 * SPDX-License-Identifier: MIT
 *
 * session.h - starts and stops a recording or a live LTTng session around a program, and leaves
 * nothing behind, however the session ends.
 *
 * Another process, the supervisor (see README.md), starts the traced program and the daemons,
 * creates the LTTng session and the temporary folder, and cleans all of this up. It is
 * connected to the caller by a socket and cleans up when the socket closes, which also happens if
 * the caller is killed. Calls to the session daemon run in child processes that are killed at a
 * deadline, because liblttng-ctl waits for a stopped daemon without a time limit.
 *
 * One session per process. All functions belong to the thread that called doze_session_start. That
 * call must precede the creation of other threads, because it forks.
 */
#ifndef DOZE_VIZ_SESSION_H
#define DOZE_VIZ_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "free_space.h"

enum doze_detail { DOZE_DETAIL_STATES, DOZE_DETAIL_JOBS, DOZE_DETAIL_ALL };

/** Longest period of the live timer; with a longer period, a viewer would not be live. */
#define DOZE_LIVE_TIMER_MAX_US 100000
#define DOZE_LIVE_TIMER_US     50000

struct doze_session_options {
	enum doze_detail detail;
	const char *output; /* For a recording: absolute folder for the trace; null: a temporary
			     * folder that is removed with the session. Unused in a live session. */
	struct doze_session_keep keep; /* live: how much of the trace the relay keeps on disk */
	/* 0: a recording, no live session; otherwise at most DOZE_LIVE_TIMER_MAX_US */
	unsigned live_timer_us;
	char *const *argv; /* the traced program; ends with null */
	/* Trace this running process, which is not started, signalled or terminated; `argv` is then
	 * only its name, and `policy`, `duel`, `workers`, `program_log`, `keep_stdin` and `follow`
	 * are unused. 0: start `argv`. */
	pid_t pid;
	const char *policy; /* passed to the program as DOZE_POLICY; null: the program decides */
	/* For a duel: run the program twice, under these two policies instead of `policy`. Null: no
	 * duel. duel_turns: run one after the other even if there are CPUs for both. */
	const char *duel[2];
	bool duel_turns;
	unsigned workers; /* passed to the program as DOZE_NUM_THREADS; 0: the program decides */
	const char *program_log; /* file for the program's output and errors; null: a temporary
				  * file */
	/* the program inherits standard input; otherwise it reads from /dev/null */
	bool keep_stdin;
	/* Trace not only the program, but all processes of this user that use doze during the
	 * session, including those that the program starts. */
	bool follow;
	/* Preload libdoze-any.so into the program, which records its waits and wakes although it
	 * does not use libdoze. The start fails if the program cannot take that library or, with
	 * `pid`, has not been started with it. */
	bool any;
	/* a descriptor that cancels the start when it becomes readable; -1: none */
	int interrupt_fd;
};

struct doze_session;

/** Starts, in this order: the supervisor; the program, which is forked and waits at a gate until
 * doze_session_go; a session daemon, unless one is running; for a live session, a relay on
 * 127.0.0.1; and the session with its channel, events and tracker. Strings are borrowed for the
 * duration of the call. On failure, returns null, writes one line to err and leaves nothing behind.
 * May block for several times the deadline. */
struct doze_session *doze_session_start(const struct doze_session_options *, char *err,
					size_t err_size);

/** Where to find what belongs to a session. */
struct doze_session_places {
	char url[256];     /* relay of a live session (net://127.0.0.1:PORT/host/NAME/SESSION), or
			    * "" when recording */
	char name[64];     /* name of the LTTng session */
	char output[4096]; /* folder of the recording */
	char log[4096];    /* file with the program's output */
	/* Folder in which the relay of a live session stores the data that it sends to viewers, as
	 * far back as options.keep specifies. It is removed with the session. */
	char relayed[160];
};
/** Borrowed from the session. */
const struct doze_session_places *doze_session_places(const struct doze_session *);
/** Returns a descriptor that becomes readable when doze_session_poll has something to handle. */
int doze_session_fd(const struct doze_session *);

/** Opens the gate, so that the program runs. Call it once the viewer is attached. Returns 0, or -1
 * if the program has exited. */
int doze_session_go(struct doze_session *);
/** Sends a signal to the program and its process group. Does nothing if doze did not start it. */
void doze_session_signal(struct doze_session *, int sig);

/** The state of the session. */
struct doze_session_state {
	bool ended;           /* the program has exited: status and exec_errno are valid */
	bool status_unknown;  /* it was not started by doze, so its exit status is unknown */
	int status;           /* wait status of the program, as from waitpid */
	int exec_errno;       /* errno if the program could not be started; 0 = it was started */
	bool forked;          /* the program started processes that are not traced */
	bool left_children;   /* at least one of those processes is still running */
	bool daemon_lost;     /* the session daemon or the relay exited, which ended the trace */
	bool finished;        /* the LTTng session has been destroyed, so the trace is complete */
	uint64_t discarded;   /* events lost because the buffers were full; valid when finished */
	bool session_left;    /* the LTTng session still exists; `problem` has the reason */
	bool lingers;         /* the supervisor keeps running for a while */
	bool supervisor_lost; /* the supervisor was killed; it may have left daemons behind */
	char problem[400];    /* one line; "" = none */
	char note[400]; /* one line for the user that does not describe a problem; "" = none */
};

/** Handles pending messages without blocking and returns the state; borrowed until the next
 * call. */
const struct doze_session_state *doze_session_poll(struct doze_session *);

/** Terminates the program if it is running and doze started it (SIGTERM; after 2 s, SIGKILL), then
 * stops and destroys the LTTng session, which completes the trace. A relay keeps running, so that a
 * viewer can read to the end. May block for several times the deadline. Returns 0, or -1 with the
 * state's `problem` set.
 */
int doze_session_finish(struct doze_session *);
/** Like doze_session_finish, but completes the trace before it terminates the program: the
 * program's end is not in the trace. */
int doze_session_cut(struct doze_session *);
/** Like doze_session_finish, but returns at once; doze_session_poll reports when the session is
 * finished. */
void doze_session_finish_soon(struct doze_session *);
/** Finishes the session if necessary, stops the daemons that were started for it, removes the
 * temporary folder and frees the session. *last (may be null) receives the final state. Returns 0
 * on success, or -1 with last->problem set. */
int doze_session_stop(struct doze_session *, struct doze_session_state *last);

#endif
