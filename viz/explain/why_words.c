/*
 * SPDX-License-Identifier: MIT
 *
 * why_words.c - writes the answer in one line (how late the effect was, and the longest part of
 * that delay), describes the steps of the chain in words, and prints both as text and as JSON.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "../words/event_text.h"
#include "../words/pool_words.h"
#include "../words/quote.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "symbols.h"
#include "why_int.h"

enum { WHY_WHO = 64 };
/* Writes the headline of answer a. */
#define SAY(...)  (void)snprintf(a->headline, sizeof a->headline, __VA_ARGS__)
#define MEANWHILE 2 /* maximum number of workers whose jobs are listed */

/* Writes "worker 3" or, for example, "an outside thread (vtid 43)". Returns out. */
static char *why_who(const struct why *y, char *out, uint32_t row, int32_t worker, int32_t vtid)
{
	const char *pool = doze_pool_words(y->model, row);

	if (worker >= 0)
		(void)snprintf(out, WHY_WHO, "%s %" PRId32 "%s%s",
			       doze_pool_is_crew(doze_model_pool(y->model, row)) ? "thread"
										 : "worker",
			       worker, *pool ? " of " : "", pool);
	else
		(void)snprintf(out, WHY_WHO, "%s", doze_waker_phrase(y->model, row, worker, vtid));
	return out;
}

static char *actor(const struct why *y, char *out, const struct step *s)
{
	return why_who(y, out, s->row, s->e.worker, s->e.vtid);
}

static uint32_t cpus(const struct why *y)
{
	return y->question.cpus ? y->question.cpus : y->cpus;
}

/* Writes why a notified worker did not run at once. Returns out. */
static char *why_not_run(const struct why *y, char *out, size_t size, const struct step *wake)
{
	uint32_t n = cpus(y);
	char workers[48];

	(void)snprintf(workers, sizeof workers, "only %" PRIu32 " workers were", wake->active);
	if (!wake->active)
		(void)snprintf(workers, sizeof workers, "no worker was");
	if (wake->active >= n && n)
		(void)snprintf(out, size,
			       "%" PRIu32 " workers ran on %s, so it had to wait for a CPU",
			       wake->active, doze_plural(n, "CPU"));
	else
		(void)snprintf(out, size,
			       "%s active on %s, so other threads or programs used its "
			       "CPU, or a signal or a debugger stopped it",
			       wake->active == 1 ? "only 1 worker was" : workers,
			       doze_plural(n, "CPU"));
	return out;
}

/* The parts of a job's delay. */
struct parts {
	/* wake and woken are null if the job's worker was not woken */
	const struct step *job, *post, *wake, *woken;
	/* The step by which the worker began to run jobs, if that was after the post; otherwise
	 * null. */
	const struct step *came;
	int64_t to_wake, to_run, to_find;
};

static struct parts parts_of(const struct effect *e)
{
	struct parts p = {.job = &e->chain[0]};
	int32_t who = p.job->e.worker;

	for (size_t i = 1; i < e->count; i++) {
		const struct step *s = &e->chain[i];

		if (s->no == p.job->cause[0])
			p.post = s;
		else if (s->no == p.job->cause[1] && !p.post)
			p.came = s;
		else if (s->e.kind == DOZE_EV_woken && s->e.worker == who && !p.woken && !p.post)
			p.woken = s;
		else if (p.woken && s->no == p.woken->cause[0])
			p.wake = s;
	}
	if (!p.post || !p.wake || !p.woken)
		return p;
	p.to_wake = p.wake->e.ts > p.post->e.ts ? p.wake->e.ts - p.post->e.ts : 0;
	p.to_run = p.woken->e.ts - (p.to_wake ? p.wake->e.ts : p.post->e.ts);
	p.to_find = p.job->e.ts - p.woken->e.ts;
	return p;
}

