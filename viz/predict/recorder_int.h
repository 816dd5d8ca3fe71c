/*
 * SPDX-License-Identifier: MIT
 *
 * recorder_int.h - the state of a recorder, shared by recorder.c and recorder_jobs.c.
 */
#ifndef DOZE_VIZ_RECORDER_INT_H
#define DOZE_VIZ_RECORDER_INT_H

#include "simulate.h"

enum { SIM_POOLS_MAX = 16, SIM_SAMPLES_MAX = 8192 };

/** Maps a 64-bit key to an index, with open addressing. */
struct sim_map {
	uint64_t *key;
	int32_t *value;
	uint32_t used, room;
};
/** Returns the location of a value, or null if out of memory. Creates the value, as DOZE_NO_INDEX,
 * if necessary. */
int32_t *sim_map_at(struct sim_map *, uint64_t key);

/** What only the recorder needs to know about a job. */
struct sim_job {
	int64_t ended;  /* ns; 0: not recorded */
	int32_t parent; /* the job that published this job */
	/* list of the jobs that this job published and for which no job waits yet, newest first */
	int32_t children, sibling;
	bool started;
	bool has_latch; /* the job set its own latch: it is half of a join */
	bool awaited;   /* another job waits for it */
};

/** A thread: the jobs on its stack, and when it began to compute. */
struct sim_thread {
	int32_t vtid;
	int32_t *stack; /* jobs; the last one is running */
	uint32_t depth;
	size_t room;
	bool counts;    /* the thread has been running the top job since `mark` */
	double mark;    /* time on the recording's CPU clock */
	uint32_t wakes; /* number of wakes since `mark` */
	/* When the thread began to wait for something outside the pool, ns; 0: it is not
	 * waiting. */
	int64_t blocked;
	uint64_t latch;   /* latch for which the thread waits; 0: unknown */
	int32_t last_job; /* the job that the thread finished last */
	int64_t last_end, last_wake;
	uint64_t last_decision;
	int64_t last_search;
	uint32_t last_round;
	int32_t outside; /* the job that represents this outside thread */
};

/** A post of an outside thread, kept until the thread's pauses are known. */
struct sim_post {
	int64_t ts;
	int32_t by; /* the job that made the post */
	enum doze_queue queue;
	uint32_t first, count; /* the post's jobs are w.ref[first], ..., w.ref[first + count - 1] */
};

struct sim_samples {
	double v[SIM_SAMPLES_MAX];
	uint32_t n;
	uint64_t seen;
};

/** The latch that was last set for this worker. */
struct sim_set {
	enum doze_latch_kind kind;
	uint64_t id;
	int32_t job; /* the job that set the latch */
};

/** A worker's CPU time when it woke up, and how long it has been active since then. */
struct sim_cpu {
	double clock, active, active_since;
	uint64_t cpu;
	bool known, is_active;
	uint64_t jobs_run; /* number of jobs that the worker has run, as it reports in its events */
};

struct sim_pool {
	struct doze_work w; /* the result */
	const struct doze_pool_view *view;
	double cpus;
	double clock; /* CPU time available to each runnable worker until last_ts, ns */
	int64_t last_ts;
	int64_t first_post, last_job_end;
	double asleep_after; /* time that workers have slept since last_job_end, ns */
	struct sim_map job_of, latch_of, thread_of;
	struct sim_thread *thread;
	uint32_t threads;
	size_t threads_room;
	struct sim_job *job; /* parallel to w.job */
	struct sim_post *post;
	uint32_t posts;
	struct sim_spill job_spill, post_spill; /* own the two arrays */
	uint64_t events;                        /* number of events so far */
	struct sim_set *set;                    /* per worker */
	uint32_t sets;
	struct sim_samples round, take, wake, latency;
	/* Sums over the spans from a wake to the next sleep in which the worker was mostly active:
	 * its CPU time, and the increase of `clock`. */
	double cpu_used, cpu_span;
	struct sim_cpu *cpu_at; /* per worker */
	uint64_t started;       /* number of jobs started */
};

struct doze_recorder {
	const struct doze_model *model;
	unsigned cpus;
	struct sim_pool *pool[SIM_POOLS_MAX]; /* indexed by the pool's row in the model */
};

/** Returns the array, with room for one more element. If out of memory, sets w.failed and returns
 * null. */
void *sim_grow(struct sim_pool *, void *array, uint32_t used, size_t *room, size_t size);
/** Like sim_grow, for an array that may become large. Its new elements are not initialized. */
void *sim_grow_large(struct sim_pool *, struct sim_spill *, uint32_t used, size_t size);
/** doze_work_rest for all large arrays of the pool. */
void sim_rest(const struct sim_pool *, uint64_t step);

/** Stores jobs and their operations. Returns the job's index, or DOZE_NO_INDEX if
 * out of memory. */
int32_t sim_job_at(struct sim_pool *, uint64_t id);
int32_t sim_job_new(struct sim_pool *);
bool sim_ref(struct sim_pool *, int32_t job);
struct doze_op *sim_op(struct sim_pool *, int32_t job, enum doze_op_kind);

/** Records for which jobs a job waited. `job` is the waiting job. */
void sim_waited_nested(struct sim_pool *, int32_t job, int32_t nested);
void sim_waited_latch(struct sim_pool *, int32_t job, struct sim_thread *, int32_t worker);
void sim_waited_at_end(struct sim_pool *, int32_t job);
void sim_latch_event(struct sim_pool *, struct sim_thread *, const struct doze_event *);

/** Turns the posts of each outside thread into operations of the job that
 * represents the thread. */
void sim_outside_finish(struct sim_pool *);

#endif
