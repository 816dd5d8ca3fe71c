/*
 * SPDX-License-Identifier: MIT
 *
 * live_options.h - the options of `doze live` that no other command has.
 */
#ifndef DOZE_VIZ_LIVE_OPTIONS_H
#define DOZE_VIZ_LIVE_OPTIONS_H

#include "../session/keep.h"
#include "../tui/trigger.h"

struct cmd_live_given {
	const char *duel[2]; /* policies; null: no duel */
	bool turns;
	struct doze_triggers on;
	bool bell, banner;
	struct doze_session_keep keep;
	const char *program_log;
};

/** What the user gave, after doze_options_parse. */
extern struct cmd_live_given cmd_live_given;

/** Checks which options go together. Returns -1 to continue, or an exit code after an error
 * message.
 */
int cmd_live_check(void);

#endif
