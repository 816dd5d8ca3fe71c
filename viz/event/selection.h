/*
 * SPDX-License-Identifier: MIT
 *
 * selection.h - the part of a trace that --from, --to and --worker select. It is parsed once, from
 * the command line, from a component's parameters, or from what is typed in the viewer.
 */
#ifndef DOZE_VIZ_SELECTION_H
#define DOZE_VIZ_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "../../lib/config.h"

/** Workers by index. Zeroed: all workers. */
struct doze_worker_set {
	bool limited; /* false: all workers, and threads that belong to no pool (index -1) */
	uint64_t bits[DOZE_WORKERS_MAX / 64];
};

/** Parses a list such as "2" or "0-3,6". False: it is not one; the set is unchanged. */
bool doze_worker_set_parse(struct doze_worker_set *, const char *list);

/** Whether the set has a worker; -1, a thread outside the pool, is only in a set of all. */
static inline bool doze_worker_set_has(const struct doze_worker_set *s, int worker)
{
	if (!s->limited)
		return true;
	return worker >= 0 && worker < DOZE_WORKERS_MAX && s->bits[worker / 64] >> worker % 64 & 1;
}

struct doze_selection {
	int64_t from, to; /* ns after the trace's first event; to INT64_MAX: to its end */
	struct doze_worker_set workers;
	const char *list; /* of workers, as given, borrowed; null: all */
};
#define DOZE_SELECT_ALL                                                                            \
	{                                                                                          \
		.to = INT64_MAX                                                                    \
	}

/** Limits the selection to the workers of a list, which must outlive it. Returns null, or what is
 * allowed instead; then the selection is unchanged. `selection` is a struct doze_selection. */
const char *doze_check_worker_list(const char *list, void *selection);

/** Whether the selection is less than the whole trace: of its time; of its workers. */
bool doze_selection_by_time(const struct doze_selection *);
bool doze_selection_by_worker(const struct doze_selection *);

/** The first worker of the first list item that begins beyond the worker `last`; -1 when every item
 * names at least one of the workers 0 to `last`. */
int doze_selection_beyond(const struct doze_selection *, int last);

#endif
