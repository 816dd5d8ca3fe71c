/*
 * SPDX-License-Identifier: MIT
 *
 * selection.h - the part of a trace that --from, --to, --worker and --pool select. It is parsed
 * once, from the command line, from a component's parameters, or from the viewer's prompt.
 */
#ifndef DOZE_VIZ_SELECTION_H
#define DOZE_VIZ_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/config.h"

/** A set of workers, by index. All zero means all workers. */
struct doze_worker_set {
	bool limited; /* false: the set contains all workers, and outside threads (index -1) */
	uint64_t bits[DOZE_WORKERS_MAX / 64];
};

/** Parses a list such as "2" or "0-3,6". Returns false, with the set unchanged, on a syntax
 * error. */
bool doze_worker_set_parse(struct doze_worker_set *, const char *list);

/** Returns whether the set contains a worker. Only an unlimited set contains outside threads. */
static inline bool doze_worker_set_has(const struct doze_worker_set *s, int worker)
{
	if (!s->limited)
		return true;
	return worker >= 0 && worker < DOZE_WORKERS_MAX && s->bits[worker / 64] >> worker % 64 & 1;
}

struct doze_selection {
	/* ns after the trace's first event. `to` is INT64_MAX if there is no end. */
	int64_t from, to;
	struct doze_worker_set workers;
	const char *list;      /* the user's list of workers, borrowed; null means all */
	unsigned pool;         /* number of the only pool whose events are read; 0: any number */
	const char *pool_name; /* name of the only pool whose events are read, borrowed; null: any
				* name */
};
#define DOZE_SELECT_ALL                                                                            \
	{                                                                                          \
		.to = INT64_MAX                                                                    \
	}

/** Limits the selection, a struct doze_selection, to the listed workers. The list must outlive the
 * selection. If the list is invalid, leaves the selection unchanged and returns a description of a
 * valid one; otherwise returns null. */
const char *doze_check_worker_list(const char *list, void *selection);

/** Limits the selection, a struct doze_selection, to the pool with this number or name. The text
 * must outlive the selection. If the text is invalid, leaves the selection unchanged and returns a
 * description of a valid text; otherwise returns null. */
const char *doze_check_pool(const char *pool, void *selection);

/** These functions return whether the selection is limited by time, by worker and by pool,
 * respectively. */
bool doze_selection_by_time(const struct doze_selection *);
bool doze_selection_by_worker(const struct doze_selection *);
bool doze_selection_by_pool(const struct doze_selection *);

/** Returns a selection of the same pool, with all times and workers. */
struct doze_selection doze_selection_of_pool(const struct doze_selection *);

/** Finds the first item of the list of workers that selects only workers above `last`. Returns the
 * item's first worker, or -1 if there is no such item. */
int doze_selection_beyond(const struct doze_selection *, int last);

#endif
