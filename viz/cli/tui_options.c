/*
 * SPDX-License-Identifier: MIT
 *
 * tui_options.c - see tui_options.h.
 */
#include "tui_options.h"

#include <stdio.h>

#include "../viewer/tui.h"

static struct {
	bool once;
	/* time in the trace at which to draw one screen; < 0: the end of the trace */
	int64_t once_ns;
	unsigned width, height;
	const char *svg, *keys;
} given = {.once_ns = -1};

static const char *check_once(const char *value, void *target)
{
	(void)target;
	given.once = true;
	return value ? doze_check_duration(value, &given.once_ns) : NULL;
}

static const char *check_size(const char *value, void *target)
{
	unsigned w, h;
	char rest;

	(void)target;
	if (sscanf(value, "%ux%u%c", &w, &h, &rest) != 2 || w < 1 || h < 1 || w > 1000 || h > 1000)
		return "WIDTHxHEIGHT, such as 80x24, each from 1 to 1000";
	given.width = w;
	given.height = h;
	return NULL;
}

static const char *check_keys(const char *value, void *target)
{
	if (!doze_tui_keys_known(value))
		return "characters, <Enter>, <Esc>, <Tab>, <Up>, <Down>, <Left>, <Right>, <PgUp>, "
		       "<PgDn>";
	*(const char **)target = value;
	return NULL;
}

const struct doze_option doze_tui_own_options[] = {
    {.name = "once",
     .value = "[TIME]",
     .help = "print one screen as text, at TIME or at the end, and exit",
     .check = check_once},
    {.name = "svg",
     .value = "FILE",
     .help = "with --once: write the screen to FILE, as a picture",
     .check = doze_check_string,
     .target = &given.svg},
    {.name = "keys",
     .value = "KEYS",
     .help = "with --once: press KEYS first: characters, <Enter>, <Esc>, <Tab>, <Up>, <Down>",
     .check = check_keys,
     .target = &given.keys},
    {.name = "size",
     .value = "WxH",
     .help = "screen size for --once (default: COLUMNS and LINES, or 80x24)",
     .check = check_size},
    {0},
};

static enum doze_tui_color color_of(enum doze_color color)
{
	switch (color) {
	case DOZE_COLOR_ALWAYS:
		return DOZE_TUI_COLOR_ALWAYS;
	case DOZE_COLOR_NEVER:
		return DOZE_TUI_COLOR_NEVER;
	default:
		return DOZE_TUI_COLOR_AUTO;
	}
}

struct doze_tui_options doze_tui_from(const struct doze_options *o)
{
	return (struct doze_tui_options){
	    .color = color_of(o->color),
	    .ascii = o->ascii,
	    .no_mouse = o->no_mouse,
	    .selection = &o->selection,
	    .once = given.once,
	    .once_given = given.once_ns >= 0,
	    .once_ms = given.once_ns < 0 ? -1 : given.once_ns / 1000000,
	    .svg = given.svg,
	    .keys = given.keys,
	    .width = given.width,
	    .height = given.height,
	};
}
