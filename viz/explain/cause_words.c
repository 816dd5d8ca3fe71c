/*
 * SPDX-License-Identifier: MIT
 *
 * cause_words.c - describes causes in words: what happened, the worst instance, and what to change.
 * Writes the verdict: the most important statement about a trace, in one line.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "../words/pool_words.h"
#include "../words/units.h"
#include "diagnose_int.h"
#include "foreign_program.h"
#include "symbols.h"

struct words {
	const struct diagnosis *d;
	const struct doze_diagnosis *part;
	const struct diag_pool *p;
	struct diag_part sums;    /* facts about the pool in the part */
	const struct instance *i; /* the worst instance; null: none is known in the part */
	struct doze_cause_entry *e;
};

#define SAY(field, ...) (void)snprintf(w->e->field, sizeof w->e->field, __VA_ARGS__)

#define MARGIN 10 /* the suggested command also shows 1/MARGIN of the length on both sides */

/* Return, in static buffers, a position in the trace and the cause's share of all worker time. */
static const char *at(const struct words *w, int64_t ts)
{
	return doze_position(ts - doze_model_totals(w->d->model)->first_ts, DOZE_LISTED);
}

static const char *share(const struct words *w)
{
	return doze_share(w->e->share, 1);
}

static const char *waker(const struct words *w, int32_t worker, int32_t vtid)
{
	return doze_waker_phrase(w->d->model, w->p->v->row, worker, vtid);
}

/* Sets the command line that shows the worst instance. */
static void show(const struct words *w, const char *command)
{
	int64_t margin = (w->e->end - w->e->at) / MARGIN + 1000;
	int64_t first = doze_model_totals(w->d->model)->first_ts;
	int64_t from = w->e->at - margin > first ? w->e->at - margin : first;

	SAY(command, "%s --from=%s --to=%s", command, at(w, from), at(w, w->e->end + margin));
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

/* Returns whether the pool is one of libdoze's, which have its functions, options and policies. */
static bool is_ours(const struct words *w)
{
	return w->p->v->rules != &doze_policy_unknown;
}

/* ---- One function per kind of trouble ---- */

static void say_stranded(struct words *w, const char *since)
{
	const struct doze_waiting_post *post = &w->i->post;

	if (post->known)
		SAY(cause,
		    "The pool hung at %s: a job that %s posted at %s is waiting, all "
		    "workers are asleep, and none was woken for it",
		    since, waker(w, post->poster, post->poster_vtid), at(w, post->ts));
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
	const char *since = at(w, w->e->at);

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
		    since, w->i->worker, at(w, post->ts));
		SAY(change,
		    "find out what that job is waiting for: another job of this pool, or an "
		    "outside thread%s",
		    is_ours(w) ? " that called doze_mark_unblocked too early or never" : "");
		break;
	default:
		say_stranded(w, since);
		SAY(change, "a post that finds all workers asleep must wake one");
	}
	SAY(evidence, "from then to the end of the trace, %s later, none of %s ran or searched%s",
	    doze_duration(w->e->end - w->e->at), doze_plural(w->i->n, "worker"),
	    w->i->m == DIAG_HANG_job ? posted(w) : "");
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
	SAY(evidence, "%s: %s%s", at(w, f->about), who, f->text);
	SAY(command, "check");
	SAY(change, "fix the pool: 'doze check' shows the events around each finding");
}

static void say_losses(struct words *w)
{
	SAY(cause, "Events were lost (at least %s), so %s of the workers' time is unknown",
	    doze_count(doze_model_totals(w->d->model)->discarded), share(w));
	SAY(evidence, "the longest loss begins at %s and lasts %s", at(w, w->e->at),
	    doze_duration(w->e->end - w->e->at));
	SAY(change, "record with a lower --detail, or enlarge /dev/shm so that more buffers fit");
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
		    at(w, post->ts), waker(w, post->poster, post->poster_vtid),
		    doze_plural(post->jobs, "job"),
		    post->wakes ? doze_plural(post->wakes, "worker") : "no worker",
		    why_asleep(post));
	else
		SAY(cause, "Jobs waited while workers slept");
	SAY(evidence,
	    "this happened %s; the worst instance began at %s and lasted %s, with up to %s "
	    "waiting%s",
	    doze_plural(w->e->times, "time"), at(w, w->e->at), doze_duration(w->e->end - w->e->at),
	    doze_plural(w->i->n, "job"), posted(w));
	if (!is_ours(w))
		SAY(change,
		    "this can happen under %s: let a post wake a worker for each job while "
		    "workers sleep, or publish the jobs in smaller batches",
		    policy(w));
	else
		SAY(change,
		    "this can happen under %s: publish the jobs in smaller batches or from several "
		    "threads, or try policy %s, which wakes more workers per batch",
		    policy(w), !strcmp(policy(w), "jec") ? "tickle" : "jec");
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
	    at(w, w->e->at), doze_duration((int64_t)w->i->cost), posted(w));
	SAY(change, "%s", advice(w, true));
	show(w, "storms");
}

