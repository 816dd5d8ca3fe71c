/*
 * SPDX-License-Identifier: MIT
 *
 * running.h - a process that already runs and is to be traced: whether that is possible, and its
 * command line.
 */
#ifndef DOZE_VIZ_SESSION_RUNNING_H
#define DOZE_VIZ_SESSION_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Checks whether a running process can be traced: it exists, belongs to the caller (root may trace
 * every user's), shares the caller's namespaces and has loaded the tracepoint provider. With `any`,
 * libdoze-any.so must be preloaded in it. Returns 0, or -1 with one line in err that gives the
 * reason and a remedy. */
int session_running_check(pid_t pid, bool any, char *err, size_t size);

/** Returns the command line of a process, ending with null; if it cannot be read, only "?".
 * Borrowed until the next call. */
char *const *doze_running_argv(pid_t pid);

#endif
