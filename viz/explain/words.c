/*
 * SPDX-License-Identifier: MIT
 *
 * words.c - describes causes in words: what happened, the worst instance, and what to change.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "../words/units.h"
#include "../words/waker_words.h"
#include "symbols.h"
#include "words_int.h"

#define MARGIN 10 /* the suggested command also shows 1/MARGIN of the length on both sides */

const char *diag_words_at(const struct words *w, int64_t ts)
{
	return doze_position(ts - doze_model_totals(w->d->model)->first_ts, DOZE_LISTED);
}

const char *diag_words_share(const struct words *w)
{
	return doze_share(w->e->share, 1);
}

static const char *waker(const struct words *w, int32_t worker, int32_t vtid)
{
	return doze_waker_phrase(w->d->model, w->p->v->row, worker, vtid);
}

void diag_words_show(const struct words *w, const char *command)
{
	int64_t margin = (w->e->end - w->e->at) / MARGIN + 1000;
	int64_t first = doze_model_totals(w->d->model)->first_ts;
	int64_t from = w->e->at - margin > first ? w->e->at - margin : first;

	SAY(command, "%s --from=%s --to=%s", command, diag_words_at(w, from),
	    diag_words_at(w, w->e->end + margin));
}

/* Returns a phrase that names the code that posted the jobs of the worst instance. */
static const char *posted(const struct words *w)
{
	return doze_symbols_posted(w->d->model, w->p->v, w->i->post.caller);
}

static const char *policy(const struct words *w)
{
	return w->p->v->policy;
}

/* ---- describing a cause: one function per kind of trouble ---- */

static void say_stranded(struct words *w, const char *since)
{
	const struct doze_waiting_post *post = &w->i->post;

	if (post->known)
		SAY(cause,
		    "The pool hung at %s: a job that %s posted at %s is waiting, all "
		    "workers are asleep, and none was woken for it",
		    since, waker(w, post->poster, post->poster_vtid), diag_words_at(w, post->ts));
	else
		SAY(cause,
		    "The pool hung at %s: a job is waiting in a queue, all workers are "
		    "asleep, and none was woken for it",
		    since);
}

static void say_hang(struct words *w)
{
	const struct doze_waiting_post *post = &w->i->post;
	char latch[DOZE_LATCH_NAME];
	const char *since = diag_words_at(w, w->e->at);

	switch (w->i->m) {
	case DIAG_HANG_latch:
		SAY(cause,
		    "The pool hung at %s: worker %" PRId32
		    " is asleep on latch %s, which %s set without waking it",
		    since, w->i->worker,
		    doze_model_latch_name(w->d->model, w->p->v, post->decision_id, latch),
		    waker(w, post->poster, post->poster_vtid));
		SAY(change, "a thread that sets a latch must wake the latch's owner if the owner "
			    "is asleep on it");
		break;
	case DIAG_HANG_end:
		SAY(cause,
		    "The pool's termination hung at %s: worker %" PRId32
		    " is asleep, and %s, which terminated the pool, did not wake it",
		    since, w->i->worker, waker(w, post->poster, post->poster_vtid));
		SAY(change, "termination must wake every sleeper");
		break;
	case DIAG_HANG_blocked:
		SAY(cause,
		    "The pool hung at %s: no worker is running, and worker %" PRId32
		    ", marked as blocked at %s, is waiting for something outside the pool that "
		    "never happened; the trace does not show what it is",
		    since, w->i->worker, diag_words_at(w, post->ts));
		SAY(change, "find out what that job is waiting for: another job of this pool, or "
			    "an outside thread that called doze_mark_unblocked too early or never");
		break;
	default:
		say_stranded(w, since);
		SAY(change, "a post that finds all workers asleep must wake one");
	}
	SAY(evidence, "from then to the end of the trace, %s later, none of %s ran or searched%s",
	    doze_duration(w->e->end - w->e->at), doze_plural(w->i->n, "worker"),
	    w->i->m == DIAG_HANG_job ? posted(w) : "");
	diag_words_show(w, "timeline");
}

