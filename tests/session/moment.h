/*
 * SPDX-License-Identifier: MIT
 *
 * moment.h - kills a program at one exact moment of its start, which no sleep can hit: when it is
 * about to make its n-th system call. With ptrace; the program's children are not traced.
 */
#ifndef DOZE_TESTS_SESSION_MOMENT_H
#define DOZE_TESTS_SESSION_MOMENT_H

#include <sys/types.h>

#define MOMENT_NEVER     (-1) /* the program ended before */
#define MOMENT_FORBIDDEN (-2) /* ptrace may not be used here */

/** Starts the shell command in the rig (as kit_start; `exec` is added) and kills it with SIGKILL
 * before its system call number n, counted from 1 at its exec. n = 0: before the first one that
 * forks. Returns the number of that call, or one of these. */
long moment_kill(const char *command, long n);

#endif
