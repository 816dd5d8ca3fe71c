/*
 * SPDX-License-Identifier: MIT
 *
 * attach.h - lists the live sessions on this machine.
 */
#ifndef DOZE_VIZ_ATTACH_H
#define DOZE_VIZ_ATTACH_H

#include <stdbool.h>

/** Lists the live sessions of the relays on this machine, one per line, with the URL to pass to
 * `doze live --attach`. Returns the exit code; 3 if there is no relay. */
int doze_attach_list(bool json);

#endif
