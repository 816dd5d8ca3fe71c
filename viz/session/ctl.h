/*
 * SPDX-License-Identifier: MIT
 *
 * ctl.h - requests to the session daemon, each with a deadline.
 *
 * liblttng-ctl has no timeouts: each of its calls blocks for as long as the session daemon is
 * stopped. Each operation therefore runs in its own child process, which is killed at the deadline.
 * A request that was sent stays in the daemon's queue, though, and is executed when the daemon
 * continues: after a deadline during `create`, the session must still be destroyed.
 *
 * Caller: a process with one thread (the supervisor; doze before it has started any thread).
 */
#ifndef DOZE_VIZ_SESSION_CTL_H
#define DOZE_VIZ_SESSION_CTL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "session.h"

enum ctl_status {
	CTL_OK,
	CTL_REFUSED,  /* the daemon answered with an error, which `text` describes */
	CTL_ABSENT,   /* no daemon is running */
	CTL_GONE,     /* a daemon is running, but has no such session */
	CTL_TAKEN,    /* a session of this name already exists */
	CTL_TIMEOUT,  /* the daemon did not answer in time */
	CTL_GIVEN_UP, /* call_fd became readable first */
};

/** The session to create. Strings are borrowed. */
struct ctl_plan {
	const char *name;
	const char *output; /* folder; null: a live session */
	const char *relay;  /* net://… URL of the relay, or null */
	unsigned live_timer_us;
	uint64_t subbuf_size;           /* bytes */
	uint64_t file_size, file_count; /* per CPU; the oldest file is overwritten; 0: no limit */
	enum doze_detail detail;
	pid_t pid; /* the only process to trace; 0: trace all */
};

struct ctl_reply {
	enum ctl_status status;
	uint64_t count;   /* number of discarded events, or of sessions */
	uint64_t others;  /* number of sessions with other names */
	char text[256];   /* if an error occurred: what failed and why */
	char names[2048]; /* set by session_ctl_sessions: as many as fit, separated by blanks */
};

/** Checks whether a daemon is running and answers: CTL_OK, CTL_ABSENT or CTL_TIMEOUT. count is the
 * number of its sessions; `others` is the number of those not named `own` (which may be null). */
struct ctl_reply session_ctl_ask(const char *own, unsigned deadline_ms);
/** Creates the session with its channel, contexts, events and tracker, and starts it. */
struct ctl_reply session_ctl_create(const struct ctl_plan *, unsigned deadline_ms);
enum ctl_hurry {
	CTL_WAIT,          /* wait until the trace is complete */
	CTL_UNLESS_CALLED, /* wait until the trace is complete or the descriptor becomes readable */
	CTL_HURRY,         /* drop data that has not been written yet */
};
/** Stops and destroys the session. count is the number of discarded events. */
struct ctl_reply session_ctl_destroy(const char *name, enum ctl_hurry, unsigned deadline_ms,
				     int call_fd);

/** Calls each() with the name of every session. Returns 0, or -1 if no daemon answers. */
int session_ctl_sessions(void (*each)(const char *name, void *ctx), void *ctx,
			 unsigned deadline_ms);

/** Returns the pid of the session daemon that liblttng-ctl would use, or 0 if unknown. The pid
 * comes from a file that outlives the daemon, so the process may no longer exist. */
pid_t session_ctl_daemon_pid(void);

/** Runs fn(arg, reply) in a child process until it replies, deadline_ms have passed, or call_fd
 * (-1: none) becomes readable. Used by the operations above. */
struct ctl_reply session_ctl_run(void (*fn)(const void *arg, struct ctl_reply *), const void *arg,
				 unsigned deadline_ms, int call_fd);

#endif
