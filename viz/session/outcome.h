/*
 * SPDX-License-Identifier: MIT
 *
 * report.h - what `doze live` and `doze record` say about the traced program and the session, and
 * the exit code that follows; and the signals that end them.
 */
#ifndef DOZE_VIZ_SESSION_REPORT_H
#define DOZE_VIZ_SESSION_REPORT_H

#include <stddef.h>

#include "session.h"

/** "exited with 0", "ended by signal 11 (Segmentation fault)", "could not be started: …". */
void doze_report_status(const struct doze_session_state *, char *text, size_t size);

/** One line on stderr for each thing that is not as it should be. cmd: "record", "live". */
void doze_report_problems(const char *cmd, const char *program, const struct doze_session_state *);

/** Exit code that the state alone demands: 0; 1 the program failed; 3 it could not be started, or
 * something was left behind; 4 the trace is incomplete; 128+n the program was ended by signal n. */
int doze_report_code(const struct doze_session_state *);

/** False when no program with LTTng-UST has come to the recording in this folder. */
bool doze_report_has_streams(const char *dir);

/** The command line of a built-in workload, `doze demo NAME [OPTION]` by this very program; option
 * may be null; borrowed, until the next call. */
char *const *doze_demo_program(const char *name, const char *option);

/** Blocks INT, TERM, HUP and QUIT in this thread and returns a descriptor that tells of them. */
int doze_signals_catch(void);
/** The signal that came, or 0. */
int doze_signals_next(int fd);
/** Lets them through again. */
void doze_signals_release(int fd);

#endif
