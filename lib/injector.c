/*
 * SPDX-License-Identifier: MIT
 *
 * injector.c - see injector.h.
 *
 *   oldest ──▶ job ──▶ job ──▶ (null)      newest ──▶ job ──▶ job ──▶ (null)
 *   consumers, under the lock              producers; each job points to the one before
 *
 * Key invariants: every job behind `oldest` is older than every job on the stack, since the stack
 * is only taken when `oldest` has run out. Producers never follow a link, so a job that was handed
 * out, freed, and lies on the stack again under the same address is no harm to their
 * compare-and-swap: what is on top is what the new job must point to.
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
	/* Relaxed: only an address to point to; the compare-and-swap tells whether it is right. */
	struct doze_job *before = da_load(&q->newest, RLX);

	do {
		da_store(&job->next, before, RLX); /* nobody else knows the job yet */
		/* Release, the publication: the job's fields and its link before the step that
		 * shows it. It need not acquire: the pushes before it stay visible to whoever
		 * acquires from this one, since read-modify-writes continue a release sequence.
		 * Relaxed on failure: as above. */
	} while (!da_cas(&q->newest, &before, job, REL, RLX));
}

void doze_injector_push_many(struct doze_injector *q, const struct doze_batch *batch)
{
	/* The stack is linked the other way round. Relaxed: nobody else knows these jobs yet. */
	struct doze_job *older = batch->first, *job = da_load(&older->next, RLX);
	for (uint32_t i = 1; i < batch->count; i++) {
		struct doze_job *newer = da_load(&job->next, RLX);
		da_store(&job->next, older, RLX);
		older = job;
		job = newer;
	}

	/* As in push, with the last job on top and the first on what was there. */
	struct doze_job *before = da_load(&q->newest, RLX);
	do {
		da_store(&batch->first->next, before, RLX);
		/* Release: as in push, for all of them. */
	} while (!da_cas(&q->newest, &before, batch->last, REL, RLX));
}

/* Caller holds q->lock; the consumers' end has run out. Takes the stack and turns it round; the
 * oldest job, or null. */
static struct doze_job *take_stack(struct doze_injector *q)
{
	struct doze_job *job = da_load(&q->newest, RLX); /* relaxed: only whether there is one */
	struct doze_job *oldest = NULL;

	if (job == NULL)
		return NULL;
	/* Relaxed: any job; from here on empty_hint looks here. */
	da_store(&q->oldest, job, RLX);
	/* Acquire-release: acquire for the fields and links of all jobs on the stack, release for
	 * the store above before the null. */
	job = da_swap(&q->newest, NULL, AR);
	while (job != NULL) {
		/* Relaxed: nobody else knows these jobs any more. */
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
		/* Relaxed: the lock orders it for consumers, and for empty_hint it is a hint. */
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
	/* Relaxed: the lock orders `oldest`; `newest`, which is J in the proof of sleep/README.md,
	 * the caller's fence does, and nothing is read behind it. */
	bool some = da_load(&q->oldest, RLX) != NULL || da_load(&q->newest, RLX) != NULL;
	doze_mutex_unlock(&q->lock);
	return some;
}
