/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_offline.h - the own options of the commands that read recorded traces, for the table in
 * cmd.c. Each list ends with a row of zeros.
 */
#ifndef DOZE_VIZ_CMD_OFFLINE_H
#define DOZE_VIZ_CMD_OFFLINE_H

#include "options.h"

extern const struct doze_option cmd_check_options[];
extern const struct doze_option cmd_export_options[];
extern const struct doze_option cmd_timeline_options[];
extern const struct doze_option cmd_storms_options[];
extern const struct doze_option cmd_whatif_options[];

#endif
