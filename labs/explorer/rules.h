/*
 * SPDX-License-Identifier: MIT
 *
 * rules.h - what the trace hooks (record.c) check besides the counts and the JEC.
 */
#ifndef DOZE_EXPLORE_RULES_H
#define DOZE_EXPLORE_RULES_H

#include "engine.h"

/* wakes.c: checks the number of wakes */
void ex_wakes_pool(uint32_t pool, uint32_t n);
void ex_wakes_post(uint32_t pool, const struct doze_trace_post_info *i);
void ex_wakes_state(uint32_t pool, enum doze_state from, enum doze_state to,
		    enum doze_reason reason, uint64_t old_word);
void ex_wakes_wake(uint32_t pool, enum doze_cause cause);
void ex_wakes_end(void);

/* reports.c: checks the reports that workers make of their sleeps. Called only if
 * E->reports_checked, because what a call leaves on a thread's stack is part of the state. */
void ex_reports_step(const struct ex_op *op); /* the running thread has made this step */
void ex_reports_jec(int32_t worker, uint64_t old_word, uint64_t new_word);
void ex_reports_woken(uint32_t pool, int32_t worker);
void ex_reports_state(uint32_t pool, int32_t worker, const struct doze_trace_state_info *i);
/** Checks the report of an averted sleep. `state` is the last state that the worker reported. */
void ex_reports_abort(uint32_t pool, int32_t worker, enum doze_abort by, enum doze_state state,
		      uint64_t old_word, uint64_t new_word);

/** Checks that the last step changed the latch from `from`. */
void ex_reports_latch(enum doze_latch_state from, enum doze_latch_state to);

/** counts.c: the record of `lock` events, or null if the scenario does not count them. Hooks write
 * it directly, because what a call leaves on a thread's stack is part of the state. */
extern struct ex_lock_reports *ex_lock_reports;
/** The record of `latch` events, or null if the scenario does not count them. */
extern struct ex_latch_reports *ex_latch_reports;

#endif
