/*
 * SPDX-License-Identifier: MIT
 *
 * supervisor.c - the main loop of the supervisor (see supervisor.h). It waits for messages from
 * doze, for the exit of a child, and for the exit of the session daemon (a pidfd). It exits when
 * doze asks it to, or when doze itself exits.
 */
#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../words/temp.h"
#include "ctl.h"
#include "daemon.h"
#include "files.h"
#include "free_space.h"
#include "program.h"
#include "signals.h"

/** Time that a responsive daemon has to write its buffers. */
#define SUPERVISOR_FLUSH_MS 30000
/** Longest wait for another doze that is starting or stopping a session daemon. */
#define STARTUP_LOCK_MS 15000

struct supervisor {
	const struct doze_session_options *options; /* the caller's options, copied by the fork */
	int sock;                     /* socket to doze, which the kernel closes when doze exits */
	int signals;                  /* signalfd for SIGCHLD and terminating signals */
	int daemon_fd;                /* pidfd of the session daemon in use; -1 = unknown */
	char dir[SESSION_FOLDER_MAX]; /* temporary folder; "" = not created yet */
	char log[4096];               /* file for the program's output */
	/* the trace's folder within `dir`; unused if the caller chose a folder */
	char trace[SESSION_FOLDER_MAX + 8];
	const char *output; /* folder for the trace; null = live */
	char name[64];      /* name of the LTTng session */

	struct program program;
	struct daemon sessiond; /* pid 0: another process started the daemon in use */
	struct relay relay;

	uint64_t subbuf_size;
	/* the creation of the session was requested, so the session must be destroyed */
	bool may_exist;
	bool mute;   /* the session daemon did not answer, so its shutdown gets less time */
	bool shared; /* at time heard_ms, other programs had sessions in the daemon */
	int64_t heard_ms;
	bool reported_exit, reported_loss;
	char problem[400]; /* one line: what the supervisor could not stop or remove */
	char note[400];    /* one line: a daemon that the supervisor keeps running on purpose */
	/* set by destroy(): number of discarded events; why the trace is incomplete, or null */
	uint64_t discarded;
	const char *lost;
};

static void tell(struct supervisor *s, struct session_msg *m)
{
	/* Ignore errors: if doze has exited, it does not need the message. */
	send(s->sock, m, sizeof(*m), MSG_NOSIGNAL);
}

static void tell_text(struct supervisor *s, enum session_msg_kind kind, int value, const char *text)
{
	struct session_msg m = {.kind = kind, .value = value};
	snprintf(m.text, sizeof(m.text), "%s", text);
	snprintf(m.name, sizeof(m.name), "%s", s->name);
	tell(s, &m);
}

/*
 * ---- The supervisor's shutdown: program, session, relay, session daemon, folder. It works
 * whatever the start-up has started, limits the time of every request to a daemon, and stops and
 * removes as much as possible when a daemon does not answer.
 */

#define PROGRAM_GRACE_MS 2000
#define DAEMON_GRACE_MS  3000
/* time that a consumer daemon needs to exit after its session daemon has exited */
#define ORPHAN_GRACE_MS 1000
#define LINGER_MS       600000 /* how long to repeat a request that a daemon does not answer */

static void session_remains(struct supervisor *s)
{
	snprintf(s->problem, sizeof(s->problem),
		 "session %s: the session daemon (pid %d) does not answer, so the session has not "
		 "been destroyed yet: run 'kill -CONT %d', or '" SESSION_CTL_DESTROY_COMMAND "'",
		 s->name, (int)session_ctl_daemon_pid(), (int)session_ctl_daemon_pid(), s->name);
}

/** Queries the daemon in use, and records whether other programs have sessions in it. */
static struct ctl_reply ask_daemon(struct supervisor *s)
{
	struct ctl_reply r = session_ctl_ask(s->name, SESSION_DEADLINE_MS);
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
		return session_ctl_destroy(s->name, hurry, SESSION_DEADLINE_MS, -1);
	/* On a full disk, the consumer daemon never finishes writing. */
	unsigned patience = disk_is_full(s) ? SESSION_DEADLINE_MS : SUPERVISOR_FLUSH_MS;
	r = session_ctl_destroy(s->name, hurry, patience,
				hurry == CTL_UNLESS_CALLED ? s->sock : -1);
	if (r.status != CTL_TIMEOUT)
		return r;
	/* The daemon is running but its consumer is stuck, so drop the data that the consumer still
	 * holds. */
	struct ctl_reply dropped = session_ctl_destroy(s->name, CTL_HURRY, SESSION_DEADLINE_MS, -1);
	/* The first request may already have removed the session from the daemon's list. */
	if (dropped.status == CTL_OK || (dropped.status == CTL_GONE && !dropped.text[0])) {
		dropped.status = CTL_GONE;
		snprintf(dropped.text, sizeof(dropped.text), "%s",
			 disk_is_full(s) ? full_disk : "the consumer daemon is hung");
	}
	return dropped;
}

