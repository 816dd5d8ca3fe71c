/*
 * SPDX-License-Identifier: MIT
 *
 * model.h - reconstructs a pool's states, wakes and storms from its events.
 *
 * The caller feeds events in timestamp order. The model passes finished intervals, verdicts, storms
 * and findings to a listener, and answers questions about the current state at any time. The
 * viewer, the timeline, the storm report, the checker, the graders and the exports share this one
 * state machine. README.md defines the measures and names their sources.
 *
 * The model never asserts on input. It counts contradictions and passes them to on_finding.
 * Discarded events make spans unknown. Memory is bounded by the number of workers and open wakes,
 * not by the length of the trace.
 *
 * Only one thread may use a model at a time; no call blocks.
 */
#ifndef DOZE_VIZ_MODEL_H
#define DOZE_VIZ_MODEL_H

#include <stddef.h>

#include "../trace/event.h"
#include "../trace/selection.h"
#include "hist.h"

struct doze_model;
struct doze_policy_descriptor;

/** Key of a worker: (host, vpid, pool, index). `row` is a dense number, assigned from 0 in order of
 * first appearance. It never changes, so use it to index arrays. */
struct doze_worker_key {
	uint32_t host;
	int32_t vpid;
	uint32_t pool;
	int32_t index;
	uint32_t row;
};

/** A closed span in one state. unknown: its beginning was not seen, events were lost during it, or
 * the trace ended during it. */
struct doze_interval {
	struct doze_worker_key who;
	enum doze_state state;
	enum doze_reason why; /* why the worker entered the state */
	int64_t from, to;     /* ns */
	bool unknown;
};

enum doze_verdict {
	DOZE_VERDICT_open, /* not yet known */
	DOZE_VERDICT_unresolved,
	DOZE_VERDICT_redundant,
	DOZE_VERDICT_self,
	DOZE_VERDICT_terminate,
	DOZE_VERDICT_latch,
	DOZE_VERDICT_useful,
	DOZE_VERDICT_futile,
	/* Only in crews (README.md, "Programs that are not ours"): the thread went on, which claims
	 * nothing; no thread took the wake. */
	DOZE_VERDICT_went_on,
	DOZE_VERDICT_nobody,
	DOZE_VERDICT_COUNT
};
const char *doze_verdict_name(enum doze_verdict v);

/** One entry of the wake ledger. Times are in ns; 0 means not seen. */
struct doze_wake {
	struct doze_worker_key target;
	int32_t waker;      /* acting worker, -1: outside thread */
	int32_t waker_vtid; /* -1: unknown */
	uint64_t wake_id, decision_id;
	enum doze_cause cause;
	enum doze_verdict verdict;
	/* Code addresses of the decision's post, and of the caller of the function that contains
	 * it; 0: unknown. */
	uint64_t caller, caller2;
	int64_t published; /* time of the decision's post */
	int64_t notified;  /* time of `wake` */
	int64_t awake;     /* time of `woken` */
	int64_t found;     /* time of idle -> active, if the reason was a found job */
	int64_t first_job; /* start of that job, or `found` if its start was not recorded */
	int64_t ended;     /* time when the verdict became known */
};

/** The delays of a wake, as all tables and scores measure them. */
enum doze_delay {
	DOZE_DELAY_notify_awake, /* from the notification until the target woke */
	/* The stages of a useful wake whose post was seen, if its `woken` was seen, too. */
	DOZE_DELAY_publish_notify,
	DOZE_DELAY_useful_awake,
	DOZE_DELAY_awake_found,
	DOZE_DELAY_found_job,
	DOZE_DELAY_publish_job, /* the sum of these stages: how long the job waited */
	/* How long a futilely woken worker searched, in wall time. Begins with the notification if
	 * its `woken` was not seen. */
	DOZE_DELAY_futile_search,
	DOZE_DELAY_COUNT
};
/** Returns a delay in ns, at least 0; -1 if the wake has no such delay. The wake must have its
 * verdict. */
int64_t doze_wake_delay(const struct doze_wake *, enum doze_delay);

