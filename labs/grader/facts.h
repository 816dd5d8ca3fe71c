/*
 * SPDX-License-Identifier: MIT
 *
 * facts.h - facts about a recorded trace, to which questions refer.
 *
 * All facts come from viz/model; the graders have no rules of their own about pools. The trace must
 * contain exactly one pool, and be short enough to keep every span in memory.
 */
#ifndef DOZE_LABS_FACTS_H
#define DOZE_LABS_FACTS_H

#include "../../viz/model/model.h"

/** A period that a worker spent in one state, up to the next transition. Spans are sorted by their
 * ends. */
struct lab_span {
	int worker;
	enum doze_state state;
	enum doze_reason why; /* the reason for the transition that began the span */
	int64_t from, to;     /* ns */
	bool unknown;
};

struct lab_facts {
	struct doze_model *model; /* finished; owned */
	struct lab_span *spans;   /* owned */
	size_t span_count, span_room;
	uint64_t wakes_by_cause[DOZE_CAUSE_COUNT];
	enum doze_cause last_cause; /* cause of the last wake in the trace */
	bool lost;                  /* events were discarded, so this trace cannot be graded */
	bool no_memory;
};

/** Reads the trace in dir. Returns 0, or -1 with a message in err. The caller must free the facts
 * in either case. */
int lab_facts_read(struct lab_facts *, const char *dir, char *err, size_t err_size);
void lab_facts_free(struct lab_facts *);

/** Returns the trace's pool, or null if the trace does not have exactly one pool. */
const struct doze_pool_view *lab_facts_pool(const struct lab_facts *);
/** Returns a worker by its index in the pool, or null. */
const struct doze_worker_view *lab_facts_worker(const struct lab_facts *, int index);

#endif
