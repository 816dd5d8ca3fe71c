/*
 * SPDX-License-Identifier: MIT
 *
 * suggest.h - "did you mean": finds the name that is closest to a misspelt one.
 */
#ifndef DOZE_VIZ_CLI_SUGGEST_H
#define DOZE_VIZ_CLI_SUGGEST_H

#include <stddef.h>

struct cmd_suggestion {
	const char *word; /* as typed */
	size_t length;    /* length of the word */
	const char *best; /* closest candidate so far; null: none is close enough */
	unsigned distance;
};

/** Starts a search for names close to the word. */
struct cmd_suggestion cmd_suggest(const char *word, size_t length);
/** Compares the word with a candidate. The candidate's text must outlive the suggestion. */
void cmd_suggest_from(struct cmd_suggestion *, const char *candidate);

#endif
