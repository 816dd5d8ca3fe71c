/*
 * SPDX-License-Identifier: MIT
 *
 * headline.c - writes the answer in one line: how late the effect was, and the longest part of that
 * delay.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "../words/pool_words.h"
#include "../words/units.h"
#include "../words/waker_words.h"
#include "why_int.h"

#define MEANWHILE 2 /* maximum number of workers whose jobs are listed */

char *why_who(const struct why *y, char *out, uint32_t row, int32_t worker, int32_t vtid)
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

char *why_not_run(const struct why *y, char *out, size_t size, const struct step *wake)
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
		(void)snprintf(a->headline, sizeof a->headline,
			       "Job 0x%" PRIx64 " started, but its post is not recorded: how late "
			       "it was is unknown.",
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
		(void)snprintf(a->headline, sizeof a->headline,
			       "%s returned from its wait %s after the call that woke it; what it "
			       "waited for in between (a CPU, or the mutex) is not known. No "
			       "recorded thread took longer.",
			       who, doze_duration(e->delay));
		return;
	}
	(void)snprintf(a->headline, sizeof a->headline,
		       "%s ran %s after it was notified: %s. No recorded job waited longer.", who,
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
		(void)snprintf(a->headline, sizeof a->headline,
			       "Job 0x%" PRIx64
			       " was posted %s before the end of the trace and never started%s.",
			       job, doze_duration(e->delay), meanwhile(y, row, text, sizeof text));
	else
		(void)snprintf(a->headline, sizeof a->headline,
			       "Job 0x%" PRIx64 " was posted %s before the end of the trace, and "
			       "its start is not recorded.",
			       job, doze_duration(e->delay));
}

static void say_gap(const struct why *y, const struct effect *e, struct doze_why_answer *a)
{
	const uint32_t *in = y->moment.in_state;
	char by[WHY_WHO];
	int64_t first = doze_model_totals(y->model)->first_ts;

	if (doze_pool_is_crew(doze_model_pool(y->model, e->chain[0].row))) {
		(void)snprintf(a->headline, sizeof a->headline,
			       "No thread was on its way out of a wait then: %" PRIu32
			       " of %s waited. The next call that woke a thread was by %s, at %s.",
			       in[DOZE_STATE_sleeping],
			       doze_plural(in[DOZE_STATE_active] + in[DOZE_STATE_idle] +
					       in[DOZE_STATE_sleeping],
					   "thread"),
			       actor(y, by, &e->chain[0]),
			       doze_position(e->chain[0].e.ts - first, DOZE_LISTED));
		return;
	}
	(void)snprintf(a->headline, sizeof a->headline,
		       "No recorded job waited then: %s active, %" PRIu32 " searching, %" PRIu32
		       " asleep. The next job was posted by %s, at %s.",
		       doze_plural(in[DOZE_STATE_active], "worker"),
		       in[DOZE_STATE_idle] + in[DOZE_STATE_sleepy], in[DOZE_STATE_sleeping],
		       actor(y, by, &e->chain[0]),
		       doze_position(e->chain[0].e.ts - first, DOZE_LISTED));
}

static void say_nothing(const struct why *y, struct doze_why_answer *a)
{
	const struct doze_why_question *q = &y->question;

	a->found = false;
	if (doze_model_is_foreign(y->model))
		(void)snprintf(a->headline, sizeof a->headline,
			       "No thread was woken then, or the wake was not recorded.");
	else if (q->kind == DOZE_WHY_job)
		(void)snprintf(a->headline, sizeof a->headline,
			       "The trace contains neither the post nor the start of job 0x%" PRIx64
			       ": 'doze record --detail=all' records every job.",
			       q->job);
	else if (q->kind == DOZE_WHY_none)
		(void)snprintf(
		    a->headline, sizeof a->headline,
		    "Nothing was late: no recorded job waited, and no worker was woken.");
	else if (q->kind == DOZE_WHY_worker)
		(void)snprintf(a->headline, sizeof a->headline,
			       "Worker %" PRId32 " was never late: no recorded job waited for it, "
			       "and no thread woke it for work.",
			       q->worker);
	else
		(void)snprintf(a->headline, sizeof a->headline,
			       "No job or wake was pending then, and no job was posted later.");
}

void why_headline(const struct why *y, const struct effect *e, struct doze_why_answer *a)
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
