/*
 * SPDX-License-Identifier: MIT
 *
 * injector.c - see injector.h.
 *
 *   first ──▶ job ──▶ job ──▶ job      last: the newest. Consumers move `first`, producers `last`.
 *
 * Key invariant: the list is never empty; when all jobs are out, it holds the stub. A consumer
 * hands a job out only after it has read the link behind it, so no producer will write to that job
 * again.
 */
#include "injector.h"

void doze_injector_init(struct doze_injector *q)
{
	da_init(&q->stub.next, NULL);
	da_init(&q->last, &q->stub);
	q->first = &q->stub;
	doze_mutex_init(&q->lock);
}

void doze_injector_fini(struct doze_injector *q)
{
	doze_mutex_destroy(&q->lock);
}

void doze_injector_push(struct doze_injector *q, struct doze_job *job)
{
	da_store(&job->next, NULL, RLX); /* nobody else knows the job yet */
	/* Acquire-release: the release half puts the null link above before the next producer's
	 * link, the acquire half is its partner. */
	struct doze_job *before = da_swap(&q->last, job, AR);
	/* Release, the publication: the job's fields before the link that shows it. */
	da_store(&before->next, job, REL);
}

/* Caller holds q->lock. The job behind `job`, or null; acquire: its fields are visible. */
static struct doze_job *link_of(const struct doze_job *job)
{
	return da_load(&job->next, ACQ);
}

static struct doze_job *pop_locked(struct doze_injector *q)
{
	struct doze_job *first = q->first;
	struct doze_job *next = link_of(first);

	if (first == &q->stub) {
		if (next == NULL)
			return NULL;
		q->first = first = next;
		next = link_of(first);
	}
	if (next == NULL) {
		/* The only job as far as links tell. Relaxed: if another job is `last`, its
		 * producer is about to link it, and will post; the stub's push below orders the
		 * rest. */
		if (da_load(&q->last, RLX) != first)
			return NULL;
		doze_injector_push(q, &q->stub); /* gives `first` a successor */
		next = link_of(first);
		if (next == NULL) /* a producer came before the stub and has not linked yet */
			return NULL;
	}
	q->first = next;
	return first;
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
	/* Acquire in link_of: a read of J in the proof of sleep/README.md. */
	bool some = q->first != &q->stub || link_of(&q->stub) != NULL;
	doze_mutex_unlock(&q->lock);
	return some;
}
