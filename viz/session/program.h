/*
 * SPDX-License-Identifier: MIT
 *
 * program.h - the traced program: forked early, so that its pid is known to the tracker; held at a
 * gate until the viewer is attached; then it becomes PROG.
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
	pid_t pid;     /* 0 = never made, or reaped */
	pid_t group;   /* stays valid for leftover children */
	int gate;      /* write end: a byte opens it, closing it ends the child; -1 = opened */
	int status_fd; /* errno of a failed exec arrives here; -1 = closed */
	int status;    /* of waitpid, once it ended */
	int exec_errno;
	bool forked, left_children;
	bool blurred; /* its children cannot be told from one that the tracer makes */
};

/** Forks the child. `log` receives its output. 0, or errno. */
int program_hold(struct program *, const struct doze_session_options *, const char *log);
/** Opens the gate. 0, or -1: the child is gone. */
int program_go(struct program *);
/** True when it has ended (each further call, too); reaps it the first time. */
bool program_ended(struct program *);
/** Ends it and its group: SIGTERM, after grace_ms SIGKILL. */
void program_end(struct program *, unsigned grace_ms);

#endif
