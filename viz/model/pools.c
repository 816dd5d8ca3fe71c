/*
 * SPDX-License-Identifier: MIT
 *
 * pools.c - finds and creates pools by (host, vpid, pool) and workers by index, and numbers the
 * rows in order of first appearance. Keeps the level of detail of each pool.
 *
 * Key invariant: pools and workers never move, so pointers to them stay valid until the model is
 * freed. Only the arrays of pointers move.
 */
#include <stdlib.h>
#include <string.h>

#include "../trace/utf8.h"
#include "model_int.h"

/*
 * ---- The level of detail at which a pool is recorded, and whether that includes every job.
 *
 * Since schema 1.2, level `jobs` leaves out the jobs that never leave their poster's worker, and
 * pool_start and the snapshots contain the level. In earlier schemas, `jobs` included every post
 * and every start, and only an event of that level showed that the level was recorded.
 */

/* Returns whether a process that records events of level `jobs` records every job. If the
 * pool_start was not seen, a snapshot without a level shows that the schema is older than 1.2. */
static bool has_every_job(const struct pool *p)
{
	if (p->v.level != DOZE_LEVEL_none)
		return p->v.level == DOZE_LEVEL_all;
	return p->v.started ? p->v.schema_minor < 2 : p->level.snapshot;
}

/* Updates v.jobs_level, which shows whether every job of the pool is recorded. */
static void judge(struct doze_model *m, struct pool *p)
{
	p->v.jobs_level = p->level.job_events && has_every_job(p);
	m->totals.jobs_level |= p->v.jobs_level;
}

void model_level_start(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	p->v.level = e->u.pool_start.level;
	judge(m, p);
}

void model_level_snapshot(struct doze_model *m, struct pool *p, const struct doze_event *e)
{
	enum doze_level now = e->u.snapshot.level;

	p->level.snapshot = true;
	/* Even if the level rises later, the earlier jobs remain missing. */
	if (!p->v.started || now < p->v.level)
		p->v.level = now;
	judge(m, p);
}

/* All pools of a process are recorded at the same level, so an event of one pool shows the level of
 * all of them. */
void model_level_job(struct doze_model *m, struct pool *p)
{
	if (p->level.job_events)
		return;
	for (struct pool *o = model_next_pool(m, 0); o; o = model_next_pool(m, o)) {
		if (!model_same_process(o, p))
			continue;
		o->level.job_events = true;
		judge(m, o);
	}
}

static void model_level_new_pool(struct doze_model *m, struct pool *p)
{
	for (const struct pool *o = model_next_pool(m, 0); o; o = model_next_pool(m, o))
		p->level.job_events |= o->level.job_events && model_same_process(o, p);
}

const char *doze_pool_level(const struct doze_pool_view *p)
{
	if (p->level != DOZE_LEVEL_none)
		return doze_level_name(p->level);
	return p->jobs_level ? "jobs" : "states";
}

const char *doze_model_level(const struct doze_model *m)
{
	enum doze_level most = DOZE_LEVEL_none;

	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (p->v.level > most)
			most = p->v.level;
	if (most != DOZE_LEVEL_none)
		return doze_level_name(most);
	return m->totals.jobs_level ? "jobs" : "states";
}

/* ---- pools and workers ---- */

/* Makes room for array[index]. Returns false, with the array unchanged, if out of memory. */
static bool grow(void **array, size_t *capacity, size_t index, size_t size)
{
	void *more = doze_grow(*array, capacity, index, size);

	if (more)
		*array = more;
	return more;
}

static size_t hash_key(uint32_t host, int32_t vpid, uint32_t pool)
{
	uint64_t h = ((uint64_t)host << 48) ^ ((uint64_t)(uint32_t)vpid << 20) ^ pool;

	return (size_t)((h * 0x9e3779b97f4a7c15ull) >> 32);
}

/* The hash stores index + 1; 0 means empty. It is at most half full, so probing always ends. */
static void hash_put(struct doze_model *m, const struct pool *p)
{
	size_t mask = m->entities.hash_size - 1,
	       i = hash_key(p->v.host, p->v.vpid, p->v.pool) & mask;

	while (m->entities.hash[i])
		i = (i + 1) & mask;
	m->entities.hash[i] = p->v.row + 1;
}

static bool hash_grow(struct doze_model *m)
{
	size_t size = m->entities.hash_size ? m->entities.hash_size * 2 : 16;
	uint32_t *more;

	if ((m->entities.pool_count + 1) * 2 <= m->entities.hash_size)
		return true;
	more = calloc(size, sizeof *more);
	if (!more)
		return false;
	free(m->entities.hash);
	m->entities.hash = more;
	m->entities.hash_size = size;
	for (size_t k = 0; k < m->entities.pool_count; k++)
		hash_put(m, m->entities.pools[k]);
	return true;
}

static struct pool *hash_find(const struct doze_model *m, const struct doze_event *e)
{
	size_t mask = m->entities.hash_size - 1, i;

