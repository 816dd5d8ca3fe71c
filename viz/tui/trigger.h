/*
 * SPDX-License-Identifier: MIT
 *
 * trigger.h - conditions on a live session, such as "futile>0.5 for 1s", that save it when they
 * hold.
 *
 * Each measure covers all pools together over the last SPAN of the trace's time (given as "for
 * SPAN"; 1 s by default):
 *
 *	futile>SHARE  wakes in vain, of all wakes with a verdict (at least TUI_TRIGGER_WAKES)
 *	p99>TIME      99th percentile of the delay from a post to the start of its job by the woken
 *	asleep>SHARE  time in which a job waited while a worker slept, of all workers' time
 *	hang          a pool has rested for SPAN although something is unserved
 *
 * Main thread only.
 */
#ifndef DOZE_TUI_TRIGGER_H
#define DOZE_TUI_TRIGGER_H

#include "history.h"

enum { DOZE_TRIGGERS_MAX = 8, TUI_TRIGGER_WAKES = 4, TUI_TRIGGER_TEXT = 120 };

/** How much of the trace an incident saves, and the minimum time between two incidents of one
 * trigger. */
#define DOZE_INCIDENT_NS INT64_C(30000000000)

struct doze_trigger {
	const char *text; /* borrowed */
	unsigned measure; /* index into the table in trigger.c */
	bool reaches;     /* the operator is ">=" rather than ">" */
	double limit;     /* a share, or seconds */
	int64_t span;     /* ns */
};

struct doze_triggers {
	struct doze_trigger at[DOZE_TRIGGERS_MAX];
	size_t count;
};

/** Adds a trigger to the target, a struct doze_triggers. The option may be repeated. */
const char *doze_check_trigger(const char *value, void *target);

/** Enough samples for the longest span, with one sample every TUI_TRIGGER_STEP. */
enum { TUI_TRIGGER_SAMPLES = 512 };
#define TUI_TRIGGER_STEP INT64_C(100000000)

/** The triggers of a running viewer. Initialise with zeros, and set `triggers`. */
struct tui_watch {
	const struct doze_triggers *triggers; /* not owned; null: none */
	bool holds[DOZE_TRIGGERS_MAX];        /* whether each condition held at the last step */
	int64_t fired[DOZE_TRIGGERS_MAX]; /* when each trigger last fired, trace time; 0: never */
	struct {
		int64_t at, asleep; /* asleep: time that all workers have slept so far, ns */
	} sample[TUI_TRIGGER_SAMPLES];
	uint64_t samples; /* number of samples taken so far */
};

/** Checks the triggers, at most once per TUI_TRIGGER_STEP of the trace's time. If conditions have
 * begun to hold, returns the trigger of the first one and writes that trigger and its value into
 * `what` (TUI_TRIGGER_TEXT bytes). Otherwise returns null. To fire again, a condition must have
 * stopped holding, and DOZE_INCIDENT_NS must have passed. */
const struct doze_trigger *tui_watch_step(struct tui_watch *, const struct tui_history *,
					  char *what);

#endif
