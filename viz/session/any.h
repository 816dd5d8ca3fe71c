/*
 * SPDX-License-Identifier: MIT
 *
 * any.h - recording a program that does not use libdoze (--any). The dynamic loader preloads
 * libdoze-any.so into the program, which records its waits and wakes. This file finds that library,
 * and refuses the programs into which it cannot be loaded, or which it would kill.
 */
#ifndef DOZE_VIZ_SESSION_ANY_H
#define DOZE_VIZ_SESSION_ANY_H

#include <stdbool.h>
#include <stddef.h>

#define SESSION_ANY_LIBRARY "libdoze-any.so"

/** Finds the file that the kernel will execute for a program: its executable or, for a script, the
 * executable that interprets it. Returns 0, or an errno value. */
int session_any_executable(const char *program, char *path, size_t size);

/** Checks whether a program can be recorded with --any. Returns 0, or -1 with one line in err that
 * gives the reason and a remedy. */
int session_any_check(const char *program, char *err, size_t size);

/** Called in the process that will execute the program. Stores the path of the library in
 * `library`, and sets the variable that tells it which process to record: this one or, with
 * `follow`, all that load the library. Returns false if the library is missing. */
bool session_any_environment(bool follow, char *library, size_t size);

#endif
