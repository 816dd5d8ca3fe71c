/*
 * SPDX-License-Identifier: MIT
 *
 * program.h - the traced program: it is forked early, so that its pid is known to the tracker, and
 * held at a gate until the viewer is attached. Then it executes PROG.
 *
 * The program leads its own process group and dies with the supervisor.
 *
 * Caller: the supervisor.
 */
#ifndef DOZE_VIZ_SESSION_PROGRAM_H
#define DOZE_VIZ_SESSION_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "session.h"

struct program {
	pid_t pid;     /* 0 = never created, or already reaped */
	pid_t group;   /* remains valid for children that the program leaves behind */
	int gate;      /* write end: a byte opens the gate, closing it makes the child exit; -1 =
			* already opened */
	int status_fd; /* receives errno if exec fails; -1 = closed */
	int status;    /* from waitpid, once the program has exited */
	int exec_errno;
	bool forked, left_children;
	bool duel;          /* the program runs twice, each time as its own child process */
	bool forks_unknown; /* liblttng-ust forks too, so the program's forks cannot be counted */
};

/** Forks the child. Its output goes to the file `log`. Returns 0, or an errno value. */
int session_program_hold(struct program *, const struct doze_session_options *, const char *log);
/** Opens the gate. Returns 0, or -1 if the child has exited. */
int session_program_go(struct program *);
/** Returns whether the program has exited. Reaps it the first time. */
bool session_program_ended(struct program *);
/** Sends SIGTERM to the program's group, and SIGKILL after grace_ms. */
void session_program_end(struct program *, unsigned grace_ms);

#endif