static void say_chain(struct words *w)
{
	SAY(cause, "%s woke workers in vain; the most expensive one was due to %s (%s)",
	    doze_plural(w->e->times, "decision"), doze_cause_phrase(w->i->why),
	    waker(w, w->i->worker, w->i->vtid));
	if (w->i->n > w->i->m)
		SAY(evidence, "at %s, %s of %s searched for %s and found nothing%s",
		    at(w, w->e->at), doze_count(w->i->m), doze_plural(w->i->n, "worker"),
		    doze_duration((int64_t)w->i->cost), posted(w));
	else
		SAY(evidence, "at %s, %s searched for %s and found nothing%s", at(w, w->e->at),
		    doze_plural(w->i->m, "worker"), doze_duration((int64_t)w->i->cost), posted(w));
	SAY(change, "%s", advice(w, false));
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
		    share(w), waker(w, -1, o->vtid));
	else
		SAY(cause,
		    "Workers spent %s of their time searching for work when there was none, mostly "
		    "while one worker ran alone",
		    share(w));
	SAY(evidence,
	    "no worker was active for %s, and only one for %s; the longest search was by worker "
	    "%" PRId32 ", from %s",
	    doze_duration(with[0]), doze_duration(with[1]), w->e->worker, at(w, w->e->at));
	if (!doze_policy_has_state(w->p->v->rules, DOZE_STATE_sleeping))
		SAY(change, "workers never sleep under policy %s: use another policy", policy(w));
	else if (!is_ours(w))
		SAY(change, "shorten the serial work between the parallel loops or overlap it with "
			    "them, or let workers sleep sooner");
	else
		SAY(change,
		    "shorten the serial work between the parallel loops or overlap it with them, "
		    "or let workers sleep sooner (DOZE_ROUNDS_UNTIL_SLEEPING, now %" PRIu32 ")",
		    w->p->v->rounds_until_sleeping);
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
	    w->e->worker, doze_duration(w->e->end - w->e->at), at(w, w->e->at));
	SAY(evidence, "share of time by number of active workers: %s", share_of);
	SAY(change, "split the longest job or start it first, or overlap the serial part with the "
		    "parallel one");
}

static void say_small(struct words *w)
{
	SAY(cause,
	    "Jobs are too small to be worth a wake: %s, including the search after each, took "
	    "longer than the jobs of the woken worker",
	    doze_plural(w->e->times, "wake"));
	SAY(evidence, "a wake and its search cost %s on average, not counting the waker's time",
	    doze_duration(w->e->times ? w->e->cost / (int64_t)w->e->times : 0));
	SAY(change, "publish several jobs together%s, or merge them into one job",
	    is_ours(w) ? " (doze_spawn_many)" : "");
}

/* Returns whether workers had nothing to do mostly while a single one was active, and not while
 * none was. */
static bool beside_one_job(const struct words *w)
{
	uint32_t cpus = diag_cpus(w->d);
	uint32_t usable = cpus && cpus < w->p->v->workers ? cpus : w->p->v->workers;
	double none = (double)w->sums.profile[0] * usable;
	double one = (double)w->sums.profile[1] * (usable - 1);

	return 2 * none < (double)w->e->cost && 2 * one > (double)w->e->cost;
}

