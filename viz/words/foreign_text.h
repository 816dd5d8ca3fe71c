/*
 * SPDX-License-Identifier: MIT
 *
 * foreign_text.h - describes the events of programs without libdoze, for event_text.c.
 */
#ifndef DOZE_VIZ_FOREIGN_TEXT_H
#define DOZE_VIZ_FOREIGN_TEXT_H

#include "event_text.h"

/** Returns the words for a state of a crew's thread; otherwise the state's name. */
const char *doze_state_words(bool crew, enum doze_state);
/** Describes the event of a crew as doze_event_text does. Returns false, with `out` unchanged, if
 * the event needs no words of its own. */
bool doze_foreign_text(char *out, size_t size, const struct doze_event *,
		       const struct doze_wording *);

#endif
