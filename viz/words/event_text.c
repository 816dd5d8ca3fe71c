/*
 * SPDX-License-Identifier: MIT
 *
 * event_text.c - see event_text.h. One function per kind of event, in the table at the end.
 */
#include "event_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../trace/policies.h"
#include "units.h"

/*
 * ---- The events of programs without libdoze.
 * One function per kind of event, in the table by_kind
 */

struct page {
	char *out;
	size_t size;
	const struct doze_wording *as;
};

/* Returns " by main (textbook.c:43)", or "" if the place is unknown. */
static const char *place(const struct page *g, const char *word, uint64_t address, char *out,
			 size_t size)
{
	const char *line =
	    address && g->as->place ? g->as->place(g->as->model, g->as->pool, address) : "";

	out[0] = 0;
	if (*line)
		(void)snprintf(out, size, " %s %s", word, line);
	return out;
}

static const char *object(enum doze_wait_kind k)
{
	static const char *const names[DOZE_WAIT_KIND_COUNT] = {"an object", "a condition variable",
								"a semaphore", "a futex"};

	return (unsigned)k < DOZE_WAIT_KIND_COUNT ? names[k] : names[0];
}

static void crew_start(const struct page *g, const struct doze_event *e)
{
	(void)e;
	(void)snprintf(g->out, g->size, "the first thread of crew '%s' is about to start",
		       g->as->pool->name);
}

static void crew(const struct page *g, const struct doze_event *e)
{
	char where[160];

	(void)snprintf(g->out, g->size, "the crew's threads run%s",
		       e->u.crew.start ? place(g, "", e->u.crew.start, where, sizeof where)
				       : " main");
}

static void foreign_state(const struct page *g, const struct doze_event *e)
{
	static const char *const left[DOZE_REASON_COUNT] = {
	    [DOZE_REASON_woken] = "woken",
	    [DOZE_REASON_timed_out] = "timed out",
	    [DOZE_REASON_recheck] = "did not sleep",
	    [DOZE_REASON_self_wake] = "by no call that doze saw",
	};
	enum doze_state from = e->u.state.from, to = e->u.state.to;
	const char *how =
	    (unsigned)e->u.state.reason < DOZE_REASON_COUNT ? left[e->u.state.reason] : NULL;
	const char *text = "leaves its wait";

	if (to == DOZE_STATE_stopped)
		text = "the thread ends";
	else if (from == DOZE_STATE_none)
		text = "the thread starts";
	else if (to == DOZE_STATE_sleeping)
		text = from == DOZE_STATE_idle
			   ? "waits again with its mutex held: the wake was in vain"
			   : "waits";
	else if (to == DOZE_STATE_idle)
		text = "returns from its wait with the mutex held";
	else if (from == DOZE_STATE_idle)
		text = "releases the mutex and goes on";
	(void)snprintf(g->out, g->size, "%s%s%s%s", text, how ? " (" : "", how ? how : "",
		       how ? ")" : "");
}

static void foreign_post(const struct page *g, const struct doze_event *e)
{
	char where[160];

	(void)snprintf(g->out, g->size, "calls for %s%s", doze_plural(e->u.post.wakes, "waiter"),
		       place(g, "in", e->u.post.caller, where, sizeof where));
}

static void foreign_wake(const struct page *g, const struct doze_event *e)
{
	(void)snprintf(g->out, g->size, "wakes a waiter, wake #%" PRIu64, e->u.wake.wake_id);
}

static void wait_begins(const struct page *g, const struct doze_event *e)
{
	char where[160];

	(void)snprintf(g->out, g->size, "is about to wait on %s %#" PRIx64 "%s",
		       object(e->u.wait.kind), e->u.wait.address,
		       place(g, "in", e->u.wait.caller, where, sizeof where));
}

static void totals(const struct page *g, const struct doze_event *e)
{
	(void)snprintf(g->out, g->size, "so far %s, woken %s, waited again %s, timed out %s",
		       doze_plural(e->u.wait_totals.waits, "wait"),
		       doze_count(e->u.wait_totals.woken), doze_count(e->u.wait_totals.again),
		       doze_count(e->u.wait_totals.timed_out));
}

const char *doze_state_words(bool crew, enum doze_state state)
{
	static const char *const words[DOZE_STATE_COUNT] = {
	    [DOZE_STATE_active] = "not in a wait that doze sees",
	    [DOZE_STATE_idle] = "woken, holds its mutex",
	    [DOZE_STATE_sleeping] = "waits",
	    [DOZE_STATE_stopped] = "ended",
	};

	return crew && (unsigned)state < DOZE_STATE_COUNT && words[state] ? words[state]
									  : doze_state_name(state);
}

