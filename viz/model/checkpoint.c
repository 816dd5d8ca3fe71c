/*
 * SPDX-License-Identifier: MIT
 *
 * checkpoint.c - see model.h.
 */
#include <stdlib.h>
#include <string.h>

#include "model_int.h"

enum { NO_ROW = -1 };

/* Which names of latches a checkpoint contains. */
enum names {
	NAMES_NONE,
	NAMES_FEW, /* those of all pools, unless one of them has many */
	NAMES_ALL,
};

/* A copy of a worker without its pointers. */
struct worker_mark {
	struct worker w;
	int32_t waker; /* row of w.wake.by; NO_ROW: null */
};

struct doze_checkpoint {
	struct doze_totals totals;
	int64_t now, event_ts, lost_to;
	struct wake_sites sites;
	bool raw_ids; /* the model names latches by id, so the checkpoint has no latch names */
	size_t pools, workers;
	struct pool *pool; /* owned; by row; copies without pointers, except for latch names */
	struct worker_mark *worker; /* owned; by row */
};

bool doze_model_is_settled(const struct doze_model *m)
{
	for (const struct pool *p = model_next_pool(m, 0); p; p = model_next_pool(m, p))
		if (p->v.notified)
			return false;
	for (const struct worker *w = model_next_row(m, 0); w; w = model_next_row(m, w))
		if (w->v.wake_phase != DOZE_WAKE_none)
			return false;
	return true;
}

/* Copies the state that survives a checkpoint. Everything else stays as in a pool whose start was
 * not seen. */
static void copy_pool(struct pool *to, const struct pool *from, bool names)
{
	to->v = from->v;
	memcpy(to->policy, from->policy, sizeof to->policy);
	if (from->v.policy == from->policy)
		to->v.policy = to->policy;
	to->leaving = from->leaving;
	to->level = from->level;
	to->quiet = from->quiet;
	to->ids = from->ids;
	to->word = from->word;
	to->causes = from->causes;
	to->loops = from->loops;
	/* A checkpoint does not include the list of wakes without a target. */
	to->v.notified -= from->v.untargeted;
	to->v.untargeted = 0;
	if (names)
		model_latch_names_copy(&to->latches, &from->latches);
	else
		model_latch_names_free(&to->latches);
}

/* Copies a worker, except for its pointers, which the caller sets. */
static void copy_worker(struct worker *to, const struct worker *from)
{
	*to = *from;
	model_jobs_drop(to);
	to->pool = NULL;
	model_ledger_waker_set(to, NULL);
}

void doze_checkpoint_free(struct doze_checkpoint *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->pools; i++)
		model_latch_names_free(&c->pool[i].latches);
	model_sites_free(&c->sites);
	free(c->pool);
	free(c->worker);
	free(c);
}

static void take_all(struct doze_checkpoint *c, const struct doze_model *m, enum names names)
{
	for (size_t i = 0; i < c->pools && names == NAMES_FEW; i++)
		c->raw_ids |= model_latch_names_are_many(model_pool_at(m, i));
	for (size_t i = 0; i < c->pools; i++)
		copy_pool(&c->pool[i], model_pool_at(m, i), !c->raw_ids && names != NAMES_NONE);
	for (size_t i = 0; i < c->workers; i++) {
		const struct worker *by = model_ledger_waker(model_worker_at(m, i));

		copy_worker(&c->worker[i].w, model_worker_at(m, i));
		c->worker[i].waker = by ? (int32_t)by->v.key.row : NO_ROW;
	}
}

static struct doze_checkpoint *take(const struct doze_model *m, enum names names)
{
	struct doze_checkpoint *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->totals = m->totals;
	c->now = m->now;
	c->event_ts = m->event_ts;
	c->lost_to = m->lost_to;
	model_sites_copy(&c->sites, &m->sites);
	c->raw_ids = m->opt.raw_ids;
	c->pool = calloc(doze_model_pools(m) + 1, sizeof *c->pool);
	c->worker = calloc(doze_model_workers(m) + 1, sizeof *c->worker);
	if (!c->pool || !c->worker) {
		doze_checkpoint_free(c);
		return NULL;
	}
	c->pools = doze_model_pools(m);
	c->workers = doze_model_workers(m);
	take_all(c, m, names);
	return c;
}

struct doze_checkpoint *doze_checkpoint_take(const struct doze_model *m)
{
	return take(m, NAMES_FEW);
}

int64_t doze_checkpoint_ts(const struct doze_checkpoint *c)
{
	return c->now;
}

/* Creates the pools and workers, in the order of their rows. */
static bool make_entities(const struct doze_checkpoint *c, struct doze_model *m)
{
	for (size_t i = 0; i < c->pools; i++) {
		const struct doze_pool_view *v = &c->pool[i].v;
		const struct doze_event like = {
		    .host = v->host, .vpid = v->vpid, .pool = v->pool, .ts = c->now};

		if (!model_pool_of(m, &like))
			return false;
	}
	for (size_t i = 0; i < c->workers; i++) {
		const struct doze_worker_view *v = &c->worker[i].w.v;

		if (!model_worker_of(m, model_pool_at(m, v->pool_row), v->key.index))
			return false;
	}
	return true;
}

