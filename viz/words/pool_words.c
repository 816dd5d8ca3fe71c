/*
 * SPDX-License-Identifier: MIT
 *
 * pool_words.c - see pool_words.h.
 */
#include "pool_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum company { ALONE, SAME_PROCESS, PROCESSES, HOSTS };

/* Returns what distinguishes the pools of this trace from each other. */
static enum company company_of(const struct doze_model *m)
{
	const struct doze_pool_view *first = doze_model_pool(m, 0);
	enum company c = ALONE;

	for (size_t i = 1; i < doze_model_pools(m); i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);

		if (p->host != first->host)
			return HOSTS;
		if (p->vpid != first->vpid)
			c = PROCESSES;
		else if (c == ALONE)
			c = SAME_PROCESS;
	}
	return c;
}

const char *doze_pool_name(const struct doze_model *m, uint32_t row)
{
	const struct doze_pool_view *p = doze_model_pool(m, row);

	for (size_t i = 0; p && i < doze_model_pools(m); i++)
		if (*p->name && strcmp(doze_model_pool(m, i)->name, p->name) != 0)
			return p->name;
	return "";
}

const char *doze_pool_words(const struct doze_model *m, uint32_t row)
{
	static char text[128];
	const struct doze_pool_view *p = doze_model_pool(m, row);
	enum company c = company_of(m);
	int n = 0;

	*text = 0;
	if (p && c > ALONE)
		n = snprintf(text, sizeof text, "%s %" PRIu32,
			     doze_pool_is_crew(p) ? "crew" : "pool", p->pool);
	if (p && c > ALONE && *doze_pool_name(m, row))
		n += snprintf(text + n, sizeof text - (size_t)n, " '%s'", p->name);
	if (p && c > SAME_PROCESS)
		n += snprintf(text + n, sizeof text - (size_t)n, " of process %" PRId32, p->vpid);
	if (p && c == HOSTS)
		snprintf(text + n, sizeof text - (size_t)n, " on host %" PRIu32, p->host);
	return text;
}

const char *doze_pool_prefix(const struct doze_model *m, uint32_t row)
{
	static char text[48];
	const struct doze_pool_view *p = doze_model_pool(m, row);
	enum company c = company_of(m);

	*text = 0;
	if (p && c == HOSTS)
		snprintf(text, sizeof text, "%" PRIu32 ":%" PRId32 ":%" PRIu32 "/", p->host,
			 p->vpid, p->pool);
	else if (p && c == PROCESSES)
		snprintf(text, sizeof text, "%" PRId32 ":%" PRIu32 "/", p->vpid, p->pool);
	else if (p && c == SAME_PROCESS)
		snprintf(text, sizeof text, "%" PRIu32 "/", p->pool);
	return text;
}

/* ---- Describes wakers and the causes of wakes in words ---- */

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
