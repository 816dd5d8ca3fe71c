/*
 * SPDX-License-Identifier: MIT
 *
 * duel.h - runs the traced program twice, under two policies, in one session.
 *
 * Two runs at the same time on the same CPUs would measure each other. So each gets half of the
 * CPUs of its own, or, with fewer than two CPUs or on request, one runs after the other.
 */
#ifndef DOZE_VIZ_SESSION_DUEL_H
#define DOZE_VIZ_SESSION_DUEL_H

#include "session.h"

/** Runs o->argv under both policies of o->duel and exits, in the child that the session forked for
 * the program. The exit status is the first run's that is not 0, or 128 + n after signal n. Writes
 * an errno value to status_fd if the program cannot be started. */
_Noreturn void session_duel_run(const struct doze_session_options *o, int status_fd);

/** Returns whether there are enough CPUs for two runs at a time. */
bool doze_duel_has_cpus(void);

#endif
