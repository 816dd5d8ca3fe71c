/*
 * SPDX-License-Identifier: MIT
 *
 * waker_words.c - see waker_words.h.
 */
#include "waker_words.h"

#include <inttypes.h>
#include <stdio.h>

const char *doze_cause_phrase(enum doze_cause c)
{
	static const char *const phrases[DOZE_CAUSE_COUNT] = {
	    [DOZE_CAUSE_none] = "an unknown cause",
	    [DOZE_CAUSE_push] = "a job pushed to a worker's own deque",
	    [DOZE_CAUSE_inject] = "a job injected",
	    [DOZE_CAUSE_latch] = "a set latch",
	    [DOZE_CAUSE_job_done] = "a finished job",
	    [DOZE_CAUSE_work_found] = "a searcher that found work",
	    [DOZE_CAUSE_broadcast] = "a broadcast",
	    [DOZE_CAUSE_terminate] = "the pool's termination",
	    [DOZE_CAUSE_call] = "a call that wakes",
	};

	return (unsigned)c < DOZE_CAUSE_COUNT ? phrases[c] : phrases[0];
}

static const char *worker(const struct doze_pool_view *p)
{
	return p && doze_pool_is_crew(p) ? "thread" : "worker";
}

static const char *pool(const struct doze_pool_view *p)
{
	return doze_pool_is_crew(p) ? "crew" : "pool";
}

static const char *outside_phrase(const struct doze_model *m, const struct doze_thread_view *t)
{
	static char text[160];
	const struct doze_pool_view *p = t->worker ? doze_model_pool(m, t->worker->pool_row) : NULL;

	if (p && *p->name)
		snprintf(text, sizeof text, "%s %" PRId32 " of %s %" PRIu32 " '%s'", worker(p),
			 t->worker->key.index, pool(p), p->pool, p->name);
	else if (p)
		snprintf(text, sizeof text, "%s %" PRId32 " of %s %" PRIu32, worker(p),
			 t->worker->key.index, pool(p), p->pool);
	else
		snprintf(text, sizeof text, "the %sthread '%s' (vtid %" PRId32 ")",
			 doze_model_is_foreign(m) ? "" : "outside ", t->name, t->vtid);
	return text;
}

const char *doze_waker_phrase(const struct doze_model *m, uint32_t pool_row, int32_t waker,
			      int32_t vtid)
{
	static char text[64];
	const struct doze_thread_view *t = waker < 0 ? doze_model_thread(m, pool_row, vtid) : NULL;

	if (t && (t->worker || *t->name))
		return outside_phrase(m, t);
	if (waker >= 0)
		snprintf(text, sizeof text, "%s %" PRId32, worker(doze_model_pool(m, pool_row)),
			 waker);
	else if (vtid >= 0)
		snprintf(text, sizeof text, "an outside thread (vtid %" PRId32 ")", vtid);
	else
		snprintf(text, sizeof text, "an outside thread");
	return text;
}
