/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_timeline.c - `doze timeline DIR`: the lanes of the workers as text.
 */
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../views/load.h"
#include "../views/timeline.h"
#include "cmd.h"
#include "cmd_offline.h"
#include "options.h"

static unsigned width; /* --width; 0: the terminal's, else 80 */

static const char *check_width(const char *value, void *target)
{
	static char allowed[48];
	unsigned n;

	snprintf(allowed, sizeof allowed, "a number from %d to %d", DOZE_TIMELINE_NARROWEST,
		 DOZE_TIMELINE_WIDEST);
	if (doze_check_count(value, &n) || n < DOZE_TIMELINE_NARROWEST || n > DOZE_TIMELINE_WIDEST)
		return allowed;
	*(unsigned *)target = n;
	return 0;
}

const struct doze_option cmd_timeline_options[] = {
    {"width", 'W', "COLUMNS", "width of the output (default: the terminal's, else 80)", check_width,
     &width},
    {0},
};

static size_t columns(void)
{
	struct winsize ws;

	if (width)
		return width;
	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		return ws.ws_col < DOZE_TIMELINE_NARROWEST ? DOZE_TIMELINE_NARROWEST : ws.ws_col;
	return 80;
}

static void before(void *ctx, const struct doze_event *e)
{
	doze_timeline_event(ctx, e);
}

static int show(const struct doze_options *o, struct doze_timeline *t, struct doze_model *m)
{
	struct doze_load_hooks hooks = {.before = before, .ctx = t};
	struct doze_palette p = {.ascii = o->ascii || !doze_locale_utf8(),
				 .color = doze_options_color(o, STDOUT_FILENO)};
	int rc = doze_load(o->operands[0], m, &hooks);

	if (!rc)
		rc = doze_load_check("timeline", &o->selection, m);
	if (rc)
		return rc;
	doze_timeline_print(t, m, &p, stdout);
	fflush(stdout);
	return doze_load_doubts(o->operands[0], m);
}

int cmd_timeline(int argc, char **argv)
{
	struct doze_options o;
	int rc = doze_options_parse(&o, argc, argv);
	struct doze_timeline *t;
	struct doze_model *m;

	if (rc >= 0)
		return rc;
	t = doze_timeline_new(columns(), &o.selection);
	m = t ? doze_model_new(&doze_timeline_listener, t) : 0;
	if (m) {
		rc = show(&o, t, m);
	} else {
		doze_complain("not enough memory: timeline: try a smaller --width");
		rc = DOZE_EXIT_INPUT;
	}
	doze_model_free(m);
	doze_timeline_free(t);
	return rc;
}
