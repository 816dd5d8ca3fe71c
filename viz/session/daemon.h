/*
 * SPDX-License-Identifier: MIT
 *
 * daemon.h - starts and stops the LTTng daemons that doze needs.
 *
 * Each runs in a session (setsid) of its own, so that a Ctrl-C at the terminal cannot reach it
 * before the tracing session is destroyed, and gets SIGTERM when the supervisor dies. Daemons stay
 * in the foreground as children of the supervisor, which therefore knows their pids.
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

/** Returns whether it has exited or was never started. Its children may still run until
 * daemon_stop. */
bool session_daemon_ended(const struct daemon *);
/** Sends SIGTERM (and SIGCONT, in case it is stopped), after grace_ms SIGKILL to it and its
 * children, and waits at most 2 s more until all of them are gone. A daemon that has already exited
 * is reaped, and its children have grace_ms to exit. */
void session_daemon_stop(struct daemon *, unsigned grace_ms);

/** Starts an lttng-sessiond for this user and waits until it answers. Its log goes into `dir`.
 * Returns 0; otherwise writes one line to err and returns -1 if the daemon exited (as it does while
 * another one holds the lock), or an errno value if it could not be started or does not answer
 * (ETIMEDOUT). */
int session_sessiond_start(struct daemon *, const char *dir, unsigned deadline_ms, char *err,
			   size_t size);

struct relay {
	struct daemon daemon;
	uint16_t control, data, live; /* ports on 127.0.0.1 */
};
/** Starts an lttng-relayd that writes to dir/relay and listens on 127.0.0.1 only. Returns 0, or -1.
 */
int session_relay_start(struct relay *, const char *dir, unsigned deadline_ms, char *err,
			size_t size);

#endif