/** One wakeup storm (README.md, "Decisions and storms"), reported when all its wakes have verdicts.
 * Decisions closer together than doze_model_options.storm_merge_ns form one storm; the first of
 * them is the trigger. */
struct doze_storm {
	uint32_t host;
	int32_t vpid;
	uint32_t pool;
	uint32_t pool_row;  /* index for doze_model_pool */
	int32_t waker;      /* waker of the trigger: acting worker, -1: outside thread */
	int32_t waker_vtid; /* -1: unknown */
	uint64_t decision_id;
	/* Code address at which the trigger's job was posted; 0: unknown, or no post. */
	uint64_t caller;
	enum doze_cause cause;
	int64_t from, to;   /* ns: first notification, last verdict */
	uint32_t decisions; /* number of decisions in this storm */
	uint32_t jobs;      /* number of jobs that these decisions published */
	uint32_t woken;     /* fan-out: number of wakes, excluding redundant wakes */
	uint32_t useful, futile, latch, unresolved;
	int64_t burnt; /* wall time (not CPU time) that futilely woken workers searched, ns */
};

/** A violation of the protocol, or a contradiction in the trace. */
struct doze_finding {
	const char *rule; /* short stable id, e.g. "transition", "wake-pair", "counters" */
	bool ambiguous;   /* lost events or the order of timestamps may explain it */
	bool certain;     /* no lost or missing events and no order of timestamps explain it */
	uint64_t number;  /* from 1, per model; 0: a consequence */
	uint64_t cause;   /* number of the finding that caused this one; 0: none */
	struct doze_worker_key who;
	int64_t ts;    /* ns: when the finding became certain */
	int64_t about; /* ns: time of the event in question; earlier than ts if the finding is about
			* a missing reaction */
	char text[160];
};

struct doze_pool_view;

/** Called from doze_model_feed and doze_model_finish. Each callback may be null. Pointers are
 * borrowed. */
struct doze_model_listener {
	void (*on_interval)(void *ctx, const struct doze_interval *);
	void (*on_wake)(void *ctx, const struct doze_wake *); /* a `wake` whose target is known */
	void (*on_verdict)(void *ctx, const struct doze_wake *); /* a wake whose verdict is known */
	void (*on_finding)(void *ctx, const struct doze_finding *);
	/* Called for a consequence of a finding that on_finding received. */
	void (*on_consequence)(void *ctx, const struct doze_finding *);
	/* The text has been cleaned (trace/utf8.h). */
	void (*on_mark)(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text);
	void (*on_counters)(void *ctx, int64_t ts, uint32_t pool, uint64_t word,
			    const struct doze_word_layout *);
	/* Called for a new value of the counters word. The pool's view also identifies the process
	 * and host. */
	void (*on_word)(void *ctx, int64_t ts, const struct doze_pool_view *, uint64_t word);
	void (*on_lost)(void *ctx, int64_t from, int64_t to, uint64_t count);
	void (*on_storm)(void *ctx, const struct doze_storm *);
};

/** The thresholds that verdicts depend on. Start from DOZE_MODEL_DEFAULTS. */
struct doze_model_options {
	/* The part of the trace to which on_storm, on_finding, the totals and the measures are
	 * limited (README.md, "Scope"). The model still needs the earlier events to get states and
	 * verdicts right from the beginning of the part. */
	struct doze_selection selection;
	/* A storm needs at least this many workers woken by one decision, */
	uint32_t storm_min_wakes;
	double storm_min_share;  /* at least this share of the pool's workers, */
	double storm_min_futile; /* and at least this share of futile wakes */
	int64_t storm_merge_ns;  /* decisions closer together than this form one storm */
	int64_t quiet_ns;        /* counters and states must agree after this long without events */
	/* After this long without events, a worker that waits in vain for another thread is a
	 * finding. A missing step is a finding only once the pool stops, or if the trace ends this
	 * long after the step: until then, the thread that made the step may be waiting for a CPU
	 * before it reports the step. */
	int64_t long_quiet_ns;
	bool raw_ids; /* findings name latches by id, not by L1, L2, … */
};
#define DOZE_MODEL_DEFAULTS                                                                        \
	{                                                                                          \
		.storm_min_wakes = 4, .storm_min_share = 0.5, .storm_min_futile = 0.5,             \
		.storm_merge_ns = 1000000, .quiet_ns = 5000000, .long_quiet_ns = 200000000,        \
		.selection = DOZE_SELECT_ALL,                                                      \
	}

