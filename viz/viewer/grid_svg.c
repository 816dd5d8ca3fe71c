/*
 * SPDX-License-Identifier: MIT
 *
 * grid_svg.c - see grid_svg.h.
 *
 * Neighbouring cells of the same style form one text element, stretched to their width, so that
 * columns stay aligned whatever font the reader has. Blocks are drawn as rectangles, because fonts
 * draw them with gaps.
 */
#include "grid_svg.h"

#include "../trace/utf8.h"
#include "../words/palette.h"

enum { CELL_W = 8, CELL_H = 17, BASE = 13, PAD = 6 };
/* Block characters. Those from 0x2580 to FULL fill the cell from below to different heights. */
enum { FULL = 0x2588, LEFT_HALF = 0x258c, SHADE = 0x2592 };

static const char back[] = "#1c1c1c", fore[] = "#d0d0d0";

struct paint {
	const char *name, *ink, *back;
	bool bold;
};

static const struct paint paints[TUI_STYLE_COUNT] = {
    [TUI_PLAIN] = {"p", fore, NULL, false},      [TUI_DIM] = {"d", "#8a8a8a", NULL, false},
    [TUI_BOLD] = {"b", "#ffffff", NULL, true},   [TUI_TITLE] = {"t", back, fore, false},
    [TUI_SELECT] = {"s", back, "#ffffff", true}, [TUI_ALARM] = {"a", "#ffffff", "#d70000", true},
    [TUI_ACTIVE] = {"w", NULL, NULL, false},     [TUI_IDLE] = {"i", NULL, NULL, false},
    [TUI_SLEEPY] = {"y", NULL, NULL, false},     [TUI_SLEEPING] = {"z", NULL, NULL, false},
    [TUI_BLOCKED] = {"k", NULL, NULL, false},    [TUI_WAKE] = {"u", NULL, NULL, true},
    [TUI_FUTILE] = {"f", NULL, NULL, true},      [TUI_UNKNOWN] = {"x", NULL, NULL, false},
};

static const char *ink_of(enum tui_style style)
{
	const char *hex = paints[style].ink;

	switch (style) {
	case TUI_ACTIVE:
		hex = doze_ink_state(DOZE_STATE_active)->hex;
		break;
	case TUI_IDLE:
		hex = doze_ink_state(DOZE_STATE_idle)->hex;
		break;
	case TUI_SLEEPY:
		hex = doze_ink_state(DOZE_STATE_sleepy)->hex;
		break;
	case TUI_SLEEPING:
		hex = doze_ink_state(DOZE_STATE_sleeping)->hex;
		break;
	case TUI_BLOCKED:
		hex = doze_ink_state(DOZE_STATE_blocked)->hex;
		break;
	case TUI_WAKE:
		hex = doze_ink_mark(DOZE_MARK_useful)->hex;
		break;
	case TUI_FUTILE:
		hex = doze_ink_mark(DOZE_MARK_futile)->hex;
		break;
	case TUI_UNKNOWN:
		hex = doze_ink_mark(DOZE_MARK_unknown)->hex;
		break;
	default:
		break;
	}
	return hex ? hex : fore;
}

static void put_style(FILE *f)
{
	fprintf(f, "<style>text{font:13px 'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,"
		   "monospace;white-space:pre}");
	for (int i = 0; i < TUI_STYLE_COUNT; i++)
		fprintf(f, ".%s{fill:%s%s}", paints[i].name, ink_of((enum tui_style)i),
			paints[i].bold ? ";font-weight:bold" : "");
	fprintf(f, "</style>\n");
}

static void put_text(FILE *f, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (text[i]) {
		case '<':
			fputs("&lt;", f);
			break;
		case '&':
			fputs("&amp;", f);
			break;
		default:
			fputc(text[i], f);
		}
}

static bool is_block(uint32_t ch)
{
	return (ch >= 0x2581 && ch <= FULL) || ch == LEFT_HALF || ch == SHADE;
}

/* Draws n identical blocks as one rectangle. Left halves need one rectangle each. */
static void put_blocks(FILE *f, const char *name, uint32_t ch, int px, int py, int n)
{
	int most = CELL_H - 2, height = ch < FULL ? (most * (int)(ch - 0x2580) + 4) / 8 : most;

	fprintf(f, "<path class=\"%s\" opacity=\"%s\" d=\"", name, ch == SHADE ? ".5" : "1");
	for (int i = 0; i < (ch == LEFT_HALF ? n : 1); i++) {
		int width = ch == LEFT_HALF ? CELL_W / 2 : n * CELL_W;

		fprintf(f, "M%d %dh%dv%dh-%dz", px + i * CELL_W, py + 1 + most - height, width,
			height, width);
	}
	fprintf(f, "\"/>\n");
}

static bool same(const struct tui_cell *a, const struct tui_cell *b)
{
	if (a->style != b->style || a->attr != b->attr)
		return false;
	return (!is_block(a->ch) && !is_block(b->ch)) || a->ch == b->ch;
}

/* Draws a run of cells that share a style, or of identical blocks. */
static void put_run(FILE *f, const struct tui_cell *c, int x, int y, int n)
{
	const struct paint *p = &paints[c->style];
	const char *paper = p->back;
	int px = PAD + x * CELL_W, py = PAD + y * CELL_H, blanks = 0;

	if (c->attr & TUI_REVERSE)
		paper = paper ? NULL : "#585858";
	if (paper)
		fprintf(f, "<path fill=\"%s\" d=\"M%d %dh%dv%dh-%dz\"/>\n", paper, px, py,
			n * CELL_W, CELL_H, n * CELL_W);
	if (is_block(c->ch)) {
		put_blocks(f, p->name, c->ch, px, py, n);
		return;
	}
	while (blanks < n && c[blanks].ch == ' ')
		blanks++;
	while (n > blanks && c[n - 1].ch == ' ')
		n--;
	if (blanks == n)
		return;
	fprintf(f, "<text class=\"%s\" x=\"%d\" y=\"%d\" textLength=\"%d\">", p->name,
		px + blanks * CELL_W, py + BASE, (n - blanks) * CELL_W);
	for (int i = blanks; i < n; i++) {
		char out[4];

		put_text(f, out, doze_utf8_encode(c[i].ch, out));
	}
	fputs("</text>\n", f);
}

int tui_grid_svg(const struct tui_grid *g, const char *title, FILE *f)
{
	int w = g->w * CELL_W + 2 * PAD, h = g->h * CELL_H + 2 * PAD;

	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" role=\"img\">\n<title>",
		w, h, w, h);
	for (; *title; title++)
		put_text(f, title, 1);
	fprintf(f, "</title>\n");
	put_style(f);
	fprintf(f, "<rect width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\"/>\n", w, h, back);
	for (int y = 0; y < g->h; y++) {
		const struct tui_cell *row = &g->cells[(size_t)y * (size_t)g->w];

		for (int x = 0, n; x < g->w; x += n) {
			for (n = 1; x + n < g->w && same(&row[x], &row[x + n]); n++)
				;
			put_run(f, &row[x], x, y, n);
		}
	}
	fputs("</svg>\n", f);
	return fflush(f) == 0 && !ferror(f) ? 0 : -1;
}
