/*
 * SPDX-License-Identifier: MIT
 *
 * measures.h - the numbers that the model accumulates, and that the storm report, the comparison
 * and the exports print. README.md has their definitions and sources.
 */
#ifndef DOZE_VIZ_MEASURES_H
#define DOZE_VIZ_MEASURES_H

#include "hist.h"
#include "model.h"

/** Chains of wakes: a woken worker that finds work wakes the next worker. */
struct doze_chain_measures {
	uint64_t wakes, futile; /* wakes with cause work_found; how many were futile */
	uint64_t roots;         /* wakes with any other cause, excluding redundant wakes */
	uint32_t longest;       /* links in the longest chain, not counting its root */
};

/** A post whose job waits, and its decision. */
struct doze_waiting_post {
	bool known;  /* false: the post was not seen; the other members are undefined */
	bool merged; /* the job belongs to this post, or to a later post that was merged with this
		      * one */
	int64_t ts;
	int32_t poster, poster_vtid; /* acting worker, -1: outside thread; vtid, -1: unknown */
	enum doze_queue queue;
	uint32_t jobs, wakes;   /* number of jobs published, and of workers that the post chose to
				 * wake */
	int32_t idle, sleeping; /* as the poster saw them; -1: not counted by the policy */
	uint64_t decision_id;
	uint64_t caller; /* code address of the post; 0: unknown */
};

/** Returns the contents of a post event, as a known post. */
struct doze_waiting_post doze_waiting_post_of(const struct doze_event *post);

/** Why the post's job waits, judging by the numbers that the poster saw. */
enum doze_underwake_why {
	DOZE_UNDERWAKE_unknown,     /* the post was not seen */
	DOZE_UNDERWAKE_woke,        /* the post woke a worker that did not take the job */
	DOZE_UNDERWAKE_idle,        /* the poster relied on an idle worker */
	DOZE_UNDERWAKE_none_asleep, /* the poster saw no sleeper */
	DOZE_UNDERWAKE_rule,        /* the poster saw sleepers, but the policy's rule woke none of
				     * them */
	DOZE_UNDERWAKE_COUNT
};
enum doze_underwake_why doze_underwake_why(const struct doze_waiting_post *);
const char *doze_underwake_why_name(enum doze_underwake_why);

/** Periods in which a published job waited, a worker slept, and no worker searched (level all).
 * Such a period is attributed to the oldest post with a waiting job at its beginning. */
struct doze_underwake_measures {
	uint64_t spans;
	uint64_t by_why[DOZE_UNDERWAKE_COUNT];
	struct doze_hist wait;   /* ns each */
	int64_t worst, worst_at; /* length and beginning of the longest period, ns */
	struct doze_waiting_post worst_post;
	uint32_t worst_pool, worst_pool_row; /* the pool's number; index for doze_model_pool */
};

struct doze_storm_measures {
	uint64_t storms, decisions, woken, futile;
	uint64_t unresolved; /* decisions that may be storms, depending on unresolved wakes */
	uint64_t by_cause[DOZE_CAUSE_COUNT];
	int64_t burnt; /* ns of wall time, as in struct doze_storm */
};

/** Calls that wake all threads that wait. */
struct doze_herd_measures {
	uint64_t decisions, woken; /* such calls that woke a thread; the threads that they woke */
	uint32_t most;             /* the largest number of threads that one of them woke */
};

/** A place in a program without libdoze that calls a function that wakes. */
struct doze_wake_site {
	uint32_t host;
	int32_t vpid;
	enum doze_wait_kind kind; /* none: not known yet */
	uint64_t caller; /* code address; 0: all places for which the program's table had no room */
	/* Code address that called the place's function, and to which the wakes of this entry are
	 * limited; such an entry has no counts of calls. 0: the wakes of all callers. */
	uint64_t caller2;
	/* Counted in the program since its start, so independent of losses and of the selection. */
	uint64_t calls, nobody;
	/* From the events in the selection. The program's calls that woke a thread are decisions,
	 * one for each crew. */
	uint64_t wakes, futile;
};

struct doze_measures {
	/* The stages of a useful wake whose post is known. Their means add up. found_job is the
	 * time from finding a job to starting it; the worker that found the job may wake other
	 * workers in that time. */
	struct doze_hist publish_notify, useful_awake, awake_found, found_job, publish_job;
	uint64_t unmeasured; /* useful wakes caused by a post, if the post or the `woken` event is
			      * missing */
	struct doze_hist notify_awake;  /* all wakes, not only useful ones */
	struct doze_hist futile_search; /* from waking to sleeping again, for futile wakes */
	uint64_t verdicts[DOZE_CAUSE_COUNT][DOZE_VERDICT_COUNT];
	struct doze_chain_measures chain;
	struct doze_underwake_measures underwake;
	struct doze_storm_measures storm;
	struct doze_herd_measures herd;
	struct doze_hist awake; /* crews: from the end of a wait by a wake to the next wait, ns */
	/* Number of steps on counters words, and how many of these steps were seen out of order. */
	uint64_t steps, reordered;
};

/** Returns the measures, borrowed. They change with each event and are valid until the model is
 * freed. */
const struct doze_measures *doze_model_measures(const struct doze_model *);

/** Returns wakes / jobs published, or 0 without jobs. Divides by jobs run if more jobs were seen to
 * run than to be published. */
double doze_model_amplification(const struct doze_model *);
/** Returns woken - useful: how many woken workers ran no job. Self-wakes are excluded. */
uint64_t doze_model_herd_excess(const struct doze_model *);
/** Returns place i, in order of appearance, or null after the last one. */
const struct doze_wake_site *doze_model_wake_site(const struct doze_model *, size_t i);
/** Returns a pool of the place's process, by which its address can be resolved; null: none seen. */
const struct doze_pool_view *doze_model_site_pool(const struct doze_model *,
						  const struct doze_wake_site *);
/** Returns the waits of all crews, as counted in their programs. */
struct doze_wait_counts doze_model_wait_counts(const struct doze_model *);
/** Returns the time that all workers spent in a state, ns. Excludes open spans. */
int64_t doze_model_time_in(const struct doze_model *, enum doze_state);
/** Like doze_model_time_in, but includes open spans up to ts. */
int64_t doze_model_time_until(const struct doze_model *, enum doze_state, int64_t ts);

#endif
