/*
 * SPDX-License-Identifier: MIT
 *
 * tp_define.c - the tracepoints of the library, and the enabled half of each hook.
 *
 * This file is part of libdoze. The probes are in libdoze-tracepoints.so, which trace_load.c finds
 * at run time; PROBE_DYNAMIC_LINKAGE allows this. When libdoze is loaded, a constructor in LTTng's
 * header loads liblttng-ust-tracepoint.so, a small library without threads or sockets. Without it,
 * all tracepoints stay disabled.
 */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_PROBE_DYNAMIC_LINKAGE
#define LTTNG_UST_TRACEPOINT_HIDDEN_DEFINITION
#include <lttng/ust-compiler.h>

/* LTTng's header disables the tracepoints in destructors. In LTTng-UST 2.13.5 these have no
 * priority; in a program with a static library, they would run before the program's own
 * destructors, which may free a pool. With this priority, they run last. */
#ifndef LTTNG_UST_CONSTRUCTOR_PRIO
#define destructor destructor(101)
#endif
#include "doze_tp.h"
#undef destructor

#include "../lib/trace.h"

/* hooks.h reads `state` as an int, through LTTng's symbol. These checks fail to compile if either
 * changes. */
_Static_assert(__builtin_types_compatible_p(__typeof__(lttng_ust_tracepoint_doze___wake.state),
					    int),
	       "the state of a tracepoint of LTTng-UST is not an int");

#define DOZE_TP_UNWRAP(...) __VA_ARGS__
#define DOZE_TP_EMIT(name, proto, args)                                                            \
	void doze_tp_emit_##name proto                                                             \
	{                                                                                          \
		lttng_ust_do_tracepoint(doze, name, DOZE_TP_UNWRAP args);                          \
	}
DOZE_TRACE_HOOKS(DOZE_TP_EMIT)
