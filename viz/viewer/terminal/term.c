/*
 * SPDX-License-Identifier: MIT
 *
 * term.c - see term.h.
 *
 * Without colours, start_color is never called, so that not even "default colour" is sent. All
 * calls use the wide-character interface of ncurses; with --ascii, the grid contains only ASCII
 * characters.
 */
#define _XOPEN_SOURCE_EXTENDED 1
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <wchar.h>

#include "../../words/complain.h"
#include "../../words/palette.h"
#include "keys.h"
#include "restore.h"

static SCREEN *screen;
static bool colored;
/* The cells as last passed to ncurses. Comparing with these is much cheaper than passing all cells
 * again. */
static struct tui_grid shown;

/* ---- colours ---- */

/* Foreground colours for terminals with 256, 16 and 8 colours (-1: default; 0: from the palette,
 * see ink_of), background, and attributes. Dark blue is not used, because it is hard to read. */
static const struct {
	short c256, c16, c8, background;
	attr_t attr, mono; /* mono: attributes on a terminal without colours */
} ink[TUI_STYLE_COUNT] = {
    [TUI_PLAIN] = {-1, -1, -1, -1, A_NORMAL, A_NORMAL},
    [TUI_DIM] = {245, 7, 7, -1, A_NORMAL, A_DIM},
    [TUI_BOLD] = {-1, -1, -1, -1, A_BOLD, A_BOLD},
    [TUI_TITLE] = {-1, -1, -1, -1, A_REVERSE, A_REVERSE},
    [TUI_SELECT] = {-1, -1, -1, -1, A_REVERSE | A_BOLD, A_REVERSE | A_BOLD},
    [TUI_ALARM] = {231, 15, 7, 160, A_BOLD, A_REVERSE | A_BOLD | A_BLINK},
    [TUI_ACTIVE] = {0, 0, 0, -1, A_NORMAL, A_BOLD},
    [TUI_IDLE] = {0, 0, 0, -1, A_NORMAL, A_NORMAL},
    [TUI_SLEEPY] = {0, 0, 0, -1, A_NORMAL, A_NORMAL},
    [TUI_SLEEPING] = {0, 0, 0, -1, A_NORMAL, A_NORMAL},
    [TUI_BLOCKED] = {0, 0, 0, -1, A_NORMAL, A_NORMAL},
    [TUI_WAKE] = {0, 0, 0, -1, A_BOLD, A_BOLD},
    [TUI_FUTILE] = {0, 0, 0, -1, A_BOLD, A_BOLD},
    [TUI_UNKNOWN] = {0, 0, 0, -1, A_NORMAL, A_DIM},
};

static struct doze_ink ink_of(enum tui_style style)
{
	const struct doze_ink *of = tui_ink(style);

	return of ? *of : (struct doze_ink){ink[style].c256, ink[style].c16, ink[style].c8, NULL};
}

static void start_colors(void)
{
	if (start_color() == ERR || COLORS < 8)
		return;
	use_default_colors();
	for (int i = 0; i < TUI_STYLE_COUNT; i++) {
		struct doze_ink of = ink_of((enum tui_style)i);
		short fg = COLORS >= 256 ? of.c256 : COLORS >= 16 ? of.c16 : of.c8;
		short bg = ink[i].background < 0 ? -1 : COLORS >= 256 ? ink[i].background : 1;

		if (fg >= 0 || bg >= 0)
			init_pair((short)(i + 1), fg, bg);
	}
	colored = true;
}

static attr_t attr_of(enum tui_style style)
{
	attr_t a = colored ? ink[style].attr : ink[style].mono;

	/* with few colours, sleepy has the colour of idle, so make it brighter */
	if (colored && COLORS < 16 && style == TUI_SLEEPY)
		a |= A_BOLD;
	return a;
}

static short pair_of(enum tui_style style)
{
	return colored && (ink[style].c256 >= 0 || ink[style].background >= 0) ? (short)(style + 1)
									       : 0;
}

