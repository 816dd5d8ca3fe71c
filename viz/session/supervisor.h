/*
 * SPDX-License-Identifier: MIT
 *
 * supervisor.h - the process that owns everything which must be undone. See README.md.
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
/** A daemon that answers may still need long to write out what is in the buffers. */
#define SUPERVISOR_FLUSH_MS 30000
/** Longest wait for another doze that starts or stops a session daemon. */
#define TURN_MS 15000

struct supervisor {
	const struct doze_session_options *options; /* the caller's, from before the fork */
	unsigned deadline_ms;
	int sock;                           /* to doze; closed = doze is gone */
	int signals;                        /* signalfd: SIGCHLD, SIGTERM */
	int daemon_fd;                      /* pidfd of the session daemon in use; -1 = unknown */
	char dir[SESSION_FOLDER_MAX];       /* temporary folder; "" = not there yet */
	char log[4096];                     /* where the program's output goes */
	char trace[SESSION_FOLDER_MAX + 8]; /* in dir, if the caller names no folder */
	const char *output;                 /* where the trace goes; null = live */
	char name[64];                      /* of the LTTng session */

	struct program program;
	struct daemon sessiond; /* pid 0 = one that was there is used */
	struct relay relay;

	uint64_t subbuf_size;
	bool may_exist; /* the session was asked for: it must be destroyed */
	bool mute;      /* the session daemon did not answer: it is not waited for long again */
	bool shared;    /* when it last answered, at heard_ms, others had sessions in it */
	int64_t heard_ms;
	bool told_ended, told_lost;
	char problem[400]; /* what could not be undone */
	char note[400];    /* what stays a while, and rightly so */
};

/** The supervisor's life; in the forked process, for the caller's options and with doze at the
 * other end of `sock`. Does not return. */
_Noreturn void supervisor_run(const struct doze_session_options *, int sock);

/** setup.c: brings everything up. 0, or -1 and one line in problem; then still needs teardown. */
int supervisor_setup(struct supervisor *, char *url, size_t size);
/** True when doze is gone or has asked for something: time to give a long operation up. */
bool supervisor_called(const struct supervisor *);

/** teardown.c: ends the program, destroys the session. Discarded events in *discarded; -1: problem.
 */
int supervisor_finish(struct supervisor *, uint64_t *discarded);
/** Everything else. True when something remains for supervisor_linger. */
bool supervisor_teardown(struct supervisor *);
/** Waits, without doze, until the rest can be undone: a session on a daemon that does not answer, a
 * daemon of ours that others use meanwhile. */
void supervisor_linger(struct supervisor *);

#endif
