/*
 * SPDX-License-Identifier: MIT
 *
 * view_cmd.h - runs the commands that show a recorded trace. Each of them is a struct doze_view.
 */
#ifndef DOZE_VIZ_VIEW_CMD_H
#define DOZE_VIZ_VIEW_CMD_H

#include "cmd.h"
#include "options.h"

/** Runs a command whose row has a view. Returns the exit code. Main thread. */
int doze_view_cmd(const struct doze_cmd *, int argc, char **argv);

#endif
