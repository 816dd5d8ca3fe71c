/*
 * SPDX-License-Identifier: MIT
 *
 * teardown.c - the supervisor's shutdown: program, session, relay, session daemon, folder. It works
 * whatever setup.c has started, limits the time of every request to a daemon, and stops and removes
 * as much as possible when a daemon does not answer.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../words/temp.h"
#include "files.h"
#include "free_space.h"
#include "supervisor.h"

#define PROGRAM_GRACE_MS 2000
#define DAEMON_GRACE_MS  3000
/* time that a consumer daemon needs to exit after its session daemon has exited */
#define ORPHAN_GRACE_MS 1000
#define LINGER_MS       600000 /* how long to repeat a request that a daemon does not answer */

static void session_remains(struct supervisor *s)
{
	snprintf(s->problem, sizeof(s->problem),
		 "session %s: the session daemon (pid %d) does not answer, so the session has not "
		 "been destroyed yet: run 'kill -CONT %d', or 'lttng destroy %s'",
		 s->name, (int)session_ctl_daemon_pid(), (int)session_ctl_daemon_pid(), s->name);
}

/** Queries the daemon in use, and records whether other programs have sessions in it. */
static struct ctl_reply ask_daemon(struct supervisor *s)
{
	struct ctl_reply r = session_ctl_ask(s->name, s->deadline_ms);
	if (r.status == CTL_OK) {
		s->shared = r.others > 0;
		s->heard_ms = doze_now_ms();
		s->mute = false;
	} else if (r.status == CTL_ABSENT || doze_now_ms() - s->heard_ms > LINGER_MS) {
		s->shared = false;
	}
	return r;
}

/** Returns whether the session no longer exists. Called when the daemon has refused to destroy the
 * session, because the daemon may have destroyed it anyway. */
static bool is_gone(struct supervisor *s)
{
	struct ctl_reply r = ask_daemon(s);
	return r.status == CTL_ABSENT || (r.status == CTL_OK && r.others == r.count);
}

static const char full_disk[] = "the disk is full";

static bool disk_is_full(const struct supervisor *s)
{
	return s->output && session_space_lacks(session_space_disk(s->output));
}

/** Asks the daemon to destroy the session, and waits for the answer with a limit that depends on
 * `hurry` and on the free disk space. */
static struct ctl_reply ask_for_end(struct supervisor *s, enum ctl_hurry hurry)
{
	/* First check with a short deadline whether the daemon responds at all. */
	struct ctl_reply r = ask_daemon(s);
	if (r.status != CTL_OK)
		return r;
	if (hurry == CTL_HURRY)
		return session_ctl_destroy(s->name, hurry, s->deadline_ms, -1);
	/* On a full disk, the consumer daemon never finishes writing. */
	unsigned patience = disk_is_full(s) ? s->deadline_ms : SUPERVISOR_FLUSH_MS;
	r = session_ctl_destroy(s->name, hurry, patience,
				hurry == CTL_UNLESS_CALLED ? s->sock : -1);
	if (r.status != CTL_TIMEOUT)
		return r;
	/* The daemon is running but its consumer is stuck, so drop the data that the consumer still
	 * holds. */
	struct ctl_reply dropped = session_ctl_destroy(s->name, CTL_HURRY, s->deadline_ms, -1);
	/* The first request may already have removed the session from the daemon's list. */
	if (dropped.status == CTL_OK || (dropped.status == CTL_GONE && !dropped.text[0])) {
		dropped.status = CTL_GONE;
		snprintf(dropped.text, sizeof(dropped.text), "%s",
			 disk_is_full(s) ? full_disk : "the consumer daemon is hung");
	}
	return dropped;
}

/** Makes one attempt to destroy the session. Returns whether the session is gone. *lost is the
 * reason why its trace is incomplete, or null. */
static bool destroy(struct supervisor *s, enum ctl_hurry hurry, uint64_t *discarded,
		    const char **lost)
{
	static char why[256];
	struct ctl_reply r = ask_for_end(s, hurry);
	*lost = why;
	snprintf(why, sizeof(why), "%s", r.text);
	switch (r.status) {
	case CTL_OK:
		*discarded = r.count;
		/* The consumer daemon does not report data that it failed to write. */
		*lost = disk_is_full(s) ? full_disk : NULL;
		return true;
	case CTL_ABSENT:
		*lost = "the session daemon is gone";
		return true;
	case CTL_GONE:
		if (!r.text[0])
			*lost = "another program destroyed it";
		return true;
	case CTL_TIMEOUT:
		s->mute = true;
		return false;
	case CTL_GIVEN_UP:
		*lost = NULL; /* doze no longer waits for the number of discarded events */
		return false;
	default:
		/* The consumer daemon of LTTng 2.16 may abort on a full disk. */
		if (disk_is_full(s))
			*lost = full_disk;
		return is_gone(s);
	}
}