static void say_breach(struct words *w)
{
	const struct doze_finding *f = &w->d->finding.first;
	uint64_t n = doze_model_totals(w->d->model)->findings;
	char who[24] = "";

	w->e->at = f->about;
	w->e->end = f->ts;
	w->e->times = n;
	w->e->worker = f->who.index;
	if (f->who.index >= 0)
		(void)snprintf(who, sizeof who, "worker %" PRId32 ": ", f->who.index);
	SAY(cause, "The pool broke its policy's protocol: %s; the first concerns rule '%s'",
	    doze_plural(n, "finding"), f->rule);
	SAY(evidence, "%s: %s%s", diag_words_at(w, f->about), who, f->text);
	SAY(command, "check");
	SAY(change, "fix the pool: 'doze check' shows the events around each finding");
}

static void say_losses(struct words *w)
{
	SAY(cause, "Events were lost (at least %s), so %s of the workers' time is unknown",
	    doze_count(doze_model_totals(w->d->model)->discarded), diag_words_share(w));
	SAY(evidence, "the longest loss begins at %s and lasts %s", diag_words_at(w, w->e->at),
	    doze_duration(w->e->end - w->e->at));
	SAY(change, "record with a lower --detail, or enlarge /dev/shm so that more buffers fit");
	diag_words_show(w, "timeline");
}

static const char *why_asleep(const struct doze_waiting_post *post)
{
	switch (doze_underwake_why(post)) {
	case DOZE_UNDERWAKE_woke:
		return "that was too few";
	case DOZE_UNDERWAKE_idle:
		return "a worker was already searching";
	case DOZE_UNDERWAKE_none_asleep:
		return "no worker was asleep at that time";
	case DOZE_UNDERWAKE_rule:
		return "the policy's rule required no wake";
	default:
		return "the post was not recorded";
	}
}

static void say_asleep(struct words *w)
{
	const struct doze_waiting_post *post = &w->i->post;

	if (post->known)
		SAY(cause,
		    "Jobs waited while workers slept: at %s, %s published %s and woke %s; %s",
		    diag_words_at(w, post->ts), waker(w, post->poster, post->poster_vtid),
		    doze_plural(post->jobs, "job"),
		    post->wakes ? doze_plural(post->wakes, "worker") : "no worker",
		    why_asleep(post));
	else
		SAY(cause, "Jobs waited while workers slept");
	SAY(evidence,
	    "this happened %s; the worst instance began at %s and lasted %s, with up to %s "
	    "waiting%s",
	    doze_plural(w->e->times, "time"), diag_words_at(w, w->e->at),
	    doze_duration(w->e->end - w->e->at), doze_plural(w->i->n, "job"), posted(w));
	SAY(change,
	    "this can happen under %s: publish the jobs in smaller batches or from several "
	    "threads, or try policy %s, which wakes more workers per batch",
	    policy(w), !strcmp(policy(w), "jec") ? "tickle" : "jec");
	diag_words_show(w, "timeline");
}

static const char *advice(const struct words *w, bool herd)
{
	return doze_policy_advice(w->p->v->rules, w->i->why, herd);
}

static void say_storm(struct words *w)
{
	SAY(cause,
	    "Wakeup storms: %s by %s woke %s for %s, and %" PRIu32 " found nothing; %s in all",
	    doze_cause_phrase(w->i->why), waker(w, w->i->worker, w->i->vtid),
	    doze_plural(w->i->n, "worker"), doze_plural(w->i->post.jobs, "job"), w->i->m,
	    doze_plural(w->e->times, "such decision"));
	SAY(evidence, "the most expensive decision, at %s, cost %s of futile search%s",
	    diag_words_at(w, w->e->at), doze_duration((int64_t)w->i->cost), posted(w));
	SAY(change, "%s", advice(w, true));
	diag_words_show(w, "storms");
}

