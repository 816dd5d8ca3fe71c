/*
 * SPDX-License-Identifier: MIT
 *
 * supervisor.h - the process that owns everything that must be undone. See README.md.
 */
#ifndef DOZE_VIZ_SESSION_SUPERVISOR_H
#define DOZE_VIZ_SESSION_SUPERVISOR_H

#include <stdbool.h>

#include "ctl.h"
#include "daemon.h"
#include "program.h"
#include "protocol.h"
#include "session.h"

#define SUPERVISOR_DEADLINE_MS 5000
/** Time that a responsive daemon has to write its buffers. */
#define SUPERVISOR_FLUSH_MS 30000
/** Longest wait for another doze that is starting or stopping a session daemon. */
#define STARTUP_LOCK_MS 15000

struct supervisor {
	const struct doze_session_options *options; /* the caller's options, from before the fork */
	unsigned deadline_ms;
	int sock;                           /* to doze; closed when doze exits */
	int signals;                        /* signalfd: SIGCHLD, SIGTERM */
	int daemon_fd;                      /* pidfd of the session daemon in use; -1 = unknown */
	char dir[SESSION_FOLDER_MAX];       /* temporary folder; "" = not created yet */
	char log[4096];                     /* file for the program's output */
	char trace[SESSION_FOLDER_MAX + 8]; /* folder in dir, used if the caller names no other */
	const char *output;                 /* folder for the trace; null = live */
	char name[64];                      /* name of the LTTng session */

	struct program program;
	struct daemon sessiond; /* pid 0: uses a daemon that was already running */
	struct relay relay;

	uint64_t subbuf_size;
	bool may_exist; /* the session was requested, so it must be destroyed */
	bool mute;   /* the session daemon did not answer, so do not wait long for it next time */
	bool shared; /* other programs had sessions in the daemon when it last answered
		      * (heard_ms) */
	int64_t heard_ms;
	bool reported_exit, reported_loss;
	char problem[400]; /* what could not be undone */
	char note[400];    /* what remains for a while on purpose */
};

/** Runs the supervisor in the forked process, with the caller's options; doze is at the other end
 * of `sock`. Does not return. */
_Noreturn void session_supervisor_run(const struct doze_session_options *, int sock);

/** setup.c: starts everything. Returns 0, or -1 with one line in problem. In either case, call
 * session_supervisor_teardown afterwards. */
int session_supervisor_setup(struct supervisor *, char *url, size_t size);
/** Returns whether doze has exited or sent a request, so that a long operation should be
 * cancelled. */
bool session_supervisor_called(const struct supervisor *);

/** teardown.c: ends the program and destroys the session. *discarded receives the number of
 * discarded events. Returns 0, or -1 with `problem` set. */
int session_supervisor_finish(struct supervisor *, uint64_t *discarded);
/** Tells doze which session daemon to end if this process is killed. */
void session_supervisor_tell_daemon(struct supervisor *);
/** Undoes everything else. Returns whether something remains for session_supervisor_linger. */
bool session_supervisor_teardown(struct supervisor *);
/** Waits, after doze has exited, until the rest can be undone: a session in a daemon that does not
 * answer, or the supervisor's own daemon while other programs use it. */
void session_supervisor_linger(struct supervisor *);

#endif
