/*
 * SPDX-License-Identifier: MIT
 *
 * path.h - the critical path of a phase: the chain of work and waiting that ends with the phase's
 * last piece of work. README.md says how it is found and what is assumed.
 */
#ifndef DOZE_VIZ_PATH_H
#define DOZE_VIZ_PATH_H

#include "../model/model.h"

/** Most threads named on a path. */
#define DOZE_PATH_NAMED 64

/** Time on a path that is nobody's work. */
enum doze_path_part {
	DOZE_PATH_waiting,   /* from a post, wake or set latch until the worker goes on after it */
	DOZE_PATH_searching, /* idle or sleepy, and nobody is known to have ended it */
	DOZE_PATH_asleep,    /* the same, sleeping */
	DOZE_PATH_blocked,   /* waited for something outside of the pool */
	DOZE_PATH_PARTS
};
const char *doze_path_part_name(enum doze_path_part);

/** The path from the beginning of the phase to the end of its last piece of work, or to the phase's
 * own end where a worker is still at work then. A phase begins with the pool and with each mark.
 * work[] + others + part[] is `to` - `from`. */
struct doze_path {
	int64_t from, to; /* ns */
	int64_t after;    /* ns from `to` to the moment that was asked for */
	int32_t last;     /* the worker that worked last */
	uint32_t named;
	/* The first `named`, in no order. worker -1: the thread from outside with this vtid (-1:
	 * unknown); its time is that until it posted, woke or set, without what it waited for.
	 * Where others > 0 a thread may have more work among these. */
	struct {
		int32_t worker, vtid;
		int64_t ns; /* of work on the path */
	} work[DOZE_PATH_NAMED];
	int64_t others;                /* ns of work of threads that are not named */
	int64_t part[DOZE_PATH_PARTS]; /* ns */
};

/** Has the critical paths of the model's pools computed. To be called before the first event, on
 * what doze_model_new returned. Returns the model, which owns what this makes; when memory is
 * short, frees the model and returns null. Null stays null. */
struct doze_model *doze_with_paths(struct doze_model *);
/** The critical path of the current phase of a pool, by its row, up to ts. In on_mark: of the phase
 * that the mark ends. False when there is none, or the model was made without paths. */
bool doze_path_of(const struct doze_model *, size_t pool, int64_t ts, struct doze_path *);
/** Pools whose critical path did not fit into memory. */
uint64_t doze_paths_missing(const struct doze_model *);

#endif
