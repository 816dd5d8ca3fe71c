/*
 * SPDX-License-Identifier: MIT
 *
 * cmdline.h - from the command line to the viewer's options; for `doze live` and `doze replay`.
 */
#ifndef DOZE_TUI_CMDLINE_H
#define DOZE_TUI_CMDLINE_H

#include "../tui/tui.h"
#include "options.h"

/** --once[=TIME] and --size=WxH, for a command's own options. TIME: as doze_check_duration. */
extern const struct doze_option doze_tui_own_options[];

/** The viewer's options that follow from the command's; reader, title, live and the callbacks are
 * left to the caller. Strings stay borrowed from argv. */
struct doze_tui_options doze_tui_from(const struct doze_options *);

#endif
