/*
 * SPDX-License-Identifier: MIT
 *
 * history.h - stores what the model reports, for scrolling back: spans, wakes, counters, events,
 * marks.
 *
 * The model's listener fills it on the main thread while events are fed; the views read it. It
 * contains no rules about the pool: states and verdicts come from the model.
 *
 * What the lanes and the counters drop is added to a coarse overview of the run (overview.h).
 *
 * Memory is bounded: TUI_HISTORY_BYTES for the lanes of all workers together (at least TUI_LANE_MIN
 * items per lane), and a fixed number of events, counter samples, marks and losses. With 8 workers,
 * that is about 170,000 spans and 40,000 wakes per worker. A live view stores only a quarter of
 * that, because its memory must not grow for hours. A recording can be read again.
 */
#ifndef DOZE_TUI_HISTORY_H
#define DOZE_TUI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../model/model.h"
#include "../../model/saved.h"
#include "overview.h"

/* ---- the ring ---- */

/** Keeps the newest items of a stream, up to a limit, and drops older ones. Items are plain memory
 * of one size, numbered from 0 (the oldest that is kept) to count - 1 (the newest). The ring grows
 * by doubling, up to `max`. Main thread only. */
struct tui_ring {
	size_t item; /* size of an item in bytes; set before the first push, then fixed */
	size_t cap, head, count;
	uint64_t dropped; /* number of items that were dropped, or not stored for lack of memory */
	char *data;
};

/** Appends a copy of *item. If the ring has `max` items, drops the oldest; `max` may be smaller
 * than in earlier calls. Never fails: if out of memory, the ring keeps its size. */
void tui_ring_push(struct tui_ring *, const void *item, size_t max);
/** Likewise, and calls `drop` with each item right before it is dropped. */
void tui_ring_push_or(struct tui_ring *, const void *item, size_t max,
		      void (*drop)(void *ctx, const void *item), void *ctx);
/** Returns item i, or null if there is no such item. Valid until the next push. */
void *tui_ring_at(const struct tui_ring *, size_t i);
void tui_ring_free(struct tui_ring *);

/** For items that begin with an ascending int64_t: returns the index of the first item with a value
 * > t, or `count` if there is none. */
size_t tui_ring_after(const struct tui_ring *, int64_t t);

/* ---- pairs of waker and woken worker ---- */

/** The number of wakes from one worker to another, and how many of them were futile. */
struct tui_pair {
	uint32_t wakes, futile;
	int32_t waker; /* row; -1: all outside threads */
	uint32_t target;
};

/** A hash table of the pairs with a wake: workers of different pools do not wake each other, so in
 * a trace of many pools most pairs have none. Initialise with zeros. */
struct tui_pairs {
	struct tui_pair *pair; /* owned; entries without wakes are free */
	size_t room, count;    /* room: 0 or a power of two */
};

/** Counts a wake from the worker in row `waker` (-1: an outside thread) to the one in row `target`,
 * unless memory runs out. rows: number of rows so far. */
void tui_pairs_count(struct tui_pairs *, int32_t waker, uint32_t target, size_t rows, bool futile);
/** Returns the wakes from the worker in row `waker` (-1: an outside thread) to the one in row
 * `target`; never null. */
const struct tui_pair *tui_pair_at(const struct tui_pairs *, int32_t waker, uint32_t target);
void tui_pairs_free(struct tui_pairs *);

/*
 * ---- decisions: the list behind the story pane, each decision to wake, with its results.
 *
 * A decision is a post, a set latch, found work, or another cause, together with all wakes that
 * carry its id. The panes and the verdict read the list.
 * The list also contains posts that woke no worker; consecutive ones by the same poster share one
 * entry.
 */

enum { TUI_DECISIONS_MAX = 1 << 14, TUI_TARGETS = 8, TUI_DECISION_SLOTS = 1 << 12 };

/** A worker that a decision woke. */
struct tui_target {
	uint32_t row;
	int32_t index; /* -1: unknown (chosen by a condition variable and not awake yet) */
	uint8_t verdict;
	uint64_t wake_id;
	int64_t awake, first_job, ended; /* as in struct doze_wake */
};

