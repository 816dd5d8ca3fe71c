/*
 * SPDX-License-Identifier: MIT
 *
 * The explorer leaves this file out: keep the steps of protocols out of it.
 *
 * atomic.c - what atomic.h needs outside a header: the heavy side of the asymmetric fence, by
 * membarrier(2) of Linux 4.14, and under ThreadSanitizer the word that replaces fences.
 */
#include "atomic.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef DOZE_TSAN
_Atomic(unsigned) doze_tsan_fence_word;
#endif

#ifndef da_fence_heavy_is_local
static bool membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool doze_fence_heavy(void)
{
	return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

bool doze_fence_heavy_ready(void)
{
	/* The result is not cached: it may differ in a forked child, or after the process has
	 * entered a sandbox. */
	return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}
#elif !defined(DOZE_TSAN)
typedef int doze_atomic_unused; /* a translation unit must not be empty */
#endif
