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
/** Time for a daemon that answers to write its buffers. */
#define SUPERVISOR_FLUSH_MS 30000
/** Longest wait for another doze that starts or stops a session daemon. */
#define STARTUP_LOCK_MS 15000

struct supervisor {
	const struct doze_session_options *options; /* the caller's options, from before the fork */
	unsigned deadline_ms;
	int sock;                           /* to doze; closed = doze is gone */
	int signals;                        /* signalfd: SIGCHLD, SIGTERM */
	int daemon_fd;                      /* pidfd of the session daemon in use; -1 = unknown */
	char dir[SESSION_FOLDER_MAX];       /* temporary folder; "" = not created yet */
	char log[4096];                     /* where the program's output goes */
	char trace[SESSION_FOLDER_MAX + 8]; /* in dir, if the caller names no folder */
	const char *output;                 /* where the trace goes; null = live */
	char name[64];                      /* of the LTTng session */

	struct program program;
	struct daemon sessiond; /* pid 0 = a daemon that was already running is used */
	struct relay relay;

	uint64_t subbuf_size;
	bool may_exist; /* the session was requested, so it must be destroyed */
	bool mute;      /* the session daemon did not answer, so do not wait long for it again */
	bool shared;    /* others had sessions in the daemon when it last answered, at heard_ms */
	int64_t heard_ms;
	bool reported_exit, reported_loss;
	char problem[400]; /* description of what could not be undone */
	char note[400];    /* description of what remains for a while on purpose */
};

/** Runs the supervisor in the forked process, with the caller's options and doze at the other end
 * of `sock`. Does not return. */
_Noreturn void session_supervisor_run(const struct doze_session_options *, int sock);

/** setup.c: starts everything. Returns 0, or -1 with one line in problem. Needs teardown in either
 * case. */
int session_supervisor_setup(struct supervisor *, char *url, size_t size);
/** Returns whether doze is gone or has sent a request, so that a long operation should be
 * cancelled. */
bool session_supervisor_called(const struct supervisor *);

/** teardown.c: ends the program and destroys the session; *discarded receives the number of
 * discarded events. Returns 0, or -1 with `problem` set. */
int session_supervisor_finish(struct supervisor *, uint64_t *discarded);
/** Undoes everything else. Returns true if something remains for supervisor_linger. */
bool session_supervisor_teardown(struct supervisor *);
/** Waits, without doze, until the rest can be undone: a session in a daemon that does not answer,
 * or the own daemon while others use it. */
void session_supervisor_linger(struct supervisor *);

#endif
