/*
 * SPDX-License-Identifier: MIT
 *
 * key_names.c - see key_names.h.
 */
#include "key_names.h"

#include <string.h>

#include "keys.h"
#include "tui.h"

static const struct {
	const char *name;
	int key;
} names[] = {
    {"<Enter>", TUI_KEY_ENTER}, {"<Esc>", TUI_KEY_ESC},      {"<Tab>", TUI_KEY_TAB},
    {"<Up>", TUI_KEY_UP},       {"<Down>", TUI_KEY_DOWN},    {"<Left>", TUI_KEY_LEFT},
    {"<Right>", TUI_KEY_RIGHT}, {"<PgUp>", TUI_KEY_PAGE_UP}, {"<PgDn>", TUI_KEY_PAGE_DOWN}};

int tui_next_key(const char **text)
{
	if (**text != '<' || !(*text)[1])
		return **text ? (unsigned char)*(*text)++ : 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t len = strlen(names[i].name);

		if (strncmp(*text, names[i].name, len) != 0)
			continue;
		*text += len;
		return names[i].key;
	}
	return -1;
}

bool doze_tui_keys_known(const char *keys)
{
	int key;

	do
		key = tui_next_key(&keys);
	while (key > 0);
	return key == 0;
}
