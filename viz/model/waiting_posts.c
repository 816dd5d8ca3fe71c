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

enum { LEFT_POSTS = 16, LEFT_EARLY = 8 };

struct left {
	uint64_t round; /* as the pool's, else it is empty */
	uint32_t first, count, ahead;
	uint32_t early_first;
	int32_t early[LEFT_EARLY]; /* who took the jobs that are ahead: the latest of them */
	struct {
		struct doze_post_left post;
		uint32_t waiting;
		struct path_ref by;
	} at[LEFT_POSTS];
};

static void renew(struct pool *p, struct left *q)
{
	if (q->round == p->jobs.round)
		return;
	q->round = p->jobs.round;
	for (uint32_t i = 0; i < q->count; i++)
		path_forget(p, &q->at[(q->first + i) % LEFT_POSTS].by);
	q->count = q->ahead = 0;
}

/* Null when memory is short: then the names are unknown. */
static struct left *list(struct pool *p, struct left **q)
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

/* Null: not known any more. */
static struct worker *early_taker(const struct pool *p, const struct left *q)
{
	if (q->ahead > LEFT_EARLY)
		return 0;
	return worker_seen(p, q->early[q->early_first % LEFT_EARLY]);
}

static void push(struct pool *p, struct left *q, const struct doze_event *e)
{
	uint32_t n = e->u.post.jobs, last;

	for (; n && q->ahead; n--) {
		path_taken_before(p, early_taker(p, q), e);
		q->early_first++;
		q->ahead--;
		p->jobs.ahead--;
	}
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
	path_note(p, e, &q->at[last].by);
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

static void take(struct pool *p, struct worker *w, struct left **of, bool newest)
{
	struct left *q = list(p, of);
	uint32_t i;

	if (!q)
		return;
	if (!q->count) {
		if (q->ahead < p->seen_workers) {
			q->early[(q->early_first + q->ahead++) % LEFT_EARLY] = w->v.key.index;
			p->jobs.ahead++;
		}
		return;
	}
	i = newest ? (q->first + q->count - 1) % LEFT_POSTS : q->first;
	path_copy(p, &w->took.by, &q->at[i].by);
	w->took.vtid = q->at[i].post.poster < 0 ? q->at[i].post.poster_vtid : -1;
	if (--q->at[i].waiting)
		return;
	path_forget(p, &q->at[i].by);
	q->count--;
	if (!newest)
		q->first = (q->first + 1) % LEFT_POSTS;
}

void left_take(struct pool *p, struct worker *w, enum doze_source from)
{
	struct worker *victim;

	path_forget(p, &w->took.by);
	w->took.vtid = -1;
	switch (from) {
	case DOZE_SOURCE_local:
	case DOZE_SOURCE_helped:
		take(p, w, &w->left, true);
		break;
	case DOZE_SOURCE_stolen:
		victim = worker_seen(p, w->victim);
		if (victim)
			take(p, w, &victim->left, false);
		break;
	case DOZE_SOURCE_injected:
		take(p, w, &p->left, false);
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