static void say_outside(struct words *w)
{
	struct outsider o = diag_waited_for(&w->sums);
	const struct doze_thread_view *thread =
	    o.vtid >= 0 ? doze_model_thread(w->d->model, w->p->v->row, o.vtid) : NULL;

	if (o.times && beside_one_job(w))
		SAY(cause,
		    "Workers had nothing to do for %s of the run, mostly while another one had the "
		    "only job: %s posted few jobs at a time",
		    share(w), o.vtid >= 0 ? waker(w, -1, o.vtid) : "outside threads");
	else if (o.times)
		SAY(cause,
		    "The pool had nothing to do for %s of the run: it waited for %s %s, %s in all",
		    share(w),
		    o.vtid >= 0 ? waker(w, -1, o.vtid)
				: "outside threads (their posts are not recorded while no worker "
				  "sleeps)",
		    doze_plural(o.times, "time"), doze_duration(o.ns));
	else
		SAY(cause,
		    "The pool had nothing to do for %s of the run, and no outside thread posted "
		    "anything",
		    share(w));
	SAY(evidence, "the longest such period began at %s and lasted %s", at(w, w->e->at),
	    doze_duration(w->e->end - w->e->at));
	if (thread && thread->worker)
		SAY(change, "this pool waits for work that the other pool does for it: give the "
			    "other pool more workers, or do that work in this pool");
	else
		SAY(change, "make that thread post earlier or post more jobs at a time, or move "
			    "its work into the pool; the pool itself is not the cause");
}

/* ---- Workers that had no CPU, and jobs that did not want one ---- */

#define MANY   16  /* as many times more workers than CPUs are named as the mistake */
#define LISTED 3   /* maximum number of workers of a standstill that are listed */
#define FUTILE 0.2 /* minimum share of futile wakes that is mentioned then */

static void crowded_by_other_pools(struct words *w)
{
	SAY(cause,
	    "More workers than CPUs: up to %" PRIu32 " of this pool and %" PRIu32
	    " of other pools ran jobs on %s, so some had to wait",
	    w->i->n, w->i->m, doze_plural(diag_cpus(w->d), "CPU"));
	SAY(change, "use one pool for all of this work, or give all pools together at most as many "
		    "workers as there are CPUs");
}

/* Returns a phrase on the share of futile wakes, "" if it is small. */
static const char *in_vain(const struct words *w)
{
	static char text[80];
	double futile = doze_model_futile_ratio(w->d->model);

	text[0] = 0;
	if (futile >= FUTILE)
		(void)snprintf(text, sizeof text, "; %s of %s were in vain", doze_share(futile, 1),
			       doze_plural(doze_model_totals(w->d->model)->woken, "wake"));
	return text;
}

static void crowded_by_itself(struct words *w)
{
	uint32_t cpus = diag_cpus(w->d), workers = diag_workers(w->p->v);

	if (workers >= MANY * cpus)
		SAY(cause, "%s for %s: up to %" PRIu32 " had jobs at once, so most had to wait%s",
		    doze_plural(workers, "worker"), doze_plural(cpus, "CPU"), w->i->n, in_vain(w));
	else
		SAY(cause,
		    "More workers than CPUs: up to %" PRIu32 " ran jobs on %s, so some had to wait",
		    w->i->n, doze_plural(cpus, "CPU"));
	if (is_ours(w))
		SAY(change,
		    "use as many workers as CPUs: --workers=%" PRIu32 " or DOZE_NUM_THREADS", cpus);
	else
		SAY(change, "use as many workers as CPUs: %" PRIu32, cpus);
}

static void say_crowded(struct words *w)
{
	if (w->i->m)
		crowded_by_other_pools(w);
	else
		crowded_by_itself(w);
	if (w->p->cpu_wall > 0)
		SAY(evidence,
		    "according to their CPU times, awake workers had a CPU for %s of the time",
		    doze_share(w->p->cpu_ns, w->p->cpu_wall));
	else
		SAY(evidence,
		    "estimated from the CPUs on which events were recorded; the trace has "
		    "no CPU times for these workers");
}