int session_supervisor_finish(struct supervisor *s, uint64_t *discarded)
{
	const char *lost = NULL;
	/* A live viewer may leave before everything is written, but a recording must be
	 * complete. */
	enum ctl_hurry hurry = s->options->live_timer_us ? CTL_UNLESS_CALLED : CTL_WAIT;
	session_program_end(&s->program, PROGRAM_GRACE_MS);
	if (!s->may_exist)
		return 0;
	s->may_exist = !destroy(s, hurry, discarded, &lost);
	if (!lost)
		return 0;
	if (s->may_exist && !s->sessiond.pid)
		session_remains(s);
	else
		snprintf(s->problem, sizeof(s->problem),
			 "session %s: %s: its trace is incomplete%s", s->name, lost,
			 strcmp(lost, full_disk) == 0 ? ": free some space and record again" : "");
	return -1;
}

/** Stops the relay of a live session. No viewer reads from the relay any more, and the relay could
 * delay the shutdown. */
static void drop_live(struct supervisor *s)
{
	uint64_t discarded;
	const char *lost;
	session_program_end(&s->program, PROGRAM_GRACE_MS);
	session_daemon_stop(&s->relay.daemon, s->may_exist ? 200 : DAEMON_GRACE_MS);
	if (s->may_exist && !s->mute)
		s->may_exist = !destroy(s, CTL_HURRY, &discarded, &lost);
}

static bool others_use_it(struct supervisor *s)
{
	/* A daemon may fail to answer for seconds while a traced program is stopped or a disk is
	 * slow, and then continue. Do not stop such a daemon while other programs have sessions in
	 * it. */
	if ((!s->mute || s->shared) && ask_daemon(s).status != CTL_OK)
		s->mute = true;
	return s->shared;
}

/** Stops the session daemon if the supervisor started it. Returns false if other programs are using
 * the daemon. */
static bool stop_sessiond(struct supervisor *s)
{
	if (!s->sessiond.pid)
		return true;
	/* If the supervisor's own daemon has exited, any daemon that still answers belongs to
	 * another process, so do not stop it. */
	if (session_daemon_ended(&s->sessiond)) {
		session_daemon_stop(&s->sessiond, ORPHAN_GRACE_MS);
		s->may_exist = false;
		return true;
	}
	int lock = doze_startup_lock(STARTUP_LOCK_MS, -1);
	bool stop = !others_use_it(s);
	if (stop) {
		session_daemon_stop(&s->sessiond, s->mute ? 500 : DAEMON_GRACE_MS);
		s->may_exist = false;
	}
	if (lock >= 0)
		close(lock);
	return stop;
}

bool session_supervisor_teardown(struct supervisor *s)
{
	uint64_t discarded;
	if (s->daemon_fd >= 0)
		close(s->daemon_fd);
	s->daemon_fd = -1;
	if (s->options->live_timer_us)
		drop_live(s);
	else
		session_supervisor_finish(s, &discarded);
	bool stopped = stop_sessiond(s);
	if (s->dir[0])
		doze_temp_remove(s->dir);
	if (s->may_exist)
		session_remains(s);
	else if (!stopped)
		snprintf(s->note, sizeof(s->note),
			 "lttng-sessiond (pid %d) keeps running because other programs have "
			 "sessions in it; it exits after the last one",
			 (int)s->sessiond.pid);
	return s->may_exist || !stopped;
}

void session_supervisor_linger(struct supervisor *s)
{
	uint64_t discarded;
	const char *lost;
	int64_t until = doze_now_ms() + LINGER_MS;
	/* No viewer reads a live session any more, and its relay has stopped, so there is nothing
	 * to wait for. */
	enum ctl_hurry hurry = s->options->live_timer_us ? CTL_HURRY : CTL_WAIT;
	while (s->may_exist && doze_now_ms() < until) {
		doze_sleep_ms(500);
		s->may_exist = !destroy(s, hurry, &discarded, &lost);
	}
	while (!stop_sessiond(s))
		doze_sleep_ms(500);
}