static void after_wake(const struct why *y, const struct parts *p, char *out, size_t size)
{
	char who[WHY_WHO], by[WHY_WHO], text[160];
	bool own = p->wake->e.u.wake.decision_id &&
		   p->wake->e.u.wake.decision_id == p->post->e.u.post.decision_id;

	(void)actor(y, who, p->job);
	if (p->to_run >= p->to_wake && p->to_run >= p->to_find)
		(void)snprintf(out, size, "%s, which was woken for it, did not run for %s: %s", who,
			       doze_duration(p->to_run),
			       why_not_run(y, text, sizeof text, p->wake));
	else if (p->to_find >= p->to_wake)
		(void)snprintf(out, size, "%s took %s from its wake to this job", who,
			       doze_duration(p->to_find));
	else if (own)
		(void)snprintf(out, size, "%s took %s from its post to the wake of %s",
			       actor(y, by, p->post), doze_duration(p->to_wake), who);
	else
		(void)snprintf(out, size,
			       "no worker was available to take it for %s, until %s woke %s for "
			       "another reason (%s)",
			       doze_duration(p->to_wake), actor(y, by, p->wake), who,
			       doze_cause_phrase(p->wake->e.u.wake.cause));
}

/* If there were sleepers but the post woke none of them, appends the reason to `out`. */
static void add_post(const struct step *post, char *out, size_t size)
{
	size_t n = strlen(out);

	if (post->e.u.post.wakes == 0 && post->e.u.post.sleeping > 0)
		(void)snprintf(out + n, size - n,
			       "; the post woke none of %s, because the poster saw %s searching",
			       doze_plural((uint64_t)post->e.u.post.sleeping, "sleeper"),
			       post->e.u.post.idle < 0
				   ? "others"
				   : doze_plural((uint64_t)post->e.u.post.idle, "worker"));
}

static void without_wake(const struct why *y, const struct effect *e, const struct parts *p,
			 char *out, size_t size)
{
	char who[WHY_WHO];

	(void)actor(y, who, p->job);
	if (p->came && p->came->since <= p->post->e.ts)
		(void)snprintf(out, size, "%s searched all that time before it found the job", who);
	else if (p->came)
		(void)snprintf(out, size, "%s, which took it, ran other code for %s after the post",
			       who, doze_duration(p->came->since - p->post->e.ts));
	else
		(void)snprintf(out, size, "%s, which took it, ran other code until then%s%s", who,
			       e->busy ? ", active since " : "",
			       e->busy
				   ? doze_position(e->busy - doze_model_totals(y->model)->first_ts,
						   DOZE_LISTED)
				   : "");
	add_post(p->post, out, size);
}

static void late_job(const struct why *y, const struct effect *e, struct doze_why_answer *a)
{
	struct parts p = parts_of(e);
	char reason[320] = "";
	int n;

	if (!p.post) {
		SAY("Job 0x%" PRIx64
		    " started, but its post is not recorded: how late it was is unknown.",
		    p.job->e.u.job.id);
		return;
	}
	if (p.wake && p.woken)
		after_wake(y, &p, reason, sizeof reason);
	else
		without_wake(y, e, &p, reason, sizeof reason);
	n = snprintf(a->headline, sizeof a->headline, "Job 0x%" PRIx64 " started %s after its post",
		     p.job->e.u.job.id, doze_duration(e->delay));
	if (e->kind == EFFECT_missed)
		n += snprintf(a->headline + n, sizeof a->headline - (size_t)n,
			      " while worker %" PRId32
			      " slept and no thread woke it (%s during its sleep woke no worker)",
			      e->slept, doze_plural(e->ignored, "post"));
	(void)snprintf(a->headline + n, sizeof a->headline - (size_t)n, ": %s.", reason);
}

static void late_wake(const struct why *y, const struct effect *e, struct doze_why_answer *a)
{
	const struct step *wake = why_link(e, DOZE_EV_wake);
	char who[WHY_WHO], text[160];

	(void)actor(y, who, &e->chain[0]);
	if (doze_pool_is_crew(doze_model_pool(y->model, e->chain[0].row))) {
		SAY("%s returned from its wait %s after the call that woke it; what it "
		    "waited for in between (a CPU, or the mutex) is not known. No "
		    "recorded thread took longer.",
		    who, doze_duration(e->delay));
		return;
	}
	SAY("%s ran %s after it was notified: %s. No recorded job waited longer.", who,
	    doze_duration(e->delay),
	    wake ? why_not_run(y, text, sizeof text, wake) : "its wake is not recorded");
}

