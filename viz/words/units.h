/*
 * SPDX-License-Identifier: MIT
 *
 * units.h - formats numbers: positions in a trace, durations with a unit, counts with separators,
 * shares.
 *
 * Users pass a position to --from and --to, so it has all digits that are needed; for a duration,
 * three digits are enough.
 *
 * Each function writes to one of eight static buffers in turn and returns it, so one printf can use
 * up to eight results. Main thread only.
 */
#ifndef DOZE_VIZ_UNITS_H
#define DOZE_VIZ_UNITS_H

#include <stdint.h>

/** The precision of positions in lists: a microsecond. */
enum { DOZE_LISTED = 1000 };
/** Formats a position, ns after the trace's first event, for --from and --to: "2.065512s". step:
 * the precision in ns; 0 prints all digits up to the last nonzero one. Rounds down, so that a range
 * from this position includes the event. */
const char *doze_position(int64_t ns, int64_t step);
/** Returns the first of 1, 2, 5, 10, 20, 50 … ns that is at least `least`. With such a step between
 * the ticks of an axis, their labels are exact. */
int64_t doze_tick_step(int64_t least);
/** Returns a duration with three digits: "83 ns", "4.20 us", "1.28 ms", "12.3 s". */
const char *doze_duration(int64_t ns);
/** Returns a count such as "1,234,567". */
const char *doze_count(uint64_t n);
/** Returns a count in at most four characters, rounded down: "9999", "12k", "1.2M". */
const char *doze_short_count(uint64_t n);
/** Returns a share such as "12.5 %", or "-" if whole is 0. */
const char *doze_share(double part, double whole);
/** Returns a number and its noun: "1 wake", "3 wakes". */
const char *doze_plural(uint64_t n, const char *noun);

#endif
