/*
 * SPDX-License-Identifier: MIT
 *
 * decisions.h - the list behind the story pane: each decision to wake, with its results.
 *
 * A decision is a post, a set latch, found work, or another cause, together with all wakes that
 * carry its id. The model's listener fills the list (history.c); the panes and the verdict read it.
 * The list also contains posts that woke no worker; consecutive ones by the same poster share one
 * entry.
 */
#ifndef DOZE_TUI_DECISIONS_H
#define DOZE_TUI_DECISIONS_H

#include <stdbool.h>

#include "../model/model.h"
#include "ring.h"

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
/** Returns the decision with the given number in the list, or null. */
const struct tui_decision *tui_decision_at(const struct tui_decisions *, uint64_t number);

#endif
