/*
 * SPDX-License-Identifier: MIT
 *
 * storms_advice.c - what to change, by what woke in vain and under which policy.
 */
#include <string.h>

#include "storms.h"

#define ANY DOZE_CAUSE_COUNT

/* Of a table the first line that fits is the advice. */
struct line {
	const char *policy; /* null: any */
	enum doze_cause cause;
	const char *text;
};

static const char tickle[] =
    "tickle wakes everybody at each post, set latch and finished job: a policy that wakes as "
    "many as there are jobs (jec, rfc) avoids it";
static const char one_condvar[] =
    "all workers wait on one condition variable: wake one per job, or give each worker its own "
    "(jec, rfc)";
static const char one_for_latch[] =
    "all workers wait on one condition variable, so that a set latch wakes everybody to reach its "
    "owner: give each worker its own, and wake the owner only (jec, rfc)";
static const char spare[] =
    "spare wakes two more than there are jobs, so that they stay idle: its price. rfc wakes one "
    "per job";
static const char too_small[] =
    "the jobs are over before the woken workers come: publish larger jobs, or more at once";
static const char owner[] = "wake only the owner of the latch, not everybody";

static const struct line herds[] = {
    {"tickle", ANY, tickle},
    {"condvar", DOZE_CAUSE_latch, one_for_latch},
    {"forkjoin", DOZE_CAUSE_latch, one_for_latch},
    {"condvar", ANY, one_condvar},
    {"forkjoin", ANY, one_condvar},
    {"block", ANY,
     "block wakes up to the next power of two: too many for jobs as small as these; jec or rfc "
     "wake one per job"},
    {0, DOZE_CAUSE_push, too_small},
    {0, DOZE_CAUSE_inject, too_small},
    {0, DOZE_CAUSE_latch, owner},
    {0, DOZE_CAUSE_job_done, owner},
    {0, DOZE_CAUSE_work_found, "wake at most one or two when a searcher finds work"},
    {0, DOZE_CAUSE_broadcast, "a broadcast needs everybody: make it rarer, or give it more to do"},
    {0, ANY, "wake no more workers than there are jobs"},
};

/* One wake at a time, or a few: not a herd, but the same work for nothing when it goes on. */
static const struct line singles[] = {
    {"jec", DOZE_CAUSE_work_found,
     "under jec whoever finds work wakes up to two more, in case there is more of it; jobs that "
     "come one by one leave them none. Publish several at once, or try rfc, which wakes for "
     "posted jobs only"},
    {"go", DOZE_CAUSE_work_found,
     "under go the last searcher that finds work wakes one more, so that somebody searches; jobs "
     "that come one by one leave it none. Publish several at once, or try rfc, which wakes for "
     "posted jobs only"},
    {"spare", DOZE_CAUSE_push, spare},
    {"spare", DOZE_CAUSE_inject, spare},
    {"tickle", ANY, tickle},
    {"block", ANY,
     "block wakes up to the next power of two: more than there are jobs; rfc wakes one per job"},
    {0, DOZE_CAUSE_push,
     "the pushing worker, or one that was awake, ran the job before the woken one came: push "
     "larger jobs, or more at once"},
    {0, DOZE_CAUSE_inject,
     "a worker that was awake took the job before the woken one came: publish larger jobs, or "
     "more at once"},
    {0, DOZE_CAUSE_work_found,
     "searchers that find work wake others, for which there is none: publish more jobs at once"},
};

#define FLAG                                                                                       \
	" only the sleeper clears its flag, so that each wake until it runs may hit the same "     \
	"one, "                                                                                    \
	"while others sleep on; under jec and go the waker clears it"

/* For any cause. */
static const struct line redundant[] = {
    {"rfc", ANY, "under rfc" FLAG},
    {"local", ANY, "under local" FLAG},
    {"block", ANY, "under block" FLAG},
    {"spare", ANY, "under spare" FLAG},
    {"chain", ANY, "under chain" FLAG},
    {"forkjoin", ANY,
     "forkjoin signals its condition variable for each job, whether somebody waits or not"},
    {0, ANY, "their worker was awake, or an earlier wake had reached it"},
};

static const char *first_fit(const struct line *l, size_t n, enum doze_cause cause,
			     const char *policy)
{
	for (size_t i = 0; i < n; i++)
		if ((!l[i].policy || !strcmp(l[i].policy, policy)) &&
		    (l[i].cause == ANY || l[i].cause == cause))
			return l[i].text;
	return 0;
}

#define FIRST_FIT(table, cause, policy)                                                            \
	first_fit(table, sizeof(table) / sizeof *(table), cause, policy)

const char *doze_storms_advice(enum doze_cause cause, const char *policy, bool herd)
{
	const char *text = herd ? 0 : FIRST_FIT(singles, cause, policy);

	return text ? text : FIRST_FIT(herds, cause, policy);
}

const char *doze_storms_redundant_why(const char *policy)
{
	return FIRST_FIT(redundant, DOZE_CAUSE_none, policy);
}
