/*
 * SPDX-License-Identifier: MIT
 *
 * terminfo.h - which terminals the terminfo database knows. Main thread only, while no terminal is
 * open.
 */
#ifndef DOZE_VIZ_TUI_TERMINFO_H
#define DOZE_VIZ_TUI_TERMINFO_H

#include <stdbool.h>

/** Returns whether the database has an entry for a terminal of this name that describes a terminal
 * and not a family of them. */
bool tui_terminfo_knows(const char *name);
/** Returns a value of TERM that is worth trying, or null if the database is missing. Static. */
const char *tui_terminfo_advised(void);

#endif
