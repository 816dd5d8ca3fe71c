/*
 * SPDX-License-Identifier: MIT
 *
 * rules.h - what the trace hooks (record.c) check besides the counts and the JEC.
 */
#ifndef DOZE_EXPLORE_RULES_H
#define DOZE_EXPLORE_RULES_H

#include "engine.h"

/* wakes.c: the number of wakes */
void ex_wakes_pool(uint32_t pool, uint32_t n);
void ex_wakes_post(uint32_t pool, const struct doze_trace_post_info *i);
void ex_wakes_state(uint32_t pool, enum doze_state from, enum doze_state to,
		    enum doze_reason reason, uint64_t old_word);
void ex_wakes_wake(uint32_t pool, enum doze_cause cause);
void ex_wakes_end(void);

/* reports.c: what workers report of their sleeps. Called only if E->reports_checked, because what a
 * call leaves on a thread's stack is part of the state. */
void ex_reports_woken(uint32_t pool, int32_t worker);
void ex_reports_state(uint32_t pool, int32_t worker, const struct doze_trace_state_info *i);
/** `state` is the state that the worker reported last. */
void ex_reports_abort(uint32_t pool, int32_t worker, enum doze_abort by, enum doze_state state,
		      uint64_t old_word, uint64_t new_word);

#endif
