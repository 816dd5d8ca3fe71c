/*
 * SPDX-License-Identifier: MIT
 *
 * grid.c - see grid.h.
 */
#include "grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "../../trace/utf8.h"
#include "../../words/palette.h"
#include "../../words/quote.h"

int tui_grid_resize(struct tui_grid *g, int w, int h)
{
	free(g->cells);
	g->w = w < 0 ? 0 : w;
	g->h = h < 0 ? 0 : h;
	g->cells = calloc((size_t)g->w * (size_t)g->h + 1, sizeof *g->cells);
	if (!g->cells) {
		g->w = g->h = 0;
		return -1;
	}
	tui_grid_clear(g);
	return 0;
}

void tui_grid_free(struct tui_grid *g)
{
	free(g->cells);
	g->cells = NULL;
	g->w = g->h = 0;
}

void tui_grid_clear(struct tui_grid *g)
{
	size_t n = (size_t)g->w * (size_t)g->h;

	for (size_t i = 0; i < n; i++)
		g->cells[i] = (struct tui_cell){.ch = ' '};
}

static struct tui_cell *cell_at(struct tui_grid *g, int x, int y)
{
	if (x < 0 || y < 0 || x >= g->w || y >= g->h)
		return NULL;
	return &g->cells[(size_t)y * (size_t)g->w + (size_t)x];
}

void tui_put(struct tui_grid *g, int x, int y, uint32_t ch, enum tui_style style)
{
	struct tui_cell *c = cell_at(g, x, y);

	if (!c)
		return;
	if (g->ascii && ch > 126)
		ch = '?';
	*c = (struct tui_cell){.ch = ch, .style = (uint8_t)style};
}

void tui_mark(struct tui_grid *g, int x, int y, int attr)
{
	struct tui_cell *c = cell_at(g, x, y);

	if (c)
		c->attr |= (uint8_t)attr;
}

void tui_fill(struct tui_grid *g, int x, int y, int n, uint32_t ch, enum tui_style style)
{
	for (int i = 0; i < n; i++)
		tui_put(g, x + i, y, ch, style);
}

/* Replaces unprintable characters. Text in a trace comes from programs, and its escape sequences
 * must not reach the terminal. */
static uint32_t printable(uint32_t ch)
{
	if (ch == '\t')
		return ' ';
	if (ch < ' ' || (ch >= 0x7f && ch < 0xa0))
		return '?';
	return ch < 0x7f || wcwidth((wchar_t)ch) == 1 ? ch : '?';
}

/* Ends a truncated text with an ellipsis, unless only blanks are missing. */
static void mark_cut(struct tui_grid *g, int x, int y, int last, enum tui_style style,
		     const char *rest)
{
	while (*rest == ' ')
		rest++;
	if (*rest && last >= x)
		tui_put(g, last, y, g->ascii ? '.' : 0x2026, style);
}

int tui_text(struct tui_grid *g, int x, int y, int end, enum tui_style style, const char *text)
{
	int from = x, limit = end < g->w ? end : g->w;

	/* a message may have been truncated inside its last character */
	while (*text && x < limit && !doze_utf8_is_cut(text)) {
		uint32_t ch;
		size_t n = doze_utf8_decode(text, &ch);

		tui_put(g, x++, y, n ? printable(ch) : '?', style);
		text += n ? n : 1;
	}
	mark_cut(g, from, y, limit - 1, style, text);
	return x;
}

int tui_textf(struct tui_grid *g, int x, int y, int end, enum tui_style style, const char *fmt, ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof buf, fmt, ap);
	va_end(ap);
	return tui_text(g, x, y, end, style, buf);
}