/** Returns why a trace whose session was destroyed is incomplete, or null. */
static const char *loss_of(const struct supervisor *s, const struct ctl_reply *r)
{
	/* The consumer daemon does not report data that it failed to write. */
	if (disk_is_full(s))
		return full_disk;
	/* A killed program is reported anyway. Of a live session, doze cannot tell this from a slow
	 * relay. */
	if (r->unfinished && s->output && !WIFSIGNALED(s->program.status))
		return "LTTng did not finish it within 10 s, probably because the program ended "
		       "while a thread was in the middle of an event";
	return NULL;
}

/** Makes one attempt to destroy the session. Returns whether the session is gone. Sets s->lost, and
 * s->discarded if that number is known. */
static bool destroy(struct supervisor *s, enum ctl_hurry hurry)
{
	static char why[256];
	struct ctl_reply r = ask_for_end(s, hurry);
	s->lost = why;
	snprintf(why, sizeof(why), "%s", r.text);
	switch (r.status) {
	case CTL_OK:
		s->discarded = r.count;
		s->lost = loss_of(s, &r);
		return true;
	case CTL_ABSENT:
		s->lost = "the session daemon is gone";
		return true;
	case CTL_GONE:
		if (!r.text[0])
			s->lost = "another program destroyed it";
		return true;
	case CTL_TIMEOUT:
		s->mute = true;
		return false;
	case CTL_GIVEN_UP:
		s->lost = NULL; /* doze no longer waits for the number of discarded events */
		return false;
	default:
		/* The consumer daemon of LTTng 2.16 may abort on a full disk. */
		if (disk_is_full(s))
			s->lost = full_disk;
		return is_gone(s);
	}
}

/* Terminates the program and destroys the session, or, with trace_first, in the reverse order.
 * Returns 0, or -1 with `problem` set. */
static int session_supervisor_finish(struct supervisor *s, bool trace_first)
{
	/* A live viewer may leave before everything is written, but a recording must be
	 * complete. */
	enum ctl_hurry hurry = s->options->live_timer_us ? CTL_UNLESS_CALLED : CTL_WAIT;
	bool existed = s->may_exist;
	if (!trace_first)
		session_program_end(&s->program, PROGRAM_GRACE_MS);
	if (hurry == CTL_WAIT && WIFSIGNALED(s->program.status))
		hurry = CTL_BRIEFLY;
	if (existed)
		s->may_exist = !destroy(s, hurry);
	session_program_end(&s->program, PROGRAM_GRACE_MS);
	if (!existed || !s->lost)
		return 0;
	if (s->may_exist && !s->sessiond.pid)
		session_remains(s);
	else
		snprintf(s->problem, sizeof(s->problem),
			 "session %s: %s: its trace is incomplete%s", s->name, s->lost,
			 strcmp(s->lost, full_disk) == 0 ? ": free some space and record again"
							 : "");
	return -1;
}

/** Stops the relay of a live session. No viewer reads from the relay any more, and the relay could
 * delay the shutdown. */
static void drop_live(struct supervisor *s)
{
	session_program_end(&s->program, PROGRAM_GRACE_MS);
	session_daemon_stop(&s->relay.daemon, s->may_exist ? 200 : DAEMON_GRACE_MS);
	if (s->may_exist && !s->mute)
		s->may_exist = !destroy(s, CTL_HURRY);
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
	doze_close(&lock);
	return stop;
}

/* Undoes everything that was set up for the session, except what session_supervisor_finish
 * destroys. Returns whether something is left for session_supervisor_linger to undo. */
