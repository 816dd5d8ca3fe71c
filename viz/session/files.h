/*
 * SPDX-License-Identifier: MIT
 *
 * files.h - small helpers of the session code for files, ports and time.
 */
#ifndef DOZE_VIZ_SESSION_FILES_H
#define DOZE_VIZ_SESSION_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Closes a descriptor and sets it to -1. Does nothing if it is negative. */
void doze_close(int *fd);
/** Returns whether a descriptor (negative: none) becomes readable within ms. */
bool doze_readable(int fd, int ms);

/** Copies the last non-blank line of a text file to `line`, or "" if there is none. */
void doze_last_line(const char *path, char *line, size_t size);

/** Finds n different free TCP ports on 127.0.0.1. Another process may take a port before the caller
 * uses it, so the caller must be ready to try again. Returns 0, or -1 with errno set. */
int doze_free_ports(uint16_t *ports, size_t n);
/** Returns whether a process listens on 127.0.0.1:port. */
bool doze_port_open(uint16_t port);

/** Takes the user's lock for starting and stopping session daemons. Waits at most ms, and stops
 * waiting when interrupt_fd (-1: none) becomes readable. Returns a descriptor that releases the
 * lock when closed, or -1 if the lock was not available and the caller should continue without it.
 * The kernel releases the lock when its holder dies, and no file is left behind. */
int doze_startup_lock(unsigned ms, int interrupt_fd);

/** Searches for an executable as execvp does, and stores its path in `found`: `name` if there is
 * none, or if PATH is not set. Returns 0, or the errno value that execvp would set. */
int doze_find_program(const char *name, char *found, size_t size);

/** Finds a file that is installed with this program: in the program's folder, in ../lib, in
 * ../lib/doze, or in the library folder of the installation and its folder doze. Returns false, and
 * an empty path, if there is none. */
bool doze_file_find(const char *name, char *path, size_t size);
/** The tracepoint provider, for doze_file_find. */
#define DOZE_PROVIDER "libdoze-tracepoints.so"

/** Reads the file /proc/PID/NAME into text, followed by a null byte. Returns the number of bytes
 * before it: 0 if there is no such process. */
size_t doze_process_read(int pid, const char *name, char *text, size_t size);
/** Reads /proc/PID/stat into text. Returns its fields from the third one on, starting with the
 * state, or null if there is no such process. The name, which precedes them, may contain brackets
 * and blanks. */
const char *doze_process_stat(int pid, char *text, size_t size);
/** Returns whether a process with that pid is running. A zombie is not, although kill(pid, 0) finds
 * it. */
bool doze_process_runs(int pid);

/** Reads a pid from a file. Returns 0 if there is none. */
pid_t doze_pid_read(const char *path);

/** Called in a newly forked child. Arranges for the child to receive the given signal when the
 * parent dies. Terminates the child if the parent has already died. */
void doze_die_with(pid_t parent, int sig);

/** Returns the time of the monotonic clock, in milliseconds. */
int64_t doze_now_ms(void);
void doze_sleep_ms(unsigned ms);

#endif
