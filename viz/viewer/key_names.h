/*
 * SPDX-License-Identifier: MIT
 *
 * key_names.h - parses the keys given with --keys.
 */
#ifndef DOZE_TUI_KEY_NAMES_H
#define DOZE_TUI_KEY_NAMES_H

/** Reads the next key from *text and advances *text. A key is a character, or a name such as
 * <Enter>. Returns 0 at the end of the text, or -1 for an unknown name. */
int tui_next_key(const char **text);

#endif
