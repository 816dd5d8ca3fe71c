/*
 * SPDX-License-Identifier: MIT
 *
 * trace_load.h - loads the trace provider into the process without disturbing the program.
 */
#ifndef DOZE_TRACE_LOAD_H
#define DOZE_TRACE_LOAD_H

#include <stdbool.h>

#include "trace_info.h"

#ifdef DOZE_NO_TRACE
static inline void doze_trace_boot(void)
{
}
static inline void doze_trace_settle(void)
{
}
static inline bool doze_trace_hold(void)
{
	return false;
}
static inline void doze_trace_release(void)
{
}
#else
/**
 * Called by doze_pool_create before the pool's first event, without any lock of the library. The
 * first call in a process starts a thread that loads the provider and then starts another thread,
 * which emits snapshots while they are being recorded. Later calls cost one lock.
 *
 * Returns at once unless DOZE_TRACE_WAIT_MS is set; in that case it returns when the provider is
 * registered with the session daemon, when there is no daemon, or after that many milliseconds,
 * whichever comes first.
 *
 * Never fails: without a provider, nothing is traced. Prints one line on stderr, but only if the
 * environment requested a provider, or a registration within a given time, and that failed.
 */
void doze_trace_boot(void);
/** Called by doze_pool_free without any lock. Once the provider is loaded, allows a plug-in that
 * contains this code to be unloaded; that is impossible while the provider is being loaded. */
void doze_trace_settle(void);
/** Called just before this process executes another program or calls _exit, which end its other
 * threads wherever they are. Waits until the snapshot thread has finished its events, and keeps it
 * from beginning others: a thread that ends in the middle of an event leaves a gap in the buffer of
 * its CPU, and LTTng never reads what follows. Returns whether doze_trace_release must follow if
 * the process goes on. */
bool doze_trace_hold(void);
void doze_trace_release(void);
#endif

/** Calls fn for each worker of each live pool, for the snapshots (pool.c). */
void doze_trace_for_each_worker(void (*fn)(void *ctx, uint32_t pool, int32_t worker,
					   const struct doze_trace_snapshot_info *info),
				void *ctx);

#endif
