/*
 * SPDX-License-Identifier: MIT
 *
 * clean_text.h - makes text from a trace safe to show. A traced program chooses its marks and
 * names, so these may contain anything.
 */
#ifndef DOZE_VIZ_EVENT_CLEAN_TEXT_H
#define DOZE_VIZ_EVENT_CLEAN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** Returns whether the text is valid UTF-8 without characters that control a terminal (C0, C1, DEL)
 * or that reorder or hide the text around them (bidirectional controls, zero-width characters, line
 * and paragraph separators). Any thread. */
bool doze_text_is_clean(const char *text);

/** Copies text to out, replacing each unclean character or invalid byte by '?'. Truncates the text
 * to fit, between two characters. Omits a last character that lacks bytes: the traced program cut
 * it off, for instance from a mark of more than 63 bytes. A null text counts as "". size must not
 * be 0. Any thread. */
void doze_text_clean(char *out, size_t size, const char *text);

#endif
