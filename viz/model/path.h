/*
 * SPDX-License-Identifier: MIT
 *
 * path.h - the critical path of a phase: the chain of work and waiting that ends with the phase's
 * last piece of work. path.md describes the algorithm and its assumptions.
 */
#ifndef DOZE_VIZ_PATH_H
#define DOZE_VIZ_PATH_H

#include "model.h"

/** Maximum number of threads named per path. */
#define DOZE_PATH_NAMED 64

/** Kinds of time on a path in which no thread worked. */
enum doze_path_part {
	DOZE_PATH_waiting,   /* from a post, wake or set latch until the worker continues */
	DOZE_PATH_searching, /* idle or sleepy, where no known thread ended the search */
	DOZE_PATH_asleep,    /* sleeping, where no known thread ended the sleep */
	DOZE_PATH_blocked,   /* waiting for something outside the pool */
	DOZE_PATH_PARTS
};
const char *doze_path_part_name(enum doze_path_part);

/** The path from the beginning of a phase to the end of its last piece of work, or to the phase's
 * end if a worker is still working then. Phases begin at the pool's start and at each mark. The sum
 * of work[], others and part[] is `to` - `from`. */
struct doze_path {
	int64_t from, to; /* ns */
	int64_t after;    /* time from `to` to the requested time, ns */
	int32_t last;     /* the worker that worked last */
	uint32_t named;
	/* `named` threads, in no particular order. worker -1: the outside thread with this vtid
	 * (-1: unknown). Its work is its time before it posted, woke a worker or set a latch,
	 * excluding the time it spent waiting for the pool. If others > 0, `others` may include
	 * some work of these threads. */
	struct {
		int32_t worker, vtid;
		int64_t ns; /* work on the path */
	} work[DOZE_PATH_NAMED];
	int64_t others;                /* ns of work that is not in work[] */
	int64_t part[DOZE_PATH_PARTS]; /* ns */
};

/** Makes the model compute the critical paths of its pools. Pass it the result of doze_model_new,
 * before the first event. Returns the model, which owns the paths. If out of memory, frees the
 * model and returns null. Returns null if given null. */
struct doze_model *doze_with_paths(struct doze_model *);
/** Computes the critical path of the current phase up to ts, for the pool in row `pool`. Inside
 * on_mark, this is the phase that the mark ends. Returns false if there is no path, or if the model
 * computes none. */
bool doze_path_of(const struct doze_model *, size_t pool, int64_t ts, struct doze_path *);
/** Returns the number of pools whose critical path did not fit into memory. */
uint64_t doze_paths_missing(const struct doze_model *);

#endif
