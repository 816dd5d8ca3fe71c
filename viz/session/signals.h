/*
 * SPDX-License-Identifier: MIT
 *
 * signals.h - the only place from which doze and its tests send signals to other processes.
 *
 * kill() takes 0 for the caller's own group, -1 for every process that the caller may signal, and
 * any other negative number for a group. A pid that was never set, or an error code used as a pid,
 * can therefore kill every process on the machine. These functions refuse such numbers, as well as
 * process groups that the caller has not created. `.ci/lint signals` forbids kill() everywhere
 * else.
 *
 * Not thread-safe: a process that creates groups must do so from one thread.
 */
#ifndef DOZE_VIZ_SIGNALS_H
#define DOZE_VIZ_SIGNALS_H

#include <stdbool.h>
#include <sys/types.h>

/** Sends a signal to one process; signal 0 only checks whether the process exists. Returns 0, or -1
 * with errno: EPERM for a pid below 2, otherwise as set by kill(). */
int doze_signal_process(pid_t pid, int sig);

/** Sends a signal to the process that a pidfd refers to, and never to another process that gets the
 * same pid later. Returns 0, or -1 with errno. */
int doze_signal_pidfd(int fd, int sig);

/** Records a process group that the caller has created and that one of its children leads. Refuses
 * a number below 2 and the caller's own group. */
void doze_group_created(pid_t group);
/** Removes the group's record. Call it when the group's last process has been reaped: after that,
 * another group may get the same number. */
void doze_group_gone(pid_t group);
/** Returns whether the group is recorded. */
bool doze_group_is_ours(pid_t group);

/** Sends a signal to every process of a recorded group; signal 0 only checks whether the group has
 * any process. Returns 0, or -1 with errno: EPERM for a group that is not recorded, otherwise as
 * set by kill(). */
int doze_signal_group(pid_t group, int sig);

#endif
