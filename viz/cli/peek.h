/*
 * SPDX-License-Identifier: MIT
 *
 * peek.h - finds out which program, policy and workers a live session has.
 */
#ifndef DOZE_VIZ_PEEK_H
#define DOZE_VIZ_PEEK_H

#include <stdbool.h>
#include <stdint.h>

struct cmd_peek {
	bool known;       /* false: no event arrived; the other members are not set */
	char program[48]; /* command of the first process, or "process N on HOST" */
	char policy[24];  /* name of the first pool's policy */
	unsigned processes, pools, workers; /* workers: total over all pools */
	int64_t age_s;                      /* age of the first process; -1: unknown */
};

/** Attaches to the session for about a second, during which each pool reports itself twice, then
 * detaches. A relay admits one viewer per session, so this must not be called for a session that
 * has a viewer. Blocks; uses SIGALRM. Main thread only. */
void cmd_peek(const char *url, const char *host, struct cmd_peek *);

#endif