static bool session_supervisor_teardown(struct supervisor *s)
{
	doze_close(&s->daemon_fd);
	if (s->options->live_timer_us)
		drop_live(s);
	else
		session_supervisor_finish(s, false);
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

/* Called after doze has exited. Retries to destroy the session if the session daemon did not
 * answer. Waits until no other program uses the supervisor's own daemon, then stops it. */
static void session_supervisor_linger(struct supervisor *s)
{
	int64_t until = doze_now_ms() + LINGER_MS;
	/* No viewer reads a live session any more, and its relay has stopped, so there is nothing
	 * to wait for. */
	enum ctl_hurry hurry = s->options->live_timer_us ? CTL_HURRY : CTL_WAIT;
	while (s->may_exist && doze_now_ms() < until) {
		doze_sleep_ms(500);
		s->may_exist = !destroy(s, hurry);
	}
	while (!stop_sessiond(s))
		doze_sleep_ms(500);
}

/*
 * ---- The supervisor's start-up: forks the program, starts the relay and the session daemon,
 * and creates the session. Any step can fail, and the supervisor stops between two steps if doze
 * exits. The shutdown can undo whatever steps were completed.
 */

#define ATTEMPTS    4
#define REGISTER_MS 12000 /* twice the longest pause of LTTng's thread in a process */
#define LEAVING_MS  15000 /* time that an exiting daemon may need on a busy machine */

static int complain(struct supervisor *s, const char *what, const char *where, const char *todo)
{
	snprintf(s->problem, sizeof(s->problem), "%s: %s: %s", what, where, todo);
	return -1;
}

static int no_answer(struct supervisor *s)
{
	pid_t pid = session_ctl_daemon_pid();
	char where[128];
	snprintf(where, sizeof(where), "pid %d, no answer within %u ms", (int)pid,
		 SESSION_DEADLINE_MS);
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
	/* A message from doze, or its exit, cancels the start. */
	for (int i = 0; !doze_readable(s->sock, 0) && doze_now_ms() < until;) {
		struct ctl_reply r = session_ctl_ask(NULL, SESSION_DEADLINE_MS);
		if (r.status == CTL_TIMEOUT)
			return no_answer(s);
		int code = r.status != CTL_ABSENT
			       ? 0
			       : session_sessiond_start(&s->sessiond, s->dir, s->problem,
							sizeof(s->problem));
		if (r.status == CTL_OK || (r.status == CTL_ABSENT && code == 0)) {
			s->problem[0] = 0; /* discard the message of an earlier attempt */
			/* the daemon that doze must kill if this process is killed */
			tell_text(s, MSG_DAEMON, (int)s->sessiond.pid, "");
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
	snprintf(relay, sizeof(relay), "net://127.0.0.1:%u:%u", s->relay.port[RELAY_CONTROL],
		 s->relay.port[RELAY_DATA]);
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
	for (int i = 0; i < ATTEMPTS && !doze_readable(s->sock, 0); i++) {
		snprintf(s->name, sizeof(s->name), i ? "doze-%d-%d" : "doze-%d", (int)getppid(), i);
		r = session_ctl_create(&plan, SESSION_DEADLINE_MS);
		/* Never destroy a session of this name that another program created. */
		s->may_exist = r.status != CTL_TAKEN;
		s->program.leaves_first = r.late_metadata;
		if (r.status == CTL_OK)
			return 0;
		if (r.status == CTL_TIMEOUT)
			return no_answer(s);
		/* An exiting daemon may refuse a request with one of several errors, so the error
		 * does not show that it exits. */
		if (r.status == CTL_REFUSED &&
		    session_ctl_ask(NULL, SESSION_DEADLINE_MS).status == CTL_ABSENT)
			r.status = CTL_ABSENT;
		if (r.status == CTL_ABSENT && find_daemon(s))
			return -1;
		if (r.status != CTL_TAKEN && r.status != CTL_ABSENT)
			break;
	}
	return complain(s, "the session daemon", r.text, "try 'doze doctor'");
}

/** Waits until an adopted process has registered with the session daemon. LTTng's thread in the
 * process notices at once when a daemon starts. But if it has lost a daemon before, it may first
 * try in vain to connect, and then sleeps for 5 s (ust_listener_thread of lttng-ust). */
static int await_registration(struct supervisor *s)
{
	int64_t until = doze_now_ms() + REGISTER_MS;
	struct ctl_reply r = {0};
	while (!session_program_ended(&s->program)) {
		r = session_ctl_registered(s->program.pid, SESSION_DEADLINE_MS);
		if (r.status == CTL_OK)
			return 0;
		if (doze_readable(s->sock, 100) || doze_now_ms() > until)
			break;
	}
	char where[64];
	snprintf(where, sizeof(where), "process %d", (int)s->options->pid);
	if (r.status != CTL_GONE && r.text[0])
		return complain(s, "the session daemon", r.text, "try 'doze doctor'");
	return complain(s, where,
			s->program.pid ? "LTTng in this process does not find the session daemon"
				       : "has exited",
			s->program.pid ? "see whether HOME or LTTNG_HOME differ, or restart it"
				       : "start it again");
}

/** Closes the supervisor's copies of doze's files and terminal, because the supervisor may outlive
 * doze. */
static void let_go(struct supervisor *s)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	const int keep[] = {s->sock, s->signals, s->program.gate, s->program.status_fd,
			    s->program.pidfd};
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

/* Starts everything. Returns 0, or -1 with one line in problem. In either case, call
 * session_supervisor_teardown afterwards. */
static int session_supervisor_setup(struct supervisor *s, char *url, size_t size)
{
	char host[65] = "localhost";
	pid_t pid = s->options->pid;
	int err = pid ? session_program_adopt(&s->program, pid)
		      : session_program_hold(&s->program, s->options, s->log);
	let_go(s);
	if (err)
		return complain(s, s->options->argv[0], strerror(err),
				pid ? "has it exited?" : "cannot create a process");
	if (check_room(s))
		return -1;
	if (s->options->live_timer_us &&
	    session_relay_start(&s->relay, s->dir, s->problem, sizeof(s->problem)))
		return -1;
	/* Two session daemons that start at the same time disturb each other even though only one
	 * of them survives (observed: programs could not register). Nor may another doze process
	 * stop the daemon after it was found and before the session is created. */
	int lock = doze_startup_lock(STARTUP_LOCK_MS, s->sock);
	err = find_daemon(s) || create_session(s);
	doze_close(&lock);
	if (err || (pid && await_registration(s)))
		return -1;
	watch_daemon(s);
	gethostname(host, sizeof(host) - 1);
	if (s->options->live_timer_us)
		snprintf(url, size, "net://127.0.0.1:%u/host/%s/%s", s->relay.port[RELAY_LIVE],
			 host, s->name);
	return 0;
}

static void tell_stopped(struct supervisor *s, bool more)
{
	struct session_msg m = {.kind = MSG_STOPPED, .value = more};
	m.flags = s->note[0] ? MSG_NOTE : 0;
	snprintf(m.text, sizeof(m.text), "%s", s->note[0] ? s->note : s->problem);
	tell(s, &m);
}

static void check_program(struct supervisor *s)
{
	if (s->reported_exit || !session_program_ended(&s->program))
		return;
	struct session_msg m = {
	    .kind = MSG_ENDED,
	    .value = s->program.status,
	    .error = s->program.exec_errno,
	    .flags = (s->program.forked ? (uint32_t)MSG_FORKED : 0) |
		     (s->program.left_children ? (uint32_t)MSG_LEFT_CHILDREN : 0) |
		     (s->program.adopted ? (uint32_t)MSG_STATUS_UNKNOWN : 0),
	};
	tell(s, &m);
	s->reported_exit = true;
}

static void lost(struct supervisor *s, const char *daemon)
{
	char text[100];
	snprintf(text, sizeof(text),
		 "the %s exited: the trace ends there, but the program continues", daemon);
	if (!s->reported_loss)
		tell_text(s, MSG_LOST, 0, text);
	s->reported_loss = true;
}

static void check_children(struct supervisor *s)
{
	struct signalfd_siginfo info[8];
	while (read(s->signals, info, sizeof(info)) > 0)
		;
	check_program(s);
	if (s->sessiond.pid && session_daemon_ended(&s->sessiond))
		lost(s, "session daemon");
	if (s->relay.daemon.pid && session_daemon_ended(&s->relay.daemon))
		lost(s, "relay");
}

static void finish(struct supervisor *s, bool trace_first)
{
	bool bad = session_supervisor_finish(s, trace_first) != 0;
	struct session_msg m = {.kind = MSG_FINISHED, .error = bad, .count = s->discarded};
	/* Stop watching the session daemon. If another doze process started the daemon, that
	 * process may now stop it, before doze's MSG_STOP arrives here; this must not be reported
	 * as a lost daemon (observed). */
	if (!s->may_exist)
		doze_close(&s->daemon_fd);
	snprintf(m.text, sizeof(m.text), "%s", s->problem);
	check_program(s);
	tell(s, &m);
}

/** Handles a message from doze. Returns false if the supervisor must stop. */
static bool listen_to_doze(struct supervisor *s)
{
	struct session_msg m;
	ssize_t n = recv(s->sock, &m, sizeof(m), MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n != (ssize_t)sizeof(m))
		return false;
	switch (m.kind) {
	case MSG_GO:
		session_program_go(&s->program);
		return true;
	case MSG_SIGNAL:
		if (s->program.pid > 0 && !s->program.adopted)
			doze_signal_group(s->program.group, m.value);
		return true;
	case MSG_FINISH:
		finish(s, m.value == 1);
		return true;
	default:
		return false;
	}
}

static void loop(struct supervisor *s)
{
	for (;;) {
		struct pollfd p[] = {
		    {.fd = s->sock, .events = POLLIN},
		    {.fd = s->signals, .events = POLLIN},
		    {.fd = s->daemon_fd, .events = POLLIN},
		    {.fd = s->program.pidfd, .events = POLLIN},
		};
		if (poll(p, 4, -1) < 0 && errno != EINTR)
			return;
		if (p[1].revents)
			check_children(s);
		if (p[2].revents) {
			lost(s, "session daemon");
			doze_close(&s->daemon_fd);
		}
		if (p[3].revents)
			check_program(s);
		if (p[0].revents && !listen_to_doze(s))
			return;
	}
}

/** Makes terminating signals readable from a descriptor, because the supervisor must undo
 * everything before it exits. Returns the descriptor. */
static int catch_signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	const int caught[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaddset(&set, caught[i]);
	sigprocmask(SIG_SETMASK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/** Records the supervisor's pid in the temporary folder. `doze doctor` reports the folder as left
 * behind if no process with that pid runs. */
static void sign_folder(const struct supervisor *s)
{
	char path[160];
	snprintf(path, sizeof(path), "%s/supervisor.pid", s->dir);
	FILE *f = fopen(path, "we");
	if (!f)
		return;
	fprintf(f, "%d\n", (int)getpid());
	fclose(f);
}

/** Places the trace and the program's output in the temporary folder, unless the caller chose other
 * places. */
static int choose_places(struct supervisor *s)
{
	const struct doze_session_options *o = s->options;
	snprintf(s->log, sizeof(s->log), "%s%s", o->program_log ? o->program_log : s->dir,
		 o->program_log ? "" : "/" SESSION_LOG);
	if (o->live_timer_us)
		return 0;
	snprintf(s->trace, sizeof(s->trace), "%s/" SESSION_TRACE, s->dir);
	s->output = o->output ? o->output : s->trace;
	return o->output ? 0 : mkdir(s->trace, 0700);
}

/** Creates the temporary folder. doze does not create it before the fork, because doze could be
 * killed in between and leave it behind. */
static int make_folder(struct supervisor *s)
{
	bool made = doze_temp_make(s->dir, sizeof(s->dir)) == 0;
	if (made) {
		/* Report the folder at once, so that doze can remove it if this process is
		 * killed. */
		tell_text(s, MSG_FOLDER, 0, s->dir);
		sign_folder(s);
	} else {
		s->dir[0] = 0;
	}
	if (made && choose_places(s) == 0)
		return 0;
	return complain(s, "temporary folder", strerror(errno), "check TMPDIR");
}

_Noreturn void session_supervisor_run(const struct doze_session_options *o, int sock)
{
	static struct supervisor supervisor;
	struct supervisor *s = &supervisor;
	char url[256] = "";
	s->options = o;
	s->sock = sock;
	s->daemon_fd = s->program.gate = s->program.status_fd = s->program.pidfd = -1;
	setsid(); /* Ctrl-C and a hang-up of the terminal must not reach the supervisor */
	prctl(PR_SET_NAME, "doze-supervisor");
	s->signals = catch_signals();
	if (make_folder(s) == 0 && session_supervisor_setup(s, url, sizeof(url)) == 0) {
		tell_text(s, MSG_READY, s->program.pid, url);
		loop(s);
	} else {
		tell_text(s, MSG_FAILED, 0, s->problem);
		s->problem[0] = 0;
	}
	bool more = session_supervisor_teardown(s);
	check_program(s);
	tell_stopped(s, more);
	close(s->sock);
	if (more)
		session_supervisor_linger(s);
	_exit(0);
}