bool doze_checkpoint_resume(const struct doze_checkpoint *c, struct doze_model *m)
{
	m->totals = c->totals;
	m->begun = true;
	m->now = c->now;
	m->event_ts = c->event_ts;
	m->lost_to = c->lost_to;
	model_sites_copy(&m->sites, &c->sites);
	m->opt.raw_ids |= c->raw_ids;
	if (!make_entities(c, m))
		return false;
	for (size_t i = 0; i < c->pools; i++)
		copy_pool(model_pool_at(m, i), &c->pool[i], true);
	for (size_t i = 0; i < c->workers; i++) {
		struct worker *w = model_worker_at(m, i);
		struct pool *p = w->pool;
		int32_t by = c->worker[i].waker;

		copy_worker(w, &c->worker[i].w);
		w->pool = p;
		model_ledger_waker_set(w, by == NO_ROW ? NULL : model_worker_at(m, (size_t)by));
	}
	return true;
}

/*
 * ---- Saves checkpoints and finished models (saved.h). A finished model is saved as a checkpoint
 * and the numbers that a checkpoint leaves out.
 */

/* Makes a copy of a pool that was loaded point to this program's constants. */
static void relink_pool(struct pool *p)
{
	char policy[POLICY_NAME];

	memcpy(policy, p->policy, sizeof policy);
	policy[sizeof policy - 1] = '\0';
	p->v.policy = "?";
	p->v.rules = &doze_policy_unknown;
	model_pool_policy_set(p, policy);
}

static void pool_saved(struct pool *p, struct doze_saved *s)
{
	struct pool image = *p;

	image.v.policy = NULL;
	image.v.rules = NULL;
	if (!doze_saved_value(s, image))
		return;
	if (s->loads) /* the addresses are those of tables that no longer exist */
		image.latches = (struct latch_names){0};
	model_latch_names_saved(&image.latches, s);
	if (!s->loads)
		return;
	*p = image;
	relink_pool(p);
}

static bool is_whole(const struct doze_checkpoint *c)
{
	for (size_t i = 0; i < c->workers; i++)
		if (c->worker[i].waker != NO_ROW && (size_t)c->worker[i].waker >= c->workers)
			return false;
	return true;
}

static void checkpoint_saved(struct doze_checkpoint *c, struct doze_saved *s)
{
	(void)doze_saved_value(s, c->totals);
	(void)doze_saved_value(s, c->now);
	(void)doze_saved_value(s, c->event_ts);
	(void)doze_saved_value(s, c->lost_to);
	(void)doze_saved_value(s, c->raw_ids);
	model_sites_saved(&c->sites, s);
	(void)doze_saved_array(s, c->worker, c->workers);
	(void)doze_saved_value(s, c->pools);
	if (s->loads && !s->failed)
		c->pool = c->pools <= MAX_POOLS ? calloc(c->pools + 1, sizeof *c->pool) : NULL;
	if (s->failed || !c->pool || !is_whole(c)) {
		c->pools = c->pool ? c->pools : 0;
		(void)doze_saved_fail(s);
		return;
	}
	for (size_t i = 0; i < c->pools; i++)
		pool_saved(&c->pool[i], s);
}

struct doze_checkpoint *doze_checkpoint_saved(struct doze_checkpoint *c, struct doze_saved *s)
{
	if (s->loads)
		c = calloc(1, sizeof *c);
	if (!c) {
		(void)doze_saved_fail(s);
		return NULL;
	}
	checkpoint_saved(c, s);
	if (!s->failed || !s->loads)
		return c;
	doze_checkpoint_free(c);
	return NULL;
}

static void taken_saved(struct doze_model *m, enum names names, struct doze_saved *s)
{
	struct doze_checkpoint *c = s->loads ? NULL : take(m, names);

	c = doze_checkpoint_saved(c, s);
	if (s->loads && c && !doze_checkpoint_resume(c, m))
		(void)doze_saved_fail(s);
	doze_checkpoint_free(c);
}

void model_checkpoint_saved(struct doze_model *m, struct doze_saved *s)
{
	taken_saved(m, NAMES_NONE, s);
}

bool doze_model_saved(struct doze_model *m, struct doze_saved *s)
{
	taken_saved(m, NAMES_ALL, s);
	(void)doze_saved_value(s, m->measures);
	(void)doze_saved_value(s, m->fed);
	(void)doze_saved_value(s, m->complete);
	(void)doze_saved_value(s, m->findings);
	for (size_t i = 0; i < doze_model_pools(m); i++)
		model_outside_saved(model_pool_at(m, i), s);
	model_thread_names_saved(m, s);
	m->finished = true;
	return !s->failed;
}
