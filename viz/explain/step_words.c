/*
 * SPDX-License-Identifier: MIT
 *
 * step_words.c - describes a step of the chain in words: what happened, how long after its cause,
 * by which rule of the policy, and the command that shows it.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "../words/event_why.h"
#include "../words/foreign_text.h"
#include "../words/units.h"
#include "../words/waker_words.h"
#include "symbols.h"
#include "why_int.h"

#define TEXT(o, ...) (void)snprintf((o)->text, sizeof(o)->text, __VA_ARGS__)

static const struct step *cause_in(const struct effect *e, const struct step *s, int which)
{
	for (size_t i = 0; s->cause[which] && i < e->count; i++)
		if (e->chain[i].no == s->cause[which])
			return &e->chain[i];
	return 0;
}

static char *worker(const struct why *y, char *out, const struct step *s, int32_t index)
{
	return why_who(y, out, s->row, index, -1);
}

/* Describes a call that wakes in a program without libdoze. */
static void say_call(const struct why *y, const struct step *s, struct doze_why_step *o)
{
	const struct doze_pool_view *p = doze_model_pool(y->model, s->row);
	const struct doze_event *e = &s->e;
	const char *line = e->u.post.caller ? doze_symbols_line(y->model, p, e->u.post.caller) : "";
	char who[WHY_WHO];

	TEXT(o, "%s calls a function that wakes %s%s%s",
	     why_who(y, who, s->row, e->worker, e->vtid), doze_plural(e->u.post.wakes, "waiter"),
	     *line ? ", in " : "", line);
}

static void say_post(const struct why *y, const struct step *s, struct doze_why_step *o)
{
	const struct doze_event *e = &s->e;
	char who[WHY_WHO], saw[96] = "";

	if (doze_pool_is_crew(doze_model_pool(y->model, s->row))) {
		say_call(y, s, o);
		return;
	}
	if (e->u.post.idle >= 0 && e->u.post.sleeping >= 0)
		(void)snprintf(saw, sizeof saw,
			       ", sees %" PRId32 " searching and %" PRId32 " sleeping workers",
			       e->u.post.idle, e->u.post.sleeping);
	else if (e->u.post.sleeping >= 0)
		(void)snprintf(saw, sizeof saw, ", sees %s%s",
			       e->u.post.sleeping ? "sleeping workers" : "no sleeping worker", "");
	TEXT(o, "%s posts %s to %s%s%s, and decides to wake %s%s",
	     why_who(y, who, s->row, e->worker, e->vtid), doze_plural(e->u.post.jobs, "job"),
	     e->u.post.queue == DOZE_QUEUE_local ? "its deque" : "the injector",
	     e->u.post.was_empty ? ", which was empty" : "", saw,
	     e->u.post.wakes ? doze_plural(e->u.post.wakes, "worker") : "no worker",
	     doze_symbols_posted(y->model, doze_model_pool(y->model, s->row), e->u.post.caller));
}

static void say_wake(const struct why *y, const struct step *s, struct doze_why_step *o)
{
	const struct doze_event *e = &s->e;
	const struct doze_policy_descriptor *d = doze_model_pool(y->model, s->row)->rules;
	char by[WHY_WHO], target[WHY_WHO];
	bool owner = e->u.wake.cause == DOZE_CAUSE_latch;

	(void)why_who(y, by, s->row, e->worker, e->vtid);
	if (e->u.wake.target >= 0)
		TEXT(o, "%s notifies %s (%s)", by, worker(y, target, s, e->u.wake.target),
		     doze_cause_phrase(e->u.wake.cause));
	else if (e->u.wake.cause == DOZE_CAUSE_call)
		TEXT(o, "%s wakes one of the threads that wait", by);
	else
		TEXT(o, "%s signals the condition variable (%s)", by,
		     doze_cause_phrase(e->u.wake.cause));
	(void)snprintf(o->rule, sizeof o->rule, "%s",
		       owner ? "The notified worker owns the latch that was set."
			     : doze_policy_picks(d));
}

static void say_woken(const struct why *y, const struct effect *f, const struct step *s,
		      struct doze_why_step *o)
{
	const struct step *wake = cause_in(f, s, 0);
	char who[WHY_WHO], why[160];
	bool crew = doze_pool_is_crew(doze_model_pool(y->model, s->row));

	(void)worker(y, who, s, s->e.worker);
	if (!wake)
		TEXT(o, "%s wakes up; its wake is not recorded", who);
	else if (s->e.ts - wake->e.ts < 1000000 || crew)
		TEXT(o, "%s wakes up, %s after it was notified", who,
		     doze_duration(s->e.ts - wake->e.ts));
	else
		TEXT(o, "%s wakes up, %s after it was notified: %s", who,
		     doze_duration(s->e.ts - wake->e.ts), why_not_run(y, why, sizeof why, wake));
}

static const char *how_found(enum doze_reason r)
{
	switch (r) {
	case DOZE_REASON_found_local:
		return "in its own deque";
	case DOZE_REASON_found_stolen:
		return "in another worker's deque";
	case DOZE_REASON_found_injected:
		return "in the injector";
	case DOZE_REASON_found_broadcast:
		return "in its broadcast queue";
	default:
		return "";
	}
}

