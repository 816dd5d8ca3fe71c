/*
 * SPDX-License-Identifier: MIT
 *
 * wake_sites.c - the places in programs without libdoze that call a function that wakes: how often
 * they called it, how often no thread waited, and what became of the wakes.
 *
 * The program counts its calls, and the events show the wakes. A place is identified by its process
 * and its code address; address 0, which stands for many places, also by the kind of object. The
 * table has room for WAKE_SITES places; further ones count in totals.evicted.
 */
#include <stdlib.h>
#include <string.h>

#include "model_fn.h"

/* What identifies a place, or a part of it. */
struct key {
	uint32_t host;
	int32_t vpid;
	uint64_t caller, caller2;
	enum doze_wait_kind kind; /* none: any */
};

static bool is_at(const struct doze_wake_site *s, const struct key *k)
{
	return s->caller == k->caller && s->caller2 == k->caller2 && s->vpid == k->vpid &&
	       s->host == k->host &&
	       (s->kind == k->kind || k->kind == DOZE_WAIT_none || s->kind == DOZE_WAIT_none);
}

static bool make_room(struct wake_sites *t)
{
	size_t room = t->room ? 2 * t->room : 16;
	void *site, *reported;

	if (t->count < t->room)
		return true;
	site = realloc(t->site, room * sizeof *t->site);
	if (!site)
		return false;
	t->site = site;
	reported = realloc(t->reported, room * sizeof *t->reported);
	if (!reported)
		return false;
	t->reported = reported;
	t->room = room;
	return true;
}

/* Returns the index of a place, which is added if it is new, or SIZE_MAX if there is no room. */
static size_t site_of(struct doze_model *m, const struct key *k)
{
	struct wake_sites *t = &m->sites;
	size_t i = 0;

	if (t->count && is_at(&t->site[t->last], k))
		return t->last;
	while (i < t->count && !is_at(&t->site[i], k))
		i++;
	if (i == t->count) {
		if (t->count == WAKE_SITES || !make_room(t)) {
			m->totals.evicted++;
			return SIZE_MAX;
		}
		t->site[i] = (struct doze_wake_site){
		    .host = k->host, .vpid = k->vpid, .caller = k->caller, .caller2 = k->caller2};
		memset(&t->reported[i], 0, sizeof t->reported[i]);
		t->count++;
	}
	t->last = i;
	return i;
}

/* Adds the increase since the last report. A process that executes another program counts from 0
 * again. */
static void add(uint64_t *sum, uint64_t *last, uint64_t now)
{
	*sum += now >= *last ? now - *last : now;
	*last = now;
}

void model_site_event(struct doze_model *m, const struct doze_event *e)
{
	const struct key k = {.host = e->host,
			      .vpid = e->vpid,
			      .caller = e->u.wake_site.caller,
			      .kind = e->u.wake_site.kind};
	size_t i = site_of(m, &k);

	if (i == SIZE_MAX)
		return;
	m->sites.site[i].kind = e->u.wake_site.kind;
	add(&m->sites.site[i].calls, &m->sites.reported[i].calls, e->u.wake_site.calls);
	add(&m->sites.site[i].nobody, &m->sites.reported[i].nobody, e->u.wake_site.nobody);
}

/* Adds to the numbers of a wake's place, and of the part of it that has the same second caller. */
static void count(struct doze_model *m, const struct pool *p, const struct doze_wake *w,
		  uint64_t wakes, uint64_t futile)
{
	struct key k = {.host = p->v.host, .vpid = p->v.vpid, .caller = w->caller};

	for (int part = 0; p->v.rules->foreign && part < (w->caller2 ? 2 : 1); part++) {
		size_t i;

		k.caller2 = part ? w->caller2 : 0;
		i = site_of(m, &k);
		if (i == SIZE_MAX)
			return;
		m->sites.site[i].wakes += wakes;
		m->sites.site[i].futile += futile;
	}
}

void model_site_wake(struct doze_model *m, const struct pool *p, const struct doze_wake *w)
{
	count(m, p, w, 1, 0);
}

void model_site_futile(struct doze_model *m, const struct pool *p, const struct doze_wake *w)
{
	count(m, p, w, 0, 1);
}

void model_sites_free(struct wake_sites *t)
{
	free(t->site);
	free(t->reported);
	*t = (struct wake_sites){0};
}

static void *copy_of(const void *from, size_t size)
{
	void *to = size ? malloc(size) : NULL;

	return to ? memcpy(to, from, size) : NULL;
}

void model_sites_copy(struct wake_sites *to, const struct wake_sites *from)
{
	struct wake_sites copy = {.site = copy_of(from->site, from->count * sizeof *from->site),
				  .reported =
				      copy_of(from->reported, from->count * sizeof *from->reported),
				  .count = from->count,
				  .room = from->count};

	if (!copy.site || !copy.reported) /* no places, or no memory */
		model_sites_free(&copy);
	model_sites_free(to);
	*to = copy;
}

const struct doze_wake_site *doze_model_wake_site(const struct doze_model *m, size_t i)
{
	return i < m->sites.count ? &m->sites.site[i] : NULL;
}

const struct doze_pool_view *doze_model_site_pool(const struct doze_model *m,
						  const struct doze_wake_site *s)
{
	for (size_t i = 0; i < m->entities.pool_count; i++) {
		const struct doze_pool_view *v = &m->entities.pools[i]->v;

		if (v->vpid == s->vpid && v->host == s->host)
			return v;
	}
	return NULL;
}