static void say_chain(struct words *w)
{
	SAY(cause, "%s woke workers in vain; the most expensive one was due to %s (%s)",
	    doze_plural(w->e->times, "decision"), doze_cause_phrase(w->i->why),
	    waker(w, w->i->worker, w->i->vtid));
	if (w->i->n > w->i->m)
		SAY(evidence, "at %s, %s of %s searched for %s and found nothing%s",
		    diag_words_at(w, w->e->at), doze_count(w->i->m), doze_plural(w->i->n, "worker"),
		    doze_duration((int64_t)w->i->cost), posted(w));
	else
		SAY(evidence, "at %s, %s searched for %s and found nothing%s",
		    diag_words_at(w, w->e->at), doze_plural(w->i->m, "worker"),
		    doze_duration((int64_t)w->i->cost), posted(w));
	SAY(change, "%s", advice(w, false));
	diag_words_show(w, "timeline");
}

static void say_burn(struct words *w)
{
	const struct outsider *o = diag_slowest(&w->sums);
	const int64_t *with = w->sums.profile;
	bool outside = o && with[0] > with[1];

	if (outside)
		SAY(cause,
		    "Workers spent %s of their time searching for work when there was none, mostly "
		    "while %s worked",
		    diag_words_share(w), waker(w, -1, o->vtid));
	else
		SAY(cause,
		    "Workers spent %s of their time searching for work when there was none, mostly "
		    "while one worker ran alone",
		    diag_words_share(w));
	SAY(evidence,
	    "no worker was active for %s, and only one for %s; the longest search was by worker "
	    "%" PRId32 ", from %s",
	    doze_duration(with[0]), doze_duration(with[1]), w->e->worker,
	    diag_words_at(w, w->e->at));
	if (!doze_policy_has_state(w->p->v->rules, DOZE_STATE_sleeping))
		SAY(change, "workers never sleep under policy %s: use another policy", policy(w));
	else
		SAY(change,
		    "shorten the serial work between the parallel loops or overlap it with them, "
		    "or let workers sleep sooner (DOZE_ROUNDS_UNTIL_SLEEPING, now %" PRIu32 ")",
		    w->p->v->rounds_until_sleeping);
	diag_words_show(w, "timeline");
}

/* Writes the share of time with 0, 1, 2 … active workers, leaving out tiny shares. */
static void profile(const struct words *w, char *out, size_t size)
{
	int64_t all = 0;
	size_t n = 0;

	for (int k = 0; k < PROFILE; k++)
		all += w->sums.profile[k];
	for (int k = 0; k < PROFILE && n < size; k++)
		if ((double)w->sums.profile[k] >= 0.005 * (double)all)
			n += (size_t)snprintf(out + n, size - n, "%s%d %s", n ? ", " : "", k,
					      doze_share((double)w->sums.profile[k], (double)all));
}

static void say_serial(struct words *w)
{
	char share_of[120] = "";

	profile(w, share_of, sizeof share_of);
	SAY(cause,
	    "For long periods only one worker was active; the longest: worker %" PRId32
	    " ran alone for %s from %s",
	    w->e->worker, doze_duration(w->e->end - w->e->at), diag_words_at(w, w->e->at));
	SAY(evidence, "share of time by number of active workers: %s", share_of);
	SAY(change, "split the longest job or start it first, or overlap the serial part with the "
		    "parallel one");
	diag_words_show(w, "timeline");
}

static void say_small(struct words *w)
{
	SAY(cause,
	    "Jobs are too small to be worth a wake: %s, including the search after each, took "
	    "longer than the jobs of the woken worker",
	    doze_plural(w->e->times, "wake"));
	SAY(evidence, "a wake and its search cost %s on average, not counting the waker's time",
	    doze_duration(w->e->times ? w->e->cost / (int64_t)w->e->times : 0));
	SAY(change, "publish several jobs together (doze_spawn_many), or merge them into one job");
	diag_words_show(w, "timeline");
}

