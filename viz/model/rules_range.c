/*
 * SPDX-License-Identifier: MIT
 *
 * rules_range.c - rules against values that no pool can report, whatever its policy: workers and
 * states that do not exist, decreasing totals, impossible widths, events after the pool has
 * stopped.
 */
#include "check_int.h"

static void report_index(struct check_pool *p, const struct doze_event *e, const char *what,
			 int32_t index)
{
	doze_model_finding(p->model, "index", doze_pool_key(p->v, -1), e->ts,
			   "%s names worker %d as its %s, but the pool has %u worker%s",
			   doze_event_name(e->kind), index, what, p->v->workers,
			   p->v->workers == 1 ? "" : "s");
}

static inline void check_index(struct check_pool *p, const struct doze_event *e, const char *what,
			       int32_t index)
{
	if (index < -1 || (index >= 0 && (uint32_t)index >= p->v->workers))
		report_index(p, e, what, index);
}

static void check_indices(struct check_pool *p, const struct doze_event *e)
{
	check_index(p, e, "actor", e->worker);
	if (e->kind == DOZE_EV_wake)
		check_index(p, e, "target", e->u.wake.target);
	else if (e->kind == DOZE_EV_latch)
		check_index(p, e, "latch's owner", e->u.latch.owner);
	else if (e->kind == DOZE_EV_steal)
		check_index(p, e, "victim", e->u.steal.victim);
}

/* A state label that this version does not know is a violation only if the library is not newer
 * than this version. */
static void check_state(struct check_pool *p, const struct check_worker *w,
			const struct doze_event *e)
{
	bool strange = e->unknown_label && p->v->schema_minor <= DOZE_SCHEMA_MINOR;

	if (e->u.state.to == DOZE_STATE_none)
		doze_model_finding(
		    p->model, "state", w->v->key, e->ts,
		    strange ? "this worker reports a transition from %s to an invalid state"
			    : "this worker reports a step from %s to none, which is no state of a "
			      "worker",
		    doze_state_name(e->u.state.from));
	else if (strange && e->u.state.from == DOZE_STATE_none && w->v->known)
		doze_model_finding(
		    p->model, "state", w->v->key, e->ts,
		    "this worker reports a step to %s from a state that does not exist",
		    doze_state_name(e->u.state.to));
}

static void check_total(struct check_pool *p, const struct check_worker *w, int64_t ts,
			const char *what, uint64_t *last, uint64_t now)
{
	if (now < *last)
		doze_model_finding(
		    p->model, "totals", w->v->key, ts,
		    "this worker reports that it has %s %llu jobs, but earlier it reported %llu",
		    what, (unsigned long long)now, (unsigned long long)*last);
	*last = now;
}

/* Returns whether a field of this many bits (at most 64) is too narrow to count to n. With 0 bits
 * the field is absent. */
static bool is_narrow(unsigned bits, uint64_t n)
{
	return bits && bits < 64 && n >> bits;
}

static void check_widths(struct check_pool *p, const struct doze_event *e)
{
	const struct doze_word_layout *l = &e->u.pool_start.word;
	unsigned sum = (unsigned)l->bits_sleeping + l->bits_inactive + l->bits_jec;
	uint64_t workers = e->u.pool_start.workers;

	if (l->kind != DOZE_WORD_counters)
		return;
	if (sum > 64)
		doze_model_finding(
		    p->model, "width", doze_pool_key(p->v, -1), e->ts,
		    "the fields of the counters word have %u bits in all, but the word has only 64",
		    sum);
	else if (is_narrow(l->bits_sleeping, workers) || is_narrow(l->bits_inactive, workers))
		doze_model_finding(p->model, "width", doze_pool_key(p->v, -1), e->ts,
				   "the counters word has %u bits for sleeping and %u for inactive "
				   "workers, too few for %llu workers",
				   l->bits_sleeping, l->bits_inactive, (unsigned long long)workers);
}

/* A pool stops only after all its workers have been joined, so only user marks may follow. */
static void check_stopped(struct check_pool *p, const struct doze_event *e)
{
	if (doze_pool_is_crew(p->v)) /* its program exits while its threads run */
		return;
	if (p->v->stopped && e->kind != DOZE_EV_mark && !p->after_stop) {
		p->after_stop = true;
		doze_model_finding(p->model, "after-stop", doze_pool_key(p->v, e->worker), e->ts,
				   "%s was reported after the pool had stopped",
				   doze_event_name(e->kind));
	}
}

void check_rule_range(struct check_pool *p, struct check_worker *w, const struct doze_event *e)
{
	if (e->kind == DOZE_EV_pool_start) {
		p->after_stop = false;
		check_widths(p, e);
		return;
	}
	check_stopped(p, e);
	if (p->v->started && p->v->workers)
		check_indices(p, e);
	if (e->kind != DOZE_EV_worker_state || !w)
		return;
	check_state(p, w, e);
	check_total(p, w, e->ts, "run", &w->run, e->u.state.jobs_run);
	check_total(p, w, e->ts, "published", &w->published, e->u.state.jobs_published);
}