/* Describes workers whose masks contain too few CPUs. Member m of the instance is the group. */
static void say_pinned(struct words *w)
{
	const struct doze_cpu_set *cpus = &w->p->group[w->i->m].cpus;
	char list[64];

	(void)diag_cpu_list(cpus, list, sizeof list);
	SAY(cause,
	    "The workers are pinned: up to %" PRIu32 " ran jobs on %s, while the machine has %s",
	    w->i->n, doze_plural(cpus->count, "CPU"), doze_plural(w->d->cpus_online, "CPU"));
	SAY(evidence,
	    "%s may run only on %s%s; according to their CPU times, awake workers had a CPU for "
	    "%s of the time",
	    doze_plural(w->p->group[w->i->m].workers, "worker"),
	    *list ? cpus->count == 1 ? "CPU " : "CPUs " : "few CPUs", list,
	    doze_share(w->p->cpu_ns, w->p->cpu_wall));
	SAY(change,
	    "create the pool in a thread that may use all CPUs: workers inherit the affinity mask "
	    "of their creator (taskset, sched_setaffinity, OMP_PROC_BIND); or use %s%s",
	    doze_plural(cpus->count, "worker"), is_ours(w) ? " (--workers)" : "");
}

/* Describes a CPU quota that stopped the workers. */
static void say_throttled(struct words *w)
{
	double cpus = (double)w->p->quota.milli / 1000;

	SAY(cause,
	    "A CPU quota stopped the workers: the control group may use %.3g of the machine's %s",
	    cpus, doze_plural(w->d->cpus_online, "CPU"));
	SAY(evidence,
	    "according to the kernel's totals, throttling took %s of the usable time (an "
	    "estimate); "
	    "most of it in the %s from %s",
	    share(w), doze_duration(w->e->end - w->e->at), at(w, w->e->at));
	SAY(change,
	    "raise the quota (cpu.max of the control group, docker --cpus, limits.cpu in "
	    "Kubernetes), or use at most as many workers as it allows: %s%.0f",
	    is_ours(w) ? "--workers=" : "", cpus < 1 ? 1 : cpus);
}

static void off_cpu_evidence(struct words *w, const struct off_cpu_sums *off)
{
	char delay[80] = "";

	if (off->delay_is_known)
		(void)snprintf(
		    delay, sizeof delay, " and at most %s waiting for a CPU",
		    doze_share(off->delay < off->off ? off->delay : off->off, off->active));
	SAY(evidence,
	    "according to CPU times, jobs took %s, %s of it on a CPU%s; the longest time off the "
	    "CPU was %s, on worker %" PRId32 ", from %s",
	    doze_duration((int64_t)off->active), doze_share(off->cpu, off->active), delay,
	    doze_duration((int64_t)w->i->cost), w->e->worker, at(w, w->e->at));
}

static void say_off_cpu(struct words *w)
{
	struct off_cpu_sums off = diag_off_sums(w->d, w->p);

	if (off.delay_is_known)
		SAY(cause,
		    "Jobs were off the CPU for %s of the run: they waited for locks or files, or "
		    "slept, but did not wait for a CPU",
		    share(w));
	else
		SAY(cause,
		    "Jobs were off the CPU for %s of the run: they waited for locks or files, or "
		    "for a CPU",
		    share(w));
	off_cpu_evidence(w, &off);
	SAY(change, "find out what the jobs wait for ('strace -f -c' counts system calls): hold "
		    "locks for a shorter time or split them; for calls that block, give the pool "
		    "more workers than CPUs, or make the calls from other threads");
}

/* Lists what the running workers do. */
static void list_workers(const struct words *w, char *out, size_t size)
{
	uint32_t listed = 0;
	size_t n = 0;

	out[0] = 0;
	for (int32_t i = 0; i < (int32_t)w->p->v->index_end && n < size; i++) {
		const struct doze_worker_view *v = doze_pool_worker(w->p->v, i);
		const struct running *r;

		if (!v || v->state != DOZE_STATE_active || v->key.row >= w->d->workers ||
		    listed++ >= LISTED)
			continue;
		r = &w->d->worker[v->key.row].running;
		n += (size_t)snprintf(out + n, size - n, "%sworker %" PRId32, n ? ", " : "", i);
		if (r->id && n < size)
			n += (size_t)snprintf(
			    out + n, size - n, " in job 0x%" PRIx64 " since %s%s", r->id,
			    at(w, r->ts),
			    r->depth > 1 ? ", which it began in a wait of another job" : "");
	}
	if (listed > LISTED && n < size)
		(void)snprintf(out + n, size - n, " and %" PRIu32 " more", listed - LISTED);
}