static void endless_sleep(const struct why *y, const struct effect *e, struct doze_why_answer *a)
{
	const struct step *s = &e->chain[0];
	char who[WHY_WHO], by[WHY_WHO], latch[DOZE_LATCH_NAME];
	int n;

	(void)why_who(y, who, s->row, e->slept, -1);
	n = snprintf(a->headline, sizeof a->headline, "%s sleeps for %s until the trace ends", who,
		     doze_duration(e->delay));
	if (s->e.kind == DOZE_EV_latch)
		(void)snprintf(
		    a->headline + n, sizeof a->headline - (size_t)n,
		    ", although %s set latch %s, on which it is waiting: no thread woke it.",
		    actor(y, by, s),
		    doze_model_latch_name(y->model, doze_model_pool(y->model, s->row),
					  s->e.u.latch.id, latch));
	else if (doze_pool_is_crew(doze_model_pool(y->model, s->row)))
		(void)snprintf(a->headline + n, sizeof a->headline - (size_t)n,
			       ": no call woke it.");
	else
		(void)snprintf(a->headline + n, sizeof a->headline - (size_t)n,
			       ": no thread woke it; %s during that time woke no worker.",
			       doze_plural(e->ignored, "post"));
}

/* Returns a phrase on what the workers of a job's pool did when the trace ended. */
static char *meanwhile(const struct why *y, uint32_t row, char *out, size_t size)
{
	const struct doze_pool_view *v = doze_model_pool(y->model, row);
	int64_t first = doze_model_totals(y->model)->first_ts;
	size_t n = 0, listed = 0;

	out[0] = 0;
	for (int32_t i = 0; i < (int32_t)v->index_end && n < size; i++) {
		const struct doze_worker_view *w = doze_pool_worker(v, i);
		const struct why_worker *k = w ? doze_notes_find(&y->workers, w->key.row) : 0;
		const struct step *job = k && k->runs ? why_at(y, k->job) : 0;

		if (!job || listed++ >= MEANWHILE)
			continue;
		n += (size_t)snprintf(out + n, size - n,
				      "%sworker %" PRId32 " has been running job 0x%" PRIx64
				      " since %s",
				      n ? ", " : ": ", i, job->e.u.job.id,
				      doze_position(job->e.ts - first, DOZE_LISTED));
	}
	if (listed > MEANWHILE && n < size)
		(void)snprintf(out + n, size - n, ", and %zu more workers run jobs",
			       listed - MEANWHILE);
	return out;
}

static void never_started(const struct why *y, const struct effect *e, struct doze_why_answer *a)
{
	char text[240];
	uint64_t job = e->job ? e->job : y->question.job;
	uint32_t row = e->chain[0].row;

	if (doze_model_pool(y->model, row)->jobs_level)
		SAY("Job 0x%" PRIx64
		    " was posted %s before the end of the trace and never started%s.",
		    job, doze_duration(e->delay), meanwhile(y, row, text, sizeof text));
	else
		SAY("Job 0x%" PRIx64
		    " was posted %s before the end of the trace, and its start is not recorded.",
		    job, doze_duration(e->delay));
}

static void say_gap(const struct why *y, const struct effect *e, struct doze_why_answer *a)
{
	const uint32_t *in = y->moment.in_state;
	char by[WHY_WHO];
	int64_t first = doze_model_totals(y->model)->first_ts;

	if (doze_pool_is_crew(doze_model_pool(y->model, e->chain[0].row))) {
		SAY("No thread was on its way out of a wait then: %" PRIu32
		    " of %s waited. The next call that woke a thread was by %s, at %s.",
		    in[DOZE_STATE_sleeping],
		    doze_plural(in[DOZE_STATE_active] + in[DOZE_STATE_idle] +
				    in[DOZE_STATE_sleeping],
				"thread"),
		    actor(y, by, &e->chain[0]),
		    doze_position(e->chain[0].e.ts - first, DOZE_LISTED));
		return;
	}
	SAY("No recorded job waited then: %s active, %" PRIu32 " searching, %" PRIu32
	    " asleep. The next job was posted by %s, at %s.",
	    doze_plural(in[DOZE_STATE_active], "worker"),
	    in[DOZE_STATE_idle] + in[DOZE_STATE_sleepy], in[DOZE_STATE_sleeping],
	    actor(y, by, &e->chain[0]), doze_position(e->chain[0].e.ts - first, DOZE_LISTED));
}

static void say_nothing(const struct why *y, struct doze_why_answer *a)
{
	const struct doze_why_question *q = &y->question;

	a->found = false;
	if (doze_model_is_foreign(y->model))
		SAY("No thread was woken then, or the wake was not recorded.");
	else if (q->kind == DOZE_WHY_job)
		SAY("The trace contains neither the post nor the start of job 0x%" PRIx64
		    ": 'doze record --detail=all' records every job.",
		    q->job);
	else if (q->kind == DOZE_WHY_none)
		SAY("Nothing was late: no recorded job waited, and no worker was woken.");
	else if (q->kind == DOZE_WHY_worker)
		SAY("Worker %" PRId32 " was never late: no recorded job waited for it, and no "
		    "thread woke it for work.",
		    q->worker);
	else
		SAY("No job or wake was pending then, and no job was posted later.");
}

