/*
 * SPDX-License-Identifier: MIT
 *
 * level.c - determines the level of detail at which a pool is recorded, and whether that includes
 * every job.
 *
 * Since schema 1.2, level `jobs` leaves out the jobs that never leave their poster's worker, and
 * pool_start and the snapshots contain the level. In earlier schemas, `jobs` included every post
 * and every start, and only an event of that level showed that the level was recorded.
 */
#include "model_fn.h"

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
	for (size_t i = 0; i < m->entities.pool_count; i++) {
		struct pool *other = m->entities.pools[i];

		if (!model_same_process(other, p))
			continue;
		other->level.job_events = true;
		judge(m, other);
	}
}

void model_level_new_pool(struct doze_model *m, struct pool *p)
{
	for (size_t i = 0; i < m->entities.pool_count; i++)
		p->level.job_events |= m->entities.pools[i]->level.job_events &&
				       model_same_process(m->entities.pools[i], p);
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

	for (size_t i = 0; i < m->entities.pool_count; i++)
		if (m->entities.pools[i]->v.level > most)
			most = m->entities.pools[i]->v.level;
	if (most != DOZE_LEVEL_none)
		return doze_level_name(most);
	return m->totals.jobs_level ? "jobs" : "states";
}
