/*
 * SPDX-License-Identifier: MIT
 *
 * left.c - which posts have jobs that still wait: a short list for each queue, the injector and
 * each worker's deque. It names the decision that left an under-wake.
 *
 * A deque's owner takes the newest job, thieves and the injector's takers the oldest. (A deque that
 * its owner uses first in, first out has the same number of jobs; then the name may be a
 * neighbour's.) A list that is full counts further jobs to its last post. Where takers were faster
 * than the poster's event they are owed to the next post. When no job of the pool waits and none is
 * owed all lists are empty, so a queue whose takers cannot be told (a steal that was not seen) does
 * not stay wrong.
 */
#include <stdlib.h>

#include "model_int.h"

enum { LEFT_POSTS = 16 };

struct left {
	uint64_t round; /* as the pool's, else it is empty */
	uint32_t first, count, ahead;
	struct {
		struct doze_post_left post;
		uint32_t waiting;
	} at[LEFT_POSTS];
};

static void renew(const struct pool *p, struct left *q)
{
	if (q->round == p->jobs.round)
		return;
	q->round = p->jobs.round;
	q->count = q->ahead = 0;
}

/* Null when memory is short: then the names are unknown. */
static struct left *list(const struct pool *p, struct left **q)
{
	if (!*q)
		*q = calloc(1, sizeof **q);
	if (*q)
		renew(p, *q);
	return *q;
}

static struct doze_post_left post_of(const struct doze_event *e)
{
	return (struct doze_post_left){.known = true,
				       .ts = e->ts,
				       .poster = e->worker,
				       .poster_vtid = e->vtid,
				       .queue = e->u.post.queue,
				       .jobs = e->u.post.jobs,
				       .wakes = e->u.post.wakes,
				       .idle = e->u.post.idle,
				       .sleeping = e->u.post.sleeping,
				       .decision_id = e->u.post.decision_id};
}

static void push(struct pool *p, struct left *q, const struct doze_event *e)
{
	uint32_t n = e->u.post.jobs, early = n < q->ahead ? n : q->ahead, last;

	q->ahead -= early;
	p->jobs.ahead -= early;
	n -= early;
	if (!n)
		return;
	if (q->count == LEFT_POSTS) {
		last = (q->first + q->count - 1) % LEFT_POSTS;
		q->at[last].post.merged = true;
		q->at[last].waiting += n;
		return;
	}
	last = (q->first + q->count++) % LEFT_POSTS;
	q->at[last].post = post_of(e);
	q->at[last].waiting = n;
}

void left_post(struct pool *p, struct worker *w, const struct doze_event *e)
{
	struct left *q;

	if (e->u.post.queue == DOZE_QUEUE_broadcast)
		return;
	q = list(p, e->u.post.queue == DOZE_QUEUE_local && w ? &w->left : &p->left);
	if (q)
		push(p, q, e);
}

static void take(struct pool *p, struct left **of, bool newest)
{
	struct left *q = list(p, of);
	uint32_t i;

	if (!q)
		return;
	if (!q->count) {
		if (q->ahead < p->seen_workers) {
			q->ahead++;
			p->jobs.ahead++;
		}
		return;
	}
	i = newest ? (q->first + q->count - 1) % LEFT_POSTS : q->first;
	if (--q->at[i].waiting)
		return;
	q->count--;
	if (!newest)
		q->first = (q->first + 1) % LEFT_POSTS;
}

void left_take(struct pool *p, struct worker *w, enum doze_source from)
{
	struct worker *victim;

	switch (from) {
	case DOZE_SOURCE_local:
	case DOZE_SOURCE_helped:
		take(p, &w->left, true);
		break;
	case DOZE_SOURCE_stolen:
		victim = worker_seen(p, w->victim);
		if (victim)
			take(p, &victim->left, false);
		break;
	case DOZE_SOURCE_injected:
		take(p, &p->left, false);
		break;
	default:
		break;
	}
	if (p->jobs.waiting == 0 && p->jobs.ahead == 0)
		p->jobs.round++;
}

static void older(const struct pool *p, const struct left *q, const struct doze_post_left **best)
{
	const struct doze_post_left *post;

	if (!q || q->round != p->jobs.round || !q->count)
		return;
	post = &q->at[q->first].post;
	if (!*best || post->ts < (*best)->ts)
		*best = post;
}

struct doze_post_left left_oldest(const struct pool *p)
{
	const struct doze_post_left *best = 0;

	older(p, p->left, &best);
	for (uint32_t i = 0; i < p->room; i++)
		if (p->by_index[i])
			older(p, p->by_index[i]->left, &best);
	return best ? *best : (struct doze_post_left){.poster = -1, .poster_vtid = -1};
}

enum doze_left_why doze_left_why(const struct doze_post_left *l)
{
	if (!l->known)
		return DOZE_LEFT_unknown;
	if (l->wakes)
		return DOZE_LEFT_woke;
	if (l->idle > 0)
		return DOZE_LEFT_idle;
	if (l->sleeping == 0)
		return DOZE_LEFT_none_asleep;
	return DOZE_LEFT_rule;
}

const char *doze_left_why_name(enum doze_left_why why)
{
	static const char *const names[DOZE_LEFT_COUNT] = {[DOZE_LEFT_unknown] = "unknown",
							   [DOZE_LEFT_woke] = "woke",
							   [DOZE_LEFT_idle] = "idle",
							   [DOZE_LEFT_none_asleep] = "none_asleep",
							   [DOZE_LEFT_rule] = "rule"};

	return (unsigned)why < DOZE_LEFT_COUNT ? names[why] : "?";
}
