/*
 * SPDX-License-Identifier: MIT
 *
 * files.h - small helpers of the session code around files, ports and time.
 */
#ifndef DOZE_VIZ_SESSION_FILES_H
#define DOZE_VIZ_SESSION_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Where temporary folders go: $TMPDIR if it is absolute, or /tmp; borrowed. */
const char *doze_temp_base(void);
/** Makes a folder doze-XXXXXX of mode 0700 there; -1 and errno. */
int doze_temp_make(char *path, size_t size);
/** Removes a folder and all in it; follows no link, crosses no mount. Errors are ignored: there is
 * nobody left who could do better. */
void doze_temp_remove(const char *path);

/** Puts the last line of a text file that is not blank into line; "" when there is none. */
void doze_last_line(const char *path, char *line, size_t size);

/** Finds n different TCP ports of 127.0.0.1 that nobody listens on now. Somebody may take one
 * before it is used: whoever binds it must be ready to try again. -1 and errno. */
int doze_free_ports(uint16_t *ports, size_t n);
/** Whether somebody listens on 127.0.0.1:port. */
bool doze_port_open(uint16_t port);

/** Takes the turn of this user among all doze that start or stop a session daemon now, waiting at
 * most ms, and only until interrupt_fd (-1: none) is readable. Returns a descriptor to close when
 * done; -1: it was not to be had, go on without. The kernel gives the turn back when its holder
 * dies, and no file is left. */
int doze_turn_take(unsigned ms, int interrupt_fd);

/** Finds an executable as execvp would; 0, or the errno that execvp would give. */
int doze_find_program(const char *name);

/** Path of the tracepoints provider that belongs to this program: beside it, or in its ../lib.
 * False: there is none. */
bool doze_provider_find(char *path, size_t size);

/** Reads /proc/PID/stat and returns its fields from the third on, state first, in text; null when
 * there is no such process. The name before them may hold anything, brackets and blanks too. */
const char *doze_process_stat(int pid, char *text, size_t size);
/** Whether a process of that pid runs. One that has ended and that nobody has waited for does not,
 * though kill(pid, 0) finds it. */
bool doze_process_runs(int pid);

/** For a child just forked: whatever its parent dies of, it gets the signal. Ends it when the
 * parent has died already. */
void doze_die_with(pid_t parent, int sig);

/** Milliseconds of a clock that does not jump. */
int64_t doze_now_ms(void);
void doze_sleep_ms(unsigned ms);

#endif
