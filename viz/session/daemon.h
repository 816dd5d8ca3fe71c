/*
 * SPDX-License-Identifier: MIT
 *
 * daemon.h - starts and stops the LTTng daemons that doze needs. Each daemon leads its own session
 * (setsid), so that a Ctrl-C at the terminal cannot reach it before the tracing session is
 * destroyed, and receives SIGTERM when the supervisor dies. Daemons stay in the foreground as
 * children of the supervisor, which therefore has their pids.
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
	pid_t pid;     /* 0 = not started, or already stopped */
	char log[160]; /* path of its standard error */
};

/** Returns whether the daemon has exited or was never started. Its children may still be running
 * until session_daemon_stop. */
bool session_daemon_ended(const struct daemon *);
/** Sends SIGTERM to the daemon (and SIGCONT, in case it is stopped). After grace_ms, sends SIGKILL
 * to the daemon and its children, and waits up to 2 s for all of them to exit. If the daemon
 * has already exited, reaps it and gives its children grace_ms to exit. */
void session_daemon_stop(struct daemon *, unsigned grace_ms);

/** Starts an lttng-sessiond for this user, logging to `dir`, and waits until it answers. Returns 0
 * on success. Otherwise writes one line to err and returns -1 if the daemon exited (as it does
 * while another daemon holds the lock), or an errno value if it could not be started or does not
 * answer (ETIMEDOUT). */
int session_sessiond_start(struct daemon *, const char *dir, char *err, size_t size);

enum { RELAY_CONTROL, RELAY_DATA, RELAY_LIVE, RELAY_PORTS };
struct relay {
	struct daemon daemon;
	uint16_t port[RELAY_PORTS]; /* on 127.0.0.1 */
};
/** Starts an lttng-relayd that writes to dir/relay and listens on 127.0.0.1 only. Returns 0, or
 * -1. */
int session_relay_start(struct relay *, const char *dir, char *err, size_t size);

#endif
