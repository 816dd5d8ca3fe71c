/*
 * SPDX-License-Identifier: MIT
 *
 * outcome.h - the messages of `doze live` and `doze record` about the traced program and the
 * session, the resulting exit code, and the signals that interrupt these commands.
 */
#ifndef DOZE_VIZ_SESSION_REPORT_H
#define DOZE_VIZ_SESSION_REPORT_H

#include <stddef.h>

#include "session.h"

/** Writes a status: "exited with 0", "killed by signal 11 (Segmentation fault)", "could not be
 * started: …". */
void doze_report_status(const struct doze_session_state *, char *text, size_t size);

/** Prints one line to stderr for each problem. cmd is "record" or "live". */
void doze_report_problems(const char *cmd, const char *program, const struct doze_session_state *);

/** Returns the exit code for the state: 0 success; 1 the program failed; 3 the program could not be
 * started, or something was left behind; 4 the trace is incomplete; 128 + n if signal n killed the
 * program. */
int doze_report_code(const struct doze_session_state *);

/** Returns whether a program with LTTng-UST wrote to the recording in this folder, or in one of the
 * folders if `dir` is a pattern. */
bool doze_report_has_streams(const char *dir);

/** Returns the command line of `doze demo NAME [OPTION]`, which runs this same executable; option
 * may be null. Borrowed until the next call. */
char *const *doze_demo_program(const char *name, const char *option);

/** Blocks INT, TERM, HUP and QUIT in this thread. Returns a descriptor from which to read them. */
int doze_signals_catch(void);
/** Returns the signal that has arrived, or 0. */
int doze_signals_next(int fd);
/** Closes the descriptor and unblocks the signals of doze_signals_catch. */
void doze_signals_release(int fd);

#endif
