/*
 * SPDX-License-Identifier: MIT
 *
 * palette.c - see palette.h.
 */
#include "palette.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

struct look {
	const char *utf8, *ascii, *color;
};

/* The nearest of the 256 colours that every terminal of today has. */
#define NEAR(n) "\033[38;5;" #n "m"

static const struct look states[DOZE_STATE_COUNT] = {
    [DOZE_STATE_none] = {" ", " ", ""},           [DOZE_STATE_active] = {"█", "#", NEAR(36)},
    [DOZE_STATE_idle] = {"▒", "~", NEAR(178)},    [DOZE_STATE_sleepy] = {"░", "?", NEAR(227)},
    [DOZE_STATE_sleeping] = {"·", ".", NEAR(74)}, [DOZE_STATE_blocked] = {"■", "B", NEAR(175)},
    [DOZE_STATE_stopped] = {" ", " ", ""},        [DOZE_STATE_suspended] = {"◇", "S", NEAR(250)},
};

static const struct look marks[DOZE_MARK_COUNT] = {
    [DOZE_MARK_unknown] = {"╱", "/", NEAR(246)}, [DOZE_MARK_wake] = {"▲", "^", NEAR(166)},
    [DOZE_MARK_finer] = {"+", "+", ""},          [DOZE_MARK_wake_finer] = {"◬", "A", NEAR(166)},
    [DOZE_MARK_even] = {"▁", "_", ""},           [DOZE_MARK_odd] = {"▔", "-", ""},
    [DOZE_MARK_both] = {"≈", "=", ""},
};

static const struct look *state_look(enum doze_state s)
{
	return &states[(unsigned)s < DOZE_STATE_COUNT ? s : DOZE_STATE_none];
}

const char *doze_glyph_state(const struct doze_palette *p, enum doze_state s)
{
	return p->ascii ? state_look(s)->ascii : state_look(s)->utf8;
}

const char *doze_glyph_mark(const struct doze_palette *p, enum doze_mark m)
{
	return p->ascii ? marks[m].ascii : marks[m].utf8;
}

const char *doze_color_state(const struct doze_palette *p, enum doze_state s)
{
	return p->color ? state_look(s)->color : "";
}

const char *doze_color_mark(const struct doze_palette *p, enum doze_mark m)
{
	return p->color ? marks[m].color : "";
}

const char *doze_color_off(const struct doze_palette *p)
{
	return p->color ? "\033[0m" : "";
}

bool doze_locale_utf8(void)
{
	static int known = -1;

	if (known < 0) {
		setlocale(LC_CTYPE, "");
		known = !strcmp(nl_langinfo(CODESET), "UTF-8");
	}
	return known;
}
