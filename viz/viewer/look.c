/*
 * SPDX-License-Identifier: MIT
 *
 * look.c - see look.h. The two tables contain all glyphs, one for UTF-8 and one for ASCII; the help
 * screen prints them.
 */
#include "look.h"

#include "../words/palette.h"

static struct tui_look utf8_look = {
    .partly = 0x258c,
    .up = 0x2191,
    .join = 0x2534,
    .turn = 0x2518,
    .dot = 0x2219,
    .side = 0x2551,
    .bar = {' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588},
    .wake_open = 0x25b7,
    .wake_other = 0x25b4,
    .jec_once = 0xa6,
    .rule = 0x2500,
    .tick = 0x2575,
    .cursor = 0x25bc,
    .more = 0x2026,
    .sep = 0x2502,
    .bookmark = 0x25c6,
    .arrow = 0x2192,
    .storm = 'S',
    .select = '>',
    .branch = {0x251c, 0x2514},
    .micro = "\302\265",
    .dash = "\342\200\224",
};

static struct tui_look ascii_look = {
    .partly = '%',
    .up = '^',
    .join = '+',
    .turn = '\'',
    .dot = '-',
    .side = '[',
    .bar = {' ', '1', '2', '3', '4', '5', '6', '7', '8'},
    .wake_open = 'o',
    .wake_other = ',',
    .jec_once = ':',
    .rule = '-',
    .tick = '\'',
    .cursor = 'v',
    .more = '.',
    .sep = '|',
    .bookmark = '*',
    .arrow = '>',
    .storm = 'S',
    .select = '>',
    .branch = {'+', '`'},
    .micro = "u",
    .dash = "-",
};

/* Copies the glyphs that the viewer and `doze timeline` have in common from the palette. */
static void take_palette(struct tui_look *look, bool ascii)
{
	const struct doze_palette p = {.ascii = ascii};

	for (int s = 0; s < DOZE_STATE_COUNT; s++)
		look->state[s] = doze_glyph_code(doze_glyph_state(&p, (enum doze_state)s));
	look->unknown = doze_glyph_code(doze_glyph_mark(&p, DOZE_MARK_unknown));
	look->wake_used = doze_glyph_code(doze_glyph_mark(&p, DOZE_MARK_useful));
	look->wake_futile = doze_glyph_code(doze_glyph_mark(&p, DOZE_MARK_futile));
	/* differs from the palette's glyph, a low bar, which would look like a count here */
	look->jec_even = '_';
	look->jec_odd = doze_glyph_code(doze_glyph_mark(&p, DOZE_MARK_odd));
}

const struct tui_look *tui_look(bool ascii)
{
	struct tui_look *look = ascii ? &ascii_look : &utf8_look;

	take_palette(look, ascii);
	return look;
}

enum tui_style tui_state_style(enum doze_state s)
{
	switch (s) {
	case DOZE_STATE_active:
		return TUI_ACTIVE;
	case DOZE_STATE_idle:
		return TUI_IDLE;
	case DOZE_STATE_sleepy:
		return TUI_SLEEPY;
	case DOZE_STATE_sleeping:
		return TUI_SLEEPING;
	case DOZE_STATE_blocked:
		return TUI_BLOCKED;
	default:
		return TUI_DIM;
	}
}

uint32_t tui_wake_glyph(const struct tui_look *look, enum doze_verdict v, enum tui_style *style)
{
	*style = TUI_PLAIN;
	switch (v) {
	case DOZE_VERDICT_open:
		return look->wake_open;
	case DOZE_VERDICT_useful:
	case DOZE_VERDICT_latch:
		*style = TUI_WAKE;
		return look->wake_used;
	case DOZE_VERDICT_futile:
		*style = TUI_FUTILE;
		return look->wake_futile;
	default:
		return look->wake_other;
	}
}
