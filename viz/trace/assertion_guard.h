/*
 * SPDX-License-Identifier: MIT
 *
 * assertion_guard.h - survives Babeltrace's assertions.
 *
 * Babeltrace 2.0 checks some trace data with assertions: a damaged packet header can make it call
 * abort(), and damaged metadata can make it divide by zero. A program that reads a damaged trace
 * should report it and exit cleanly (a viewer has a terminal to restore), so calls into Babeltrace
 * that read trace data run under a guard. The resulting signals, SIGABRT and SIGFPE, are raised by
 * the call itself, so their handler may leave the call with a jump. All resources that Babeltrace
 * held at that moment are leaked, so the graph must not be used or freed afterwards.
 */
#ifndef DOZE_VIZ_READER_ASSERTION_GUARD_H
#define DOZE_VIZ_READER_ASSERTION_GUARD_H

#include <stdbool.h>

/** Runs fn(arg) on this thread. Returns true if fn returned, or false if SIGABRT or SIGFPE
 * interrupted it. Must not be nested. Installs handlers for SIGABRT and SIGFPE, which pass signals
 * outside guards on to the previous handlers. */
bool doze_guarded(void (*fn)(void *arg), void *arg);

/** Suspend and resume the guard around callbacks into doze's own code, whose aborts must not be
 * caught. Cheap; no effect outside a guard. */
void doze_guard_suspend(void);
void doze_guard_resume(void);

#endif
