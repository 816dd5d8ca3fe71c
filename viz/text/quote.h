/*
 * SPDX-License-Identifier: MIT
 *
 * quote.h - text from a trace, quoted for a format. A trace may hold any bytes: what is no UTF-8 is
 * written as U+FFFD, and control characters as the format allows.
 */
#ifndef DOZE_VIZ_QUOTE_H
#define DOZE_VIZ_QUOTE_H

#include <stdio.h>

/** "…" with JSON's escapes; null without a text. */
void doze_quote_json(FILE *out, const char *text);
/** A CSV field (RFC 4180): quoted when it must be. */
void doze_quote_csv(FILE *out, const char *text);
/** Character data or an attribute's value, without the quotes; control characters are left out. */
void doze_quote_xml(FILE *out, const char *text);

#endif