static void say_outside(struct words *w)
{
	struct outsider o = diag_waited_for(&w->sums);
	const struct doze_thread_view *thread =
	    o.vtid >= 0 ? doze_model_thread(w->d->model, w->p->v->row, o.vtid) : NULL;

	if (o.times)
		SAY(cause,
		    "The pool had nothing to do for %s of the run: it waited for %s %s, %s in all",
		    diag_words_share(w),
		    o.vtid >= 0 ? waker(w, -1, o.vtid)
				: "outside threads (their posts are not recorded while no worker "
				  "sleeps)",
		    doze_plural(o.times, "time"), doze_duration(o.ns));
	else
		SAY(cause,
		    "The pool had nothing to do for %s of the run, and no outside thread posted "
		    "anything",
		    diag_words_share(w));
	SAY(evidence, "the longest such period began at %s and lasted %s",
	    diag_words_at(w, w->e->at), doze_duration(w->e->end - w->e->at));
	if (thread && thread->worker)
		SAY(change, "this pool waits for work that the other pool does for it: give the "
			    "other pool more workers, or do that work in this pool");
	else
		SAY(change, "make that thread post earlier or post more jobs at a time, or move "
			    "its work into the pool; the pool itself is not the cause");
	diag_words_show(w, "timeline");
}

/* Describes a cause that has no known instance in the part. */
static void say_in_general(struct words *w)
{
	SAY(cause, "%s", doze_trouble_about(w->e->kind));
	w->e->cause[0] = (char)toupper((unsigned char)w->e->cause[0]);
	SAY(evidence, "the range is so short that no single instance is known");
	SAY(change, "select a longer range to see the worst instance");
	diag_words_show(w, "timeline");
}

/* ---- why the confidence is not high ---- */

static void doubt(struct words *w)
{
	enum doze_trouble k = w->e->kind;
	bool search = k == DOZE_TROUBLE_storm || k == DOZE_TROUBLE_chain ||
		      k == DOZE_TROUBLE_burn || k == DOZE_TROUBLE_small;

	w->e->sure = DOZE_SURE_high;
	if (k != DOZE_TROUBLE_hang && k != DOZE_TROUBLE_standstill && k != DOZE_TROUBLE_losses &&
	    !w->part->conclusive) {
		w->e->sure = DOZE_SURE_low;
		SAY(doubt, "events were lost or are missing, or the trace ends early");
	} else if ((search || k == DOZE_TROUBLE_crowded) && w->p->cpu_wall <= 0) {
		w->e->sure = DOZE_SURE_medium;
		SAY(doubt,
		    "the trace has no CPU times, so time spent waiting for a CPU is counted too");
	} else if (k == DOZE_TROUBLE_offcpu && !diag_off_sums(w->d, w->p).delay_is_known) {
		w->e->sure = DOZE_SURE_medium;
		SAY(doubt, "the trace does not show how long the workers waited for a CPU");
	} else if (k == DOZE_TROUBLE_asleep && !w->p->v->jobs_level) {
		w->e->sure = DOZE_SURE_medium;
		SAY(doubt, "below level all, jobs are recorded only while a worker is asleep");
	}
}

void diag_words(const struct diagnosis *d, const struct doze_diagnosis *part,
		struct doze_cause_entry *e, const struct instance *i)
{
	static void (*const say[])(struct words *) = {
	    [DOZE_TROUBLE_hang] = say_hang,
	    [DOZE_TROUBLE_breach] = say_breach,
	    [DOZE_TROUBLE_losses] = say_losses,
	    [DOZE_TROUBLE_asleep] = say_asleep,
	    [DOZE_TROUBLE_storm] = say_storm,
	    [DOZE_TROUBLE_chain] = say_chain,
	    [DOZE_TROUBLE_burn] = say_burn,
	    [DOZE_TROUBLE_crowded] = diag_words_crowded,
	    [DOZE_TROUBLE_serial] = say_serial,
	    [DOZE_TROUBLE_small] = say_small,
	    [DOZE_TROUBLE_outside] = say_outside,
	    [DOZE_TROUBLE_offcpu] = diag_words_off_cpu,
	    [DOZE_TROUBLE_pinned] = diag_words_pinned,
	    [DOZE_TROUBLE_throttled] = diag_words_throttled,
	    [DOZE_TROUBLE_standstill] = diag_words_standstill,
	};
	struct words w = {.d = d, .part = part, .p = d->pool[e->pool_row], .i = i, .e = e};

	w.sums = diag_part(w.p, part->from, part->to);
	e->times = w.sums.times[e->kind];
	if (i || e->kind == DOZE_TROUBLE_breach)
		say[e->kind](&w);
	else
		say_in_general(&w);
	doubt(&w);
}
