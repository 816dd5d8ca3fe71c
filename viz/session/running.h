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

/** Returns whether a process has loaded libdoze, its tracepoints or the library of --any, as far as
 * the caller may see it. */
bool session_running_has_pool(pid_t pid);

/** Returns the command line of a process, ending with null; if it cannot be read, only "?".
 * Borrowed until the next call. */
char *const *doze_running_argv(pid_t pid);

#endif
