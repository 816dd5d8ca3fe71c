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

/** Deadline of a request, and of the start of a daemon, for a session. */
#define SESSION_DEADLINE_MS 5000u

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
	const char *output; /* folder of the recording; null for a live session */
	const char *relay;  /* net://… URL of the relay, or null */
	unsigned live_timer_us;
	uint64_t subbuf_size; /* bytes */
	/* limits per CPU, after which the oldest file is overwritten; 0: no limit */
	uint64_t file_size, file_count;
	enum doze_detail detail;
	pid_t pid; /* the only process to trace; 0: trace all */
};

struct ctl_reply {
	enum ctl_status status;
	/* session_ctl_destroy: number of discarded events; session_ctl_ask: number of sessions */
	uint64_t count;
	/* session_ctl_create: LTTng writes the metadata only when the session ends or a program
	 * leaves it, not every second */
	bool late_metadata;
	/* session_ctl_destroy: LTTng did not finish the trace in time, so a CPU's last events may
	 * be missing */
	bool unfinished;
	uint64_t others; /* number of sessions not named `own`, see session_ctl_ask */
	char text[256];  /* what failed and why, if an operation failed */
	/* session_ctl_ask: names of the sessions, as many as fit, separated by blanks */
	char names[2048];
};

/** Checks whether a daemon is running and answers: status is CTL_OK, CTL_ABSENT or CTL_TIMEOUT.
 * `count` is the daemon's number of sessions; `others` counts only those whose name is not `own`
 * (which may be null). */
struct ctl_reply session_ctl_ask(const char *own, unsigned deadline_ms);
/** Checks whether a process has registered with the daemon: status is CTL_OK, CTL_GONE if it has
 * not, or another error. */
struct ctl_reply session_ctl_registered(pid_t pid, unsigned deadline_ms);
/** Creates the session with its channel, contexts, events and tracker, and starts it. */
struct ctl_reply session_ctl_create(const struct ctl_plan *, unsigned deadline_ms);
/** The command that a message gives a person to destroy a session, with the session's name
 * inserted. Without --no-wait, lttng first waits until all data has been read. If the traced
 * program was killed before its metadata arrived, that never happens
 * (lttng_ustconsumer_data_pending of lttng-tools 2.13 takes an empty metadata cache for data that
 * is still to come), and the command would never end. */
#define SESSION_CTL_DESTROY_COMMAND "lttng destroy --no-wait %s"

enum ctl_hurry {
	CTL_WAIT,          /* wait until the trace is complete, at most 10 s after the stop */
	CTL_BRIEFLY,       /* the same, at most 3 s: a killed program may keep LTTng from ending */
	CTL_UNLESS_CALLED, /* wait until the trace is complete or call_fd becomes readable */
	CTL_HURRY,         /* drop data that has not been written yet */
};
/** Stops and destroys the session. count is the number of discarded events. */
struct ctl_reply session_ctl_destroy(const char *name, enum ctl_hurry, unsigned deadline_ms,
				     int call_fd);

/** Returns the pid of the session daemon that liblttng-ctl would use, or 0 if unknown. The pid
 * comes from a file that outlives the daemon, so the process may no longer exist. */
pid_t session_ctl_daemon_pid(void);

#endif