/** Returns a model owned by the caller, or null if out of memory. Copies the listener; the model
 * does not own ctx. */
struct doze_model *doze_model_new(const struct doze_model_listener *, void *ctx);
/** Like doze_model_new, but with options, which are copied; null means defaults. The listener may
 * be null. */
struct doze_model *doze_model_new_with(const struct doze_model_options *,
				       const struct doze_model_listener *, void *ctx);
void doze_model_free(struct doze_model *);

/** Sets the beginning of the trace, ns, to which times are relative: the time of its first event,
 * even if the model does not receive that event. Only the first call has an effect. */
void doze_model_begin(struct doze_model *, int64_t ts);
/** Processes one event. */
void doze_model_feed(struct doze_model *, const struct doze_event *);
/** Reports that events were discarded between from and to (ns); count 0 means an unknown number. */
void doze_model_discarded(struct doze_model *, int64_t from, int64_t to, uint64_t count);
/** Declares that the trace contains all events of its recording, except for reported losses.
 * Apparently missing events then become findings. Call it before the first event. */
void doze_model_complete(struct doze_model *);
/** Counts in totals.missing a sign of missing events that the caller has found, such as a missing
 * trace file. `what` names it in a few words; it may be "". */
void doze_model_incomplete(struct doze_model *, const char *what);
/** Live only: declares that no later event has a time before ts (ns), which lets the model detect
 * quiet periods. */
void doze_model_clock(struct doze_model *, int64_t ts);
/** Ends the trace at ts: closes all spans and wakes. If their pool has not stopped, they are closed
 * as unknown. */
void doze_model_finish(struct doze_model *, int64_t ts);

/* ---- current state ---- */

/** The waits of threads that are not ours, as counted in the program, so that lost events do not
 * matter. `again`: woken, and waited again with the mutex held throughout. */
struct doze_wait_counts {
	uint64_t waits, woken, again, timed_out;
	bool sampled; /* some waits were only counted, because there were too many */
};

/** A wait that a thread has announced. kind none: not known. */
struct doze_wait {
	enum doze_wait_kind kind;
	uint64_t address, caller; /* of the object; of the code that waits */
};

struct doze_pool_view {
	uint32_t host;
	int32_t vpid;
	uint32_t pool;
	uint32_t row;                               /* index for doze_model_pool */
	const char *policy;                         /* borrowed from the model; "?" until known */
	char name[24];                              /* the pool's name; "" until known */
	const struct doze_policy_descriptor *rules; /* the policy's descriptor; never null */
	uint32_t workers;                           /* as reported; 0 until known */
	uint32_t rounds_until_sleepy, rounds_until_sleeping; /* as configured; 0 until known */
	uint32_t schema_minor; /* minor version of the pool's trace schema; 0 until known */
	struct doze_word_layout layout;
	uint64_t word; /* the last known value */
	bool started, stopped;
	enum doze_level level; /* the recorded level; none if unknown: schemas before 1.2 */
	/* Whether every post and start is recorded: at level `all`, or `jobs` before schema 1.2. */
	bool jobs_level;
	/* Numbers of workers. */
	uint32_t index_end; /* the highest index seen, plus 1 */
	uint32_t in_state[DOZE_STATE_COUNT];
	/* Number of workers whose state has been seen; how many of those are now `unknown`. */
	uint32_t known_workers, uncertain_workers;
	/* Only crews: address of the threads' start routine (0: unknown, or the main thread), the
	 * waits that its threads have counted, and whether any of them has waited again. */
	uint64_t crew_start;
	struct doze_wait_counts waits;
	bool waited_again;
	/* Wakes and jobs in progress. */
	uint32_t notified; /* wakes whose target is not awake yet */
	/* How many of those are signals on a condition variable, without a target. */
	uint32_t untargeted;
	int64_t jobs_waiting; /* published but not yet started; needs jobs_level */
	int64_t last_ts;      /* time of the latest event other than a snapshot */
};

