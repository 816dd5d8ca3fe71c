/*
 * SPDX-License-Identifier: MIT
 *
 * look.c - see look.h. The two tables are the whole vocabulary; the help screen prints them.
 */
#include "look.h"

static const struct tui_look utf8_look = {
    .state = {[DOZE_STATE_none] = ' ',
	      [DOZE_STATE_active] = 0x2588,   /* full block */
	      [DOZE_STATE_idle] = 0x2592,     /* medium shade */
	      [DOZE_STATE_sleepy] = 0x2591,   /* light shade */
	      [DOZE_STATE_sleeping] = 0x00b7, /* middle dot */
	      [DOZE_STATE_blocked] = 0x25a0,  /* black square */
	      [DOZE_STATE_stopped] = ' ',
	      [DOZE_STATE_suspended] = 0x25c7}, /* diamond */
    .mixed = {0x2581, 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2587},
    .bar = {' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588},
    .unknown = 0x2571, /* diagonal */
    .wake_open = 0x25b7,
    .wake_used = 0x25b2,
    .wake_futile = 0x25b3,
    .wake_other = 0x25b4,
    .jec_even = 0x2581,
    .jec_odd = 0x2594,
    .jec_once = 0x2502,
    .rule = 0x2500,
    .tick = 0x2575,
    .cursor = 0x25bc,
    .more = 0x2026,
    .sep = 0x2502,
    .bookmark = 0x25c6,
    .arrow = 0x2192,
    .micro = "\302\265",
};

static const struct tui_look ascii_look = {
    .state = {[DOZE_STATE_none] = ' ',
	      [DOZE_STATE_active] = '#',
	      [DOZE_STATE_idle] = '~',
	      [DOZE_STATE_sleepy] = '?',
	      [DOZE_STATE_sleeping] = '.',
	      [DOZE_STATE_blocked] = 'B',
	      [DOZE_STATE_stopped] = ' ',
	      [DOZE_STATE_suspended] = 'S'},
    .mixed = {'0', '1', '2', '3', '5', '6', '7', '8', '9'},
    .bar = {' ', '1', '2', '3', '4', '5', '6', '7', '8'},
    .unknown = '/',
    .wake_open = '>',
    .wake_used = '^',
    .wake_futile = '!',
    .wake_other = '\'',
    .jec_even = '_',
    .jec_odd = '"',
    .jec_once = '|',
    .rule = '-',
    .tick = '\'',
    .cursor = 'v',
    .more = '>',
    .sep = '|',
    .bookmark = '*',
    .arrow = '>',
    .micro = "u",
};

const struct tui_look *tui_look(bool ascii)
{
	return ascii ? &ascii_look : &utf8_look;
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
	*style = TUI_WAKE;
	switch (v) {
	case DOZE_VERDICT_open:
		return look->wake_open;
	case DOZE_VERDICT_useful:
	case DOZE_VERDICT_latch:
		return look->wake_used;
	case DOZE_VERDICT_futile:
		*style = TUI_FUTILE;
		return look->wake_futile;
	default:
		return look->wake_other;
	}
}
