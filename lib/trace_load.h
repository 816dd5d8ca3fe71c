/*
 * SPDX-License-Identifier: MIT
 *
 * trace_load.h - brings the trace provider into the process, beside the program and not in its way.
 */
#ifndef DOZE_TRACE_LOAD_H
#define DOZE_TRACE_LOAD_H

#include "trace_info.h"

#ifdef DOZE_NO_TRACE
static inline void doze_trace_boot(void)
{
}
static inline void doze_trace_settle(void)
{
}
#else
/**
 * Called by doze_pool_create before the pool's first event; any thread that holds no lock of the
 * library. The first call of a process starts one detached thread, which loads the provider and
 * from then on emits snapshots while somebody records them. Later calls cost one lock.
 *
 * Returns at once, unless DOZE_TRACE_WAIT_MS is set: then when the provider is registered with the
 * session daemon, or there is none, or after that many milliseconds, whichever is first.
 *
 * Never fails: without a provider, nothing is traced. It complains on stderr, in one line, only
 * when the environment asked for something that it cannot give: a provider, or a daemon that
 * registers the program in time.
 */
void doze_trace_boot(void);
/**
 * Called by doze_pool_free, holding no lock: once the provider is loaded, the plug-in that this
 * code may be in can be unloaded from now on. While it was being loaded, it could not.
 */
void doze_trace_settle(void);
#endif

/** The pool side of the snapshots (pools.c): calls fn for each worker of each live pool. */
void doze_trace_for_each_worker(void (*fn)(void *ctx, uint32_t pool, int32_t worker,
					   const struct doze_trace_snapshot_info *info),
				void *ctx);

#endif