static void why_headline(const struct why *y, const struct effect *e, struct doze_why_answer *a)
{
	a->found = true;
	if (e->kind == EFFECT_job || e->kind == EFFECT_missed)
		late_job(y, e, a);
	else if (e->kind == EFFECT_wake)
		late_wake(y, e, a);
	else if (e->kind == EFFECT_sleep)
		endless_sleep(y, e, a);
	else if (e->kind == EFFECT_gap)
		say_gap(y, e, a);
	else if (e->kind == EFFECT_unrun)
		never_started(y, e, a);
	else
		say_nothing(y, a);
	*a->headline = (char)toupper(*a->headline);
}

/*
 * ---- The steps of the chain in words ----
 *
 * What happened, how long after its cause, by which rule of the policy, and the command that shows
 * it.
 */

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

static void why_words(const struct why *y, const struct effect *f, size_t i,
		      struct doze_why_step *o)
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

/* ---- Text and JSON ---- */

bool doze_why_answer(const struct doze_model *m, struct doze_why_answer *a)
{
	const struct why *y = why_of(m);

	if (!y || y->failed)
		return false;
	*a = (struct doze_why_answer){.truncated = y->effect.truncated, .delay = y->effect.delay};
	why_headline(y, &y->effect, a);
	for (; a->count < y->effect.count; a->count++)
		why_words(y, &y->effect, a->count, &a->step[a->count]);
	return true;
}

enum { INDENT = 14 }; /* indentation of a step's text, which follows its time */

static void print_step(const struct doze_why_step *s, const struct doze_model *m, const char *trace,
		       FILE *out)
{
	char text[sizeof s->text + sizeof s->rule + 160];
	int64_t at = s->ts - doze_model_totals(m)->first_ts;

	(void)snprintf(text, sizeof text, "%*s  %s.", INDENT - 2, doze_position(at, DOZE_LISTED),
		       s->text);
	doze_wrap(out, text, INDENT);
	fputc('\n', out);
	if (*s->rule) {
		(void)snprintf(text, sizeof text, "%*sRule: %s", INDENT, "", s->rule);
		doze_wrap(out, text, INDENT);
		fputc('\n', out);
	}
	fprintf(out, "%*sdoze %s %s\n", INDENT, "", s->command, trace ? trace : "DIR");
}

void doze_why_print(const struct doze_why_answer *a, const struct doze_model *m, const char *trace,
		    FILE *out)
{
	doze_wrap(out, a->headline, 0);
	fputc('\n', out);
	if (a->count)
		fputs("\nThe chain, backwards in time:\n", out);
	for (size_t i = 0; i < a->count; i++)
		print_step(&a->step[i], m, trace, out);
	if (a->truncated)
		fputs("Earlier links are left out: ask about an earlier time.\n", out);
}

static void json_step(struct doze_json *j, const struct doze_why_step *s, int64_t first)
{
	doze_json_open(j, NULL, '{');
	doze_json_int(j, "at", s->ts - first);
	doze_json_string(j, "event", doze_event_name(s->kind));
	doze_json_int(j, "worker", s->worker);
	doze_json_int(j, "vtid", s->vtid);
	doze_json_string(j, "text", s->text);
	doze_json_string(j, "rule", *s->rule ? s->rule : NULL);
	doze_json_string(j, "command", s->command);
	doze_json_close(j, '}');
}

void doze_why_json(const struct doze_why_answer *a, const struct doze_why_question *q,
		   const struct doze_model *m, const char *trace, FILE *out)
{
	struct doze_json j = {.out = out};

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "trace", trace);
	doze_json_string(&j, "question", q->text);
	doze_json_bool(&j, "found", a->found);
	doze_json_string(&j, "answer", a->headline);
	doze_json_int(&j, "delay", a->delay);
	doze_json_bool(&j, "truncated", a->truncated);
	doze_json_open(&j, "chain", '[');
	for (size_t i = 0; i < a->count; i++)
		json_step(&j, &a->step[i], doze_model_totals(m)->first_ts);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}
