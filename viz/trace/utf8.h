/*
 * SPDX-License-Identifier: MIT
 *
 * utf8.h - decodes, measures, cuts and cleans UTF-8. Nothing else in viz takes characters apart.
 * The results depend on the text alone, not on the locale. All functions: any thread, no
 * allocation.
 */
#ifndef DOZE_VIZ_EVENT_UTF8_H
#define DOZE_VIZ_EVENT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Decodes the character at s into *code. Returns its length in bytes, or 0 if it is invalid: a
 * stray byte, an overlong form, a surrogate, or a code point beyond U+10FFFF. The string ends with
 * a null byte, which counts as a character of one byte. */
size_t doze_utf8_decode(const char *s, uint32_t *code);

/** Writes a code point as UTF-8 into out (at least 4 bytes). Returns the number of bytes. */
size_t doze_utf8_encode(uint32_t code, char *out);

/** Returns whether the string s consists of the first bytes of one character and lacks its last
 * ones. A text that was truncated at a number of bytes ends this way. */
bool doze_utf8_is_cut(const char *s);

/** Returns the number of bytes of the longest part at the beginning of text that takes at most
 * `columns` columns of a terminal. If used is not null, stores the number of columns there. An
 * invalid byte takes one column. */
size_t doze_utf8_fit(const char *text, size_t columns, size_t *used);

/** Returns the number of columns that the text, or its first `bytes` bytes if it has more, takes on
 * a terminal. */
size_t doze_utf8_columns(const char *text, size_t bytes);

/** Copies text to out. Truncates it to fit, between two characters. A null text counts as "". size
 * must not be 0. */
void doze_utf8_copy(char *out, size_t size, const char *text);

/*
 * ---- Makes text from a trace safe to show. A traced program chooses its marks and
 * names, so these may contain anything.
 */

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
