/*
 * SPDX-License-Identifier: MIT
 *
 * foreign_text.h - describes the events of programs without libdoze, for event_text.c.
 */
#ifndef DOZE_VIZ_FOREIGN_TEXT_H
#define DOZE_VIZ_FOREIGN_TEXT_H

#include "event_text.h"

/** Describes the event of a crew as doze_event_text does. Returns false, with `out` unchanged, if
 * the event needs no words of its own. */
bool doze_foreign_text(char *out, size_t size, const struct doze_event *,
		       const struct doze_wording *);

#endif
