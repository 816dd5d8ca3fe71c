/*
 * SPDX-License-Identifier: MIT
 *
 * rig_processes.h - who belongs to the rig of rig.h: processes are known by the environment that
 * they inherited from it.
 */
#ifndef DOZE_TESTS_TRACE_RIG_PROCESSES_H
#define DOZE_TESTS_TRACE_RIG_PROCESSES_H

#include <sys/types.h>

/** Calls `act`, unless it is null, for the rig's processes whose name (comm) has the word in it;
 * null: for all of them. Returns how many there are. */
int rig_each_process(const char *comm, void (*act)(pid_t, int), int arg);
/** For rig_each_process: says on stdout that this one was left behind. */
void rig_print_process(pid_t pid, int arg);
/** CPU time so far of the rig's one process of that name and its threads, in ticks of the kernel,
 * 1/100 s; -1: there is none, or more than one. */
long rig_cpu_time(const char *comm);

#endif
