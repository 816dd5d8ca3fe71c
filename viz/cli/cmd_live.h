/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_live.h - the options of `doze live` that no other command has.
 */
#ifndef DOZE_VIZ_CMD_LIVE_H
#define DOZE_VIZ_CMD_LIVE_H

#include "../session/free_space.h"
#include "../viewer/store/trigger.h"

struct cmd_live_given {
	const char *duel[2]; /* the two policies; null: no duel */
	bool turns;
	bool any; /* PROG does not use libdoze */
	struct doze_triggers on;
	bool bell, banner;
	struct doze_session_keep keep;
	const char *program_log;
};

/** The options that the user gave, set by doze_options_parse. */
extern struct cmd_live_given cmd_live_given;

#endif
