/*
 * SPDX-License-Identifier: MIT
 *
 * event_text.h - one event as a line for people.
 */
#ifndef DOZE_VIZ_EVENT_TEXT_H
#define DOZE_VIZ_EVENT_TEXT_H

#include <stddef.h>

#include "../event/event.h"

/** Writes what happened, without the time: "w3 idle -> sleepy (rounds)  0 asleep, 3 inactive, JEC
 * 4". The layout tells how to read the words; null: they are left out. Strings that the event
 * borrows are not read, so it may be a copy. Returns buf. */
const char *doze_event_text(char *buf, size_t size, const struct doze_event *,
			    const struct doze_word_layout *);

#endif
