/*
 * SPDX-License-Identifier: MIT
 *
 * sink_defaults.c - empty weak definitions of all trace hooks, so that a sink that replaces the
 * tracer (record.c, and sink.c of the unit tests) need define only the hooks that it records.
 */
#ifndef DOZE_TRACE_SINK
#define DOZE_TRACE_SINK
#endif
#include "../../lib/trace.h"

/* Lets DEFAULT use its parameters, so that the compiler does not warn. Never called, so it needs no
 * definition. */
void doze_sink_ignore(int first, ...);
#define UNWRAP(...) __VA_ARGS__
#define DEFAULT(name, proto, args)                                                                 \
	__attribute__((weak)) void doze_sink_##name proto                                          \
	{                                                                                          \
		if (0)                                                                             \
			doze_sink_ignore(0, UNWRAP args);                                          \
	}
DOZE_TRACE_HOOKS(DEFAULT)