enum { DOZE_LATCH_NAME = 24 };
/** Writes a latch's name into out, which has room for DOZE_LATCH_NAME bytes, and returns out. "L3"
 * is the third latch that the trace mentions in this pool. A latch that was never mentioned, or
 * that was followed by 262144 others, is shown by its id. The pool may be null if unknown. */
char *doze_model_latch_name(const struct doze_model *, const struct doze_pool_view *, uint64_t id,
			    char *out);

/** Returns whether the pool's policy keeps a JEC in its word. For an unknown policy, returns
 * whether the word has bits for one. */
bool doze_pool_has_jec(const struct doze_pool_view *);

/** Returns whether the pool is a crew: threads of a program without libdoze. */
bool doze_pool_is_crew(const struct doze_pool_view *);
/** Returns whether the trace shows a program without libdoze: it has crews and no other pools. */
bool doze_model_is_foreign(const struct doze_model *);

/** Phase of a worker's open wake; a worker has at most one. */
enum doze_wake_phase {
	DOZE_WAKE_none,
	DOZE_WAKE_early, /* notified while the target was sleepy; its sleep may be reported later */
	DOZE_WAKE_notified, /* notified; this wake ends the target's sleep */
	DOZE_WAKE_awake,    /* the target woke; its next action decides the verdict */
};

struct doze_worker_view {
	struct doze_worker_key key;
	uint32_t pool_row; /* index for doze_model_pool */
	enum doze_state state;
	enum doze_reason why; /* the reason for entering the state */
	int64_t since;        /* ns: when the worker entered the state */
	bool known;           /* at least one state of the worker has been seen */
	bool unknown;         /* events were lost during the state, or its beginning was not seen */
	bool leaving;         /* the worker has reported `woken`, but not its next state yet */
	bool counted_out; /* the worker no longer counts as a sleeper, but has not reported its next
			   * state */
	bool job_in_hand; /* the worker has taken a job from a queue, but has not reported the job's
			   * start */
	struct doze_wait
	    wait; /* only crews: the thread's latest wait, which it is in if it sleeps */
	enum doze_wake_phase wake_phase;    /* phase of the wake that ends the worker's sleep */
	int64_t total[DOZE_STATE_COUNT];    /* ns of closed intervals, without unknown spans */
	uint64_t entered[DOZE_STATE_COUNT]; /* how often the worker entered each state */
	uint64_t jobs_run, jobs_published;
	uint64_t wakes; /* number of the worker's `woken` events */
	/* Number of `wake` events that the worker sent, and how many of these wakes were futile. */
	uint64_t wakes_sent, futile_sent;
};

/** The known facts about a thread, identified by its vtid. */
struct doze_thread_view {
	uint32_t host;
	int32_t vtid;
	char name[24];                         /* name of an outside thread; "": unknown */
	const struct doze_worker_view *worker; /* the worker whose thread this is; null: none */
};

/** An outside thread that woke workers of a pool. vtid -1 stands for all threads whose vtid is
 * unknown, and for all after the first 64. */
struct doze_outside_view {
	int32_t vtid;
	uint64_t wakes_sent, futile_sent;
};

/** 30 days in ns: no recording of a running pool has such a long gap. */
#define DOZE_LEAP_NS (30 * INT64_C(86400) * 1000000000)

