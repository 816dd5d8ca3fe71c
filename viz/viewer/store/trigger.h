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
 *	p99>TIME      99th percentile of the delay from a post to the start of its job, for jobs
 *	              that a woken worker started
 *	asleep>SHARE  share of all workers' time in which they slept while a job waited
 *	hang          no worker of a pool has run or searched for SPAN, although a worker is
 *	              needed, for example because a job is queued
 *
 * Main thread only.
 */
#ifndef DOZE_TUI_TRIGGER_H
#define DOZE_TUI_TRIGGER_H

#include "history.h"

enum { DOZE_TRIGGERS_MAX = 8, TUI_TRIGGER_WAKES = 4, TUI_TRIGGER_TEXT = 120 };

/** How much of the trace an incident saves, and the minimum time between two incidents caused by
 * the same trigger. */
#define DOZE_INCIDENT_NS INT64_C(30000000000)

struct doze_trigger {
	const char *text; /* as the user wrote it; borrowed */
	unsigned measure; /* index into the table in trigger.c */
	bool reaches;     /* the operator is ">=" rather than ">" */
	double limit;     /* a share or, for a delay, a number of seconds */
	int64_t span;     /* time over which the measure is taken, ns */
};

struct doze_triggers {
	struct doze_trigger at[DOZE_TRIGGERS_MAX];
	size_t count;
};

/** Parses a value of --on and adds the trigger to the target, a struct doze_triggers. */
const char *doze_check_trigger(const char *value, void *target);

/** Room for the longest span, with one sample every TUI_TRIGGER_STEP. */
enum { TUI_TRIGGER_SAMPLES = 512 };
#define TUI_TRIGGER_STEP INT64_C(100000000)

/** The triggers of a running viewer. Initialise with zeros, and set `triggers`. */
struct tui_watch {
	const struct doze_triggers *triggers; /* not owned; null: no triggers */
	/* per trigger: whether its condition held at the last step */
	bool holds[DOZE_TRIGGERS_MAX];
	/* per trigger: trace time at which it last fired; 0: never */
	int64_t fired[DOZE_TRIGGERS_MAX];
	struct {
		int64_t at, asleep; /* asleep: time that all workers have slept so far, ns */
	} sample[TUI_TRIGGER_SAMPLES];
	uint64_t samples; /* number of samples taken so far */
};

/** Checks the triggers, at most once per TUI_TRIGGER_STEP of trace time. If a condition has begun
 * to hold, returns its trigger (the first one, if there are several) and writes the trigger and its
 * value into `what` (TUI_TRIGGER_TEXT bytes). Otherwise returns null. A trigger fires again only if
 * its condition has stopped holding and DOZE_INCIDENT_NS have passed. */
const struct doze_trigger *tui_watch_step(struct tui_watch *, const struct tui_history *,
					  char *what);

#endif
