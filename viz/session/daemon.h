/*
 * SPDX-License-Identifier: MIT
 *
 * daemon.h - the LTTng daemons that doze starts, and their end.
 *
 * They run in a session (setsid) of their own, so that a Ctrl-C at the terminal cannot reach them
 * before the tracing session is destroyed, and they get SIGTERM when the supervisor dies, whatever
 * it dies of. They stay in the foreground, as children of the supervisor: it knows their pids.
 *
 * Caller: the supervisor, with SIGCHLD blocked.
 */
#ifndef DOZE_VIZ_SESSION_DAEMON_H
#define DOZE_VIZ_SESSION_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct daemon {
	pid_t pid;     /* 0 = not started, or stopped */
	char log[160]; /* its standard error */
};

/** Starts argv[0] in the background with its output in `log`. 0, or errno. */
int daemon_start(struct daemon *, char *const *argv);
/** True when it has ended, or was never started. Its children may live on until daemon_stop. */
bool daemon_ended(const struct daemon *);
/** SIGTERM (SIGCONT, if it is stopped), after grace_ms SIGKILL to it and its children; waits at
 * most 2 s more until all of them are gone. One that has ended already is reaped, and its children
 * have grace_ms to end by themselves. */
void daemon_stop(struct daemon *, unsigned grace_ms);

/** Starts an lttng-sessiond for this user and waits until it answers. `dir` is where its log goes.
 * Else one line in err, and -1: it ended by itself (as it does while another has its lock); errno:
 * it could not be started, or does not answer (ETIMEDOUT). */
int sessiond_start(struct daemon *, const char *dir, unsigned deadline_ms, char *err, size_t size);

struct relay {
	struct daemon daemon;
	uint16_t control, data, live; /* ports on 127.0.0.1 */
};
/** Starts an lttng-relayd that writes to dir/relay and listens on 127.0.0.1 only. 0, or -1. */
int relay_start(struct relay *, const char *dir, unsigned deadline_ms, char *err, size_t size);

#endif