struct doze_totals {
	uint64_t events, unknown_events, discarded;
	uint64_t findings, ambiguous; /* numbers of unambiguous and of ambiguous findings passed to
				       * on_finding */
	uint64_t certain;             /* number of findings with `certain` set */
	uint64_t consequences;        /* number of on_consequence calls */
	/* Number of findings outside the selection, which are not reported. */
	uint64_t elsewhere;
	uint64_t storms;
	uint64_t wakes;                        /* wake events */
	uint64_t woken;                        /* woken events */
	uint64_t verdicts[DOZE_VERDICT_COUNT]; /* wakes by verdict */
	uint64_t posts, jobs_published, jobs_run;
	uint64_t jec_toggles, sleep_aborts[DOZE_ABORT_COUNT];
	int64_t first_ts, last_ts;
	uint64_t outside_wakes; /* wake events by outside threads */
	uint64_t evicted;       /* entries, and their verdicts, dropped because a table was full or
				 * memory ran out */
	/* Number of signs of missing events that no loss report covers (missing.c). If there are
	 * any, neither findings nor their absence prove anything. Final after doze_model_finish. */
	uint64_t missing;
	char missing_what[128]; /* the missing or damaged file; "": unknown */
	/* Number of events earlier than their predecessors, a sign that the stream is damaged. */
	uint64_t backwards;
	uint64_t leaps;  /* number of events more than DOZE_LEAP_NS later than their predecessors */
	bool truncated;  /* a pool started and did not stop: set by doze_model_finish */
	bool jobs_level; /* every post and start of at least one pool is recorded */
};

/** Returns the options of the model, borrowed. */
const struct doze_model_options *doze_model_limits(const struct doze_model *);
size_t doze_model_pools(const struct doze_model *);
const struct doze_pool_view *doze_model_pool(const struct doze_model *, size_t i);
/** Returns the pool of an event; null if the model has not seen it. */
const struct doze_pool_view *doze_model_pool_of(const struct doze_model *,
						const struct doze_event *);
/** Return the level of detail of a pool, or of the pool recorded in most detail: "states", "jobs"
 * or "all". Before schema 1.2, level `all` is also reported as "jobs". */
const char *doze_pool_level(const struct doze_pool_view *);
const char *doze_model_level(const struct doze_model *);
size_t doze_model_workers(const struct doze_model *);
const struct doze_worker_view *doze_model_worker(const struct doze_model *, size_t row);
/** Returns the i-th outside thread of a pool, in order of appearance, or null after the last
 * one. */
const struct doze_outside_view *doze_model_outside(const struct doze_model *, size_t pool,
						   size_t i);
/** Returns the known facts about a thread on a pool's host, or null. A worker of another pool is an
 * outside thread to this one. */
const struct doze_thread_view *doze_model_thread(const struct doze_model *, uint32_t pool_row,
						 int32_t vtid);
const struct doze_totals *doze_model_totals(const struct doze_model *);
/** Returns futile / resolved wakes, or 0 if there are none. Self-wakes do not count, because they
 * have no waker. For crews, this is a lower bound. */
double doze_model_futile_ratio(const struct doze_model *);

/* ---- fields of the counters word ---- */
/** Returns `bits` bits of a word, starting at bit `shift`. Bits beyond the word are 0. */
static inline uint64_t doze_word_field(uint64_t word, unsigned shift, unsigned bits)
{
	uint64_t v = shift < 64 ? word >> shift : 0;

	return bits >= 64 ? v : v & ((1ull << bits) - 1);
}

/** Return the fields of a word: the numbers of sleeping and of inactive workers, and the JEC. */
static inline uint32_t doze_word_sleeping(const struct doze_word_layout *l, uint64_t word)
{
	return (uint32_t)doze_word_field(word, 0, l->bits_sleeping);
}

static inline uint32_t doze_word_inactive(const struct doze_word_layout *l, uint64_t word)
{
	return (uint32_t)doze_word_field(word, l->bits_sleeping, l->bits_inactive);
}

static inline uint64_t doze_word_jec(const struct doze_word_layout *l, uint64_t word)
{
	return doze_word_field(word, (unsigned)l->bits_sleeping + l->bits_inactive, l->bits_jec);
}

/*
 * ---- The numbers that the model accumulates, and that the storm report, the comparison
 * and the exports print. README.md has their definitions and sources.
 */