bool doze_foreign_text(char *out, size_t size, const struct doze_event *e,
		       const struct doze_wording *as)
{
	static void (*const by_kind[DOZE_EV_COUNT])(const struct page *,
						    const struct doze_event *) = {
	    [DOZE_EV_pool_start] = crew_start,      [DOZE_EV_crew] = crew,
	    [DOZE_EV_worker_state] = foreign_state, [DOZE_EV_post] = foreign_post,
	    [DOZE_EV_wake] = foreign_wake,          [DOZE_EV_wait] = wait_begins,
	    [DOZE_EV_wait_totals] = totals,
	};
	const struct page g = {.out = out, .size = size, .as = as};

	if (!as->pool || !doze_pool_is_crew(as->pool) || (unsigned)e->kind >= DOZE_EV_COUNT ||
	    !by_kind[e->kind])
		return false;
	by_kind[e->kind](&g, e);
	return true;
}

/* ---- Explains a step by the rule of the policy that allows or requires it ---- */

#define ROUNDS "{rounds}"

/* Returns the number of unsuccessful search rounds after which a worker of the pool takes the step
 * of this event, or 0 if unknown. */
static uint32_t rounds_of(const struct doze_pool_view *p, const struct doze_event *e)
{
	if (!p || e->kind != DOZE_EV_worker_state)
		return 0;
	return e->u.state.to == DOZE_STATE_sleepy ? p->rounds_until_sleepy
						  : p->rounds_until_sleeping;
}

const char *doze_event_why(char *buf, size_t size, const struct doze_pool_view *p,
			   const struct doze_event *e)
{
	const struct doze_policy_descriptor *d = doze_policy_descriptor(p ? p->policy : "?");
	const char *text = doze_policy_sentence(d, e), *gap = strstr(text, ROUNDS);
	uint32_t n = rounds_of(p, e);
	char count[16] = "enough";

	/* The sentences for unknown policies mention the JEC, which this pool may lack. */
	if (p && !doze_pool_has_jec(p) && strstr(text, "JEC")) {
		buf[0] = '\0';
		return buf;
	}
	if (n)
		snprintf(count, sizeof count, "%" PRIu32, n);
	if (gap)
		snprintf(buf, size, "%.*s%s fruitless round%s%s", (int)(gap - text), text, count,
			 n == 1 ? "" : "s", gap + strlen(ROUNDS));
	else
		snprintf(buf, size, "%s", text);
	return buf;
}

struct line {
	char *at;
	size_t room;
	const struct doze_wording *as;
	const char *note;
};

typedef void put_fn(struct line *, const struct doze_event *);

static void put(struct line *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct line *l, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->at, l->room, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	n = (size_t)n < l->room ? n : (int)l->room - 1;
	l->at += n;
	l->room -= (size_t)n;
}

