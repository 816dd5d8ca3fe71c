/*
 * SPDX-License-Identifier: MIT
 *
 * setup.c - the supervisor's start-up: forks the program, starts the relay and the session daemon,
 * and creates the session. Any step can fail, and the supervisor stops between two steps if doze
 * exits. teardown.c can undo whatever steps were completed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "free_space.h"
#include "supervisor.h"

#define ATTEMPTS   4
#define LEAVING_MS 15000 /* time that an exiting daemon may need on a busy machine */

static int complain(struct supervisor *s, const char *what, const char *where, const char *todo)
{
	snprintf(s->problem, sizeof(s->problem), "%s: %s: %s", what, where, todo);
	return -1;
}

static int no_answer(struct supervisor *s)
{
	pid_t pid = session_ctl_daemon_pid();
	char where[128];
	snprintf(where, sizeof(where), "pid %d, no answer within %u ms", (int)pid, s->deadline_ms);
	char todo[128];
	snprintf(todo, sizeof(todo), "if it is stopped, run 'kill -CONT %d'; otherwise restart it",
		 (int)pid);
	return complain(s, "the session daemon is hung", where, todo);
}

/** Uses the running daemon, or starts one.
 *
 * The start-up lock excludes only other doze processes. At the same time, the user may start or
 * stop a daemon, or the kernel may stop the daemon of a supervisor that died. A starting daemon
 * answers soon. An exiting daemon closes its socket long before it releases its own lock; until
 * then no daemon answers, and a new one exits with "already running". The supervisor must not take
 * the daemons' lock itself, because that could make another daemon fail. It therefore restarts its
 * own daemon until that daemon gets the lock or another one answers. */
static int find_daemon(struct supervisor *s)
{
	int64_t until = doze_now_ms() + LEAVING_MS;
	/* If the supervisor has already started a daemon, that daemon has stopped answering. */
	session_daemon_stop(&s->sessiond, LEAVING_MS);
	for (int i = 0; !session_supervisor_called(s) && doze_now_ms() < until;) {
		struct ctl_reply r = session_ctl_ask(NULL, s->deadline_ms);
		if (r.status == CTL_TIMEOUT)
			return no_answer(s);
		int code = r.status != CTL_ABSENT
			       ? 0
			       : session_sessiond_start(&s->sessiond, s->dir, s->deadline_ms,
							s->problem, sizeof(s->problem));
		if (r.status == CTL_OK || (r.status == CTL_ABSENT && code == 0)) {
			s->problem[0] = 0; /* discard the message of an earlier attempt */
			session_supervisor_tell_daemon(s);
			return 0;
		}
		if (r.status != CTL_ABSENT)
			complain(s, "the session daemon", r.text, "try 'doze doctor'");
		/* If the daemon is not installed, or no process can be created, retrying would not
		 * help. */
		if (code > 0 && code != ETIMEDOUT)
			return -1;
		if (!strstr(s->problem, "already running") && ++i == ATTEMPTS)
			return -1;
		doze_sleep_ms(100);
	}
	return -1;
}

/** Returns whether the daemon has exited. An exiting daemon may refuse a request with one of
 * several errors, so the error does not show it. */
static bool daemon_has_gone(struct supervisor *s)
{
	return session_ctl_ask(NULL, s->deadline_ms).status == CTL_ABSENT;
}

/** Opens a pidfd of the daemon, which becomes readable when the daemon exits. A pidfd also works
 * for a daemon that another process started. */
static void watch_daemon(struct supervisor *s)
{
	pid_t pid = s->sessiond.pid ? s->sessiond.pid : session_ctl_daemon_pid();
	if (pid > 0)
		s->daemon_fd = (int)syscall(SYS_pidfd_open, pid, 0);
}

