/*
 * SPDX-License-Identifier: MIT
 *
 * describe.c - see describe.h. One function a kind of event, in a table at the foot.
 */
#include "describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef void describe_fn(const struct tui_event *, const char *arrow, char *out, size_t size);

char *tui_who(char *out, size_t size, int32_t worker)
{
	if (worker < 0)
		snprintf(out, size, "outside");
	else
		snprintf(out, size, "w%d", (int)worker);
	return out;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void pool_start(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	(void)arrow;
	snprintf(out, size, "pool starts: policy %s, %u workers", t->note,
		 t->ev.u.pool_start.workers);
}

static void named(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	(void)arrow;
	snprintf(out, size, "%s %s", doze_event_name(t->ev.kind), t->note);
}

static void state(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	snprintf(out, size, "%s %s %s (%s)", doze_state_name(t->ev.u.state.from), arrow,
		 doze_state_name(t->ev.u.state.to), doze_reason_name(t->ev.u.state.reason));
}

static void jec(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	(void)arrow;
	snprintf(out, size, "toggles the JEC (%s)",
		 t->ev.u.jec.cause == DOZE_JEC_CAUSE_post     ? "post"
		 : t->ev.u.jec.cause == DOZE_JEC_CAUSE_sleepy ? "sleepy"
							      : "cause unknown");
}

static void latch(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	char owner[16];

	snprintf(out, size, "latch %" PRIu64 " of %s: %s %s %s", t->ev.u.latch.id,
		 tui_who(owner, sizeof owner, t->ev.u.latch.owner),
		 doze_latch_state_name(t->ev.u.latch.from), arrow,
		 doze_latch_state_name(t->ev.u.latch.to));
}

static void post(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	const struct doze_event *e = &t->ev;
	int n =
	    snprintf(out, size, "post %u job%s, %s queue%s", e->u.post.jobs, plural(e->u.post.jobs),
		     doze_queue_name(e->u.post.queue), e->u.post.was_empty ? " (was empty)" : "");

	if (e->u.post.idle >= 0 && n > 0 && (size_t)n < size)
		n += snprintf(out + n, size - (size_t)n, ", sees idle %d sleeping %d",
			      (int)e->u.post.idle, (int)e->u.post.sleeping);
	if (n > 0 && (size_t)n < size)
		snprintf(out + n, size - (size_t)n, " %s wake %u", arrow, e->u.post.wakes);
}

static void wake(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	char target[16];

	snprintf(out, size, "wake %s %s (%s) #%" PRIu64, arrow,
		 tui_who(target, sizeof target, t->ev.u.wake.target),
		 doze_cause_name(t->ev.u.wake.cause), t->ev.u.wake.wake_id);
}

static void woken(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	(void)arrow;
	if (t->ev.u.woken.wake_id)
		snprintf(out, size, "woken by wake #%" PRIu64, t->ev.u.woken.wake_id);
	else
		snprintf(out, size, "woken by nobody (spurious)");
}

static void sleep_abort(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	(void)arrow;
	snprintf(out, size, "sleep averted (%s)", doze_abort_name(t->ev.u.sleep_abort.by));
}

static void snapshot(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	(void)arrow;
	snprintf(out, size, "snapshot: %s", doze_state_name(t->ev.u.snapshot.state));
}

static void job(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	(void)arrow;
	snprintf(out, size, "job %" PRIu64 " %s", t->ev.u.job.id,
		 t->ev.kind == DOZE_EV_job_end ? "ends" : "starts");
}

static void steal(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	char victim[16];
	const char *how = t->ev.u.steal.result == DOZE_STEAL_success ? "got a job"
			  : t->ev.u.steal.result == DOZE_STEAL_empty ? "found nothing"
								     : "lost a race";

	(void)arrow;
	snprintf(out, size, "steals from %s: %s",
		 tui_who(victim, sizeof victim, t->ev.u.steal.victim), how);
}

static void search(const struct tui_event *t, const char *arrow, char *out, size_t size)
{
	(void)arrow;
	snprintf(out, size, "searches, round %u", t->ev.u.search.rounds);
}

static describe_fn *const table[DOZE_EV_COUNT] = {
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
    [DOZE_EV_job_start] = job,
    [DOZE_EV_job_taken] = job,
    [DOZE_EV_job_end] = job,
    [DOZE_EV_steal] = steal,
    [DOZE_EV_search] = search,
};

void tui_describe_event(const struct tui_scene *s, const struct tui_event *t, char *out,
			size_t size)
{
	const char *arrow = s->look->micro[0] == 'u' ? "->" : "\342\206\222";

	if (t->ev.kind < DOZE_EV_COUNT && table[t->ev.kind])
		table[t->ev.kind](t, arrow, out, size);
	else
		snprintf(out, size, "%s", doze_event_name(t->ev.kind));
}

void tui_describe_word(const struct doze_pool_view *p, uint64_t word, char *out, size_t size)
{
	bool has_jec = doze_pool_has_jec(p);
	uint64_t count = has_jec ? doze_word_jec(&p->layout, word) : 0;
	int n = 0;

	if (p->layout.kind != DOZE_WORD_counters) {
		snprintf(out, size, "word %#" PRIx64, word);
		return;
	}
	if (has_jec)
		n = snprintf(out, size, "JEC %" PRIu64 " (%s), ", count,
			     count & 1 ? "odd" : "even");
	if (n >= 0 && (size_t)n < size)
		snprintf(out + n, size - (size_t)n, "inactive %u, sleeping %u",
			 doze_word_inactive(&p->layout, word),
			 doze_word_sleeping(&p->layout, word));
}
