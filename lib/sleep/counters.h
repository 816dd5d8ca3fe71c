/*
 * SPDX-License-Identifier: MIT
 *
 * counters.h - the packed counters word: pure functions on a value, without memory accesses or
 * memory orders.
 *
 *   bit 0 …                                                                   … 63
 *   | sleeping (DOZE_BITS_SLEEPING) | inactive (DOZE_BITS_INACTIVE) | jobs event counter (rest) |
 *
 *   inactive = idle + sleepy + sleeping, so idle = inactive - sleeping (sleepy workers included),
 *   and one addition moves a worker from one count to the other.
 *
 * Key invariant: sleeping <= inactive <= workers <= DOZE_MAX_WORKERS, so the two low fields never
 * carry into each other. The jobs event counter (JEC) is at the top, where its carry leaves the
 * word (or DOZE_BITS_JEC, in a build with a narrow JEC that forces wraparound) without changing a
 * count.
 *
 * An even JEC means that a worker got sleepy since the last post; an odd JEC, that work was posted
 * since a worker last got sleepy.
 */
#ifndef DOZE_COUNTERS_H
#define DOZE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Widths from low to high; build options, so that a test can force a 2-bit JEC to wrap around. */
#ifndef DOZE_BITS_SLEEPING
#define DOZE_BITS_SLEEPING 16
#endif
#ifndef DOZE_BITS_INACTIVE
#define DOZE_BITS_INACTIVE 16
#endif
#ifndef DOZE_BITS_JEC
#define DOZE_BITS_JEC 32
#endif
_Static_assert(DOZE_BITS_SLEEPING >= 1 && DOZE_BITS_INACTIVE >= DOZE_BITS_SLEEPING,
	       "each sleeping worker is counted as inactive, too");
_Static_assert(DOZE_BITS_JEC >= 1 && DOZE_BITS_SLEEPING + DOZE_BITS_INACTIVE + DOZE_BITS_JEC <= 64,
	       "the counts must leave at least one of 64 bits for the JEC");

#define DOZE_SHIFT_INACTIVE DOZE_BITS_SLEEPING
#define DOZE_SHIFT_JEC      (DOZE_BITS_SLEEPING + DOZE_BITS_INACTIVE)

#define DOZE_ONE_SLEEPING UINT64_C(1)
#define DOZE_ONE_INACTIVE (UINT64_C(1) << DOZE_SHIFT_INACTIVE)
#define DOZE_ONE_JEC      (UINT64_C(1) << DOZE_SHIFT_JEC)

#define DOZE_MASK_BITS(bits) ((bits) >= 64 ? UINT64_MAX : (UINT64_C(1) << ((bits) % 64)) - 1)

/** Maximum number of workers that the word can count. */
#define DOZE_MAX_WORKERS ((uint32_t)DOZE_MASK_BITS(DOZE_BITS_SLEEPING))
/** A value that no JEC has, for a worker that remembers none. */
#define DOZE_JEC_DUMMY UINT64_MAX

static inline uint32_t doze_counters_sleeping(uint64_t word)
{
	return (uint32_t)(word & DOZE_MASK_BITS(DOZE_BITS_SLEEPING));
}
static inline uint32_t doze_counters_inactive(uint64_t word)
{
	return (uint32_t)((word >> DOZE_SHIFT_INACTIVE) & DOZE_MASK_BITS(DOZE_BITS_INACTIVE));
}
/** Returns the number of workers that are awake and searching: idle and sleepy workers. */
static inline uint32_t doze_counters_idle(uint64_t word)
{
	return doze_counters_inactive(word) - doze_counters_sleeping(word);
}
static inline uint64_t doze_counters_jec(uint64_t word)
{
	return (word >> DOZE_SHIFT_JEC) & DOZE_MASK_BITS(DOZE_BITS_JEC);
}
/** Returns true if work was posted since the last worker got sleepy (odd JEC). */
static inline bool doze_counters_jec_active(uint64_t word)
{
	return (doze_counters_jec(word) & 1) != 0;
}
/** Returns the word with the JEC incremented. The counts do not change, even when the JEC wraps
 * around. */
static inline uint64_t doze_counters_jec_next(uint64_t word)
{
	uint64_t field = DOZE_MASK_BITS(DOZE_BITS_JEC) << DOZE_SHIFT_JEC;
	return (word & ~field) | ((word + DOZE_ONE_JEC) & field);
}

#endif
