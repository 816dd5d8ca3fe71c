/*
 * SPDX-License-Identifier: MIT
 *
 * signals.h - the only place from which doze and its tests send signals to other processes.
 *
 * kill() takes 0 for the caller's own group, -1 for every process that the caller may signal, and
 * any other negative number for a group. A pid that was never set, or an error code used as a pid,
 * can therefore kill every process of a machine. These functions refuse such numbers, and process
 * groups that the caller has not created. `.ci/lint signals` forbids kill() everywhere else.
 *
 * Not thread-safe: a process that creates groups does so from one thread.
 */
#ifndef DOZE_VIZ_SIGNALS_H
#define DOZE_VIZ_SIGNALS_H

#include <stdbool.h>
#include <sys/types.h>

/** Sends a signal (0: only checks whether the process exists) to one process. Returns 0, or -1 with
 * errno: EPERM for a pid below 2, otherwise that of kill(). */
int doze_signal_process(pid_t pid, int sig);

/** Records a process group that the caller has created, which a child leads. Refuses a number below
 * 2 and the caller's own group. */
void doze_group_created(pid_t group);
/** Forgets the group. Call it when its last process has been reaped, because another group may get
 * the number then. */
void doze_group_gone(pid_t group);
/** Returns whether the group is recorded. */
bool doze_group_is_ours(pid_t group);

/** Sends a signal (0: only checks whether the group has a process) to every process of a recorded
 * group. Returns 0, or -1 with errno: EPERM for a group that is not recorded, otherwise that of
 * kill(). */
int doze_signal_group(pid_t group, int sig);

#endif