static bool want_color(enum doze_tui_color color)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (color != DOZE_TUI_COLOR_AUTO)
		return color == DOZE_TUI_COLOR_ALWAYS;
	return !(no_color && no_color[0]) && !(term && strcmp(term, "dumb") == 0);
}

/* ---- taking over the terminal and restoring it ---- */

bool tui_term_unicode(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Returns whether the terminal has the capabilities that the viewer needs. */
static bool can_draw(void)
{
	const char *cup = tigetstr("cup"), *clear_all = tigetstr("clear");

	return cup && cup != (char *)-1 && clear_all && clear_all != (char *)-1;
}

int tui_term_check(void)
{
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return 0;
	doze_complain("viewer: standard input and output are not a terminal: use --once to print "
		      "one screen as text");
	return -1;
}

/* Explains why the terminal cannot be used. Is called before it is opened, because newterm reports
 * no reason. */
static bool is_usable(const char *term)
{
	const char *advised;

	if (term && *term && tui_terminfo_knows(term))
		return true;
	advised = tui_terminfo_advised();
	if (!advised)
		doze_complain("viewer: there is no terminfo database: install ncurses-base, or use "
			      "--once to print one screen as text");
	else if (term && *term)
		doze_complain("viewer: there is no terminfo entry for terminal %s: try TERM=%s, or "
			      "use --once to print one screen as text",
			      term, advised);
	else
		doze_complain("viewer: TERM is not set: try TERM=%s, or use --once to print one "
			      "screen as text",
			      advised);
	return false;
}

int tui_term_open(enum doze_tui_color color, bool mouse)
{
	const char *term = getenv("TERM");

	if (!is_usable(term))
		return -1;
	tui_restore_save();
	screen = newterm(NULL, stdout, stdin);
	if (!screen || !can_draw()) {
		const char *advised;

		if (screen)
			tui_term_close();
		advised = tui_terminfo_advised();
		doze_complain("viewer: terminal %s cannot move its cursor: %s%s%suse --once to "
			      "print one screen as text",
			      term, advised ? "try TERM=" : "", advised ? advised : "",
			      advised ? ", or " : "");
		return -1;
	}
	tui_restore_arm(mouse);
	set_escdelay(25);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	if (mouse) {
		mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
		mouseinterval(0);
	}
	if (want_color(color))
		start_colors();
	return 0;
}

void tui_term_close(void)
{
	if (!screen)
		return;
	tui_restore_disarm();
	endwin();
	tui_grid_free(&shown);
	delscreen(screen);
	screen = NULL;
	colored = false;
}

/* ---- showing the grid ---- */

void tui_term_size(int *w, int *h)
{
	getmaxyx(stdscr, *h, *w);
}

static bool same_cell(const struct tui_cell *a, const struct tui_cell *b)
{
	return a->ch == b->ch && a->style == b->style && a->attr == b->attr;
}

static void add_cell(int y, int x, const struct tui_cell *c)
{
	wchar_t text[2] = {(wchar_t)c->ch, 0};
	attr_t attr = attr_of((enum tui_style)c->style);
	cchar_t cc;

	attr ^= c->attr & TUI_REVERSE ? A_REVERSE : 0;
	attr |= c->attr & TUI_UNDERLINE ? A_UNDERLINE : 0;
	setcchar(&cc, text, attr, pair_of((enum tui_style)c->style), NULL);
	mvadd_wch(y, x, &cc);
}

void tui_term_show(const struct tui_grid *g)
{
	bool all = shown.w != g->w || shown.h != g->h;
	size_t at = 0;

	if (all && tui_grid_resize(&shown, g->w, g->h) != 0)
		shown.w = shown.h = 0; /* out of memory: send all cells in every frame */
	for (int y = 0; y < g->h; y++)
		for (int x = 0; x < g->w; x++, at++) {
			if (!all && same_cell(&shown.cells[at], &g->cells[at]))
				continue;
			add_cell(y, x, &g->cells[at]);
			if (shown.w)
				shown.cells[at] = g->cells[at];
		}
	refresh();
}

void tui_term_disturbed(void)
{
	shown.w = shown.h = 0; /* a wrong size makes the next tui_term_show send all cells */
	clearok(stdscr, TRUE);
}

/* ---- keys ---- */

static int translate(int key)
{
	static const struct {
		int from, to;
	} table[] = {{KEY_UP, TUI_KEY_UP},
		     {KEY_DOWN, TUI_KEY_DOWN},
		     {KEY_LEFT, TUI_KEY_LEFT},
		     {KEY_RIGHT, TUI_KEY_RIGHT},
		     {KEY_PPAGE, TUI_KEY_PAGE_UP},
		     {KEY_NPAGE, TUI_KEY_PAGE_DOWN},
		     {KEY_HOME, TUI_KEY_HOME},
		     {KEY_END, TUI_KEY_END},
		     {KEY_BTAB, TUI_KEY_BACKTAB},
		     {KEY_RESIZE, TUI_KEY_RESIZE},
		     {KEY_F(1), TUI_KEY_F1},
		     {KEY_F(10), TUI_KEY_F10},
		     {KEY_ENTER, TUI_KEY_ENTER},
		     {KEY_BACKSPACE, TUI_KEY_BACKSPACE},
		     {KEY_SLEFT, 'H'},
		     {KEY_SRIGHT, 'L'}};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].from == key)
			return table[i].to;
	return key;
}