/* Returns a phrase on where the first waiting job was posted, or on why that is unknown. */
static const char *first_posted(const struct words *w)
{
	static char text[160];
	const char *posted = doze_symbols_posted(w->d->model, w->p->v, w->i->post.caller);

	text[0] = 0;
	if (!w->p->v->jobs_level)
		return "; whether jobs wait in queues is not recorded below level all";
	if (w->i->m && w->i->post.known && *posted) /* ", posted at ..." */
		(void)snprintf(text, sizeof text, "; the first waiting job was%s", posted + 1);
	return text;
}

static void say_standstill(struct words *w)
{
	char workers[200], waiting[120] = "";
	const struct doze_waiting_post *post = &w->i->post;

	if (w->i->m && post->known)
		(void)snprintf(waiting, sizeof waiting, "; %s in queues, the first since %s",
			       doze_plural(w->i->m, "job"), at(w, post->ts));
	else if (w->i->m)
		(void)snprintf(waiting, sizeof waiting, "; %s in queues",
			       doze_plural(w->i->m, "job"));
	SAY(cause,
	    "The pool has stood still since %s: %s off the CPU, and no job has begun or ended%s",
	    at(w, w->e->at), w->i->n == 1 ? "the only running job waits" : "all running jobs wait",
	    waiting);
	list_workers(w, workers, sizeof workers);
	SAY(evidence, "%s; no CPU time grows until the trace ends, %s later%s", workers,
	    doze_duration(w->e->end - w->e->at), first_posted(w));
	SAY(change,
	    "a job waits for one that is queued behind it, or for a lock whose holder waits%s",
	    !is_ours(w)
		? ""
		: ": wait for jobs only with joins, scopes or futures, and hold no lock across a "
		  "nested loop or wait of the same pool, because the waiting worker runs other "
		  "jobs, which may need that lock");
}

/* Describes a cause that has no known instance in the part. */
static void say_in_general(struct words *w)
{
	SAY(cause, "%s", doze_trouble_about(w->e->kind));
	w->e->cause[0] = (char)toupper((unsigned char)w->e->cause[0]);
	SAY(evidence, "the range is so short that no single instance is known");
	SAY(change, "select a longer range to see the worst instance");
}

/* ---- Why the confidence is not high ---- */

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
	    [DOZE_TROUBLE_crowded] = say_crowded,
	    [DOZE_TROUBLE_serial] = say_serial,
	    [DOZE_TROUBLE_small] = say_small,
	    [DOZE_TROUBLE_outside] = say_outside,
	    [DOZE_TROUBLE_offcpu] = say_off_cpu,
	    [DOZE_TROUBLE_pinned] = say_pinned,
	    [DOZE_TROUBLE_throttled] = say_throttled,
	    [DOZE_TROUBLE_standstill] = say_standstill,
	};
	struct words w = {.d = d, .part = part, .p = d->pool[e->pool_row], .i = i, .e = e};

	w.sums = diag_part(w.p, part->from, part->to);
	e->times = w.sums.times[e->kind];
	show(&w, "timeline");
	if (i || e->kind == DOZE_TROUBLE_breach)
		say[e->kind](&w);
	else
		say_in_general(&w);
	doubt(&w);
}

/* ---- The verdict ---- */

#define KNOWN 0.9  /* minimum share of the jobs' time for which the CPU time must be known */
#define CROWD 0.04 /* minimum share of time lost to other programs that is mentioned */

static double part_of(const struct doze_diagnosis *out, enum doze_trouble k)
{
	return out->usable_ns ? (double)out->cost[k] / (double)out->usable_ns : 0;
}

static enum doze_trouble largest(const struct doze_diagnosis *out)
{
	enum doze_trouble most = DOZE_TROUBLE_asleep;

	for (int k = 0; k < DOZE_TROUBLE_COUNT; k++)
		if (out->cost[k] > out->cost[most])
			most = (enum doze_trouble)k;
	return most;
}

/* Returns the part of a wait for a CPU that is due to masks and quotas. */
static double kept_off(const struct diag_pool *p, double delay)
{
	double ns = diag_cost_in(&p->costs, DOZE_TROUBLE_pinned, INT64_MIN, INT64_MAX) +
		    diag_cost_in(&p->costs, DOZE_TROUBLE_throttled, INT64_MIN, INT64_MAX);

	return ns < delay ? ns : delay;
}

