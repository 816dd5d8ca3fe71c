/*
 * SPDX-License-Identifier: MIT
 *
 * dry_run.h - runs a function in a child process first, to see whether it survives.
 */
#ifndef DOZE_VIZ_READER_TRIAL_H
#define DOZE_VIZ_READER_TRIAL_H

#include <stdbool.h>

/** Runs fn(arg) in a silent child process with at most a few seconds of CPU time. Returns true when
 * fn returned, false when it crashed or did not return. Also returns true when no child can be
 * created, because nothing is known then. */
bool doze_trial(void (*fn)(void *arg), void *arg);

#endif
