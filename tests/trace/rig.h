/*
 * SPDX-License-Identifier: MIT
 *
 * rig.h - LTTng daemons of a test's own, commands with deadlines, and nothing left behind.
 *
 * As root LTTng has one session daemon for the whole system, so a test that stops or kills it must
 * not meet the machine's: as root each rig has a mount namespace with an empty /run/lttng and
 * /dev/shm. RIG_ROOT cannot be had without one. RIG_USER has a daemon in its own LTTNG_HOME; when
 * the tests run as root, everything in such a rig runs as another user. One rig at a time; not for
 * several threads.
 */
#ifndef DOZE_TESTS_TRACE_RIG_H
#define DOZE_TESTS_TRACE_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum rig_mode {
	RIG_ROOT, /* one daemon for the system */
	RIG_USER, /* one for each user */
};

/** The mode that suits whoever runs the tests; RIG=user in the environment asks for the other one.
 */
enum rig_mode rig_usual_mode(void);

/** Makes the rig's folder, with copies of the build's programs in it, and becomes ready to start
 * daemons. False, with a reason on stdout, where this mode cannot be had here. */
bool rig_open(enum rig_mode mode);
/** Ends what rig_start and rig_daemons started, by pid, and removes the folder. */
void rig_close(void);
/** The rig's folder; commands run in it. */
const char *rig_dir(void);

/** Starts the session daemon and waits until it answers. */
bool rig_sessiond(void);
/** Starts a relay on free ports of 127.0.0.1; its URLs are in $RELAY_CTRL, $RELAY_DATA, $RELAY_LIVE
 * of later commands. */
bool rig_relayd(void);
pid_t rig_sessiond_pid(void);
pid_t rig_relayd_pid(void);
/** The consumer daemon: the session daemon's child, once there is a session. -1: none. */
pid_t rig_consumerd_pid(void);

/** Runs a shell command, at most 30 s; output goes to the rig's log. Returns its exit status,
 * 128 + n after a signal, 124 when it was ended because of the time. */
int rig_sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** The same, and its standard output in a buffer that lives until the next call. */
const char *rig_out(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** Starts a shell command beside the test. */
pid_t rig_start(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/** Waits for it; exit status as rig_sh. After `ms`, times suite_slow(), it is killed, and the
 * status is 124. */
int rig_wait(pid_t pid, unsigned ms);
/** Where all stands still doze itself may wait for its turn, for the daemon and for the program's
 * registration, 10 to 15 s each. */
#define RIG_AWAIT_MS 45000
/** Waits, at most RIG_AWAIT_MS times suite_slow(), until a line of the file begins with these
 * words. The shell reads both. False, and a line on stdout: there is none. */
bool rig_await_line(const char *file, const char *words);
/** Milliseconds of a clock that only goes forward. */
long long rig_now_ms(void);
void rig_sleep_ms(unsigned ms);

/** A session `t` to the folder DIR with the channel of channel.h, events of the log level and
 * above, contexts; started. */
bool rig_record(const char *dir, const char *loglevel);
/** Ends it, at most 10 s. */
bool rig_record_end(void);

#endif
