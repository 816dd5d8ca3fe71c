/*
 * SPDX-License-Identifier: MIT
 *
 * attach.h - lists live sessions, and lets the user choose one.
 */
#ifndef DOZE_VIZ_ATTACH_H
#define DOZE_VIZ_ATTACH_H

#include <stdbool.h>
#include <stddef.h>

/** Lists the live sessions of a relay (net://HOST[:PORT]; null: of all relays on this machine), one
 * per line, with the URL to pass to `doze live --attach`, program, policy, workers and age. On a
 * terminal, asks for one of them and writes its URL into `url`, or "" if none was chosen. Returns
 * the exit code; 3 if no relay answers. */
int doze_attach_list(const char *relay, bool json, char *url, size_t size);

#endif