/** Chains of wakes: a woken worker that finds work wakes the next worker. */
struct doze_chain_measures {
	uint64_t wakes, futile; /* wakes with cause work_found; how many were futile */
	uint64_t roots;         /* wakes with any other cause, excluding redundant wakes */
	uint32_t longest;       /* links in the longest chain, not counting its root */
};

/** A post whose job waits, and its decision. */
struct doze_waiting_post {
	bool known;  /* false: the post was not seen; the other members are undefined */
	bool merged; /* the job belongs to this post, or to a later post that was merged with this
		      * one */
	int64_t ts;
	int32_t poster, poster_vtid; /* acting worker, -1: outside thread; vtid, -1: unknown */
	enum doze_queue queue;
	uint32_t jobs, wakes;   /* number of jobs published, and of workers that the post chose to
				 * wake */
	int32_t idle, sleeping; /* as the poster saw them; -1: not counted by the policy */
	uint64_t decision_id;
	uint64_t caller; /* code address of the post; 0: unknown */
};

/** Returns the contents of a post event, as a known post. */
struct doze_waiting_post doze_waiting_post_of(const struct doze_event *post);

/** Why the post's job waits, judging by the numbers that the poster saw. */
enum doze_underwake_why {
	DOZE_UNDERWAKE_unknown,     /* the post was not seen */
	DOZE_UNDERWAKE_woke,        /* the post woke a worker that did not take the job */
	DOZE_UNDERWAKE_idle,        /* the poster relied on an idle worker */
	DOZE_UNDERWAKE_none_asleep, /* the poster saw no sleeper */
	DOZE_UNDERWAKE_rule,        /* the poster saw sleepers, but the policy's rule woke none of
				     * them */
	DOZE_UNDERWAKE_COUNT
};
enum doze_underwake_why doze_underwake_why(const struct doze_waiting_post *);
const char *doze_underwake_why_name(enum doze_underwake_why);

/** Periods in which a published job waited, a worker slept, and no worker searched (level all).
 * Such a period is attributed to the oldest post with a waiting job at its beginning. */
struct doze_underwake_measures {
	uint64_t spans;
	uint64_t by_why[DOZE_UNDERWAKE_COUNT];
	struct doze_hist wait;   /* ns each */
	int64_t worst, worst_at; /* length and beginning of the longest period, ns */
	struct doze_waiting_post worst_post;
	uint32_t worst_pool, worst_pool_row; /* the pool's number; index for doze_model_pool */
};

struct doze_storm_measures {
	uint64_t storms, decisions, woken, futile;
	uint64_t unresolved; /* decisions that may be storms, depending on unresolved wakes */
	uint64_t by_cause[DOZE_CAUSE_COUNT];
	int64_t burnt; /* ns of wall time, as in struct doze_storm */
};

/** Calls that wake all threads that wait. */
struct doze_herd_measures {
	uint64_t decisions, woken; /* such calls that woke a thread; the threads that they woke */
	uint32_t most;             /* the largest number of threads that one of them woke */
};

/** A place in a program without libdoze that calls a function that wakes. */
struct doze_wake_site {
	uint32_t host;
	int32_t vpid;
	enum doze_wait_kind kind; /* none: not known yet */
	uint64_t caller; /* code address; 0: all places for which the program's table had no room */
	/* Code address that called the place's function, and to which the wakes of this entry are
	 * limited; such an entry has no counts of calls. 0: the wakes of all callers. */
	uint64_t caller2;
	/* Counted in the program since its start, so independent of losses and of the selection. */
	uint64_t calls, nobody;
	/* From the events in the selection. The program's calls that woke a thread are decisions,
	 * one for each crew. */
	uint64_t wakes, futile;
};

