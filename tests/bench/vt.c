/*
 * SPDX-License-Identifier: MIT
 *
 * vt.c - see vt.h.
 */
#include "vt.h"

#include <stdbool.h>
#include <string.h>

void vt_reset(struct vt *v)
{
	memset(v, 0, sizeof *v);
	memset(v->cell, ' ', sizeof v->cell);
	v->bottom = VT_H - 1;
}

static int clamp(int n, int most)
{
	return n < 0 ? 0 : n > most ? most : n;
}

static void move_to(struct vt *v, int x, int y)
{
	v->x = clamp(x, VT_W - 1);
	v->y = clamp(y, VT_H - 1);
}

static void put(struct vt *v, char c)
{
	if (v->x >= VT_W) { /* the line wraps before the next character, not after the last one */
		v->x = 0;
		v->y = clamp(v->y + 1, VT_H - 1);
	}
	v->cell[v->y][v->x++] = c;
	v->last = c;
}

static void blank(struct vt *v, int y, int from, int to)
{
	if (from < to)
		memset(&v->cell[y][from], ' ', (size_t)(to - from));
}

/* Returns parameter i, or the default if it is missing. */
static int param(const struct vt *v, int i, int otherwise)
{
	return i < v->n_params && v->param[i] ? v->param[i] : otherwise;
}

static void erase_display(struct vt *v)
{
	int mode = param(v, 0, 0);

	for (int y = 0; y < VT_H; y++) {
		if (mode >= 2 || (mode == 0 && y > v->y) || (mode == 1 && y < v->y))
			blank(v, y, 0, VT_W);
	}
	if (mode == 0)
		blank(v, v->y, v->x, VT_W);
	else if (mode == 1)
		blank(v, v->y, 0, v->x + 1);
}

static void erase_line(struct vt *v)
{
	int mode = param(v, 0, 0), x = clamp(v->x, VT_W - 1);

	blank(v, v->y, mode == 0 ? x : 0, mode == 1 ? x + 1 : VT_W);
}

static void shift(struct vt *v, int n)
{
	int x = clamp(v->x, VT_W - 1), rest = VT_W - x, by = clamp(n < 0 ? -n : n, rest);
	char *row = v->cell[v->y];

	if (n > 0) { /* n > 0 inserts blank cells, n < 0 deletes cells */
		memmove(row + x + by, row + x, (size_t)(rest - by));
		blank(v, v->y, x, x + by);
	} else {
		memmove(row + x, row + x + by, (size_t)(rest - by));
		blank(v, v->y, VT_W - by, VT_W);
	}
}

/* Moves the rows from..bottom of the scroll region by n: up if n > 0, down otherwise. */
static void scroll(struct vt *v, int from, int n)
{
	int rows = v->bottom - from + 1, by = clamp(n < 0 ? -n : n, rows);

	if (rows <= 0)
		return;
	if (n > 0)
		memmove(v->cell[from], v->cell[from + by], (size_t)(rows - by) * VT_W);
	else
		memmove(v->cell[from + by], v->cell[from], (size_t)(rows - by) * VT_W);
	for (int i = 0; i < by; i++)
		blank(v, n > 0 ? v->bottom - i : from + i, 0, VT_W);
}

static void line_feed(struct vt *v)
{
	if (v->y == v->bottom)
		scroll(v, v->top, 1);
	else
		v->y = clamp(v->y + 1, VT_H - 1);
}

static void reverse_line_feed(struct vt *v)
{
	if (v->y == v->top)
		scroll(v, v->top, -1);
	else
		v->y = clamp(v->y - 1, VT_H - 1);
}

static void set_region(struct vt *v)
{
	v->top = clamp(param(v, 0, 1) - 1, VT_H - 1);
	v->bottom = clamp(param(v, 1, VT_H) - 1, VT_H - 1);
	move_to(v, 0, 0);
}

