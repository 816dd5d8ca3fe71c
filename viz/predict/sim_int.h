/*
 * SPDX-License-Identifier: MIT
 *
 * sim_int.h - the state of a simulation, shared by simulate.c and sim_sleep.c.
 *
 * There are two clocks: `now`, and `cpu`, which runs slower while more workers want to run than
 * there are CPUs. `cpu` determines the end of computations and search rounds, `now` everything
 * else.
 */
#ifndef DOZE_VIZ_SIMULATE_INT_H
#define DOZE_VIZ_SIMULATE_INT_H

#include "simulate.h"

enum sim_event_kind {
	SIM_STEP,   /* a computation ends */
	SIM_ROUND,  /* a searching worker checks the queues */
	SIM_SLEEPY, /* a searching worker becomes sleepy */
	SIM_SLEEP,  /* a sleepy worker goes to sleep */
	SIM_AWAKE,  /* a notified sleeper starts to run */
	SIM_RESUME, /* a pause ends */
};

struct sim_event {
	double at;
	uint64_t order; /* determines the order of events that occur at the same time */
	enum sim_event_kind kind;
	uint32_t who; /* worker; for SIM_RESUME, the frame */
	uint32_t turn;
};

struct sim_heap {
	struct sim_event *e;
	uint32_t n;
	size_t room;
};

enum sim_state { SIM_ACTIVE, SIM_SEARCHING, SIM_ASLEEP, SIM_BLOCKED };

/** A queue of jobs, which are pushed at its tail and taken from either end. */
struct sim_queue {
	uint32_t *job;
	uint32_t head, tail, room;
};

/** A job that has started and not ended. */
struct sim_frame {
	uint32_t job;
	int32_t op;       /* index of the next operation */
	int32_t worker;   /* DOZE_NO_INDEX: an outside thread */
	int32_t below;    /* the next lower frame of the same worker */
	uint32_t missing; /* number of jobs for which this job waits */
	bool waits, in_use;
};

/** A worker. wake_open: it is not yet known whether the worker's last wake was useful. */
struct sim_worker {
	enum sim_state state;
	bool sleepy, notified, to_look;
	uint32_t turn;  /* incremented so that the timers of an earlier search have no effect */
	uint64_t jec;   /* the JEC when the worker became sleepy */
	int32_t frame;  /* the worker's newest frame */
	uint32_t ready; /* number of the worker's frames that can continue */
	struct sim_queue deque, turns; /* turns: the jobs that broadcasts gave to this worker */
	double asleep_since;
	bool wake_open;
	enum doze_cause wake_cause;
};

/** What a simulation asks of its policy at almost every event, looked up once. */
struct sim_rules {
	bool tickle, has_sleepy, has_sleeping;
	uint32_t rounds_until_sleepy, rounds_until_sleeping;
};

struct sim {
	const struct doze_work *work;
	struct doze_sim_setting set;
	struct sim_rules rules;
	double now, cpu, load;
	/* guide[i]: a round close to the one in which the share i / costs.rounds of the time of all
	 * rounds has passed. Faster than a search (Chen and Asau, 1974). */
	uint32_t *guide;
	struct sim_heap by_now, by_cpu;
	uint64_t order, rng;
	struct sim_worker *worker;
	struct sim_frame *frame;
	uint32_t frames;
	size_t frames_room;
	int32_t free_frame;
	struct sim_queue injector;
	bool *done;       /* per job */
	int32_t *waiters; /* per job: list of the frames that wait for it */
	struct {
		int32_t frame, next;
	} * link;
	uint32_t links;
	size_t links_room;
	uint32_t left;               /* number of jobs that have not ended */
	uint32_t inactive, sleeping; /* the counts in the pool's counters word */
	uint32_t computing, searching;
	uint64_t jec;
	int32_t sleepy; /* tickle: the only worker that may be sleepy; -1: none */
	double charge;  /* ns that the acting thread still has to spend on its wakes */
	double last_end;
	struct doze_sim_run run;
	bool failed;
};

/** Returns a random number in [0, 1): xorshift64* (Marsaglia; multiplier by Vigna). */
static inline double sim_random(uint64_t *rng)
{
	uint64_t x = *rng;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*rng = x;
	return (double)((x * UINT64_C(0x2545f4914f6cdd1d)) >> 11) / 9007199254740992.0;
}
void sim_at_now(struct sim *, double in, enum sim_event_kind, uint32_t who, uint32_t turn);
void sim_at_cpu(struct sim *, double in, enum sim_event_kind, uint32_t who, uint32_t turn);
static inline bool sim_queue_empty(const struct sim_queue *q)
{
	return q->head == q->tail;
}
void sim_set_state(struct sim *, uint32_t worker, enum sim_state);

/** simulate.c: how workers run and find jobs. */
void sim_seek(struct sim *, uint32_t worker); /* Called when an active worker needs its next job. */
/* Finds a job, or a frame that can continue; for a frame, sets *job to DOZE_NO_INDEX. Returns false
 * if there is neither. */
bool sim_find(struct sim *, uint32_t worker, int32_t *job);
void sim_start(struct sim *, uint32_t worker, int32_t job);
bool sim_has_jobs(const struct sim *);

/** sim_sleep.c: how the policy puts workers to sleep and wakes them. */
struct sim_rules sim_rules_of(const struct doze_work *, const struct doze_policy_descriptor *);
bool sim_guide(struct sim *); /* Creates s->guide. Returns false if out of memory. */
void sim_posted(struct sim *, const struct doze_op *, int32_t by, bool was_empty);
void sim_latch_set(struct sim *, uint32_t owner);
void sim_job_done(struct sim *);
void sim_start_looking(struct sim *, uint32_t worker);
void sim_on_round(struct sim *, uint32_t worker);
void sim_on_sleepy(struct sim *, uint32_t worker);
void sim_on_sleep(struct sim *, uint32_t worker);
void sim_on_awake(struct sim *, uint32_t worker);
void sim_asleep_at_first(struct sim *);

#endif
