/*
 * SPDX-License-Identifier: MIT
 *
 * session.c - doze's end of the socket: starts the supervisor, sends it requests, and stores the
 * state that it reports.
 */
#include "session.h"
#include "../words/temp.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "preload.h"
#include "running.h"
#include "signals.h"
#include "supervisor.h"

/** Longer than the sum of the supervisor's own time limits, so a supervisor that has not answered
 * by then is hung or dead. */
#define ANSWER_MS 90000
/** After a supervisor was killed: how long its session daemon may take to exit, first after
 * SIGTERM, then after SIGKILL. */
#define DAEMON_MS 3000

struct doze_session {
	int sock;
	pid_t supervisor;
	int daemon_fd; /* pidfd of the session daemon that the supervisor started; -1: none */
	char dir[SESSION_FOLDER_MAX]; /* the temporary folder; "": not known yet */
	struct doze_session_places places;
	char failure[400]; /* why the start failed */
	bool ready, failed, stopped;
	bool asked; /* doze has sent MSG_FINISH */
	struct doze_session_state state;
};

const struct doze_session_places *doze_session_places(const struct doze_session *s)
{
	return &s->places;
}

int doze_session_fd(const struct doze_session *s)
{
	return s->sock;
}

/* ---- messages from the supervisor ---- */

static void take_ended(struct doze_session *s, const struct session_msg *m)
{
	s->state.ended = true;
	s->state.status = m->value;
	s->state.exec_errno = m->error;
	s->state.forked = m->flags & MSG_FORKED;
	s->state.left_children = m->flags & MSG_LEFT_CHILDREN;
	s->state.status_unknown = m->flags & MSG_STATUS_UNKNOWN;
}

static void take_folder(struct doze_session *s, const struct session_msg *m)
{
	struct doze_session_places *p = &s->places;

	memcpy(s->dir, m->text, sizeof(s->dir));
	snprintf(p->relayed, sizeof(p->relayed), "%s/relay", s->dir);
	if (!p->log[0])
		snprintf(p->log, sizeof(p->log), "%s/" SESSION_LOG, s->dir);
	if (!p->output[0])
		snprintf(p->output, sizeof(p->output), "%s/" SESSION_TRACE, s->dir);
}

static void take(struct doze_session *s, const struct session_msg *m)
{
	bool says = m->kind == MSG_LOST || m->kind == MSG_FINISHED || m->kind == MSG_STOPPED;
	if (says && m->text[0])
		memcpy(m->flags & MSG_NOTE ? s->state.note : s->state.problem, m->text,
		       sizeof(m->text));
	switch (m->kind) {
	case MSG_FOLDER:
		take_folder(s, m);
		break;
	case MSG_DAEMON:
		doze_close(&s->daemon_fd);
		if (m->value > 0)
			s->daemon_fd = (int)syscall(SYS_pidfd_open, m->value, 0);
		break;
	case MSG_READY:
		s->ready = true;
		memcpy(s->places.url, m->text, sizeof(s->places.url));
		memcpy(s->places.name, m->name, sizeof(s->places.name));
		break;
	case MSG_FAILED:
		s->failed = true;
		memcpy(s->failure, m->text, sizeof(s->failure));
		break;
	case MSG_ENDED:
		take_ended(s, m);
		break;
	case MSG_LOST:
		s->state.daemon_lost = true;
		break;
	case MSG_FINISHED:
		s->state.finished = true;
		s->state.discarded = m->count;
		s->state.daemon_lost |= m->error != 0;
		break;
	case MSG_STOPPED:
		s->stopped = true;
		s->state.lingers = m->value;
		s->state.session_left = m->value && !(m->flags & MSG_NOTE);
		break;
	default:
		break;
	}
}

static void take_loss(struct doze_session *s)
{
	s->state.supervisor_lost = true;
	s->state.ended = s->state.finished = s->stopped = true;
	snprintf(s->state.problem, sizeof(s->state.problem),
		 "the supervisor process was killed: the trace is incomplete: run 'doze doctor' to "
		 "find what was left behind");
}

/** Handles one message. Returns false if there is none now. */
static bool take_next(struct doze_session *s)
{
	struct session_msg m;
	if (s->state.supervisor_lost || s->stopped)
		return false;
	ssize_t n = recv(s->sock, &m, sizeof(m), MSG_DONTWAIT);
	/* If a supervisor exits without having read MSG_STOP, the connection is reset. recv()
	 * reports the reset once, and then still delivers the messages that were sent before. */
	if (n < 0 && errno == ECONNRESET)
		n = recv(s->sock, &m, sizeof(m), MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n == (ssize_t)sizeof(m))
		take(s, &m);
	else
		take_loss(s);
	return true;
}

const struct doze_session_state *doze_session_poll(struct doze_session *s)
{
	while (take_next(s))
		;
	return &s->state;
}

/** Handles messages until *flag is set. Returns false if interrupt_fd (-1: none) becomes readable
 * first. */
static bool await(struct doze_session *s, const bool *flag, const bool *or_flag, int interrupt_fd)
{
	int64_t until = doze_now_ms() + ANSWER_MS;
	for (;;) {
		doze_session_poll(s);
		if (*flag || *or_flag || s->state.supervisor_lost)
			return true;
		struct pollfd p[] = {{.fd = s->sock, .events = POLLIN},
				     {.fd = interrupt_fd, .events = POLLIN}};
		int64_t left = until - doze_now_ms();
		int n = poll(p, 2, left > 0 ? (int)left : 0);
		if (n > 0 && p[1].revents)
			return false;
		if (n == 0)
			take_loss(s);
	}
}

