/*
 * SPDX-License-Identifier: MIT
 *
 * measures.h - the numbers that the model keeps while it folds: what the storm report, the
 * comparison and the exports print. Definitions and their sources: README.md.
 */
#ifndef DOZE_VIZ_MEASURES_H
#define DOZE_VIZ_MEASURES_H

#include "hist.h"
#include "model.h"

/** Wakes by work_found whose waker had itself been woken: how far one wake spread. */
struct doze_chain_measures {
	uint64_t wakes, futile; /* of cause work_found */
	uint64_t roots;         /* wakes of any other cause, the redundant ones left out */
	uint32_t longest;       /* links of the longest chain, its root not counted */
};

/** A post whose job waits, and what it decided. */
struct doze_waiting_post {
	bool known;  /* else it was not seen, and the rest says nothing */
	bool merged; /* it, or one of those right after it */
	int64_t ts;
	int32_t poster, poster_vtid; /* acting worker, -1 outside; -1 unknown */
	enum doze_queue queue;
	uint32_t jobs, wakes;   /* published; chosen to wake */
	int32_t idle, sleeping; /* that it saw; -1 = the policy does not look */
	uint64_t decision_id;
};

/** Why the post's job waits, by what the post reports that it saw. */
enum doze_underwake_why {
	DOZE_UNDERWAKE_unknown,     /* the post was not seen */
	DOZE_UNDERWAKE_woke,        /* it woke a worker, which did not take the job */
	DOZE_UNDERWAKE_idle,        /* it relied on an idle worker */
	DOZE_UNDERWAKE_none_asleep, /* it saw no sleeper */
	DOZE_UNDERWAKE_rule,        /* it saw sleepers, and its policy's rule woke none */
	DOZE_UNDERWAKE_COUNT
};
enum doze_underwake_why doze_underwake_why(const struct doze_waiting_post *);
const char *doze_underwake_why_name(enum doze_underwake_why);

/** Spans in which a published job waited, a worker slept, and nobody searched (level jobs). Each is
 * named after the oldest post whose job waited when it began. */
struct doze_underwake_measures {
	uint64_t spans;
	uint64_t by_why[DOZE_UNDERWAKE_COUNT];
	struct doze_hist wait;   /* ns each */
	int64_t worst, worst_at; /* ns, when it began */
	struct doze_waiting_post worst_post;
	uint32_t worst_pool;
};

struct doze_storm_measures {
	uint64_t storms, decisions, woken, futile;
	uint64_t unresolved; /* decisions that may or may not have been storms */
	uint64_t by_cause[DOZE_CAUSE_COUNT];
	int64_t burnt; /* ns of wall time, as in struct doze_storm */
};

struct doze_measures {
	/* The way of a useful wake whose post is known, part by part: their means add up. */
	struct doze_hist publish_notify, useful_awake, awake_job, publish_job;
	struct doze_hist notify_awake;  /* of all wakes */
	struct doze_hist futile_search; /* awake -> asleep again, of futile wakes */
	uint64_t verdicts[DOZE_CAUSE_COUNT][DOZE_VERDICT_COUNT];
	struct doze_chain_measures chain;
	struct doze_underwake_measures underwake;
	struct doze_storm_measures storm;
	uint64_t steps, reordered; /* on counters words; seen in another order than they happened */
};

/** Borrowed; valid until the model is freed, changes with each event. */
const struct doze_measures *doze_model_measures(const struct doze_model *);

/** Wakes / jobs published (or run, where more of those were seen); 0 when there were none. */
double doze_model_amplification(const struct doze_model *);
/** Woken - useful: how many more were woken than ran a job for it. Self-wakes are left out. */
uint64_t doze_model_herd_excess(const struct doze_model *);
/** Sum over all workers of the closed time in a state, ns. */
int64_t doze_model_time_in(const struct doze_model *, enum doze_state);
/** The same with the spans that are still open, up to ts. */
int64_t doze_model_time_until(const struct doze_model *, enum doze_state, int64_t ts);

#endif
