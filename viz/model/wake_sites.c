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

static bool is_at(const struct doze_wake_site *s, uint32_t host, int32_t vpid, uint64_t caller,
		  enum doze_wait_kind kind)
{
	return s->caller == caller && s->vpid == vpid && s->host == host &&
	       (s->kind == kind || kind == DOZE_WAIT_none || s->kind == DOZE_WAIT_none);
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
static size_t site_of(struct doze_model *m, uint32_t host, int32_t vpid, uint64_t caller,
		      enum doze_wait_kind kind)
{
	struct wake_sites *t = &m->sites;
	size_t i = 0;

	if (t->count && is_at(&t->site[t->last], host, vpid, caller, kind))
		return t->last;
	while (i < t->count && !is_at(&t->site[i], host, vpid, caller, kind))
		i++;
	if (i == t->count) {
		if (t->count == WAKE_SITES || !make_room(t)) {
			m->totals.evicted++;
			return SIZE_MAX;
		}
		t->site[i] = (struct doze_wake_site){.host = host, .vpid = vpid, .caller = caller};
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
	size_t i = site_of(m, e->host, e->vpid, e->u.wake_site.caller, e->u.wake_site.kind);

	if (i == SIZE_MAX)
		return;
	m->sites.site[i].kind = e->u.wake_site.kind;
	add(&m->sites.site[i].calls, &m->sites.reported[i].calls, e->u.wake_site.calls);
	add(&m->sites.site[i].nobody, &m->sites.reported[i].nobody, e->u.wake_site.nobody);
}

void model_site_wake(struct doze_model *m, const struct pool *p, const struct doze_wake *k)
{
	size_t i = p->v.rules->foreign ? site_of(m, p->v.host, p->v.vpid, k->caller, DOZE_WAIT_none)
				       : SIZE_MAX;

	if (i != SIZE_MAX)
		m->sites.site[i].wakes++;
}

void model_site_futile(struct doze_model *m, const struct pool *p, const struct doze_wake *k)
{
	size_t i = p->v.rules->foreign ? site_of(m, p->v.host, p->v.vpid, k->caller, DOZE_WAIT_none)
				       : SIZE_MAX;

	if (i != SIZE_MAX)
		m->sites.site[i].futile++;
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
	model_sites_free(to);
	if (!from->count)
		return;
	*to = (struct wake_sites){.site = copy_of(from->site, from->count * sizeof *from->site),
				  .reported =
				      copy_of(from->reported, from->count * sizeof *from->reported),
				  .count = from->count,
				  .room = from->count};
	if (!to->site || !to->reported)
		model_sites_free(to);
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
