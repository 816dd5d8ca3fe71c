/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_options.h - the options that only one command has, for the table of commands. Each list is
 * defined in the file of its command and ends with name == NULL.
 */
#ifndef DOZE_VIZ_CMD_OPTIONS_H
#define DOZE_VIZ_CMD_OPTIONS_H

#include "options.h"

extern const struct doze_option cmd_live_options[], cmd_doctor_options[];
extern bool cmd_live_attach; /* --attach was given */

#endif
