/*
 * SPDX-License-Identifier: MIT
 *
 * hooks.h - the hooks of lib/trace.h over LTTng-UST; included by it when tracing is compiled in.
 *
 * A disabled hook is one relative load of the tracepoint's `state` and one branch predicted not
 * taken. Everything else (the read-side lock of LTTng, the call of the probe) is out of line in
 * tp_define.c, so that a hook in the middle of a hot function costs it neither registers nor cache
 * lines, and no file but that one includes LTTng's big header.
 *
 * What this file takes from LTTng is documented as its binary interface: the struct, to which
 * fields are only ever appended, and the symbol name that lttng_ust_tracepoint_enabled() reads.
 * tp_define.c checks at compile time that both still mean the same.
 */
#ifndef DOZE_TRACEPOINTS_HOOKS_H
#define DOZE_TRACEPOINTS_HOOKS_H

#include <lttng/tracepoint-types.h>

/* Hidden: one copy in each program or library that links libdoze.a, or in libdoze.so; no GOT. */
#define DOZE_TP_HIDDEN __attribute__((visibility("hidden")))
#define DOZE_TP(name)  lttng_ust_tracepoint_doze___##name

/* The state is written by LTTng's own thread at any time. Relaxed: an event more or less at the
 * moment of enabling is of no matter, and the probes are read by a dereference that orders. */
#define DOZE_HOOK_DECL(name, proto, args)                                                          \
	extern struct lttng_ust_tracepoint DOZE_TP(name) DOZE_TP_HIDDEN;                           \
	void doze_tp_emit_##name proto DOZE_TP_HIDDEN __attribute__((cold));                       \
	static inline bool doze_trace_##name##_on(void)                                            \
	{                                                                                          \
		return __builtin_expect(__atomic_load_n(&DOZE_TP(name).state, __ATOMIC_RELAXED),   \
					0) != 0;                                                   \
	}                                                                                          \
	static inline void doze_trace_##name proto                                                 \
	{                                                                                          \
		if (doze_trace_##name##_on())                                                      \
			doze_tp_emit_##name args;                                                  \
	}
DOZE_TRACE_HOOKS(DOZE_HOOK_DECL)

/* `post` is one event at one log level; who records the jobs level has enabled job_start. */
static inline bool doze_trace_post_wanted(void)
{
	return doze_trace_job_start_on();
}

static inline bool doze_trace_delays_wanted(void)
{
	return doze_trace_job_taken_on();
}

#endif
