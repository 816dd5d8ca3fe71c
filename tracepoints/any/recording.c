/*
 * SPDX-License-Identifier: MIT
 *
 * recording.c - whether this process is recorded, for all files of the preload.
 */
#include <dlfcn.h>

#include "any.h"

struct any_recording any_recording;

bool any_is_recorded(void)
{
	return any_recording.pid && (int)any_kernel(SYS_getpid, 0, 0, 0, 0) == any_recording.pid;
}

void any_provider_read_limits(void)
{
	static void (*read_limits)(void);

	if (!read_limits)
		*(void **)(void *)&read_limits = dlsym(RTLD_DEFAULT, "doze_tp_read_limits");
	if (read_limits)
		read_limits();
}

void any_give_up(void)
{
	if (atomic_exchange_explicit(&any_recording.on, false, memory_order_relaxed))
		doze_trace_mark(0, -1,
				"doze: recording ended, as a signal handler jumped out of it");
}