int tui_grid_print(const struct tui_grid *g, FILE *f)
{
	for (int y = 0; y < g->h; y++) {
		const struct tui_cell *row = &g->cells[(size_t)y * (size_t)g->w];
		int len = g->w;

		while (len > 0 && row[len - 1].ch == ' ')
			len--;
		for (int x = 0; x < len; x++) {
			char out[4] = {0};

			fwrite(out, 1, doze_utf8_encode(row[x].ch, out), f);
		}
		fputc('\n', f);
	}
	return fflush(f) == 0 && !ferror(f) ? 0 : -1;
}

/* ---- text in a part of the screen ---- */

int tui_wrap(struct tui_grid *g, int x, int end, int y, int n, enum tui_style style,
	     const char *text)
{
	int rows = 0, width = end - x;

	while (*text && rows < n && width > 0) {
		size_t fits = doze_utf8_fit(text, (size_t)width, NULL), take = fits;

		if (text[fits]) {
			while (take > 0 && text[take] != ' ')
				take--;
			if (take == 0)
				take = fits;
		}
		if (take == 0) /* a character wider than the box */
			break;
		tui_textf(g, x, y + rows++, end, style, "%.*s", (int)take, text);
		text += take;
		while (*text == ' ')
			text++;
	}
	if (*text && rows > 0) /* no room for the rest of the text */
		tui_put(g, end - 1, y + rows - 1, g->ascii ? '.' : 0x2026, style);
	return rows;
}

void tui_say(struct tui_textbox *p, enum tui_style style, const char *text)
{
	if (text[0] && p->y < p->bottom)
		p->y += tui_wrap(p->g, p->x, p->end, p->y, p->bottom - p->y, style, text);
}

