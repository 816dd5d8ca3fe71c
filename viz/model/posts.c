/*
 * SPDX-License-Identifier: MIT
 *
 * posts.c - remembers the posts that decided to wake workers until their wakes are reported, in
 * order to know when the jobs behind a wake were published.
 *
 * The table is direct-mapped by decision id. Ids are consecutive, so two posts share a slot only if
 * their ids differ by a multiple of the table size. This happens when a poster loses its CPU
 * between its decision and its wakes. The table then doubles, up to POSTS_MAX, so that it does not
 * forget a post whose wake is still to come.
 */
#include <stdlib.h>

#include "model_fn.h"

enum { POSTS_MIN = 64, POSTS_MAX = 1 << 15 };

static struct post_slot *slot_of(const struct recent_posts *t, uint64_t id)
{
	return &t->slot[id % t->size];
}

static bool resize(struct recent_posts *t, uint32_t size)
{
	struct recent_posts bigger = {.slot = calloc(size, sizeof *bigger.slot), .size = size};

	if (!bigger.slot)
		return false;
	for (uint32_t i = 0; i < t->size; i++)
		if (t->slot[i].decision_id)
			*slot_of(&bigger, t->slot[i].decision_id) = t->slot[i];
	free(t->slot);
	t->slot = bigger.slot;
	t->size = size;
	return true;
}

/* Stores a post. Replaces another post only if a wake of that post was seen, or if the table has
 * its maximum size. In the latter case the wakes of the replaced post count as unmeasured. */
static void put(struct recent_posts *t, const struct post_slot *post)
{
	if (!t->size && !resize(t, POSTS_MIN))
		return;
	for (;;) {
		const struct post_slot *old = slot_of(t, post->decision_id);

		if (!old->decision_id || old->decision_id == post->decision_id || old->met ||
		    t->size >= POSTS_MAX || !resize(t, 2 * t->size))
			break;
	}
	*slot_of(t, post->decision_id) = *post;
}

static void put_nameless(struct recent_posts *t, const struct post_slot *post)
{
	for (unsigned i = 0; i < NAMELESS_POSTS; i++) {
		if (t->nameless[i].ts && t->nameless[i].vtid == post->vtid) {
			t->nameless[i] = *post;
			return;
		}
	}
	t->nameless[t->nameless_next++ % NAMELESS_POSTS] = *post;
}

void model_recent_post(struct pool *p, const struct doze_event *e)
{
	struct post_slot post = {.decision_id = e->u.post.decision_id,
				 .ts = e->ts,
				 .caller = e->u.post.caller,
				 .caller2 = e->u.post.caller2,
				 .jobs = e->u.post.jobs,
				 .vtid = e->vtid};

	if (post.decision_id)
		put(&p->posts, &post);
	else if (e->u.post.wakes)
		put_nameless(&p->posts, &post);
}

/* Returns the waker's latest post without an id: `tickle` assigns an id only when it wakes a
 * worker. */
static struct post_slot adopt(struct recent_posts *t, const struct doze_event *wake)
{
	for (unsigned i = 0; i < NAMELESS_POSTS; i++) {
		struct post_slot post = t->nameless[i];

		if (!post.ts || post.vtid != wake->vtid)
			continue;
		post.decision_id = wake->u.wake.decision_id;
		post.met = true;
		put(t, &post);
		t->nameless[i] = (struct post_slot){0};
		return post;
	}
	return (struct post_slot){0};
}

struct post_slot model_post_of(struct pool *p, const struct doze_event *wake)
{
	uint64_t id = wake->u.wake.decision_id;
	enum doze_cause cause = wake->u.wake.cause;
	struct post_slot *s = p->posts.size ? slot_of(&p->posts, id) : 0;

	if (s && s->decision_id == id) {
		s->met = true;
		return *s;
	}
	if (cause != DOZE_CAUSE_push && cause != DOZE_CAUSE_inject)
		return (struct post_slot){0};
	return adopt(&p->posts, wake);
}

void model_posts_forget(struct pool *p)
{
	free(p->posts.slot);
	p->posts = (struct recent_posts){.nameless_next = p->posts.nameless_next};
}
