/*
 * SPDX-License-Identifier: MIT
 *
 * trial.h - tries something in a child process first.
 */
#ifndef DOZE_VIZ_READER_TRIAL_H
#define DOZE_VIZ_READER_TRIAL_H

#include <stdbool.h>

/** Runs fn(arg) in a child, silent, with at most a few seconds of processor time. True when it
 * returned; false when it crashed or did not end. True as well when there can be no child: then
 * nothing is known. */
bool doze_trial(void (*fn)(void *arg), void *arg);

#endif
