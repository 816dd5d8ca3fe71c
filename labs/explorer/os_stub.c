/*
 * SPDX-License-Identifier: MIT
 *
 * os_stub.c - stubs of lib/os.h and of the trace loader for explored programs; they make no system
 * calls.
 */
#include "../../lib/os.h"

#include "../../lib/pool.h"
#include "../../lib/trace_load.h"

uint32_t doze_os_thread_id(void)
{
	return 0;
}
void doze_os_thread_name(const char *name)
{
	(void)name;
}
uint32_t doze_os_cpu_count(void)
{
	return 1;
}
uintptr_t doze_os_stack_middle(void)
{
	return 0;
}
void doze_trace_boot(void)
{
}
void doze_trace_settle(void)
{
}
void doze_fork_watch(void)
{
}

int64_t doze_os_now_ns(void)
{
	return 0;
}
