/*
 * SPDX-License-Identifier: MIT
 *
 * words_cpu.c - describes causes in words: workers that had no CPU, and jobs that did not want one.
 */
#include <inttypes.h>

#include "../words/units.h"
#include "symbols.h"
#include "words_int.h"

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
	SAY(change, "use as many workers as CPUs: --workers=%" PRIu32 " or DOZE_NUM_THREADS",
	    diag_cpus(w->d));
}

void diag_words_crowded(struct words *w)
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
	diag_words_show(w, "timeline");
}

/* Describes workers whose masks contain too few CPUs. Member m of the instance is the group. */
void diag_words_pinned(struct words *w)
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
	    "of their creator (taskset, sched_setaffinity, OMP_PROC_BIND); or use %s: "
	    "--workers=%" PRIu32,
	    doze_plural(cpus->count, "worker"), cpus->count);
	diag_words_show(w, "timeline");
}

/* Describes a CPU quota that stopped the workers. */
void diag_words_throttled(struct words *w)
{
	double cpus = (double)w->p->quota.milli / 1000;

	SAY(cause,
	    "A CPU quota stopped the workers: the control group may use %.3g of the machine's %s",
	    cpus, doze_plural(w->d->cpus_online, "CPU"));
	SAY(evidence,
	    "according to the kernel's totals, throttling took %s of the usable time (an "
	    "estimate); "
	    "most of it in the %s from %s",
	    diag_words_share(w), doze_duration(w->e->end - w->e->at), diag_words_at(w, w->e->at));
	SAY(change,
	    "raise the quota (cpu.max of the control group, docker --cpus, limits.cpu in "
	    "Kubernetes), or use at most as many workers as it allows: --workers=%.0f",
	    cpus < 1 ? 1 : cpus);
	diag_words_show(w, "timeline");
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
	    doze_duration((int64_t)w->i->cost), w->e->worker, diag_words_at(w, w->e->at));
}

void diag_words_off_cpu(struct words *w)
{
	struct off_cpu_sums off = diag_off_sums(w->d, w->p);

	if (off.delay_is_known)
		SAY(cause,
		    "Jobs were off the CPU for %s of the run: they waited for locks or files, or "
		    "slept, but did not wait for a CPU",
		    diag_words_share(w));
	else
		SAY(cause,
		    "Jobs were off the CPU for %s of the run: they waited for locks or files, or "
		    "for a CPU",
		    diag_words_share(w));
	off_cpu_evidence(w, &off);
	SAY(change, "find out what the jobs wait for ('strace -f -c' counts system calls): hold "
		    "locks for a shorter time or split them; for calls that block, give the pool "
		    "more workers than CPUs, or make the calls from other threads");
	diag_words_show(w, "timeline");
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
			    diag_words_at(w, r->ts),
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

void diag_words_standstill(struct words *w)
{
	char workers[200], waiting[120] = "";
	const struct doze_waiting_post *post = &w->i->post;

	if (w->i->m && post->known)
		(void)snprintf(waiting, sizeof waiting, "; %s in queues, the first since %s",
			       doze_plural(w->i->m, "job"), diag_words_at(w, post->ts));
	else if (w->i->m)
		(void)snprintf(waiting, sizeof waiting, "; %s in queues",
			       doze_plural(w->i->m, "job"));
	SAY(cause,
	    "The pool has stood still since %s: %s off the CPU, and no job has begun or ended%s",
	    diag_words_at(w, w->e->at),
	    w->i->n == 1 ? "the only running job waits" : "all running jobs wait", waiting);
	list_workers(w, workers, sizeof workers);
	SAY(evidence, "%s; no CPU time grows until the trace ends, %s later%s", workers,
	    doze_duration(w->e->end - w->e->at), first_posted(w));
	SAY(change,
	    "a job waits for one that is queued behind it, or for a lock whose holder waits: wait "
	    "for jobs only with joins, scopes or futures, and hold no lock across a nested loop or "
	    "wait of the same pool, because the waiting worker runs other jobs, which may need "
	    "that lock");
	diag_words_show(w, "timeline");
}