struct doze_measures {
	/* The stages of a useful wake whose post is known. Their means add up. found_job is the
	 * time from finding a job to starting it; the worker that found the job may wake other
	 * workers in that time. */
	struct doze_hist publish_notify, useful_awake, awake_found, found_job, publish_job;
	uint64_t unmeasured; /* useful wakes caused by a post, if the post or the `woken` event is
			      * missing */
	struct doze_hist notify_awake;  /* all wakes, not only useful ones */
	struct doze_hist futile_search; /* from waking to sleeping again, for futile wakes */
	uint64_t verdicts[DOZE_CAUSE_COUNT][DOZE_VERDICT_COUNT];
	struct doze_chain_measures chain;
	struct doze_underwake_measures underwake;
	struct doze_storm_measures storm;
	struct doze_herd_measures herd;
	struct doze_hist awake; /* crews: from the end of a wait by a wake to the next wait, ns */
	/* Number of steps on counters words, and how many of these steps were seen out of order. */
	uint64_t steps, reordered;
};

/** Returns the measures, borrowed. They change with each event and are valid until the model is
 * freed. */
const struct doze_measures *doze_model_measures(const struct doze_model *);

/** Returns wakes / jobs published, or 0 without jobs. Divides by jobs run if more jobs were seen to
 * run than to be published. */
double doze_model_amplification(const struct doze_model *);
/** Returns woken - useful: how many woken workers ran no job. Self-wakes are excluded. */
uint64_t doze_model_herd_excess(const struct doze_model *);
/** Returns place i, in order of appearance, or null after the last one. */
const struct doze_wake_site *doze_model_wake_site(const struct doze_model *, size_t i);
/** Returns a pool of the place's process, by which its address can be resolved; null: none seen. */
const struct doze_pool_view *doze_model_site_pool(const struct doze_model *,
						  const struct doze_wake_site *);
/** Returns the waits of all crews, as counted in their programs. */
struct doze_wait_counts doze_model_wait_counts(const struct doze_model *);
/** Returns the time that all workers spent in a state, ns. Excludes open spans. */
int64_t doze_model_time_in(const struct doze_model *, enum doze_state);
/** Like doze_model_time_in, but includes open spans up to ts. */
int64_t doze_model_time_until(const struct doze_model *, enum doze_state, int64_t ts);

/*
 * ---- Saves the state of a model, so that a fresh model can continue from there.
 *
 * A viewer that shows a minute in the middle of a long trace feeds a model from a checkpoint
 * instead of from the beginning. A checkpoint contains pools, workers with their states and open
 * wakes, counters words, names of latches and totals. It leaves out short-lived data: open
 * decisions (a storm in progress is counted only from the checkpoint on), recent posts, waiting
 * jobs, names of threads (until each thread's next event), and the measures. Therefore, start
 * feeding some time before the part to be shown.
 *
 * A checkpoint takes a few KiB, depending on the number of workers. Only the thread that uses the
 * model may use its checkpoints.
 */

struct doze_checkpoint;

/** Returns whether no wake is open. A checkpoint taken at such a time loses no information about
 * wakes. */
bool doze_model_is_settled(const struct doze_model *);
/** Returns a checkpoint of the model after the events fed so far, owned by the caller; null if out
 * of memory. */
struct doze_checkpoint *doze_checkpoint_take(const struct doze_model *);
void doze_checkpoint_free(struct doze_checkpoint *);
/** Returns the time of the latest event before the checkpoint. */
int64_t doze_checkpoint_ts(const struct doze_checkpoint *);
/** Restores a checkpoint into a model that has not been fed yet. Then feed the model the events
 * after doze_checkpoint_ts. Calls no hook of an observer. Returns false if out of memory. */
bool doze_checkpoint_resume(const struct doze_checkpoint *, struct doze_model *);

struct doze_saved;

/** Saves a checkpoint or, if `s` loads, returns a new one, owned by the caller. Returns null after
 * a failure (saved.h); a checkpoint that was to be saved still belongs to the caller. */
struct doze_checkpoint *doze_checkpoint_saved(struct doze_checkpoint *, struct doze_saved *s);
/** Saves a finished model, or loads one into a model that has not been fed yet, which is then
 * finished. Observers save their own state. A loaded model answers all questions about the whole
 * trace, and calls no listener. Returns false after a failure. */
bool doze_model_saved(struct doze_model *, struct doze_saved *s);

#endif
