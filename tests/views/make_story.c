/*
 * SPDX-License-Identifier: MIT
 *
 * make_story.c - writes a story (tests/unit/story.h) from standard input as a CTF trace, so that a
 * script can give any sequence of events to a command.
 *
 *	make-story DIR < story
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../made/made.h"
#include "../unit/story.h"

static char line[256];

/* `TIME lost SINCE COUNT`: the time of the loss as the story parser has it. */
static int64_t time_of(const char *text)
{
	char as_event[64];
	struct doze_event e;

	snprintf(as_event, sizeof as_event, "%.32s x mark x", text);
	return story_parse(as_event, &e) ? e.ts : 0;
}

static enum made_what next(void *ctx, struct doze_event *event, uint64_t *lost)
{
	char when[32], what[32];
	unsigned long count;

	(void)ctx;
	while (fgets(line, sizeof line, stdin)) {
		if (story_parse(line, event)) {
			if (event->kind == DOZE_EV_worker_start)
				event->u.worker_start.name = "made";
			return MADE_EVENT;
		}
		if (sscanf(line, "%31s %31s %*s %lu", when, what, &count) == 3 &&
		    !strcmp(what, "lost")) {
			memset(event, 0, sizeof *event);
			event->ts = time_of(when);
			*lost = count;
			return MADE_LOSS;
		}
	}
	return MADE_END;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: make-story DIR < story\n", stderr);
		return 2;
	}
	return made_write(argv[1], NULL, next, NULL) == 0 ? 0 : 1;
}
