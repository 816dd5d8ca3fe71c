/*
 * SPDX-License-Identifier: MIT
 *
 * tsan.c - defines the word that replaces fences under ThreadSanitizer; see atomic.h.
 */
#include "atomic.h"

#ifdef DOZE_TSAN
_Atomic(unsigned) doze_tsan_fence_word;
#else
typedef int doze_tsan_unused; /* a translation unit must not be empty */
#endif
