/*
 * SPDX-License-Identifier: MIT
 *
 * story.h - event sequences written by hand, one event a line, and what the model said about them.
 *
 * A line is `TIME ACTOR WHAT …`; TIME in microseconds, ACTOR `w0`, `w1` … or `x` (outside), with
 * `2/` before it of pool 2 (else 1), `9:2/` of process 9 (else 1). Words of the counters are
 *sleeping.inactive.jec, and OLD>NEW stands at the end of a line.
 *
 *	0  x  pool jec 4                          pool_start: policy, workers (also: pool stop)
 *	1  w0 none>active start                   worker_state: from>to, reason [OLD>NEW]
 *	2  w0 jec sleepy 0.1.1>0.1.2              jec: cause
 *	3  x  post injector 1 empty wakes 1 d5    queue, jobs, empty|full, wakes, decision [OLD>NEW]
 *	                                          [saw -1 2]: idle, sleeping (else: as in NEW)
 *	4  x  wake w2 id7 d5 push                 target (x: nobody named), wake, decision, cause,
 *	                                          [all] [OLD>NEW]
 *	5  w2 woken 7
 *	6  w2 abort injector 1.1.2>0.1.2          sleep_abort: by what
 *	7  w1 latch sleeping>set w2 id9           from>to, owner, id
 *	8  w1 job local [id3]                     job_start: source, job
 *	8  w1 ended id3                           job_end
 *	8  w1 steal w2                            steal: a success, from whom
 *	9  x  mark phase-1
 *	10 w0 snapshot sleeping jec 4 1.1.0>1.1.0 state, policy, workers, word
 *	11 w0 stop                                worker_stop
 *	20 lost 18 3                              discarded since 18 us, 3 of them (0: unknown)
 *	30 end                                    doze_model_finish; without it story_run does it at
 *the last event's time
 * `#` begins a comment. A word that is not understood ends the test program.
 */
#ifndef DOZE_TESTS_STORY_H
#define DOZE_TESTS_STORY_H

#include "../../viz/model/measures.h"

#define STORY_MAX 4096

/** All that the listener was told, in order; the first STORY_MAX of each kind. */
struct story {
	struct doze_model *model; /* owned */
	size_t intervals, wakes, verdicts, findings, storms, marks;
	struct doze_interval interval[STORY_MAX];
	struct doze_wake verdict[STORY_MAX];
	struct doze_finding finding[STORY_MAX];
	struct doze_storm storm[STORY_MAX];
};

/** Folds the text into a new model. Null options = defaults. The result lives in static memory and
 * is good until the next call. */
struct story *story_run(const struct doze_model_options *opt, const char *text);
/** Goes on with the same model. */
void story_more(struct story *, const char *text);
/** How many findings carry this rule; ambiguous ones are left out. */
size_t story_count(const struct story *, const char *rule);
/** A doze_scope.has for one worker: ctx is an int *. */
bool story_is_worker(const void *ctx, int worker);
/** Parses one line of the format above into e; false for `lost`, `end` and empty lines. */
bool story_parse(const char *line, struct doze_event *e);
/** Folds one line into a model, whatever it is. */
void story_feed(struct doze_model *, const char *line);

#endif