static const char *arrow(const struct line *l)
{
	return l->as->utf8 ? "\342\206\222" : "->";
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

char *doze_who_text(char *out, int32_t worker)
{
	if (worker < 0)
		snprintf(out, DOZE_WHO, "outside");
	else
		snprintf(out, DOZE_WHO, "w%" PRId32, worker);
	return out;
}

static void pool_start(struct line *l, const struct doze_event *e)
{
	const char *policy = l->note ? l->note : l->as->pool ? l->as->pool->policy : "?";

	put(l, "pool starts: policy %s, %" PRIu32 " worker%s", policy, e->u.pool_start.workers,
	    plural(e->u.pool_start.workers));
}

static void named(struct line *l, const struct doze_event *e)
{
	put(l, "%s%s%s", doze_event_name(e->kind), l->note ? " " : "", l->note ? l->note : "");
}

static void state(struct line *l, const struct doze_event *e)
{
	put(l, "%s %s %s (%s)", doze_state_name(e->u.state.from), arrow(l),
	    doze_state_name(e->u.state.to), doze_reason_name(e->u.state.reason));
}

static void jec(struct line *l, const struct doze_event *e)
{
	if (e->u.jec.cause == DOZE_JEC_CAUSE_tickle)
		put(l, "clears the word (tickle)");
	else if (e->u.jec.cause == DOZE_JEC_CAUSE_none)
		put(l, "toggles the JEC (cause unknown)");
	else
		put(l, "toggles the JEC (%s)", doze_jec_cause_name(e->u.jec.cause));
}

static void latch(struct line *l, const struct doze_event *e)
{
	char name[DOZE_LATCH_NAME], owner[DOZE_WHO];

	if (l->as->model)
		put(l, "latch %s",
		    doze_model_latch_name(l->as->model, l->as->pool, e->u.latch.id, name));
	if (!l->as->model)
		put(l, "latch %#" PRIx64, e->u.latch.id);
	else if (l->as->latch_ids && name[0] == 'L')
		put(l, " (id %#" PRIx64 ")", e->u.latch.id);
	put(l, " of %s: %s %s %s", doze_who_text(owner, e->u.latch.owner),
	    doze_latch_state_name(e->u.latch.from), arrow(l), doze_latch_state_name(e->u.latch.to));
}

static void decision(struct line *l, uint64_t id)
{
	if (l->as->decisions && id)
		put(l, ", decision %" PRIu64, id);
}

static void post(struct line *l, const struct doze_event *e)
{
	put(l, "post %" PRIu32 " job%s, %s queue%s", e->u.post.jobs, plural(e->u.post.jobs),
	    doze_queue_name(e->u.post.queue), e->u.post.was_empty ? " (was empty)" : "");
	if (e->u.post.idle >= 0)
		put(l, ", sees idle %" PRId32 " sleeping %" PRId32, e->u.post.idle,
		    e->u.post.sleeping);
	put(l, " %s wake %" PRIu32, arrow(l), e->u.post.wakes);
	decision(l, e->u.post.decision_id);
}

static void wake(struct line *l, const struct doze_event *e)
{
	char target[DOZE_WHO];

	put(l, "wake %s %s (%s) #%" PRIu64, arrow(l),
	    e->u.wake.target < 0 ? "a sleeper" : doze_who_text(target, e->u.wake.target),
	    doze_cause_name(e->u.wake.cause), e->u.wake.wake_id);
	decision(l, e->u.wake.decision_id);
}

static void woken(struct line *l, const struct doze_event *e)
{
	if (e->u.woken.wake_id)
		put(l, "woken by wake #%" PRIu64, e->u.woken.wake_id);
	else
		put(l, "spurious wake");
}

static void sleep_abort(struct line *l, const struct doze_event *e)
{
	put(l, "sleep averted (%s)", doze_abort_name(e->u.sleep_abort.by));
}

static void snapshot(struct line *l, const struct doze_event *e)
{
	put(l, "snapshot: %s", doze_state_name(e->u.snapshot.state));
}

static void job(struct line *l, const struct doze_event *e)
{
	bool cancelled = e->kind == DOZE_EV_job_taken && e->worker < 0;

	if (cancelled && !e->u.job.id)
		put(l, "a job is cancelled");
	else
		put(l, "job %" PRIu64 " %s", e->u.job.id,
		    cancelled                    ? "is cancelled"
		    : e->kind == DOZE_EV_job_end ? "ends"
						 : "starts");
	if (e->kind == DOZE_EV_job_start && e->u.job.source != DOZE_SOURCE_none)
		put(l, " (%s)", doze_source_name(e->u.job.source));
}

static void steal(struct line *l, const struct doze_event *e)
{
	static const char *const how[DOZE_STEAL_COUNT] = {"no result", "got a job", "found nothing",
							  "lost a race",
							  "moved a job to its own deque"};
	char victim[DOZE_WHO];
	unsigned result = (unsigned)e->u.steal.result;

	put(l, "steals from %s: %s", doze_who_text(victim, e->u.steal.victim),
	    how[result < DOZE_STEAL_COUNT ? result : DOZE_STEAL_none]);
}

static void search(struct line *l, const struct doze_event *e)
{
	put(l, "searches, round %" PRIu32, e->u.search.rounds);
}

static put_fn *const table[DOZE_EV_COUNT] = {
    [DOZE_EV_pool_start] = pool_start,
    [DOZE_EV_worker_start] = named,
    [DOZE_EV_mark] = named,
    [DOZE_EV_worker_state] = state,
    [DOZE_EV_jec] = jec,
    [DOZE_EV_latch] = latch,
    [DOZE_EV_post] = post,
    [DOZE_EV_wake] = wake,
    [DOZE_EV_woken] = woken,
    [DOZE_EV_sleep_abort] = sleep_abort,
    [DOZE_EV_snapshot] = snapshot,
    [DOZE_EV_job_taken] = job,
    [DOZE_EV_job_start] = job,
    [DOZE_EV_job_end] = job,
    [DOZE_EV_steal] = steal,
    [DOZE_EV_search] = search,
};

char *doze_event_text(char *out, size_t size, const struct doze_event *e,
		      const struct doze_wording *as, const char *note)
{
	struct line l = {.at = out, .room = size, .as = as, .note = note};

	if (doze_foreign_text(out, size, e, as))
		return out;
	if ((unsigned)e->kind < DOZE_EV_COUNT && table[e->kind])
		table[e->kind](&l, e);
	else
		put(&l, "%s", doze_event_name(e->kind));
	return out;
}

char *doze_word_text(char *out, size_t size, const struct doze_pool_view *p, uint64_t word)
{
	struct line l = {.at = out, .room = size};

	if (p->layout.kind != DOZE_WORD_counters) {
		put(&l, "%" PRIu64, word);
		return out;
	}
	put(&l, "%u/%u", doze_word_sleeping(&p->layout, word),
	    doze_word_inactive(&p->layout, word));
	if (doze_pool_has_jec(p) && p->layout.bits_jec)
		put(&l, "/%" PRIu64, doze_word_jec(&p->layout, word));
	return out;
}

char *doze_word_sentence(char *out, size_t size, const struct doze_pool_view *p, uint64_t word)
{
	struct line l = {.at = out, .room = size};

	if (p->layout.kind != DOZE_WORD_counters) {
		put(&l, "word %#" PRIx64, word);
		return out;
	}
	if (doze_pool_has_jec(p)) {
		uint64_t count = doze_word_jec(&p->layout, word);

		put(&l, "JEC %" PRIu64 " (%s), ", count, count & 1 ? "odd" : "even");
	}
	put(&l, "inactive %u, sleeping %u", doze_word_inactive(&p->layout, word),
	    doze_word_sleeping(&p->layout, word));
	return out;
}
