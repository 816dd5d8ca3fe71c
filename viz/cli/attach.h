/*
 * SPDX-License-Identifier: MIT
 *
 * attach.h - which live sessions can be watched on this machine.
 */
#ifndef DOZE_VIZ_ATTACH_H
#define DOZE_VIZ_ATTACH_H

#include <stdbool.h>

/** Lists the live sessions of the relays on this machine, one line each with the URL to give to
 * `doze live --attach`. Returns the exit code; 3 when there is no relay. */
int doze_attach_list(bool json);

#endif
