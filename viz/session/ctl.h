/*
 * SPDX-License-Identifier: MIT
 *
 * ctl.h - calls to the session daemon that end at a deadline.
 *
 * liblttng-ctl has no timeouts: with a stopped session daemon any of its calls waits for ever. So
 * each operation runs in a child process of its own, which is killed when its time is up. A request
 * that was sent stays in the daemon's queue, though, and is carried out when the daemon goes on:
 * after a deadline during `create` the session must still be destroyed.
 *
 * Caller: a process with one thread (the supervisor; doze before it has started any).
 */
#ifndef DOZE_VIZ_SESSION_CTL_H
#define DOZE_VIZ_SESSION_CTL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "session.h"

enum ctl_status {
	CTL_OK,
	CTL_REFUSED,  /* the daemon answered with an error: see text */
	CTL_ABSENT,   /* there is no daemon */
	CTL_GONE,     /* there is a daemon, it knows no such session */
	CTL_TAKEN,    /* a session of this name exists already */
	CTL_TIMEOUT,  /* it did not answer in time */
	CTL_GIVEN_UP, /* the caller was called away */
};

/** What the session is to be; strings weak. */
struct ctl_plan {
	const char *name;
	const char *output; /* folder, or null for a live session */
	const char *relay;  /* net://… of the relay, or null */
	unsigned live_timer_us;
	uint64_t subbuf_size;           /* bytes */
	uint64_t file_size, file_count; /* of each CPU, the oldest goes first; 0: no bound */
	enum doze_detail detail;
	pid_t pid; /* the only process that is traced */
};

struct ctl_reply {
	enum ctl_status status;
	uint64_t count;   /* discarded events; sessions */
	uint64_t others;  /* sessions of other names than asked for */
	char text[256];   /* of an error: what and why */
	char names[2048]; /* ctl_sessions: blank-separated, as many as fit */
};

/** Is a daemon there, and does it answer? CTL_OK, CTL_ABSENT or CTL_TIMEOUT. count: its sessions,
 * of which `others` are not named `own` (which may be null). */
struct ctl_reply ctl_ask(const char *own, unsigned deadline_ms);
/** Creates the session with its channel, contexts, events and tracker, and starts it. */
struct ctl_reply ctl_create(const struct ctl_plan *, unsigned deadline_ms);
enum ctl_hurry {
	CTL_WAIT,          /* until the trace is complete */
	CTL_UNLESS_CALLED, /* the same, but give up when the descriptor is readable */
	CTL_HURRY,         /* what is not written out yet is not wanted */
};
/** Stops and destroys it; count: events discarded. */
struct ctl_reply ctl_destroy(const char *name, enum ctl_hurry, unsigned deadline_ms, int call_fd);

/** Names of the sessions, one call each; 0, or -1 when the daemon is absent or does not answer. */
int ctl_sessions(void (*each)(const char *name, void *ctx), void *ctx, unsigned deadline_ms);

/** Pid of the session daemon that liblttng-ctl would talk to, 0 when unknown. Its file survives it:
 * the process may be gone. */
pid_t ctl_daemon_pid(void);

/** Runs fn(arg, reply) in a child process, at most deadline_ms, or until call_fd (-1: none) becomes
 * readable. For the operations above. */
struct ctl_reply ctl_run(void (*fn)(const void *arg, struct ctl_reply *), const void *arg,
			 unsigned deadline_ms, int call_fd);

#endif