static struct tui_mouse mouse_now;

static bool take_mouse(void)
{
	MEVENT e;

	if (getmouse(&e) != OK)
		return false;
	mouse_now = (struct tui_mouse){.x = e.x,
				       .y = e.y,
				       .wheel = e.bstate & BUTTON4_PRESSED   ? 1
						: e.bstate & BUTTON5_PRESSED ? -1
									     : 0};
	return true;
}

struct tui_mouse tui_term_mouse(void)
{
	return mouse_now;
}

void tui_term_bell(void)
{
	(void)beep();
}

int tui_term_key(void)
{
	wint_t ch;

	switch (get_wch(&ch)) {
	case KEY_CODE_YES:
		if (ch == KEY_MOUSE)
			return take_mouse() ? TUI_KEY_MOUSE : TUI_KEY_NONE;
		return translate((int)ch);
	case OK:
		return ch < 0x1000 ? (int)ch : TUI_KEY_NONE;
	default:
		return TUI_KEY_NONE;
	}
}

/*
 * ---- signals: those that terminate are turned into a readable file descriptor. Closing restores
 * the previous handlers. ncurses handles SIGTSTP: it restores the terminal before it stops
 * the process. SIGCONT requests a redraw.
 */

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCONT};
enum { CAUGHT_N = sizeof caught / sizeof *caught };

static int wake_fd = -1;
static volatile sig_atomic_t seen, continued;
static struct sigaction before[CAUGHT_N];

static void on_signal(int sig)
{
	int saved = errno;
	uint64_t one = 1;
	ssize_t ignored;

	if (sig == SIGCONT)
		continued = 1;
	else
		seen = sig;
	ignored = write(wake_fd, &one, sizeof one);
	(void)ignored;
	errno = saved;
}

int tui_signals_open(int *fd)
{
	struct sigaction sa = {.sa_handler = on_signal};

	wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (wake_fd < 0)
		return -1;
	seen = continued = 0;
	sigemptyset(&sa.sa_mask);
	for (int i = 0; i < CAUGHT_N; i++)
		sigaction(caught[i], &sa, &before[i]);
	*fd = wake_fd;
	return 0;
}

void tui_signals_close(void)
{
	if (wake_fd < 0)
		return;
	for (int i = 0; i < CAUGHT_N; i++)
		sigaction(caught[i], &before[i], NULL);
	close(wake_fd);
	wake_fd = -1;
}

int tui_signal_seen(void)
{
	return seen;
}

bool tui_signal_continued(void)
{
	eventfd_t ignored;

	(void)eventfd_read(wake_fd, &ignored);
	if (!continued)
		return false;
	continued = 0;
	return true;
}
