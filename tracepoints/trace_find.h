/*
 * SPDX-License-Identifier: MIT
 *
 * trace_find.h - finds the provider and reads the environment variables for tracing. Used only by
 * trace_load.c.
 */
#ifndef DOZE_TRACE_FIND_H
#define DOZE_TRACE_FIND_H

#include <stdbool.h>

/** Returns whether DOZE_TRACE=0 disables tracing. */
bool doze_trace_env_off(void);
/** Returns DOZE_TRACE_WAIT_MS in milliseconds, or 0 if it is not set. If it is not a number up to
 * 60,000, prints a line on stderr (once) and returns 0. */
unsigned doze_trace_env_wait_ms(void);
/** Returns the value for LTTNG_UST_REGISTER_TIMEOUT: that of doze_trace_env_wait_ms as text, but at
 * least 200 (ms). Prints nothing, because it is called before main. */
const char *doze_trace_env_wait_text(void);

/** Loads the provider. May block as long as LTTng's constructor does. Returns a handle, which is
 * never closed. On failure returns null, and prints a line on stderr if the user has requested a
 * trace.
 */
void *doze_trace_find_provider(void);

#endif
