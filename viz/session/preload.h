/*
 * SPDX-License-Identifier: MIT
 *
 * preload.h - LD_PRELOAD: the libraries that the traced program needs, and LTTng's wrappers, which
 * doze itself must not have.
 */
#ifndef DOZE_VIZ_SESSION_PRELOAD_H
#define DOZE_VIZ_SESSION_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>

/** Called first in main. If one of LTTng's wrappers is preloaded, executes doze again without it:
 * the wrappers start LTTng's threads in this process, and liblttng-ust-fork aborts in a child that
 * has closed LTTng's descriptors. The traced program still gets the wrappers. Returns if there is
 * nothing to do, or if doze cannot be executed again. */
void doze_preload_leave(char **argv);

/** Returns the LD_PRELOAD that doze was started with, or null. */
const char *doze_preload_given(void);

/** Called in the child that will execute the traced program, argv[0] = program. Sets LD_PRELOAD to
 * what doze was started with, and adds liblttng-ust-fd, which keeps the program from closing
 * LTTng's descriptors: a program that closes all descriptors, as daemons do, would be aborted by
 * LTTng. Does not add it if that library is missing, or if the program's file shows that it uses
 * musl, or AddressSanitizer, which refuses to start after another library. With `any`, the last
 * entry is the library that records any program, in all processes with `follow`. */
void session_preload(const char *program, bool any, bool follow);

/*
 * ---- Recording a program that does not use libdoze (--any). The dynamic loader preloads
 * libdoze-any.so into the program, which records its waits and wakes. This file finds that library,
 * and refuses the programs into which it cannot be loaded, or which it would kill.
 */

#define SESSION_ANY_LIBRARY "libdoze-any.so"

/** Checks whether a program can be recorded with --any. Returns 0, or -1 with one line in err that
 * gives the reason and a remedy. */
int session_any_check(const char *program, char *err, size_t size);

#endif
