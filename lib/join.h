/*
 * SPDX-License-Identifier: MIT
 *
 * join.h - the fast path of join, for callers that know their worker. It needs no allocation and no
 * lock, and waits only if the second half was stolen.
 *
 * A join whose second half is not stolen should cost little more than the deque operations. So the
 * common case of publishing, taking back and running one job is inlined, here and in the functions
 * of the library's users: doze_inline.h. Each rare case calls a function that does the whole step.
 */
#ifndef DOZE_JOIN_H
#define DOZE_JOIN_H

#include "doze.h"
#include "guard.h"
#include "pool.h"
#include "queues.h"
#include "worker.h"

/** The half that is offered to thieves; stored in the joiner's frame. */
struct doze_join_job {
	struct doze_job job;
	doze_fn fn;
	void *arg;
	int64_t at; /* its index in the deque */
	struct doze_core_latch done;
};

/** The doze_job_run of the offered half. Called by a thief, or by the owner if it takes the half as
 * an ordinary job. */
void doze_join_run(struct doze_job *job, struct doze_worker *worker, enum doze_source source);

/* doze_inline.h on the library's own types and steps. */
#define DOZE_INLINE_LIBRARY
#define DOZE_INLINE_WORKER          struct doze_worker
#define DOZE_INLINE_HALF            struct doze_join_job
#define DOZE_INLINE_BUFFER          struct doze_deque_buffer
#define DOZE_INLINE_RUN             doze_join_run
#define DOZE_INLINE_FINISH          doze_join_finish
#define DOZE_INLINE_RELAXED         RLX
#define DOZE_INLINE_ACQUIRE         ACQ
#define DOZE_INLINE_RELEASE         REL
#define DOZE_INLINE_SEQ_CST         SC
#define DOZE_INLINE_LOAD(p, mo)     da_load((p), DOZE_INLINE_##mo)
#define DOZE_INLINE_STORE(p, v, mo) da_store((p), (v), DOZE_INLINE_##mo)
#define DOZE_INLINE_INIT(p, v)      da_init((p), (v))
#define DOZE_INLINE_LIGHT_FENCE()   da_fence_light()
#ifdef DOZE_TRACE_SINK /* records every job; there is no need to explore a field that says so */
#define DOZE_INLINE_STARTS_ON(worker) doze_trace_starts_wanted()
#else
/* The second test alone would do, but is one instruction longer while no trace is recorded. */
#define DOZE_INLINE_STARTS_ON(worker)                                                              \
	(doze_trace_starts_wanted() && doze_unlikely(*da_load(&(worker)->starts_on, RLX) != 0))
#endif
/** Owner only. Finishes a join whose second half cannot simply be taken back and run. `why` is a
 * doze_inline_why. */
void doze_join_finish(struct doze_join_job *half, int why);
#include "doze_inline.h"

/** Owner only, after offering the half. Answers a thief, and calls the sleep policy. `caller` is
 * the address of the user's call. */
void doze_join_heed(struct doze_join_job *half, const void *caller);

#endif
