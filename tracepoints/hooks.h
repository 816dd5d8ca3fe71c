/*
 * SPDX-License-Identifier: MIT
 *
 * hooks.h - the hooks of lib/trace.h, implemented with LTTng-UST; trace.h includes this file if
 * tracing is compiled in.
 *
 * A disabled hook costs one PC-relative load of the tracepoint's `state` and one branch, predicted
 * not taken. Everything else (LTTng's read-side lock, the call of the probe) is out of line in
 * tp_define.c. So a hook in a hot function needs no further registers or cache lines, and only
 * tp_define.c includes LTTng's big header.
 *
 * This file relies on LTTng's documented binary interface: the struct, to which LTTng only appends
 * fields, and the symbol name that lttng_ust_tracepoint_enabled() reads. tp_define.c checks both at
 * compile time.
 */
#ifndef DOZE_TRACEPOINTS_HOOKS_H
#define DOZE_TRACEPOINTS_HOOKS_H

#include <lttng/tracepoint-types.h>

/* Hidden, to avoid the GOT: each object that contains libdoze has its own copy. */
#define DOZE_TP_HIDDEN __attribute__((visibility("hidden")))
#define DOZE_TP(name)  lttng_ust_tracepoint_doze___##name

/* Returns whether a tracepoint's state is nonzero. In C, compilers load it into a register first;
 * the extra instructions are measurable in join, which makes two such tests. */
#if defined __x86_64__
static inline bool doze_tp_is_on(const int *state)
{
	__asm__ goto("cmpl $0, %0\n\tjne %l[on]" : : "m"(*state) : "cc" : on);
	return false;
on:
	return true;
}
#else
static inline bool doze_tp_is_on(const int *state)
{
	return __atomic_load_n(state, __ATOMIC_RELAXED) != 0;
}
#endif

/* LTTng's thread may write the state at any time. A relaxed read suffices: missing an event when
 * tracing starts does not matter, and LTTng itself orders the reads of the probes. */
#define DOZE_HOOK_DECL(name, proto, args)                                                          \
	extern struct lttng_ust_tracepoint DOZE_TP(name) DOZE_TP_HIDDEN;                           \
	void doze_tp_emit_##name proto DOZE_TP_HIDDEN __attribute__((cold));                       \
	static inline bool doze_trace_##name##_on(void)                                            \
	{                                                                                          \
		return __builtin_expect(doze_tp_is_on(&DOZE_TP(name).state), 0);                   \
	}                                                                                          \
	static inline void doze_trace_##name proto                                                 \
	{                                                                                          \
		if (doze_trace_##name##_on())                                                      \
			doze_tp_emit_##name args;                                                  \
	}
DOZE_TRACE_HOOKS(DOZE_HOOK_DECL)

/* Tests `search`, because only level `all` records every job, and only that level enables `search`.
 * job_start and post are enabled at lower levels, too. */
static inline bool doze_trace_every_job(void)
{
	return doze_trace_search_on();
}

/* job_taken belongs to level `states`, and each level includes the events of the lower ones, so
 * testing this one event is enough. */
static inline bool doze_trace_starts_wanted(void)
{
	return doze_trace_job_taken_on();
}

/* Users may enable events one by one, so report a level only if all events on which readers of that
 * level rely are enabled. */
static inline enum doze_level doze_trace_level(void)
{
	if (!doze_trace_worker_state_on() || !doze_trace_post_on() || !doze_trace_wake_on() ||
	    !doze_trace_job_taken_on())
		return DOZE_LEVEL_none;
	if (!doze_trace_job_start_on() || !doze_trace_job_end_on() || !doze_trace_steal_on())
		return DOZE_LEVEL_states;
	return doze_trace_search_on() ? DOZE_LEVEL_all : DOZE_LEVEL_jobs;
}

static inline bool doze_trace_delays_wanted(void)
{
	return doze_trace_job_taken_on();
}

static inline const int *doze_trace_starts_state(void)
{
	return &DOZE_TP(job_taken).state;
}
static inline const int *doze_trace_every_job_state(void)
{
	return &DOZE_TP(search).state;
}

#endif
