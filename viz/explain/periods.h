/*
 * SPDX-License-Identifier: MIT
 *
 * periods.h - stores the facts that the text about a cause mentions, for any part of a trace: the
 * worst instances and their number, the outside threads for which the pool waited, and the numbers
 * of active workers. The facts are kept per period. All periods have the same length. When the
 * trace outgrows them, pairs of periods are merged, so memory does not grow. costs.c does the same
 * with costs, in shorter slots.
 */
#ifndef DOZE_VIZ_PERIODS_H
#define DOZE_VIZ_PERIODS_H

#include "../model/model.h"
#include "diagnose.h"

struct diag_pool;

enum {
	PERIODS = 64,
	PERIOD_NS = 524288, /* initial length of a period */
	OUTSIDERS = 16,     /* maximum number of outside threads distinguished */
};

/* One instance of a kind of trouble. */
struct instance {
	int64_t at, end;
	double cost;
	int32_t worker, vtid;
	uint32_t n, m; /* meaning depends on the kind: for example, how many workers were woken, and
			* how many of them in vain */
	struct doze_waiting_post post;
	enum doze_cause why;
};

/* Length of the profile: entry k is the time with k active workers, and the last entry the time
 * with at least that many. */
enum { PROFILE = 17 };

/* What happened in one period. */
struct period {
	uint64_t times[DOZE_TROUBLE_COUNT]; /* number of instances that began in the period */
	struct instance worst[DOZE_TROUBLE_COUNT]; /* the worst of these instances, if any */
	/* How long the pool waited for each outside thread, and the number of such waits. */
	struct {
		int64_t ns;
		uint64_t times;
	} waited[OUTSIDERS];
	int64_t profile[PROFILE]; /* time by number of active workers, ns */
};

struct periods {
	int64_t base, width; /* start of period 0; length of each period */
	unsigned last;       /* the period that was used last, and its bounds */
	int64_t last_from, last_to;
	struct period of[PERIODS];
};

/* An outside thread for which the pool waited. vtid -1: unknown thread. */
struct outsider {
	int32_t vtid;
	int64_t ns;
	uint64_t times;
};

/* What happened in a part of the trace. Periods that are only partly inside count in proportion. */
struct diag_part {
	uint64_t times[DOZE_TROUBLE_COUNT]; /* number of instances */
	struct outsider outsider[OUTSIDERS];
	uint32_t outsiders;
	int64_t profile[PROFILE]; /* ns */
};

void diag_periods_begin(struct periods *, int64_t ts);
void diag_instance(struct diag_pool *, enum doze_trouble, const struct instance *);
void diag_forget_instances(struct diag_pool *, enum doze_trouble);
/* Counts a gap (a time without an active worker) that this outside thread ended. */
void diag_waited(struct diag_pool *, unsigned outsider, int64_t from, int64_t to);
/* Counts time with this number of active workers (at most PROFILE - 1). */
void diag_profile(struct diag_pool *, unsigned active, int64_t from, int64_t to);
/* Returns the worst of the kept instances that overlap the part, or null. Each period keeps only
 * its worst instance, so a part shorter than a period may contain instances that are not kept. */
const struct instance *diag_worst(const struct diag_pool *, enum doze_trouble, int64_t from,
				  int64_t to);
struct diag_part diag_part(const struct diag_pool *, int64_t from, int64_t to);
/* Returns the outside thread for which the pool waited longest, or null if unknown. */
const struct outsider *diag_slowest(const struct diag_part *);
/* Returns the outside thread for which the pool waited longest, and how long and how often the pool
 * waited for it. The vtid is -1 if most posts that ended a gap are not recorded. If only one
 * outside thread is known to post, these posts are attributed to it. */
struct outsider diag_waited_for(const struct diag_part *);

#endif
