/*
 * SPDX-License-Identifier: MIT
 *
 * clock.h - the viewer's own clocks, and functions that write times as text.
 */
#ifndef DOZE_TUI_CLOCK_H
#define DOZE_TUI_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/** Returns the monotonic time in ns, from which intervals are computed. */
int64_t tui_now_ns(void);
/** Returns UTC in ns since the epoch, to compare with the trace's clock. */
int64_t tui_wall_ns(void);

/** Writes a duration with three or four digits and its unit ("1.25 ms", "38 us"). micro is "u" or
 * "µ". Returns out. */
char *tui_duration(char *out, size_t size, int64_t ns, const char *micro);
/** Writes a count with thousands separators, such as "12,345". Returns out. */
char *tui_count(char *out, size_t size, uint64_t n);

#endif