static bool moves_cursor(struct vt *v, char c, int n)
{
	switch (c) {
	case 'A':
		move_to(v, v->x, v->y - n);
		return true;
	case 'B':
		move_to(v, v->x, v->y + n);
		return true;
	case 'C':
		move_to(v, v->x + n, v->y);
		return true;
	case 'D':
		move_to(v, v->x - n, v->y);
		return true;
	case 'G':
		move_to(v, n - 1, v->y);
		return true;
	case 'Z':
		move_to(v, (v->x - 1) / 8 * 8, v->y);
		return true;
	case 'd':
		move_to(v, v->x, n - 1);
		return true;
	case 'H':
	case 'f':
		move_to(v, param(v, 1, 1) - 1, n - 1);
		return true;
	default:
		return false;
	}
}

static bool changes_line(struct vt *v, char c, int n)
{
	switch (c) {
	case 'K':
		erase_line(v);
		return true;
	case 'X':
		blank(v, v->y, clamp(v->x, VT_W - 1), clamp(v->x + n, VT_W));
		return true;
	case '@':
		shift(v, n);
		return true;
	case 'P':
		shift(v, -n);
		return true;
	case 'b':
		while (n-- > 0)
			put(v, v->last);
		return true;
	default:
		return false;
	}
}

static bool changes_screen(struct vt *v, char c, int n)
{
	switch (c) {
	case 'J':
		erase_display(v);
		return true;
	case 'L':
		scroll(v, v->y, -n);
		return true;
	case 'M':
		scroll(v, v->y, n);
		return true;
	case 'S':
		scroll(v, v->top, n);
		return true;
	case 'T':
		scroll(v, v->top, -n);
		return true;
	case 'r':
		set_region(v);
		return true;
	default:
		return false;
	}
}

static void finish_csi(struct vt *v, char c)
{
	int n = param(v, 0, 1);

	if (moves_cursor(v, c, n) || changes_line(v, c, n) || changes_screen(v, c, n))
		return;
	if (!strchr("mhlt", c)) /* attributes and modes are ignored */
		v->unknown++;
}

static void csi(struct vt *v, char c)
{
	if (c >= '0' && c <= '9') {
		if (v->n_params == 0)
			v->n_params = 1;
		v->param[v->n_params - 1] = v->param[v->n_params - 1] % 10000 * 10 + (c - '0');
	} else if (c == ';') {
		if (v->n_params == 0)
			v->n_params = 1;
		if (v->n_params < VT_PARAMS)
			v->n_params++;
	} else if (c >= '@') {
		finish_csi(v, c);
		v->state = VT_TEXT;
	}
}

static void escape(struct vt *v, char c)
{
	v->state = VT_TEXT;
	if (c == '[') {
		v->state = VT_CSI;
		v->n_params = 0;
		memset(v->param, 0, sizeof v->param);
	} else if (c == '(' || c == ')') {
		v->state = VT_SKIP_ONE;
	} else if (c == ']') {
		v->state = VT_OSC;
	} else if (c == 'M') {
		reverse_line_feed(v);
	} else if (c == 'D') {
		line_feed(v);
	}
}

static void text(struct vt *v, char c)
{
	if (c == '\033')
		v->state = VT_ESC;
	else if (c == '\r')
		v->x = 0;
	else if (c == '\n')
		line_feed(v);
	else if (c == '\b')
		move_to(v, v->x - 1, v->y);
	else if (c == '\t')
		move_to(v, v->x / 8 * 8 + 8, v->y);
	else if ((unsigned char)c >= ' ')
		put(v, c);
}

void vt_feed(struct vt *v, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char c = bytes[i];

		switch (v->state) {
		case VT_TEXT:
			text(v, c);
			break;
		case VT_ESC:
			escape(v, c);
			break;
		case VT_CSI:
			csi(v, c);
			break;
		case VT_SKIP_ONE:
			v->state = VT_TEXT;
			break;
		case VT_OSC:
			v->state = c == '\a' ? VT_TEXT : VT_OSC;
			break;
		}
	}
}
