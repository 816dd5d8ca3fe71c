/*
 * SPDX-License-Identifier: MIT
 *
 * made.h - writes CTF traces from doze events, for tests that need a trace that no healthy pool
 * would record: wrong, from the future, from another program, with losses, or just long.
 *
 * The fields are those of viz/reader/fields.c; that these are also the provider's is shown by
 * reading real recordings, not here. Written through Babeltrace's sink.ctf.fs.
 */
#ifndef DOZE_TESTS_MADE_H
#define DOZE_TESTS_MADE_H

#include <stddef.h>

#include "../../viz/event/event.h"

enum made_what {
	MADE_EVENT, /* the event was filled */
	MADE_LOSS,  /* event->cpu lost `lost` events until event->ts */
	MADE_END,
};

struct made_options {
	const char *hostname; /* null: "made" */
	const char *provider; /* null: "doze" */
	const char *without;  /* a field that no event has, as in an older schema */
	const char *strange;  /* this label in all vocabularies becomes "telepathic" */
	bool extra;           /* each event gets a field "later" of a newer minor schema */
	unsigned per_packet;  /* events a packet; 0: 1000 */
};

/** Gives the next event. Timestamps must not decrease. Kind `unknown` writes doze:telepathy. */
typedef enum made_what (*made_next)(void *ctx, struct doze_event *event, uint64_t *lost);

/** Writes the trace to dir (must not exist). Returns 0; or -1 with a line on stderr. */
int made_write(const char *dir, const struct made_options *, made_next next, void *ctx);

/** Likewise, from an array. */
int made_write_array(const char *dir, const struct made_options *, const struct doze_event *events,
		     size_t count);

#endif
