/*
 * SPDX-License-Identifier: MIT
 *
 * supervisor.h - the supervisor, the process that starts the program, the daemons and the LTTng
 * session, and cleans them up even if doze is killed. See README.md.
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
	const struct doze_session_options *options; /* the caller's options, copied by the fork */
	unsigned deadline_ms;
	int sock;                     /* socket to doze, which the kernel closes when doze exits */
	int signals;                  /* signalfd for SIGCHLD and terminating signals */
	int daemon_fd;                /* pidfd of the session daemon in use; -1 = unknown */
	char dir[SESSION_FOLDER_MAX]; /* temporary folder; "" = not created yet */
	char log[4096];               /* file for the program's output */
	/* the trace's folder within `dir`; unused if the caller chose a folder */
	char trace[SESSION_FOLDER_MAX + 8];
	const char *output; /* folder for the trace; null = live */
	char name[64];      /* name of the LTTng session */

	struct program program;
	struct daemon sessiond; /* pid 0: another process started the daemon in use */
	struct relay relay;

	uint64_t subbuf_size;
	/* the creation of the session was requested, so the session must be destroyed */
	bool may_exist;
	bool mute;   /* the session daemon did not answer, so its shutdown gets less time */
	bool shared; /* at time heard_ms, other programs had sessions in the daemon */
	int64_t heard_ms;
	bool reported_exit, reported_loss;
	char problem[400]; /* one line: what the supervisor could not stop or remove */
	char note[400];    /* one line: a daemon that the supervisor keeps running on purpose */
};

/** Runs the supervisor in the forked process, with the caller's options; doze is at the other end
 * of `sock`. Does not return. */
_Noreturn void session_supervisor_run(const struct doze_session_options *, int sock);

/** setup.c: starts everything. Returns 0, or -1 with one line in problem. In either case, call
 * session_supervisor_teardown afterwards. */
int session_supervisor_setup(struct supervisor *, char *url, size_t size);
/** Returns whether doze has exited or sent a request. A long operation should then be cancelled. */
bool session_supervisor_called(const struct supervisor *);

/** teardown.c: terminates the program and destroys the session. *discarded receives the number of
 * discarded events. Returns 0, or -1 with `problem` set. */
int session_supervisor_finish(struct supervisor *, uint64_t *discarded);
/** Reports to doze the session daemon that doze must kill if the supervisor is killed. */
void session_supervisor_tell_daemon(struct supervisor *);
/** Undoes everything that was set up for the session, except what session_supervisor_finish
 * destroys. Returns whether something is left for session_supervisor_linger to undo. */
bool session_supervisor_teardown(struct supervisor *);
/** Called after doze has exited. Retries to destroy the session if the session daemon did not
 * answer. Waits until no other program uses the supervisor's own daemon, then stops it. */
void session_supervisor_linger(struct supervisor *);

#endif
