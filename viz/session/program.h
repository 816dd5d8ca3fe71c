/*
 * SPDX-License-Identifier: MIT
 *
 * program.h - the traced program: it is forked early, so that its pid is known to the tracker, and
 * held at a gate until the viewer is attached. Then it becomes PROG.
 *
 * It leads a process group of its own and dies with the supervisor.
 *
 * Caller: the supervisor.
 */
#ifndef DOZE_VIZ_SESSION_PROGRAM_H
#define DOZE_VIZ_SESSION_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "session.h"

struct program {
	pid_t pid;     /* 0 = never created, or reaped */
	pid_t group;   /* stays valid for children that it leaves behind */
	int gate;      /* write end: a byte opens it, closing it ends the child; -1 = opened */
	int status_fd; /* errno of a failed exec arrives here; -1 = closed */
	int status;    /* from waitpid, once it has exited */
	int exec_errno;
	bool forked, left_children;
	bool duel;          /* its two runs are children of its own */
	bool forks_unknown; /* liblttng-ust forked, too, so its forks cannot be counted */
};

/** Forks the child. Its output goes to the file `log`. Returns 0, or an errno value. */
int session_program_hold(struct program *, const struct doze_session_options *, const char *log);
/** Opens the gate. Returns 0, or -1 when the child is gone. */
int session_program_go(struct program *);
/** Returns whether it has exited. Reaps it the first time. */
bool session_program_ended(struct program *);
/** Sends its group SIGTERM, and after grace_ms SIGKILL. */
void session_program_end(struct program *, unsigned grace_ms);

#endif
