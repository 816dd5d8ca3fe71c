/*
 * SPDX-License-Identifier: MIT
 *
 * snapshots.h - more workers for the snapshots of trace_load.c than those that
 * doze_trace_for_each_worker (lib/trace_load.h) names.
 */
#ifndef DOZE_TRACEPOINTS_SNAPSHOTS_H
#define DOZE_TRACEPOINTS_SNAPSHOTS_H

#include "../lib/trace_info.h"

/** Called for one worker. */
typedef void doze_trace_worker_fn(void *ctx, uint32_t pool, int32_t worker,
				  const struct doze_trace_snapshot_info *info);

/** Sets the function that calls fn for each of the other workers. Called before the first
 * doze_trace_boot. */
void doze_trace_snapshot_also(void (*for_each)(doze_trace_worker_fn *fn, void *ctx));

#endif
