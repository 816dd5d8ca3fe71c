/*
 * SPDX-License-Identifier: MIT
 *
 * injector.c - see injector.h.
 *
 *   first ──▶ job ──▶ job ──▶ job      last: the newest. Consumers move `first`, producers `last`.
 *
 * Key invariants: the list is never empty; the stub is in it only as its first element, and
 * `last` is the stub only when no job is in it. A consumer hands a job out only after it has read
 * the link behind it, or has put the stub in its place, so no producer will write to that job
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
		/* The only job as far as links tell: the stub takes its place, but only if it is
		 * the only one (a CAS, not a swap: behind later jobs the stub would make
		 * empty_hint lie, and they would lie there unseen). If not, a producer is about to
		 * link its job, and will post.
		 * Acquire-release: as in push; relaxed on failure, nothing is done then. */
		struct doze_job *only = first;
		da_store(&q->stub.next, NULL, RLX);
		if (!da_cas(&q->last, &only, &q->stub, AR, RLX))
			return NULL;
		next = &q->stub;
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
