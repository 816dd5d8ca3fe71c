/*
 * SPDX-License-Identifier: MIT
 *
 * floor_tp.h - an event without fields, the cheapest that LTTng can record, and events that show
 * what fields and bytes add to it. Their provider is called `doze`, so that a session that records
 * the library also records these events, with the same contexts.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER doze
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tests/bench/floor_tp.h"

#if !defined(DOZE_FLOOR_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define DOZE_FLOOR_TP_H

#include <lttng/tracepoint.h>

/* Eight fields of one type. */
#define FLOOR_EIGHT(type)                                                                          \
	lttng_ust_field_integer(type, a, (type)x) lttng_ust_field_integer(type, b, (type)x)        \
	    lttng_ust_field_integer(type, c, (type)x) lttng_ust_field_integer(type, d, (type)x)    \
		lttng_ust_field_integer(type, e, (type)x)                                          \
		    lttng_ust_field_integer(type, f, (type)x)                                      \
			lttng_ust_field_integer(type, g, (type)x)                                  \
			    lttng_ust_field_integer(type, h, (type)x)

LTTNG_UST_TRACEPOINT_EVENT(doze, empty, LTTNG_UST_TP_ARGS(uint64_t, x), LTTNG_UST_TP_FIELDS())
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, empty, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, eight_bytes, LTTNG_UST_TP_ARGS(uint64_t, x),
			   LTTNG_UST_TP_FIELDS(FLOOR_EIGHT(uint8_t)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, eight_bytes, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, eight_words, LTTNG_UST_TP_ARGS(uint64_t, x),
			   LTTNG_UST_TP_FIELDS(FLOOR_EIGHT(uint64_t)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, eight_words, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

LTTNG_UST_TRACEPOINT_EVENT(doze, one_array, LTTNG_UST_TP_ARGS(const uint64_t *, eight),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_array(uint64_t, all, eight, 8)))
LTTNG_UST_TRACEPOINT_LOGLEVEL(doze, one_array, LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO)

#endif

#include <lttng/tracepoint-event.h>
