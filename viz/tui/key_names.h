/*
 * SPDX-License-Identifier: MIT
 *
 * key_names.h - keys as text, for --keys.
 */
#ifndef DOZE_TUI_KEY_NAMES_H
#define DOZE_TUI_KEY_NAMES_H

/** Takes the next key from *text: a character, or a name such as <Enter>. Returns 0 at the end, or
 * -1 for an unknown name. */
int tui_next_key(const char **text);

#endif
