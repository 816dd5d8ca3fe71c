/*
 * SPDX-License-Identifier: MIT
 *
 * keys.c - pools by (host, vpid, pool), workers by index, rows in order of first appearance.
 *
 * Key invariant: pools and workers stay where they are until the model is freed, so pointers to
 * them are good for the model's life. Only the arrays of pointers move.
 */
#include <stdlib.h>
#include <string.h>

#include "model_int.h"

/* Doubles an array of elements of `size` bytes when `need` do not fit. False when memory is short;
 * the array is as it was then. New elements are zero. */
static bool grow(void **array, size_t *room, size_t need, size_t size)
{
	size_t want = *room ? *room : 8;
	char *more;

	if (need <= *room)
		return true;
	while (want < need)
		want *= 2;
	more = realloc(*array, want * size);
	if (!more)
		return false;
	memset(more + *room * size, 0, (want - *room) * size);
	*array = more;
	*room = want;
	return true;
}

static size_t hash_key(uint32_t host, int32_t vpid, uint32_t pool)
{
	uint64_t h = ((uint64_t)host << 48) ^ ((uint64_t)(uint32_t)vpid << 20) ^ pool;

	return (size_t)((h * 0x9e3779b97f4a7c15ull) >> 32);
}

static bool is_pool(const struct pool *p, const struct doze_event *e)
{
	return p->v.pool == e->pool && p->v.vpid == e->vpid && p->v.host == e->host;
}

/* The hash holds at most half of what it has room for; index + 1, 0 = empty. */
static void hash_put(struct doze_model *m, const struct pool *p)
{
	size_t mask = m->hash_room - 1, i = hash_key(p->v.host, p->v.vpid, p->v.pool) & mask;

	while (m->pool_hash[i])
		i = (i + 1) & mask;
	m->pool_hash[i] = (uint32_t)p->row + 1;
}

static bool hash_grow(struct doze_model *m)
{
	size_t room = m->hash_room ? m->hash_room * 2 : 16;
	uint32_t *more;

	if ((m->pool_count + 1) * 2 <= m->hash_room)
		return true;
	more = calloc(room, sizeof *more);
	if (!more)
		return false;
	free(m->pool_hash);
	m->pool_hash = more;
	m->hash_room = room;
	for (size_t k = 0; k < m->pool_count; k++)
		hash_put(m, m->pools[k]);
	return true;
}

static struct pool *hash_find(const struct doze_model *m, const struct doze_event *e)
{
	size_t mask = m->hash_room - 1, i;

	if (!m->hash_room)
		return 0;
	for (i = hash_key(e->host, e->vpid, e->pool) & mask; m->pool_hash[i]; i = (i + 1) & mask)
		if (is_pool(m->pools[m->pool_hash[i] - 1], e))
			return m->pools[m->pool_hash[i] - 1];
	return 0;
}

void pool_policy_set(struct pool *p, const char *policy)
{
	if (!policy || !*policy ||
	    (p->v.policy == p->policy && !strncmp(p->policy, policy, POLICY_NAME - 1)))
		return;
	text_copy(p->policy, sizeof p->policy, policy);
	p->v.policy = p->policy;
	p->rules = doze_policy_descriptor(p->policy);
}

bool same_process(const struct pool *a, const struct pool *b)
{
	return a->v.vpid == b->v.vpid && a->v.host == b->v.host;
}

static struct pool *pool_new(struct doze_model *m, const struct doze_event *e)
{
	struct pool *p;

	if (m->pool_count == MAX_POOLS || !hash_grow(m) ||
	    !grow((void **)&m->pools, &m->pool_room, m->pool_count + 1, sizeof *m->pools))
		return 0;
	p = calloc(1, sizeof *p);
	if (!p)
		return 0;
	p->v.host = e->host;
	p->v.vpid = e->vpid;
	p->v.pool = e->pool;
	p->v.policy = "?";
	p->rules = &doze_policy_unknown;
	p->chain.tolerate = true;
	p->last_ts = e->ts;
	p->row = m->pool_count;
	p->v.row = (uint32_t)p->row;
	for (size_t i = 0; i < m->pool_count; i++)
		p->v.jobs_level |= m->pools[i]->v.jobs_level && same_process(m->pools[i], p);
	m->pools[m->pool_count++] = p;
	hash_put(m, p);
	return p;
}

struct pool *pool_of(struct doze_model *m, const struct doze_event *e)
{
	struct pool *p = m->last_pool;

	if (p && is_pool(p, e))
		return p;
	p = hash_find(m, e);
	if (!p)
		p = pool_new(m, e);
	if (p)
		m->last_pool = p;
	else
		m->totals.evicted++;
	return p;
}

struct doze_worker_key pool_key(const struct pool *p, int32_t index)
{
	struct worker *w = worker_seen(p, index);
	struct doze_worker_key k = {.host = p->v.host,
				    .vpid = p->v.vpid,
				    .pool = p->v.pool,
				    .index = index,
				    .row = UINT32_MAX};

	return w ? w->v.key : k;
}

struct worker *worker_seen(const struct pool *p, int32_t index)
{
	return index >= 0 && (uint32_t)index < p->room ? p->by_index[index] : 0;
}

static struct worker *worker_new(struct doze_model *m, struct pool *p, int32_t index)
{
	size_t room = p->room;
	struct worker *w;

	if (index < 0 || index >= MAX_WORKERS || m->row_count == MAX_ROWS ||
	    !grow((void **)&m->rows, &m->row_room, m->row_count + 1, sizeof *m->rows) ||
	    !grow((void **)&p->by_index, &room, (size_t)index + 1, sizeof *p->by_index))
		return 0;
	p->room = (uint32_t)room;
	w = calloc(1, sizeof *w);
	if (!w)
		return 0;
	w->pool = p;
	w->victim = -1;
	w->v.key = pool_key(p, index);
	w->v.key.row = (uint32_t)m->row_count;
	w->v.pool_row = p->v.row;
	w->v.since = m->totals.first_ts;
	w->v.unknown = true;
	w->span_lost = true;
	m->rows[m->row_count++] = w;
	p->by_index[index] = w;
	return w;
}

struct worker *worker_of(struct doze_model *m, struct pool *p, int32_t index)
{
	struct worker *w = worker_seen(p, index);

	if (!w && index >= 0) {
		w = worker_new(m, p, index);
		m->totals.evicted += !w;
	}
	return w;
}

void keys_free(struct doze_model *m)
{
	for (size_t i = 0; i < m->row_count; i++) {
		free(m->rows[i]->left);
		free(m->rows[i]);
	}
	for (size_t i = 0; i < m->pool_count; i++) {
		free(m->pools[i]->by_index);
		free(m->pools[i]->loose);
		path_free(m->pools[i]);
		free(m->pools[i]->left);
		free(m->pools[i]->outside);
		free(m->pools[i]);
	}
	free(m->rows);
	free(m->pools);
	free(m->pool_hash);
}
