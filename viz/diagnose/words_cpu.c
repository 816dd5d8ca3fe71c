/*
 * SPDX-License-Identifier: MIT
 *
 * words_cpu.c - describes causes in words: workers that had no CPU.
 */
#include <inttypes.h>

#include "../text/units.h"
#include "words_int.h"

static void crowded_by_other_pools(struct words *w)
{
	SAY(cause,
	    "More workers than CPUs: up to %" PRIu32 " of this pool and %" PRIu32
	    " of other pools ran jobs on %s, so some had to wait",
	    w->i->n, w->i->m, doze_plural(diag_cpus(w->d), "CPU"));
	SAY(change, "use one pool for all of this work, or give all pools together at most as many "
		    "workers as there are CPUs");
}

static void crowded_by_itself(struct words *w)
{
	SAY(cause, "More workers than CPUs: up to %" PRIu32 " ran jobs on %s, so some had to wait",
	    w->i->n, doze_plural(diag_cpus(w->d), "CPU"));
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