/* Returns a sentence on the CPU time of the jobs, in a static buffer. */
static const char *on_a_cpu(const struct diagnosis *d, const struct doze_diagnosis *out)
{
	static char text[240];
	struct off_cpu_sums all = {0};

	for (size_t i = 0; i < d->pools; i++) {
		struct off_cpu_sums one = {0};

		if (d->pool[i] && d->pool[i]->begun)
			one = diag_off_sums(d, d->pool[i]);
		all.active += one.active;
		all.cpu += one.cpu;
		all.delay += one.delay;
		if (d->pool[i] && d->pool[i]->begun)
			all.delay -= kept_off(d->pool[i], one.delay);
	}
	if (all.active < KNOWN * (double)out->active)
		return "The trace does not show what the jobs themselves waited for, such as a "
		       "lock or a file.";
	(void)snprintf(text, sizeof text, "Jobs had a CPU for %s of their time",
		       doze_share(all.cpu, all.active));
	if (all.delay >= CROWD * all.active)
		(void)snprintf(
		    text + strlen(text), sizeof text - strlen(text),
		    d->cpus_online ? "; other threads or programs used the CPUs for up to %s of it"
				   : "; for up to %s of it they waited for one: because of other "
				     "threads or programs, a CPU mask or a quota",
		    doze_share(all.delay < all.active ? all.delay : all.active, all.active));
	return strcat(text, ".");
}

static void say_healthy(const struct diagnosis *d, struct doze_diagnosis *out)
{
	enum doze_trouble most = largest(out);

	if (!out->worker_ns) {
		(void)snprintf(out->verdict, sizeof out->verdict,
			       "Nothing to diagnose: the trace shows no workers.");
		return;
	}
	(void)snprintf(out->verdict, sizeof out->verdict,
		       "%s: the workers ran jobs for %s of their time, and no cost is above %s "
		       "(the largest: %s, %s). %s",
		       out->conclusive ? "Nothing is wrong with the pool"
				       : "Nothing found, but events are missing or the trace "
					 "ends early",
		       doze_share((double)out->active, (double)out->worker_ns), "4 %",
		       doze_trouble_name(most), doze_share(part_of(out, most), 1),
		       on_a_cpu(d, out));
}

static void end_with(struct doze_diagnosis *out, size_t at, const char *text)
{
	(void)snprintf(out->verdict + at, sizeof out->verdict - at, "%s", text);
}

/* Writes the verdict on a program without libdoze. */
static void say_foreign(const struct doze_model *m, struct doze_diagnosis *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	struct doze_foreign f;

	doze_foreign_take(m, &f);
	doze_foreign_verdict(&f, out->verdict, sizeof out->verdict);
	if (t->findings && (t->certain || (!t->missing && !t->discarded)))
		end_with(out, strlen(out->verdict),
			 " The trace contradicts itself: see 'doze check'.");
	else if (!out->conclusive && !f.counted)
		end_with(
		    out, strlen(out->verdict),
		    " Inconclusive: events were lost or are missing, or the trace ends early.");
}

void diag_verdict(const struct diagnosis *d, struct doze_diagnosis *out)
{
	const struct doze_cause_entry *e = out->cause;
	const char *pool = out->count ? doze_pool_words(d->model, e->pool_row) : "";

	if (out->foreign) {
		say_foreign(d->model, out);
		return;
	}
	if (!out->count) {
		say_healthy(d, out);
		return;
	}
	(void)snprintf(out->verdict, sizeof out->verdict, "%s%s%s%s%s%s%s.", pool,
		       *pool ? ": " : "", e->cause, e->cost ? " (" : "",
		       e->cost ? doze_duration(e->cost) : "", e->cost ? " of worker time, " : "",
		       e->cost ? doze_share(e->share, 1) : "");
	if (e->cost)
		end_with(out, strlen(out->verdict) - 1, ").");
	if (e->sure == DOZE_SURE_low)
		end_with(
		    out, strlen(out->verdict),
		    " Inconclusive: events were lost or are missing, or the trace ends early.");
}
