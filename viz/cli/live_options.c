/*
 * SPDX-License-Identifier: MIT
 *
 * live_options.c - see live_options.h.
 */
#include "live_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "options.h"

bool cmd_live_attach;
struct cmd_live_given cmd_live_given;

/* Parses "P1,P2", the two policies. */
static const char *check_duel(const char *value, void *target)
{
	static char text[2][64];
	const char *allowed = NULL;
	int n = 0;

	(void)target;
	if (sscanf(value, "%63[^,],%63[^,]%n", text[0], text[1], &n) != 2 || value[n])
		return "two policies, such as jec,tickle";
	for (int i = 0; i < 2 && !allowed; i++)
		allowed = doze_check_policy(text[i], &cmd_live_given.duel[i]);
	if (allowed)
		return allowed;
	return cmd_live_given.duel[0] == cmd_live_given.duel[1] ? "two different policies" : NULL;
}

/* Parses a size, a time, or "all". */
static const char *check_keep(const char *value, void *target)
{
	static const struct {
		const char *unit;
		bool size;
		double factor;
	} units[] = {{"K", true, 1024}, {"M", true, 1 << 20}, {"G", true, 1 << 30},
		     {"s", false, 1e9}, {"min", false, 6e10}, {"h", false, 3.6e12}};
	char *end;
	double n = strtod(value, &end);

	(void)target;
	cmd_live_given.keep =
	    (struct doze_session_keep){.ns = strcmp(value, "all") == 0 ? INT64_MAX : 0};
	if (cmd_live_given.keep.ns)
		return NULL;
	if (strspn(value, "0123456789.") != (size_t)(end - value))
		end = NULL; /* strtod would also accept " -3" and "0x3" */
	for (size_t i = 0; end && i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(end, units[i].unit) == 0 && n * units[i].factor >= 1 && n < 1e6) {
			if (units[i].size)
				cmd_live_given.keep.bytes = (uint64_t)(n * units[i].factor);
			else
				cmd_live_given.keep.ns = (int64_t)(n * units[i].factor);
			return NULL;
		}
	return "a size such as 500M or 2G, a time such as 90s, 10min or 1h, or all";
}

const struct doze_option cmd_live_options[] = {
    {"attach", 'a', NULL, "watch a running session; without a URL, choose one", doze_check_flag,
     &cmd_live_attach},
    {"any", 0, NULL, "watch a program that does not use libdoze", doze_check_flag,
     &cmd_live_given.any},
    {"duel", 0, "P1,P2", "run PROG under two policies, one above the other", check_duel, NULL},
    {"turns", 0, NULL, "with --duel: one run after the other, on all CPUs", doze_check_flag,
     &cmd_live_given.turns},
    {"keep", 0, "SIZE|TIME", "how far back to keep the trace on disk: 500M, 10min, all", check_keep,
     NULL},
    {"on", 0, "CONDITION",
     "save the last 30 s when a condition holds: 'futile>0.5 for 1s' (repeatable)",
     doze_check_trigger, &cmd_live_given.on},
    {"bell", 0, NULL, "with --on: also ring the terminal bell", doze_check_flag,
     &cmd_live_given.bell},
    {"banner", 0, NULL, "with --on: also show a banner in alarm colours until a key is pressed",
     doze_check_flag, &cmd_live_given.banner},
    {"program-log", 0, "FILE", "keep PROG's output in FILE", doze_check_string,
     &cmd_live_given.program_log},
    {0},
};

int cmd_live_check(void)
{
	const char *problem = NULL;
	if (cmd_live_given.on.count == 0 && (cmd_live_given.bell || cmd_live_given.banner))
		problem = "--bell and --banner report a condition: add one with --on";
	else if (cmd_live_attach && (cmd_live_given.keep.bytes || cmd_live_given.keep.ns))
		problem = "--keep applies only to a session that doze records: omit the option";
	else if (cmd_live_given.any && cmd_live_attach)
		problem = "--any applies only to a program that doze starts: omit the option";
	else if (cmd_live_given.any && cmd_live_given.duel[0])
		problem =
		    "--duel compares policies of libdoze, which --any does not need: omit one "
		    "of the two";
	if (!problem)
		return -1;
	doze_complain("live: %s", problem);
	return DOZE_EXIT_USAGE;
}
