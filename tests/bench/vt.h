/*
 * SPDX-License-Identifier: MIT
 *
 * vt.h - the part of a terminal that is needed to know what a program shows on a pseudo-terminal.
 *
 * Understands what ncurses sends to TERM=xterm without colours: text, cursor movement, erasing,
 * repeating, inserting, deleting and scrolling. Ignores attributes. Characters are bytes, so the
 * program must run in the C locale.
 */
#ifndef DOZE_BENCH_VT_H
#define DOZE_BENCH_VT_H

#include <stddef.h>

enum { VT_W = 80, VT_H = 24, VT_PARAMS = 8 };

struct vt {
	char cell[VT_H][VT_W];
	int x, y;
	int top, bottom; /* rows of the scroll region, inclusive */
	enum { VT_TEXT, VT_ESC, VT_CSI, VT_SKIP_ONE, VT_OSC } state;
	int param[VT_PARAMS], n_params;
	char last;        /* last character printed, for the sequence REP */
	unsigned unknown; /* number of unknown escape sequences */
};

void vt_reset(struct vt *);
void vt_feed(struct vt *, const char *bytes, size_t n);

#endif
