/*
 * SPDX-License-Identifier: MIT
 *
 * tp_define.c - the tracepoints of the library, and the enabled half of each hook.
 *
 * Part of libdoze. The probes are not: they live in libdoze-tracepoints.so, which
 * tracepoints/trace_load.c finds at run time (that is what PROBE_DYNAMIC_LINKAGE says). Loading
 * libdoze makes a constructor of LTTng's header look for liblttng-ust-tracepoint.so, a small
 * library without threads or sockets; where it is missing, every tracepoint stays disabled for
 * good.
 */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_PROBE_DYNAMIC_LINKAGE
#define LTTNG_UST_TRACEPOINT_HIDDEN_DEFINITION
#include "doze_tp.h"

#include "../lib/trace.h"

/* hooks.h reads `state` as an int, once, by LTTng's symbol: a change of either fails here. */
_Static_assert(__builtin_types_compatible_p(__typeof__(lttng_ust_tracepoint_doze___wake.state),
					    int),
	       "LTTng-UST changed the name or the state of a tracepoint");

#define DOZE_TP_UNWRAP(...) __VA_ARGS__
#define DOZE_TP_EMIT(name, proto, args)                                                            \
	void doze_tp_emit_##name proto                                                             \
	{                                                                                          \
		lttng_ust_do_tracepoint(doze, name, DOZE_TP_UNWRAP args);                          \
	}
DOZE_TRACE_HOOKS(DOZE_TP_EMIT)
