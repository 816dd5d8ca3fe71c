/*
 * SPDX-License-Identifier: MIT
 *
 * supervisor.c - the main loop of the supervisor (see supervisor.h). It waits for messages from
 * doze, for the exit of a child, and for the exit of the session daemon (a pidfd). It exits when
 * doze asks it to, or when doze itself exits.
 */
#include "supervisor.h"
#include "../words/temp.h"

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
#include <unistd.h>

#include "files.h"
#include "signals.h"

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

void session_supervisor_tell_daemon(struct supervisor *s)
{
	tell_text(s, MSG_DAEMON, (int)s->sessiond.pid, "");
}

static void tell_stopped(struct supervisor *s, bool more)
{
	struct session_msg m = {.kind = MSG_STOPPED, .value = more};
	m.flags = s->note[0] ? MSG_NOTE : 0;
	snprintf(m.text, sizeof(m.text), "%s", s->note[0] ? s->note : s->problem);
	tell(s, &m);
}

bool session_supervisor_called(const struct supervisor *s)
{
	struct pollfd p = {.fd = s->sock, .events = POLLIN};
	return poll(&p, 1, 0) > 0;
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
		     (s->program.left_children ? (uint32_t)MSG_LEFT_CHILDREN : 0),
	};
	tell(s, &m);
	s->reported_exit = true;
}

static void lost(struct supervisor *s, const char *text)
{
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
		lost(s,
		     "the session daemon exited: the trace ends there, but the program continues");
	if (s->relay.daemon.pid && session_daemon_ended(&s->relay.daemon))
		lost(s, "the relay exited: the trace ends there, but the program continues");
}

static void finish(struct supervisor *s)
{
	struct session_msg m = {.kind = MSG_FINISHED};
	if (session_supervisor_finish(s, &m.count))
		m.error = 1;
	/* Stop watching the session daemon. If another doze process started the daemon, that
	 * process may now stop it, before doze's MSG_STOP arrives here; this must not be reported
	 * as a lost daemon (observed). */
	if (s->daemon_fd >= 0 && !s->may_exist) {
		close(s->daemon_fd);
		s->daemon_fd = -1;
	}
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
		if (s->program.pid > 0)
			doze_signal_group(s->program.group, m.value);
		return true;
	case MSG_FINISH:
		finish(s);
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
		};
		if (poll(p, 3, -1) < 0 && errno != EINTR)
			return;
		if (p[1].revents)
			check_children(s);
		if (p[2].revents) {
			lost(s, "the session daemon exited: the trace ends there, but the program "
				"continues");
			close(s->daemon_fd);
			s->daemon_fd = -1;
		}
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
	snprintf(s->problem, sizeof(s->problem), "temporary folder: %s: check TMPDIR",
		 strerror(errno));
	return -1;
}

_Noreturn void session_supervisor_run(const struct doze_session_options *o, int sock)
{
	static struct supervisor supervisor;
	struct supervisor *s = &supervisor;
	char url[256] = "";
	s->options = o;
	s->deadline_ms = o->deadline_ms ? o->deadline_ms : SUPERVISOR_DEADLINE_MS;
	s->sock = sock;
	s->daemon_fd = s->program.gate = s->program.status_fd = -1;
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