void tui_sayf(struct tui_textbox *p, enum tui_style style, const char *fmt, ...)
{
	char text[TUI_SENTENCE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	tui_say(p, style, text);
}

/* ---- glyphs, for UTF-8 and for ASCII; the help screen prints them ---- */

#define AT(glyph) offsetof(struct tui_glyphs, glyph)
static const struct {
	size_t at;
	uint32_t utf8, ascii;
} own[] = {{AT(partly), 0x258c, '%'},    {AT(up), 0x2191, '^'},         {AT(join), 0x2534, '+'},
	   {AT(turn), 0x2518, '\''},     {AT(dot), 0x2219, '-'},        {AT(side), 0x2551, '['},
	   {AT(wake_open), 0x25b7, 'o'}, {AT(wake_other), 0x25b4, ','}, {AT(jec_once), 0xa6, ':'},
	   {AT(rule), 0x2500, '-'},      {AT(tick), 0x2575, '\''},      {AT(cursor), 0x25bc, 'v'},
	   {AT(more), 0x2026, '.'},      {AT(sep), 0x2502, '|'},        {AT(bookmark), 0x25c6, '*'},
	   {AT(arrow), 0x2192, '>'},     {AT(storm), 'S', 'S'},         {AT(select), '>', '>'},
	   {AT(branch[0]), 0x251c, '+'}, {AT(branch[1]), 0x2514, '`'}};

/* Copies the glyphs that the viewer and `doze timeline` have in common from the palette. */
static void take_palette(struct tui_glyphs *glyphs, bool ascii)
{
	const struct doze_palette p = {.ascii = ascii};

	for (int s = 0; s < DOZE_STATE_COUNT; s++)
		glyphs->state[s] = doze_glyph_code(doze_glyph_state(&p, (enum doze_state)s));
	glyphs->unknown = doze_glyph_code(doze_glyph_mark(&p, DOZE_MARK_unknown));
	glyphs->wake_used = doze_glyph_code(doze_glyph_mark(&p, DOZE_MARK_useful));
	glyphs->wake_futile = doze_glyph_code(doze_glyph_mark(&p, DOZE_MARK_futile));
	/* differs from the palette's glyph, a low bar, which would look like a count here */
	glyphs->jec_even = '_';
	glyphs->jec_odd = doze_glyph_code(doze_glyph_mark(&p, DOZE_MARK_odd));
}

const struct tui_glyphs *tui_glyphs(bool ascii)
{
	static struct tui_glyphs both[2];
	struct tui_glyphs *g = &both[ascii];

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		*(uint32_t *)(void *)((char *)g + own[i].at) = ascii ? own[i].ascii : own[i].utf8;
	for (uint32_t i = 0; i < TUI_BARS; i++)
		g->bar[i] = !i ? ' ' : (ascii ? '0' : 0x2580) + i;
	g->micro = ascii ? "u" : "\302\265";
	g->dash = ascii ? "-" : "\342\200\224";
	take_palette(g, ascii);
	return g;
}

static const enum tui_style state_styles[DOZE_STATE_COUNT] = {
    [DOZE_STATE_active] = TUI_ACTIVE,   [DOZE_STATE_idle] = TUI_IDLE,
    [DOZE_STATE_sleepy] = TUI_SLEEPY,   [DOZE_STATE_sleeping] = TUI_SLEEPING,
    [DOZE_STATE_blocked] = TUI_BLOCKED,
};

enum tui_style tui_state_style(enum doze_state s)
{
	return (unsigned)s < DOZE_STATE_COUNT && state_styles[s] ? state_styles[s] : TUI_DIM;
}

const struct doze_ink *tui_ink(enum tui_style style)
{
	if (style == TUI_WAKE || style == TUI_FUTILE || style == TUI_UNKNOWN)
		return doze_ink_mark(style == TUI_WAKE     ? DOZE_MARK_useful
				     : style == TUI_FUTILE ? DOZE_MARK_futile
							   : DOZE_MARK_unknown);
	for (int st = 0; st < DOZE_STATE_COUNT; st++)
		if (style != TUI_PLAIN && state_styles[st] == style)
			return doze_ink_state((enum doze_state)st);
	return NULL;
}

uint32_t tui_wake_glyph(const struct tui_glyphs *glyphs, enum doze_verdict v, enum tui_style *style)
{
	*style = TUI_PLAIN;
	switch (v) {
	case DOZE_VERDICT_open:
		return glyphs->wake_open;
	case DOZE_VERDICT_useful:
	case DOZE_VERDICT_latch:
		*style = TUI_WAKE;
		return glyphs->wake_used;
	case DOZE_VERDICT_futile:
		*style = TUI_FUTILE;
		return glyphs->wake_futile;
	default:
		return glyphs->wake_other;
	}
}

/*
 * ---- the grid as a picture
 *
 * Neighbouring cells of the same style form one text element, stretched to their width, so that
 * columns stay aligned whatever font the reader has. Blocks are drawn as rectangles, because fonts
 * draw them with gaps.
 */

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
	const struct doze_ink *ink = tui_ink(style);

	return ink ? ink->hex : paints[style].ink;
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
	size_t length = 0;
	char *text;

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
	text = malloc((size_t)(n - blanks) * 4 + 1);
	if (!text)
		return;
	for (int i = blanks; i < n; i++)
		length += doze_utf8_encode(c[i].ch, text + length);
	text[length] = '\0';
	doze_svg_text(f, text, "class=\"%s\" x=\"%d\" y=\"%d\" textLength=\"%d\"", p->name,
		      px + blanks * CELL_W, py + BASE, (n - blanks) * CELL_W);
	free(text);
}

static int put_svg(const struct tui_grid *g, const char *title, FILE *f)
{
	int w = g->w * CELL_W + 2 * PAD, h = g->h * CELL_H + 2 * PAD;

	char size[64];

	(void)snprintf(size, sizeof size, " width=\"%d\" height=\"%d\" role=\"img\"", w, h);
	doze_svg_begin(f, w, (size_t)h, size);
	fputs("<title>", f);
	doze_quote_xml(f, title);
	fputs("</title>\n", f);
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

int tui_grid_svg(const struct tui_grid *g, const char *title, const char *path)
{
	FILE *f = fopen(path, "we");
	int err = f ? put_svg(g, title, f) : -1;

	return f && fclose(f) != 0 ? -1 : err;
}
