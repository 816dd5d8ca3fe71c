/*
 * SPDX-License-Identifier: MIT
 *
 * units.h - numbers for people: positions in a trace, durations with a unit, counts with
 * separators, shares.
 *
 * A position is looked up again (--from, --to), so it has the digits that the place has; a duration
 * is compared, for which three digits do.
 *
 * Each function writes into one of a small ring of static buffers and returns it, so up to eight
 * results may stand in one printf. Main thread only.
 */
#ifndef DOZE_VIZ_UNITS_H
#define DOZE_VIZ_UNITS_H

#include <stdint.h>

/** The step of positions in lists: a microsecond. */
enum { DOZE_LISTED = 1000 };
/** A place in a trace, ns after its first event, as --from and --to take it: "2.065512s". So many
 * digits as `step` (ns) has, 0 = all that are not zero; rounded down, so that --from with it still
 * shows what is there. */
const char *doze_position(int64_t ns, int64_t step);
/** The least of 1, 2, 5, 10, 20, 50 … ns that is not below `least`: for the ticks of an axis, whose
 * labels are then exact. */
int64_t doze_tick_step(int64_t least);
/** "83 ns", "4.20 us", "1.28 ms", "12.3 s": three digits. */
const char *doze_duration(int64_t ns);
/** "1,234,567" */
const char *doze_count(uint64_t n);
/** "12.5 %"; "-" when whole is 0. */
const char *doze_share(double part, double whole);
/** A number with its plural: "1 wake", "3 wakes". */
const char *doze_plural(uint64_t n, const char *noun);

#endif
