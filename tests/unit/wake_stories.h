/*
 * SPDX-License-Identifier: MIT
 *
 * wake_stories.h - traces that break one rule on wakes each, and healthy ones beside them: who is
 * woken, how many, for what, under each policy.
 */
#ifndef DOZE_TESTS_WAKE_STORIES_H
#define DOZE_TESTS_WAKE_STORIES_H

#include <stddef.h>

struct wake_story {
	const char *rule; /* the one that it breaks; null = none */
	const char *text; /* as in story.h */
};

/** Ends with a row without text. */
extern const struct wake_story wake_stories[];

#endif
