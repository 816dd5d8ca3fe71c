/*
 * SPDX-License-Identifier: MIT
 *
 * floor_tp.h - an event without fields, the cheapest that LTTng can record. Its provider is called
 * `doze`, so that a session that records the library also records this event, with the same
 * contexts.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER doze
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tests/bench/floor_tp.h"

#if !defined(DOZE_FLOOR_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define DOZE_FLOOR_TP_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(doze, empty, LTTNG_UST_TP_ARGS(int, unused), LTTNG_UST_TP_FIELDS())
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, empty, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

#endif

#include <lttng/tracepoint-event.h>
