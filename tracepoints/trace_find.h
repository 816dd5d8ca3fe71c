/*
 * SPDX-License-Identifier: MIT
 *
 * trace_find.h - where the provider is, and what the environment says about tracing. Only for
 * trace_load.c.
 */
#ifndef DOZE_TRACE_FIND_H
#define DOZE_TRACE_FIND_H

#include <stdbool.h>

/** DOZE_TRACE=0 was set: leave tracing alone. */
bool doze_trace_env_off(void);
/** DOZE_TRACE_WAIT_MS in milliseconds; 0 if it is not set, or not a number up to 60,000 (then one
 * line on stderr, once). */
unsigned doze_trace_env_wait_ms(void);
/** The same as text, for LTTNG_UST_REGISTER_TIMEOUT: "0" or the digits as they were given. Says
 * nothing on stderr: it is called before main. */
const char *doze_trace_env_wait_text(void);

/** Loads the provider. May block as long as LTTng's constructor does. Returns a handle that is
 * never closed, or null; then it says why in one line on stderr if somebody had asked for a trace.
 */
void *doze_trace_find_provider(void);

#endif