struct tui_decision {
	int64_t at; /* time of the post, or of the first wake if there is no post */
	/* id: as in the trace, 0: none; number: index in the list, counting from 0 */
	uint64_t id, number;
	uint32_t host, pool;
	int32_t vpid;
	int32_t waker, vtid; /* waker -1: an outside thread; vtid -1: unknown */
	enum doze_cause cause;
	bool posted; /* a post was seen, so the members up to `repeats` are set */
	enum doze_queue queue;
	uint32_t jobs, chosen;
	bool was_empty;         /* the queue was empty before the post */
	int32_t idle, sleeping; /* counts that the poster read; -1: the policy does not count */
	uint64_t caller;        /* return address of the call that posted; 0: unknown */
	uint32_t repeats;       /* number of further posts by the same poster that woke no worker */
	uint32_t wakes;         /* number of wakes, the sum of `verdicts` */
	uint32_t verdicts[DOZE_VERDICT_COUNT];
	int64_t searched; /* total time for which futilely woken workers were awake, ns */
	struct tui_target target[TUI_TARGETS];
	uint32_t targets; /* number of targets in use */
};

struct tui_decisions {
	struct tui_ring ring;              /* contains struct tui_decision */
	uint64_t slot[TUI_DECISION_SLOTS]; /* hash table: the decision's number plus 1 */
};

/** Records a post. */
void tui_decisions_post(struct tui_decisions *, const struct doze_event *);
/** Records a wake, or a change of its verdict. */
void tui_decisions_wake(struct tui_decisions *, const struct doze_wake *);

enum {
	TUI_HISTORY_BYTES = 64 << 20,
	/* Limit for all lanes of a live view together. Its memory stops growing after a few
	 * minutes. */
	TUI_LIVE_BYTES = 16 << 20,
	TUI_LANE_MIN = 1024,
	TUI_EVENTS_MAX = 1 << 19,
	TUI_LIVE_EVENTS_MAX = 1 << 15,
	TUI_WORDS_MAX = 1 << 16, /* maximum number of counters words per pool */
	TUI_MARKS_MAX = 4096,
	TUI_LOSSES_MAX = 1024,
	TUI_NOTE = 40,
	TUI_CHECKPOINTS = 512,
};

/* The first member of each struct is the sort key of its ring. */
struct tui_span {
	int64_t to, from;
	uint8_t state, why;
	bool unknown;
};

struct tui_wake {
	/* Time of the notification, or time at which the worker woke up if the notification was not
	 * seen. */
	int64_t at;
	struct doze_wake wake;
};

struct tui_word {
	int64_t at;
	uint64_t word;
};

struct tui_event {
	int64_t at;
	struct doze_event ev; /* without strings: `note` has the text */
	int32_t row;          /* row of the acting worker; -1: outside thread */
	char note[TUI_NOTE];  /* text of the event (a mark, a name or a policy), truncated to fit */
};

struct tui_loss {
	int64_t to, from;
	uint64_t count; /* 0: unknown */
};

struct tui_finding {
	int64_t at;
	struct doze_finding finding;
};

struct tui_storm {
	int64_t at; /* time of the storm's first notification */
	struct doze_storm storm;
};

struct tui_lane {
	struct tui_ring spans, wakes;
	uint64_t newest_wake; /* largest wake id in `wakes` */
};

struct tui_pool_words {
	uint32_t host;
	int32_t vpid;
	uint32_t pool;
	struct tui_ring words;
	uint64_t highest_jec; /* of the words that the ring has dropped */
	/* Time at which the pool stopped, after which its counters word is undefined; INT64_MAX:
	 * not stopped. */
	int64_t ended;
};

struct doze_checkpoint;
struct tui_policy_split;
struct tui_recording;

