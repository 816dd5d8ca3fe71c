/*
 * SPDX-License-Identifier: MIT
 *
 * pane_output.c - shows the last lines that the traced program printed.
 */
#include "panes.h"

static void draw(const struct tui_scene *s, struct tui_paper *p)
{
	size_t rows = p->bottom > p->y ? (size_t)(p->bottom - p->y) : 0;
	size_t have = s->output.n_lines, skip = have > rows ? have - rows : 0;

	for (size_t i = skip; i < have; i++)
		tui_text(p->g, p->x + 1, p->y + (int)(i - skip), p->end, TUI_PLAIN,
			 s->output.lines[i]);
	if (have == 0)
		tui_text(p->g, p->x + 2, p->y, p->end, TUI_DIM, "no output yet");
}

static bool exists(const struct tui_scene *s)
{
	return s->has_output;
}

const struct tui_pane_type tui_pane_output = {
    .name = "output",
    .what = "the output of the traced program",
    .draw = draw,
    .exists = exists,
};
