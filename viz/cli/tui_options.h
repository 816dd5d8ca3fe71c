/*
 * SPDX-License-Identifier: MIT
 *
 * tui_options.h - the viewer's options from those of `doze live` and `doze replay`.
 */
#ifndef DOZE_VIZ_TUI_OPTIONS_H
#define DOZE_VIZ_TUI_OPTIONS_H

#include "../tui/tui.h"
#include "options.h"

/** --once[=TIME] and --size=WxH, for a command's own options. TIME: as doze_check_duration. */
extern const struct doze_option doze_tui_own_options[];

/** Returns the viewer's options that follow from the command's, which must outlive them; the caller
 * sets reader, title, live and the callbacks. */
struct doze_tui_options doze_tui_from(const struct doze_options *);

#endif
