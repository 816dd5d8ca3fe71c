/*
 * SPDX-License-Identifier: MIT
 *
 * units.h - numbers for people: durations with a unit, counts with separators, shares.
 *
 * Each function writes into one of a small ring of static buffers and returns it, so up to eight
 * results may stand in one printf. Main thread only.
 */
#ifndef DOZE_VIZ_UNITS_H
#define DOZE_VIZ_UNITS_H

#include <stdint.h>

/** "83 ns", "4.20 us", "1.28 ms", "12.3 s": three digits. */
const char *doze_duration(int64_t ns);
/** "1,234,567" */
const char *doze_count(uint64_t n);
/** "12.5 %"; "-" when whole is 0. */
const char *doze_share(double part, double whole);
/** A number with its plural: "1 wake", "3 wakes". */
const char *doze_plural(uint64_t n, const char *noun);

#endif