static int ask(struct doze_session *s, enum session_msg_kind kind, int value)
{
	struct session_msg m = {.kind = kind, .value = value};
	return send(s->sock, &m, sizeof(m), MSG_NOSIGNAL) == (ssize_t)sizeof(m) ? 0 : -1;
}

/* ---- starting and stopping the session ---- */

static int fail(char *err, size_t size, const char *what, int code, const char *todo)
{
	snprintf(err, size, "%s: %s: %s", what, strerror(code), todo);
	return -1;
}

static int fork_supervisor(struct doze_session *s, const struct doze_session_options *o)
{
	int socks[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks))
		return -1;
	fflush(NULL); /* otherwise the child would print the parent's buffered output again */
	s->sock = socks[0];
	s->supervisor = fork();
	if (s->supervisor == 0) {
		/* If the supervisor kept doze's end of the socket open, it would not notice that
		 * doze exits. */
		close(socks[0]);
		session_supervisor_run(o, socks[1]);
	}
	int err = errno;
	close(socks[1]);
	errno = err;
	return s->supervisor < 0 ? -1 : 0;
}

/** Checks the program before starting any daemon. */
static int check_program(const struct doze_session_options *o, char *err, size_t size)
{
	char path[PATH_MAX];
	if (o->pid)
		return session_running_check(o->pid, o->any, err, size);
	int code = doze_find_program(o->argv[0], path, sizeof(path));
	if (code)
		return fail(err, size, o->argv[0], code, "check the name and PATH");
	return o->any ? session_any_check(o->argv[0], err, size) : 0;
}

static bool daemon_exits(const struct doze_session *s)
{
	struct pollfd p = {.fd = s->daemon_fd, .events = POLLIN};
	int64_t until = doze_now_ms() + DAEMON_MS, left = DAEMON_MS;
	int n;

	while ((n = poll(&p, 1, (int)left)) < 0 && errno == EINTR)
		left = doze_now_ms() < until ? until - doze_now_ms() : 0;
	return n != 0;
}

/** Terminates the session daemon of a killed supervisor.
 *
 * The kernel has sent the daemon SIGTERM. On SIGTERM, lttng-sessiond 2.13 destroys its sessions and
 * waits for them without a limit. It waits forever if PROG was killed while it was writing an
 * event: that event's sub-buffer is never complete, so the consumer daemon never reaches the
 * position at which the session's last rotation ends. A stopped daemon does not act on SIGTERM
 * either. */
static void end_daemon(struct doze_session *s)
{
	if (s->daemon_fd < 0 || daemon_exits(s))
		return;
	(void)doze_signal_pidfd(s->daemon_fd, SIGKILL);
	daemon_exits(s);
}

static void release(struct doze_session *s)
{
	doze_close(&s->sock);
	/* A supervisor that does not answer may be stopped. Killing it terminates the program and
	 * the daemons. */
	if (s->supervisor > 0 && s->state.supervisor_lost)
		doze_signal_process(s->supervisor, SIGKILL);
	/* Do not wait for a lingering supervisor: it exits by itself, and init reaps it. */
	if (s->supervisor > 0 && !s->state.lingers)
		while (waitpid(s->supervisor, NULL, 0) < 0 && errno == EINTR)
			;
	if (s->state.supervisor_lost)
		end_daemon(s);
	doze_close(&s->daemon_fd);
	if (s->dir[0] && s->state.supervisor_lost)
		doze_temp_remove(s->dir);
	free(s);
}

struct doze_session *doze_session_start(const struct doze_session_options *o, char *err,
					size_t size)
{
	if (check_program(o, err, size))
		return NULL;
	struct doze_session *s = calloc(1, sizeof(*s));
	if (!s) {
		fail(err, size, "session", ENOMEM, "free some memory");
		return NULL;
	}
	s->sock = s->daemon_fd = -1;
	snprintf(s->places.log, sizeof(s->places.log), "%s", o->program_log ? o->program_log : "");
	snprintf(s->places.output, sizeof(s->places.output), "%s", o->output ? o->output : "");
	if (fork_supervisor(s, o)) {
		fail(err, size, "supervisor", errno, "end some processes");
		release(s);
		return NULL;
	}
	if (await(s, &s->ready, &s->failed, o->interrupt_fd) && s->ready)
		return s;
	snprintf(err, size, "%s",
		 s->failed                  ? s->failure
		 : s->state.supervisor_lost ? s->state.problem
					    : "interrupted while starting");
	doze_session_stop(s, NULL);
	return NULL;
}

int doze_session_go(struct doze_session *s)
{
	return ask(s, MSG_GO, 0);
}

void doze_session_signal(struct doze_session *s, int sig)
{
	ask(s, MSG_SIGNAL, sig);
}

static void ask_for_end(struct doze_session *s, bool trace_first)
{
	if (!s->asked)
		ask(s, MSG_FINISH, trace_first);
	s->asked = true;
}

static int finish(struct doze_session *s, bool trace_first)
{
	if (!s->state.finished && !s->stopped) {
		ask_for_end(s, trace_first);
		await(s, &s->state.finished, &s->stopped, -1);
	}
	return s->state.problem[0] ? -1 : 0;
}

void doze_session_finish_soon(struct doze_session *s)
{
	ask_for_end(s, false);
}

int doze_session_finish(struct doze_session *s)
{
	return finish(s, false);
}

int doze_session_cut(struct doze_session *s)
{
	return finish(s, true);
}

int doze_session_stop(struct doze_session *s, struct doze_session_state *last)
{
	ask(s, MSG_STOP, 0);
	if (!s->stopped)
		await(s, &s->stopped, &s->stopped, -1);
	if (last)
		*last = s->state;
	int rc = s->state.problem[0] ? -1 : 0;
	release(s);
	return rc;
}
