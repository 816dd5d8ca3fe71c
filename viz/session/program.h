/*
 * SPDX-License-Identifier: MIT
 *
 * program.h - starts the traced program. The supervisor forks a child early, so that LTTng's
 * process tracker knows its pid. The child waits at a gate (a pipe) until doze opens it, in a live
 * session once the viewer is attached, and then executes PROG.
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

/*
 * ---- Runs the traced program twice, under two policies, in one session. Two simultaneous runs
 * on the same CPUs would disturb each other's measurements. So each run gets half of the CPUs to
 * itself. With fewer than two CPUs, or on request, the runs take turns.
 */

/** Returns whether there are enough CPUs for both runs at the same time. */
bool doze_duel_has_cpus(void);

/** Sets the environment with which this process will execute a program, so that the program can be
 * traced: where to find the tracepoint provider, and LD_PRELOAD (preload.h; `any` and `follow` are
 * explained there). Caller: a process that is about to execute the program. */
void doze_program_make_traceable(const char *program, bool any, bool follow);

struct program {
	pid_t pid;   /* 0 = never created, or already reaped */
	pid_t group; /* process group; exists while the program or one of its children runs */
	/* The program already ran, so the supervisor is not its parent, and never signals it. */
	bool adopted;
	int pidfd; /* adopted: becomes readable when the program exits; -1: none */
	/* write end of a pipe: a byte opens the gate, closing the pipe makes the child exit; -1 =
	 * already opened */
	int gate;
	/* read end of a pipe through which the child reports an errno if exec fails; -1 = closed */
	int status_fd;
	int status; /* wait status, valid once the program has exited */
	int exec_errno;
	bool forked, left_children;
	/* the child joins the session and leaves it before it executes the program, so that LTTng
	 * writes the metadata */
	bool leaves_first;
	bool duel; /* the child runs the program twice, each run in a child of its own */
	/* liblttng-ust or the code of a duel also forks, so the existence of children does not
	 * prove that the program itself forked */
	bool forks_unknown;
};

/** Forks the child. Its output goes to the file `log`. Returns 0, or an errno value. */
int session_program_hold(struct program *, const struct doze_session_options *, const char *log);
/** Makes p the running process `pid`. Returns 0, or an errno value. */
int session_program_adopt(struct program *p, pid_t pid);
/** Opens the gate. Returns 0, or -1 if the child has exited. */
int session_program_go(struct program *);
/** Returns whether the program has exited. Reaps it the first time, unless it is adopted. */
bool session_program_ended(struct program *);
/** Sends SIGTERM to the program's group, and SIGKILL after grace_ms. Leaves an adopted program
 * alone. */
void session_program_end(struct program *, unsigned grace_ms);

#endif