	if (!m->entities.hash_size)
		return 0;
	for (i = hash_key(e->host, e->vpid, e->pool) & mask; m->entities.hash[i];
	     i = (i + 1) & mask)
		if (model_is_pool(m->entities.pools[m->entities.hash[i] - 1], e))
			return m->entities.pools[m->entities.hash[i] - 1];
	return 0;
}

void model_pool_policy_set(struct pool *p, const char *policy)
{
	if (!policy || !*policy ||
	    (p->v.policy == p->policy && !strncmp(p->policy, policy, POLICY_NAME - 1)))
		return;
	doze_text_clean(p->policy, sizeof p->policy, policy);
	p->v.policy = p->policy;
	p->v.rules = doze_policy_descriptor(p->policy);
}

static struct pool *pool_new(struct doze_model *m, const struct doze_event *e)
{
	struct pool *p;

	if (m->entities.pool_count == MAX_POOLS || !hash_grow(m) ||
	    !grow((void **)&m->entities.pools, &m->entities.pool_capacity, m->entities.pool_count,
		  sizeof *m->entities.pools))
		return 0;
	p = calloc(1, sizeof *p);
	if (!p)
		return 0;
	p->v.host = e->host;
	p->v.vpid = e->vpid;
	p->v.pool = e->pool;
	p->v.policy = "?";
	p->v.rules = &doze_policy_unknown;
	p->v.last_ts = e->ts;
	p->v.row = (uint32_t)m->entities.pool_count;
	model_level_new_pool(m, p);
	m->entities.pools[m->entities.pool_count++] = p;
	hash_put(m, p);
	return p;
}

size_t doze_model_pools(const struct doze_model *m)
{
	return m->entities.pool_count;
}

const struct doze_pool_view *doze_model_pool(const struct doze_model *m, size_t i)
{
	return i < m->entities.pool_count ? &m->entities.pools[i]->v : 0;
}

size_t doze_model_workers(const struct doze_model *m)
{
	return m->entities.row_count;
}

const struct doze_worker_view *doze_model_worker(const struct doze_model *m, size_t row)
{
	return row < m->entities.row_count ? &m->entities.rows[row]->v : 0;
}

const struct doze_pool_view *doze_model_pool_of(const struct doze_model *m,
						const struct doze_event *e)
{
	const struct pool *p = m->entities.last_pool;

	if (!p || !model_is_pool(p, e))
		p = hash_find(m, e);
	return p ? &p->v : 0;
}

struct pool *model_pool_look_up(struct doze_model *m, const struct doze_event *e)
{
	struct pool *p = hash_find(m, e);

	if (!p)
		p = pool_new(m, e);
	if (p)
		m->entities.last_pool = p;
	else
		m->totals.evicted++;
	return p;
}

struct doze_worker_key doze_pool_key(const struct doze_pool_view *p, int32_t index)
{
	const struct doze_worker_view *w = doze_pool_worker(p, index);
	struct doze_worker_key k = {
	    .host = p->host, .vpid = p->vpid, .pool = p->pool, .index = index, .row = UINT32_MAX};

	return w ? w->key : k;
}

const struct doze_worker_view *doze_pool_worker(const struct doze_pool_view *v, int32_t index)
{
	const struct pool *p = (const struct pool *)v;
	const struct worker *w = model_worker_seen(p, index);

	return w ? &w->v : 0;
}

static struct worker *worker_new(struct doze_model *m, struct pool *p, int32_t index)
{
	struct worker *w;

	if (index < 0 || index >= MAX_WORKERS || m->entities.row_count == MAX_ROWS ||
	    !grow((void **)&m->entities.rows, &m->entities.row_capacity, m->entities.row_count,
		  sizeof *m->entities.rows) ||
	    !grow((void **)&p->by_index, &p->index_capacity, (size_t)index, sizeof *p->by_index))
		return 0;
	w = calloc(1, sizeof *w);
	if (!w)
		return 0;
	w->pool = p;
	w->v.key = doze_pool_key(&p->v, index);
	w->v.key.row = (uint32_t)m->entities.row_count;
	w->v.pool_row = p->v.row;
	w->v.since = m->totals.first_ts;
	w->v.unknown = true;
	m->entities.rows[m->entities.row_count++] = w;
	p->by_index[index] = w;
	if ((uint32_t)index >= p->v.index_end)
		p->v.index_end = (uint32_t)index + 1;
	return w;
}

struct worker *model_worker_new(struct doze_model *m, struct pool *p, int32_t index)
{
	struct worker *w = worker_new(m, p, index);

	m->totals.evicted += !w;
	return w;
}

void model_entities_free(struct doze_model *m)
{
	for (size_t i = 0; i < m->entities.row_count; i++)
		free(m->entities.rows[i]);
	for (size_t i = 0; i < m->entities.pool_count; i++) {
		free(m->entities.pools[i]->by_index);
		free(m->entities.pools[i]);
	}
	free(m->entities.rows);
	free(m->entities.pools);
	free(m->entities.hash);
}
