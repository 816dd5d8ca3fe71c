/*
 * SPDX-License-Identifier: MIT
 *
 * guard.h - survives Babeltrace's assertions.
 *
 * Babeltrace 2.0 checks some of what stands in a trace by assertion: a damaged packet header can
 * make it call abort(), damaged metadata make it divide by zero. A program that looks at a damaged
 * trace should say so and end in order (a viewer has a terminal to restore), so calls into
 * Babeltrace that read trace data run under a guard. Both signals come from the call itself, not
 * from outside, so their handler may leave it by a jump; what Babeltrace held at that moment is
 * lost, so the graph must not be used or freed any more.
 */
#ifndef DOZE_VIZ_READER_GUARD_H
#define DOZE_VIZ_READER_GUARD_H

#include <stdbool.h>

/** Runs fn(arg) on this thread. True when it returned, false when it was left because of such a
 * signal.
 * Not nested. Installs handlers for SIGABRT and SIGFPE, which hand those outside guards to the
 * handlers before.
 */
bool doze_guarded(void (*fn)(void *arg), void *arg);

/** Suspends the guard, for calls back into our own code, whose aborts must stay aborts; resumes it.
 * Cheap; no effect outside a guard. */
void doze_guard_suspend(void);
void doze_guard_resume(void);

#endif