struct tui_history {
	struct doze_model *model; /* owned */
	bool live;                /* use the smaller limits (TUI_LIVE_*) */
	/* For a live duel: decides which of the two histories receives an event. Not owned; may be
	 * null. */
	struct tui_policy_split *split;
	/* receives a copy of everything that the feed delivers; not owned; may be null */
	struct tui_recording *recording;
	const struct doze_selection *selection; /* the only pool to show; not owned; may be null */
	struct tui_decisions decisions;
	struct tui_pairs pairs;
	/* Time at which the pools began to terminate; 0: they have not, or a pool has posted or run
	 * a job since then. */
	int64_t ending;
	struct tui_lane *lanes; /* indexed by row */
	size_t n_lanes;
	struct tui_pool_words *pools;
	size_t n_pools;
	struct tui_overview dropped;   /* the spans, wakes and words that the rings have dropped */
	struct tui_ring events, marks; /* rings of struct tui_event */
	struct tui_ring losses, findings, storms;
	/* The trace's clock: the time up to which all events are known. */
	int64_t clock;
	/* the event that the model is processing, for the listener */
	const struct doze_event *feeding;
	/* Checkpoints, for rereading parts that were dropped from memory (archive.h). */
	struct doze_checkpoint *checkpoint[TUI_CHECKPOINTS]; /* owned, oldest first */
	size_t n_checkpoints;
	/* At most this much trace time (ns) and this many events are between two checkpoints, or
	 * twice that until the model has settled; 0: no checkpoints. */
	int64_t checkpoint_every;
	uint64_t checkpoint_events;
	uint64_t since_checkpoint; /* number of events */
	/* time of the checkpoint from which the model started; INT64_MIN: no checkpoint */
	int64_t resumed;
	/* Nothing before complete_from and after complete_to is stored; INT64_MIN and INT64_MAX:
	 * the whole trace is stored. */
	int64_t complete_from, complete_to;
};

/** Returns a history with a new model, owned by the caller, or null if out of memory. */
struct tui_history *tui_history_new(void);
/** Returns a history that starts from a checkpoint (null: empty) and makes no diagnosis. The caller
 * owns the history. Returns null if out of memory. */
struct tui_history *tui_history_new_at(const struct doze_checkpoint *);
void tui_history_free(struct tui_history *);

/** Passes an event to the model, and stores the event and what the model reports. */
void tui_history_feed(struct tui_history *, const struct doze_event *);
void tui_history_discarded(struct tui_history *, int64_t from, int64_t to, uint64_t count);
/** Advances the trace's clock to ts, because no event occurred before ts. */
void tui_history_quiet(struct tui_history *, int64_t ts);
/** Called after the last event of the trace. */
void tui_history_finish(struct tui_history *);

/** Saves the finished history of a whole recording in about `most` bytes (model/saved.h), or loads
 * it. A loaded history has nothing of the rings of lanes, words, events and decisions: everything
 * is in its overview, and complete_from is behind its end. */
void tui_history_saved(struct tui_history *, uint64_t most, struct doze_saved *);
/** Returns a history that was saved, owned by the caller; null after a failure. */
struct tui_history *tui_history_load(struct doze_saved *);
/** Makes `all`, which must be zeros and which the caller frees, an overview of everything: of what
 * the rings have dropped, and of what they have. Returns false if out of memory. */
bool tui_history_overview(const struct tui_history *, struct tui_overview *all);

/** Returns the span of a lane that covers t, or null. */
const struct tui_span *tui_span_at(const struct tui_lane *, int64_t t);
/** Returns how the rows of wakes count a wake with this verdict. */
enum tui_wake_kind tui_wake_kind(enum doze_verdict);
/** Unpacks the counters from a pool's counters word, without the JEC's toggles. */
struct tui_counters tui_counters_of(const struct doze_pool_view *, uint64_t word);
/** Returns how often the JEC was toggled between the highest value so far and this value. A lower
 * value does not count as a toggle, because it comes from an earlier step on another CPU that has a
 * later timestamp. */
uint64_t tui_toggles_beyond(uint64_t *highest, uint64_t jec);

/** Returns the counters words of a pool, or null if none were seen. */
const struct tui_pool_words *tui_words_of(const struct tui_history *,
					  const struct doze_pool_view *);
/** Returns the time from which all lanes are completely in memory. */
int64_t tui_history_since(const struct tui_history *);
/** Returns the time from which the lists of all panes are completely in memory. */
int64_t tui_history_kept(const struct tui_history *);
/** Makes the history take checkpoints from now on: at most TUI_CHECKPOINTS, at increasing
 * intervals. */
void tui_history_take_checkpoints(struct tui_history *);
/** Called before an event at ts is fed. Takes a checkpoint if one is due. */
void tui_history_drop_checkpoints(struct tui_history *);
/** Returns the latest checkpoint before t, borrowed until the next event, or null if there is
 * none. */
const struct doze_checkpoint *tui_history_checkpoint(const struct tui_history *, int64_t t);

#endif