static void say_state(const struct why *y, const struct step *s, struct doze_why_step *o)
{
	const struct doze_event *e = &s->e;
	const char *since = doze_duration(e->ts - s->since);
	const struct doze_wording as = {.model = y->model,
					.pool = doze_model_pool(y->model, s->row)};
	char who[WHY_WHO], what[96];

	(void)worker(y, who, s, e->worker);
	if (doze_foreign_text(what, sizeof what, e, &as)) {
		TEXT(o, "%s %s", who, what);
		return;
	}
	if (e->u.state.from == DOZE_STATE_none)
		TEXT(o, "%s starts", who);
	else if (e->u.state.to == DOZE_STATE_active && *how_found(e->u.state.reason))
		TEXT(o, "%s finds work %s, after a search of %s", who, how_found(e->u.state.reason),
		     since);
	else if (e->u.state.to == DOZE_STATE_active)
		TEXT(o, "%s continues (%s), after %s in state %s", who,
		     doze_reason_name(e->u.state.reason), since, doze_state_name(e->u.state.from));
	else if (e->u.state.to == DOZE_STATE_sleeping)
		TEXT(o, "%s falls asleep", who);
	else if (e->u.state.to == DOZE_STATE_idle && e->u.state.from == DOZE_STATE_active)
		TEXT(o, "%s has no more work and begins to search", who);
	else
		TEXT(o, "%s: %s to %s (%s)", who, doze_state_name(e->u.state.from),
		     doze_state_name(e->u.state.to), doze_reason_name(e->u.state.reason));
}

static const char *whence(enum doze_source s)
{
	switch (s) {
	case DOZE_SOURCE_local:
		return ", from its own deque";
	case DOZE_SOURCE_stolen:
		return ", which it stole";
	case DOZE_SOURCE_injected:
		return ", from the injector";
	default:
		return "";
	}
}

static void say_job(const struct why *y, const struct effect *f, const struct step *s,
		    struct doze_why_step *o)
{
	const struct step *post = cause_in(f, s, 0);
	char who[WHY_WHO];

	TEXT(o, "%s starts job 0x%" PRIx64 "%s%s%s%s", worker(y, who, s, s->e.worker),
	     s->e.u.job.id, whence(s->e.u.job.source), post ? ", " : "",
	     post ? doze_duration(s->e.ts - post->e.ts) : "", post ? " after its post" : "");
}

static void say_latch(const struct why *y, const struct step *s, struct doze_why_step *o)
{
	char by[WHY_WHO], owner[WHY_WHO], name[DOZE_LATCH_NAME];

	TEXT(o, "%s sets latch %s, on which %s %s", why_who(y, by, s->row, s->e.worker, s->e.vtid),
	     doze_model_latch_name(y->model, doze_model_pool(y->model, s->row), s->e.u.latch.id,
				   name),
	     worker(y, owner, s, s->e.u.latch.owner),
	     s->e.u.latch.from == DOZE_LATCH_sleeping ? "sleeps" : "waits");
}

/* Writes the command that shows a step: its range, in whole microseconds, contains the step and its
 * cause. */
static void show(const struct why *y, const struct effect *f, const struct step *s,
		 struct doze_why_step *o)
{
	int64_t first = doze_model_totals(y->model)->first_ts, from = s->e.ts - first;
	const struct step *cause = cause_in(f, s, 0);

	if (cause && cause->e.ts - first < from)
		from = cause->e.ts - first;
	(void)snprintf(o->command, sizeof o->command, "timeline --from=%s --to=%s",
		       doze_position(from, DOZE_LISTED),
		       doze_position(s->e.ts - first + 2 * DOZE_LISTED, DOZE_LISTED));
}

/* Returns whether a rule decided the event: a post that had sleepers to choose from, a worker's
 * step, or the setting of a latch whose owner may sleep. */
static bool has_rule(const struct doze_event *e)
{
	return (e->kind == DOZE_EV_post && e->u.post.sleeping) || e->kind == DOZE_EV_latch ||
	       (e->kind == DOZE_EV_worker_state && e->u.state.from != DOZE_STATE_none &&
		e->u.state.reason != DOZE_REASON_no_work);
}

void why_words(const struct why *y, const struct effect *f, size_t i, struct doze_why_step *o)
{
	const struct step *s = &f->chain[i];

	*o = (struct doze_why_step){
	    .ts = s->e.ts, .worker = s->e.worker, .vtid = s->e.vtid, .kind = s->e.kind};
	if (has_rule(&s->e))
		(void)doze_event_why(o->rule, sizeof o->rule, doze_model_pool(y->model, s->row),
				     &s->e);
	if (s->e.kind == DOZE_EV_post)
		say_post(y, s, o);
	else if (s->e.kind == DOZE_EV_wake)
		say_wake(y, s, o);
	else if (s->e.kind == DOZE_EV_woken)
		say_woken(y, f, s, o);
	else if (s->e.kind == DOZE_EV_worker_state)
		say_state(y, s, o);
	else if (s->e.kind == DOZE_EV_latch)
		say_latch(y, s, o);
	else
		say_job(y, f, s, o);
	*o->text = (char)toupper(*o->text);
	show(y, f, s, o);
}
