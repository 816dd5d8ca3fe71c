/*
 * SPDX-License-Identifier: MIT
 *
 * injector.c - see injector.h.
 *
 *   oldest ──▶ job ──▶ job ──▶ (null)      newest ──▶ job ──▶ job ──▶ (null)
 *   consumers, under the lock              producers; each job points to the one pushed before it
 *
 * Key invariants: every job in the `oldest` list is older than every job on the stack, because the
 * stack is taken only when that list is empty. Producers never follow a link, so the ABA problem
 * cannot harm their compare-and-swap: whichever job is on top, the new job must point to it.
 */
#include "injector.h"

void doze_injector_init(struct doze_injector *q)
{
	da_init(&q->newest, NULL);
	da_init(&q->oldest, NULL);
	doze_mutex_init(&q->lock);
}

void doze_injector_fini(struct doze_injector *q)
{
	doze_mutex_destroy(&q->lock);
}

void doze_injector_push(struct doze_injector *q, struct doze_job *job)
{
	/* Relaxed: the pointer is not dereferenced, and the compare-and-swap checks it. */
	struct doze_job *before = da_load(&q->newest, RLX);

	do {
		da_store(&job->next, before, RLX); /* no other thread can reach the job yet */
		/* Release: this publishes the job, and orders its fields and link before the new
		 * top. Acquire is not needed: read-modify-writes continue a release sequence, so a
		 * thread that acquires from this push also sees the earlier ones. Relaxed on
		 * failure: nothing is published. */
	} while (!da_cas(&q->newest, &before, job, REL, RLX));
}

void doze_injector_push_many(struct doze_injector *q, const struct doze_batch *batch)
{
	/* The stack is linked newest first. Relaxed: no other thread can reach these jobs yet. */
	struct doze_job *older = batch->first, *job = da_load(&older->next, RLX);
	for (uint32_t i = 1; i < batch->count; i++) {
		struct doze_job *newer = da_load(&job->next, RLX);
		da_store(&job->next, older, RLX);
		older = job;
		job = newer;
	}

	/* As in push, but the last job becomes the top, and the first points to the old top. */
	struct doze_job *before = da_load(&q->newest, RLX);
	do {
		da_store(&batch->first->next, before, RLX);
		/* Release: as in push, for all jobs of the batch. */
	} while (!da_cas(&q->newest, &before, batch->last, REL, RLX));
}

/* Called with q->lock held while the `oldest` list is empty. Takes the whole stack and reverses it.
 * Returns the oldest job, or null. */
static struct doze_job *take_stack(struct doze_injector *q)
{
	struct doze_job *job = da_load(&q->newest, RLX); /* relaxed: only compared with null */
	struct doze_job *oldest = NULL;

	if (job == NULL)
		return NULL;
	/* Relaxed: any non-null value keeps empty_hint from reporting an empty queue. */
	da_store(&q->oldest, job, RLX);
	/* Acquire-release: acquire makes the fields and links of all jobs on the stack visible to
	 * the reads below; release orders the store of `oldest` before the null. */
	job = da_swap(&q->newest, NULL, AR);
	while (job != NULL) {
		/* Relaxed: no other thread can reach these jobs any more. */
		struct doze_job *before = da_load(&job->next, RLX);
		da_store(&job->next, oldest, RLX);
		oldest = job;
		job = before;
	}
	return oldest;
}

static struct doze_job *pop_locked(struct doze_injector *q)
{
	/* Relaxed: written under the lock. */
	struct doze_job *job = da_load(&q->oldest, RLX);

	if (job == NULL)
		job = take_stack(q);
	if (job != NULL)
		/* Relaxed: the lock orders it for consumers, and empty_hint gives only a hint. */
		da_store(&q->oldest, da_load(&job->next, RLX), RLX);
	return job;
}

struct doze_job *doze_injector_pop(struct doze_injector *q)
{
	doze_mutex_lock(&q->lock);
	struct doze_job *job = pop_locked(q);
	doze_mutex_unlock(&q->lock);
	return job;
}

bool doze_injector_has_jobs(struct doze_injector *q)
{
	doze_mutex_lock(&q->lock);
	/* Relaxed: the lock orders `oldest`, and the caller's fence orders `newest`, which is J in
	 * the proof in sleep/README.md. Neither pointer is dereferenced. */
	bool some = da_load(&q->oldest, RLX) != NULL || da_load(&q->newest, RLX) != NULL;
	doze_mutex_unlock(&q->lock);
	return some;
}
