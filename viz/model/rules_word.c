/*
 * SPDX-License-Identifier: MIT
 *
 * rules_word.c - rules on the counters word: how each event may change it, and which values it may
 * have. The rules compare the old and the new word that each event records.
 */
#include "check_int.h"

/*
 * ---- Rules against values that no pool can report, whatever its policy: workers and
 * states that do not exist, decreasing totals, impossible widths, events after the pool has
 * stopped.
 */

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
		check_report(
		    p, e, "state",
		    strange ? "this worker reports a transition from %s to an invalid state"
			    : "this worker reports a step from %s to none, which is no state of a "
			      "worker",
		    doze_state_name(e->u.state.from));
	else if (strange && e->u.state.from == DOZE_STATE_none && w->v->known)
		check_report(p, e, "state",
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
		check_report(p, e, "after-stop", "%s was reported after the pool had stopped",
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

/* By how much each field of the counters word changes in the step that an event reports. */
struct step {
	int64_t sleeping, inactive;
	uint64_t jec;
};

static struct step step_of(const struct doze_word_layout *l, const struct doze_event *e)
{
	uint64_t mask = l->bits_jec >= 64 ? UINT64_MAX : (1ull << l->bits_jec) - 1;

	if (e->old_word == e->new_word)
		return (struct step){0};
	return (struct step){
	    .sleeping = (int64_t)doze_word_sleeping(l, e->new_word) -
			(int64_t)doze_word_sleeping(l, e->old_word),
	    .inactive = (int64_t)doze_word_inactive(l, e->new_word) -
			(int64_t)doze_word_inactive(l, e->old_word),
	    .jec = (doze_word_jec(l, e->new_word) - doze_word_jec(l, e->old_word)) & mask,
	};
}

static struct step state_step(const struct doze_policy_descriptor *r, const struct doze_event *e)
{
	enum doze_state from = e->u.state.from, to = e->u.state.to;
	enum doze_reason why = e->u.state.reason;
	struct step s = {0};

	s.inactive = from == DOZE_STATE_active && to == DOZE_STATE_idle ? 1 : 0;
	if ((from == DOZE_STATE_idle || from == DOZE_STATE_sleepy) && to == DOZE_STATE_active)
		s.inactive = -1;
	if (to == DOZE_STATE_sleeping)
		s.sleeping = 1;
	else if (from == DOZE_STATE_sleeping && r->count_out == DOZE_COUNT_OUT_SLEEPER &&
		 (why == DOZE_REASON_woken || why == DOZE_REASON_self_wake))
		s.sleeping = -1;
	return s;
}

/* Computes the step that the event must report. Returns false if it need not report one. */
static bool step_wanted(const struct doze_policy_descriptor *r, const struct check_worker *w,
			const struct doze_event *e, struct step *want)
{
	*want = (struct step){0};
	switch (e->kind) {
	case DOZE_EV_worker_state:
		*want = state_step(r, e);
		return true;
	case DOZE_EV_wake:
		want->sleeping = r->count_out == DOZE_COUNT_OUT_WAKER ? -1 : 0;
		return true;
	case DOZE_EV_sleep_abort:
		/* If the worker has already counted itself as sleeping, it decrements the count
		 * again. */
		want->sleeping = -1;
		return w && !w->v->unknown && is_asleep(w);
	case DOZE_EV_post:
		want->jec = r->word == DOZE_WORD_RULE_JEC;
		return false;
	case DOZE_EV_jec:
		want->jec = r->word == DOZE_WORD_RULE_JEC;
		return true;
	default:
		return true;
	}
}

static bool same(struct step a, struct step b)
{
	return a.sleeping == b.sleeping && a.inactive == b.inactive && a.jec == b.jec;
}

static void check_step(struct check_pool *p, struct check_worker *w, const struct doze_event *e)
{
	struct step is = step_of(&p->v->layout, e), want, none = {0};
	bool must = step_wanted(p->v->rules, w, e, &want);

	if (same(is, want) || (!must && same(is, none)))
		return;
	check_report(p, e, "step",
		     "%s changed the sleeping count by %+lld, the inactive count by %+lld "
		     "and the JEC by %llu, but %s requires %+lld, %+lld and %llu",
		     doze_event_name(e->kind), (long long)is.sleeping, (long long)is.inactive,
		     (unsigned long long)is.jec, p->v->policy, (long long)want.sleeping,
		     (long long)want.inactive, (unsigned long long)want.jec);
}

static void check_bounds(struct check_pool *p, const struct doze_event *e)
{
	uint32_t sleeping = doze_word_sleeping(&p->v->layout, e->new_word);
	uint32_t inactive = doze_word_inactive(&p->v->layout, e->new_word);

	if (sleeping > inactive)
		check_report(p, e, "bounds",
			     "the word counts %u sleeping workers, but only %u inactive ones",
			     sleeping, inactive);
	else if (p->v->workers && inactive > p->v->workers)
		check_report(p, e, "bounds",
			     "the word counts %u inactive workers, but the pool has only %u",
			     inactive, p->v->workers);
}

/* tickle: bit 0 is set while any worker sleeps. The bits above it hold the sleepy worker's index +
 * 1. */
static void check_tickle(struct check_pool *p, const struct doze_event *e)
{
	uint64_t mine = ((uint64_t)(uint32_t)e->worker + 1) << 1, want = e->old_word;

	if (e->kind == DOZE_EV_worker_state && e->u.state.to == DOZE_STATE_sleepy)
		want = (e->old_word & 1) | mine;
	else if (e->kind == DOZE_EV_worker_state && e->u.state.to == DOZE_STATE_sleeping)
		want = 1;
	else if (e->kind == DOZE_EV_jec)
		want = 0;
	if (e->new_word != want)
		check_report(p, e, "step",
			     "%s changed the word from %llu to %llu, but tickle requires %llu",
			     doze_event_name(e->kind), (unsigned long long)e->old_word,
			     (unsigned long long)e->new_word, (unsigned long long)want);
	else if (e->kind == DOZE_EV_worker_state && e->u.state.to == DOZE_STATE_sleepy &&
		 e->old_word > 1)
		check_report(p, e, "one-sleepy",
			     "this worker became sleepy while worker %llu was sleepy",
			     (unsigned long long)(e->old_word >> 1) - 1);
}

void check_rule_word(struct check_pool *p, struct check_worker *w, const struct doze_event *e)
{
	if (!e->has_words || e->kind == DOZE_EV_snapshot)
		return;
	if (p->v->rules->word == DOZE_WORD_RULE_TICKLE)
		check_tickle(p, e);
	if (!counts_word(p, p->v->rules))
		return;
	check_step(p, w, e);
	check_bounds(p, e);
}

/* An even JEC means that a worker has become sleepy since the last post; an odd JEC means that work
 * has been posted since a worker last became sleepy. */
static void check_toggle(struct check_pool *p, const struct doze_event *e)
{
	bool was_odd = doze_word_jec(&p->v->layout, e->old_word) & 1;
	bool is_odd = doze_word_jec(&p->v->layout, e->new_word) & 1;

	if (e->kind == DOZE_EV_post && !is_odd)
		check_report(
		    p, e, "jec-parity",
		    "a post left the JEC even, so a sleepy worker will not notice the post");
	else if (e->kind == DOZE_EV_post && was_odd && e->old_word != e->new_word)
		check_report(p, e, "jec-parity", "a post changed a JEC that was already odd");
	else if (e->kind == DOZE_EV_jec && e->u.jec.cause == DOZE_JEC_CAUSE_sleepy && !was_odd)
		check_report(p, e, "jec-parity",
			     "a worker that became sleepy changed a JEC that was already even");
}

static void check_memory(struct check_pool *p, struct check_worker *w, const struct doze_event *e)
{
	const struct doze_word_layout *l = &p->v->layout;
	enum doze_state to = e->u.state.to;
	uint64_t old_jec = doze_word_jec(l, e->old_word);

	if (to == DOZE_STATE_sleepy) {
		w->has_sleepy_jec = true;
		w->sleepy_jec = doze_word_jec(l, e->new_word);
		if (w->sleepy_jec & 1)
			check_report(p, e, "jec-parity",
				     "this worker became sleepy but left the JEC odd, so it "
				     "will not notice a post");
		return;
	}
	if (to == DOZE_STATE_sleeping && w->has_sleepy_jec && !w->v->unknown &&
	    old_jec != w->sleepy_jec)
		check_report(p, e, "jec-sleep",
			     "this worker became sleepy with JEC %llu but fell asleep with "
			     "JEC %llu: work was posted in between",
			     (unsigned long long)w->sleepy_jec, (unsigned long long)old_jec);
	if (e->u.state.reason == DOZE_REASON_jec_changed && w->has_sleepy_jec && !w->v->unknown &&
	    old_jec == w->sleepy_jec)
		check_report(p, e, "jec-sleep",
			     "this worker decided not to sleep because the JEC had changed, "
			     "but the JEC was still %llu",
			     (unsigned long long)old_jec);
	w->has_sleepy_jec = false;
}

void check_rule_jec(struct check_pool *p, struct check_worker *w, const struct doze_event *e)
{
	if (p->v->rules->word != DOZE_WORD_RULE_JEC || !e->has_words || !p->v->layout.bits_jec)
		return;
	/* A broadcast leaves the JEC unchanged: it wakes each sleeper, which then checks its own
	 * queue. */
	if (e->kind == DOZE_EV_post && e->u.post.queue == DOZE_QUEUE_broadcast)
		return;
	if (e->kind == DOZE_EV_post || e->kind == DOZE_EV_jec)
		check_toggle(p, e);
	else if (e->kind == DOZE_EV_worker_state && w)
		check_memory(p, w, e);
}
