/*
 * SPDX-License-Identifier: MIT
 *
 * terminfo.c - see terminfo.h. A separate file because <term.h> defines macros such as `lines`.
 */
#include "terminfo.h"

#include <curses.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

bool tui_terminfo_knows(const char *name)
{
	int found;

	if (setupterm(name, STDOUT_FILENO, &found) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}

/* All current terminals understand what these entries describe, at least as far as the viewer uses
 * it. tmux and screen do not understand all of xterm's. */
const char *tui_terminfo_advised(void)
{
	static const char *const common[] = {
	    "xterm-256color", "xterm", "screen-256color", "screen", "linux", "vt100", "ansi"};

	for (size_t i = getenv("TMUX") || getenv("STY") ? 2 : 0;
	     i < sizeof common / sizeof common[0]; i++)
		if (tui_terminfo_knows(common[i]))
			return common[i];
	return NULL;
}
