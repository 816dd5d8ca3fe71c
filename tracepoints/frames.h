/*
 * SPDX-License-Identifier: MIT
 *
 * frames.h - the callers of the code that posted a job (environment variable DOZE_TRACE_FRAMES).
 */
#ifndef DOZE_TRACEPOINTS_FRAMES_H
#define DOZE_TRACEPOINTS_FRAMES_H

#include <stdint.h>

/** Caller 1 is the code that called libdoze; its address is in the hook's arguments. */
#define DOZE_TP_FRAMES_MAX 4

/** Called by the probe of a post, before doze_tp_frame. Finds the callers of `caller` on the
 * calling thread's stack. Returns the second caller, or 0. Costs one load if the option is off. */
uint64_t doze_tp_frames(const void *caller);
/** Returns caller 3 or 4 of the thread's last doze_tp_frames, or 0. */
uint64_t doze_tp_frame(unsigned n);

#endif
