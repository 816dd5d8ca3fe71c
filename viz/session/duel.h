/*
 * SPDX-License-Identifier: MIT
 *
 * duel.h - runs the traced program twice, under two policies, in one session. Two simultaneous runs
 * on the same CPUs would disturb each other's measurements. So each run gets half of the CPUs to
 * itself. With fewer than two CPUs, or on request, the runs take turns.
 */
#ifndef DOZE_VIZ_SESSION_DUEL_H
#define DOZE_VIZ_SESSION_DUEL_H

#include "session.h"

/** Runs o->argv under each of the two policies of o->duel, then exits. Called in the child that the
 * session forked for the program. The exit status is that of the first run that failed, or 128 + n
 * if signal n killed that run. If the program cannot be started, writes an errno value to
 * status_fd. */
_Noreturn void session_duel_run(const struct doze_session_options *o, int status_fd);

/** Returns whether there are enough CPUs for both runs at the same time. */
bool doze_duel_has_cpus(void);

#endif
