/*
 * SPDX-License-Identifier: MIT
 *
 * collect.h - what the page needs of a trace, as the model tells it: intervals, wakes, words,
 * marks, losses, findings, storms. The page shows all of it, so all of it is kept, packed: about
 * 5 bytes an interval, 25 a wake.
 */
#ifndef DOZE_REPORT_COLLECT_H
#define DOZE_REPORT_COLLECT_H

#include "../views/storms.h"
#include "bytes.h"

#define REPORT_FINDINGS 1000 /* kept; more are counted */
#define REPORT_TEXTS    4000 /* marks kept */

struct report_lane {
	struct bytes intervals; /* state + 16*unknown, reason, duration; from `first` on */
	int64_t first, last;    /* ns; gaps are an interval of state none */
	size_t count;
};

struct report_words {
	struct bytes steps; /* time since the last one, sleeping, idle, jec (low 32 bits) */
	int64_t last;
	size_t count;
};

struct report_mark {
	int64_t ts;
	uint32_t pool;
	int32_t worker;
	char text[64];
};

struct report_loss {
	int64_t from, to;
	uint64_t count;
};

struct report {
	struct doze_storm_log log; /* the storms, kept by the storm report's own listener */
	const struct doze_model *model;
	struct report_lane *lane; /* owned; by worker row */
	size_t lanes;
	struct report_words *word; /* owned; by pool row */
	size_t words;
	struct bytes wakes; /* the target: row + 1, or 0 and the row of the pool */
	size_t loose_pool;  /* of the last wake without a target */
	int64_t last_wake;
	size_t wake_count;
	struct report_mark *mark; /* owned */
	size_t marks;
	struct report_loss loss[256];
	size_t losses;
	struct doze_finding *finding; /* owned */
	size_t findings, findings_left_out;
	bool failed; /* memory ran out */
};

extern const struct doze_model_listener report_listener; /* ctx is a struct report */

void report_free(struct report *);
/** Whether everything could be kept. */
bool report_whole(const struct report *);

#endif
