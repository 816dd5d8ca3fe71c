/*
 * SPDX-License-Identifier: MIT
 *
 * attach.h - lists live sessions, and lets the user choose one.
 */
#ifndef DOZE_VIZ_ATTACH_H
#define DOZE_VIZ_ATTACH_H

#include <stdbool.h>
#include <stddef.h>

/** Prints one line per live session of a relay: the URL to pass to `doze live --attach`, program,
 * policy, number of workers and age. `relay` is net://HOST[:PORT], or null for all relays on this
 * machine. On a terminal, asks the user to choose a session and writes its URL into `url`, or "" if
 * the user chose none. Returns the exit code; 3 if no relay answers. */
int doze_attach_list(const char *relay, bool json, char *url, size_t size);

#endif
