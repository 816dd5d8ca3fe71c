/*
 * SPDX-License-Identifier: MIT
 *
 * rules_job.c - rules on jobs: each is run once, by a worker that is awake, and ends after it
 * starts.
 *
 * The notes are a direct-mapped table of the most recently started jobs. A job whose entry has been
 * replaced is no longer judged, so the table's size may hide violations, but never causes a
 * finding. The rules apply only if the pool's start was recorded and no events were lost: otherwise
 * the start of a job may be missing.
 */
#include <stdlib.h>

#include "check_int.h"

enum { JOB_SLOTS = 1 << 12 };

struct check_job {
	uint64_t id; /* 0 = empty */
	bool running;
};

static struct check_job *slot_of(struct check_pool *p, uint64_t id)
{
	uint64_t h = id * UINT64_C(0x9e3779b97f4a7c15);

	if (!p->jobs)
		p->jobs = calloc(JOB_SLOTS, sizeof *p->jobs);
	return p->jobs ? &p->jobs[(h >> 32) % JOB_SLOTS] : 0;
}

static void check_start(struct check_pool *p, const struct doze_event *e, struct check_job *j)
{
	if (j->id == e->u.job.id)
		check_report(p, e, "job-once", "job %#llx starts, although it %s",
			     (unsigned long long)e->u.job.id,
			     j->running ? "is still running" : "has already run");
	*j = (struct check_job){.id = e->u.job.id, .running = true};
}

static void check_end(struct check_pool *p, const struct doze_event *e, struct check_job *j)
{
	if (j->id == e->u.job.id ? !j->running : !j->id)
		check_report(p, e, "job-end", "job %#llx finishes, but %s",
			     (unsigned long long)e->u.job.id,
			     j->id ? "it has already finished" : "it has not started");
	if (j->id == e->u.job.id)
		j->running = false;
}

static void check_awake(struct check_pool *p, const struct check_worker *w,
			const struct doze_event *e)
{
	if (is_asleep(w) && !w->v->unknown && !w->v->leaving)
		check_report(p, e, "job-asleep", "this worker reports %s while it is asleep",
			     doze_event_name(e->kind));
}

static void check_steal(struct check_pool *p, const struct doze_event *e)
{
	if (e->u.steal.victim == e->worker && e->u.steal.result == DOZE_STEAL_success)
		check_report(p, e, "self-steal", "this worker stole job %#llx from itself",
			     (unsigned long long)e->u.steal.job);
}

void check_rule_job(struct check_pool *p, struct check_worker *w, const struct doze_event *e)
{
	bool starts = e->kind == DOZE_EV_job_start, ends = e->kind == DOZE_EV_job_end;
	struct check_job *j;

	if (e->kind == DOZE_EV_steal) {
		check_steal(p, e);
		return;
	}
	if (w)
		check_awake(p, w, e);
	j = (starts || ends) && p->v->started && e->u.job.id ? slot_of(p, e->u.job.id) : 0;
	if (j && starts)
		check_start(p, e, j);
	else if (j && doze_model_lost_until(p->model) == INT64_MIN)
		check_end(p, e, j);
}

/* Called when the pool has stopped: no worker is left to run any waiting job. */
void check_rule_job_stop(struct check_pool *p, int64_t ts)
{
	if (p->v->jobs_level && p->v->started && p->v->jobs_waiting > 0 &&
	    doze_model_lost_until(p->model) == INT64_MIN)
		doze_model_finding(p->model, "job-lost", doze_pool_key(p->v, -1), ts,
				   "the pool stopped, and %lld posted job%s not run",
				   (long long)p->v->jobs_waiting,
				   p->v->jobs_waiting == 1 ? " was" : "s were");
}

void check_rule_job_forget(struct check_pool *p)
{
	free(p->jobs);
	p->jobs = NULL;
}
