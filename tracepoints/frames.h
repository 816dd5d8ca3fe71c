/*
 * SPDX-License-Identifier: MIT
 *
 * frames.h - the callers of the code that posted a job (environment variable DOZE_TRACE_FRAMES).
 */
#ifndef DOZE_TRACEPOINTS_FRAMES_H
#define DOZE_TRACEPOINTS_FRAMES_H

#include <stdint.h>

/** Maximum number of callers to record. Caller 1 is the code that called libdoze; its address is an
 * argument of the hook. */
#define DOZE_TP_FRAMES_MAX 4

/** Called by the probe of a post, before doze_tp_frame. Finds the callers of `caller` on the
 * calling thread's stack, and returns caller 2, or 0. Costs one load if the option is off. */
uint64_t doze_tp_frames(const void *caller);
/** Returns caller 3 or 4, as found by the thread's last call of doze_tp_frames, or 0. */
uint64_t doze_tp_frame(unsigned n);

#endif
