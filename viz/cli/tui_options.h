/*
 * SPDX-License-Identifier: MIT
 *
 * tui_options.h - the viewer's options, for `doze live` and `doze replay`.
 */
#ifndef DOZE_VIZ_TUI_OPTIONS_H
#define DOZE_VIZ_TUI_OPTIONS_H

#include "../viewer/tui.h"
#include "options.h"

/** The options --once[=TIME] and --size=WxH. doze_check_duration defines the format of TIME. */
extern const struct doze_option doze_tui_own_options[];

/** Converts the command's options to the viewer's options, which borrow strings from them. The
 * caller sets reader, title, live and the callbacks. */
struct doze_tui_options doze_tui_from(const struct doze_options *);

#endif
