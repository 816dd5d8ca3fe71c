/*
 * SPDX-License-Identifier: MIT
 *
 * fence.c - the heavy side of the asymmetric fence (atomic.h): membarrier(2), Linux 4.14.
 */
#include "atomic.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

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
#else
typedef int doze_fence_unused; /* a translation unit must not be empty */
#endif