static int create_session(struct supervisor *s)
{
	char relay[64];
	snprintf(relay, sizeof(relay), "net://127.0.0.1:%u:%u", s->relay.control, s->relay.data);
	struct ctl_plan plan = {
	    .name = s->name,
	    .output = s->output,
	    .relay = s->options->live_timer_us ? relay : NULL,
	    .live_timer_us = s->options->live_timer_us,
	    .detail = s->options->detail,
	    .pid = s->options->follow || s->options->duel[0] ? 0 : s->program.pid,
	    .subbuf_size = s->subbuf_size,
	};
	if (plan.relay) {
		struct session_files f =
		    session_keep_files(&s->options->keep, s->dir, s->subbuf_size);
		plan.file_count = f.count;
		plan.file_size = f.size;
	}
	struct ctl_reply r = {0};
	for (int i = 0; i < ATTEMPTS && !session_supervisor_called(s); i++) {
		snprintf(s->name, sizeof(s->name), i ? "doze-%d-%d" : "doze-%d", (int)getppid(), i);
		r = session_ctl_create(&plan, s->deadline_ms);
		/* Never destroy a session of this name that another program created. */
		s->may_exist = r.status != CTL_TAKEN;
		s->program.leaves_first = r.late_metadata;
		if (r.status == CTL_OK)
			return 0;
		if (r.status == CTL_TIMEOUT)
			return no_answer(s);
		if (r.status == CTL_REFUSED && daemon_has_gone(s))
			r.status = CTL_ABSENT;
		if (r.status == CTL_ABSENT && find_daemon(s))
			return -1;
		if (r.status != CTL_TAKEN && r.status != CTL_ABSENT)
			break;
	}
	return complain(s, "the session daemon", r.text, "try 'doze doctor'");
}

/** Closes the supervisor's copies of doze's files and terminal, because the supervisor may outlive
 * doze. */
static void let_go(struct supervisor *s)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	const int keep[] = {s->sock, s->signals, s->program.gate, s->program.status_fd};
	for (int fd = 3; fd < 1024; fd++) {
		bool wanted = false;
		for (size_t i = 0; i < sizeof(keep) / sizeof(keep[0]); i++)
			wanted |= fd == keep[i];
		if (!wanted)
			close(fd);
	}
	/* If chdir fails, the only harm is that the caller's file system cannot be unmounted while
	 * the supervisor runs. */
	if (chdir("/"))
		return;
}

/** Checks that enough shared memory is free. Without it, the program would run, but its trace would
 * be empty. */
static int check_room(struct supervisor *s)
{
	struct session_space shm = session_space_shared_memory(&s->subbuf_size);
	if (session_space_lacks(shm)) {
		snprintf(s->problem, sizeof(s->problem),
			 "shared memory: /dev/shm has %llu KiB left, but the buffers need %llu: "
			 "free some space there, or run 'mount -o remount,size=50%% /dev/shm'",
			 (unsigned long long)shm.free / 1024,
			 (unsigned long long)shm.needed / 1024);
		return -1;
	}
	if (s->output && session_space_lacks(session_space_disk(s->output)))
		return complain(s, s->output, "the disk is full", "free some space");
	return 0;
}

int session_supervisor_setup(struct supervisor *s, char *url, size_t size)
{
	char host[65] = "localhost";
	int err = session_program_hold(&s->program, s->options, s->log);
	let_go(s);
	if (err)
		return complain(s, s->options->argv[0], strerror(err), "cannot create a process");
	if (check_room(s))
		return -1;
	if (s->options->live_timer_us &&
	    session_relay_start(&s->relay, s->dir, s->deadline_ms, s->problem, sizeof(s->problem)))
		return -1;
	/* Two session daemons that start at the same time disturb each other even though only one
	 * of them survives (observed: programs could not register). Nor may another doze process
	 * stop the daemon after it was found and before the session is created. */
	int lock = doze_startup_lock(STARTUP_LOCK_MS, s->sock);
	err = find_daemon(s) || create_session(s);
	if (lock >= 0)
		close(lock);
	if (err)
		return -1;
	watch_daemon(s);
	gethostname(host, sizeof(host) - 1);
	if (s->options->live_timer_us)
		snprintf(url, size, "net://127.0.0.1:%u/host/%s/%s", s->relay.live, host, s->name);
	return 0;
}
