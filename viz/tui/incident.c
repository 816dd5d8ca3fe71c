/*
 * SPDX-License-Identifier: MIT
 *
 * incident.c - see incident.h.
 */
#include "incident.h"

#include <limits.h>
#include <stdio.h>

#include "../diagnose/diagnose.h"
#include "../text/units.h"
#include "grid_svg.h"
#include "verdict.h"

static int save_picture(const char *folder, const struct tui_grid *g)
{
	char path[PATH_MAX + 16];
	FILE *f;
	int err;

	snprintf(path, sizeof path, "%s/screen.svg", folder);
	f = fopen(path, "we");
	if (!f)
		return -1;
	err = tui_grid_svg(g, "doze live", f);
	return fclose(f) != 0 || err ? -1 : 0;
}

/* Copies the command line of this process, its arguments separated by blanks. */
static void print_command(FILE *out)
{
	FILE *f = fopen("/proc/self/cmdline", "re");

	for (int c; f && (c = getc(f)) != EOF;)
		putc(c ? c : ' ', out);
	if (f)
		fclose(f);
	putc('\n', out);
}

static int save_report(const char *folder, const struct tui_scene *s)
{
	char path[PATH_MAX + 16], now[TUI_VERDICT];
	struct tui_window w;
	FILE *f;

	snprintf(path, sizeof path, "%s/incident.txt", folder);
	f = fopen(path, "we");
	if (!f)
		return -1;
	tui_window_take(s, &w);
	tui_verdict(&w, now);
	fprintf(f, "saved at %s of the trace\nlast second: %s\nwhole session: %s\ncommand: ",
		doze_position(s->now.clock - s->view.origin, 1000), now,
		doze_verdict_line(s->history->model));
	print_command(f);
	fprintf(f, "see: doze replay %s; doze diagnose %s\n", folder, folder);
	return fclose(f);
}

void tui_incident_save(const struct doze_tui_options *opt, struct tui_scene *s,
		       const struct tui_grid *g)
{
	char folder[PATH_MAX] = "", err[100] = "";

	if (!opt->save)
		return; /* the key has said so */
	if (opt->save(opt->ctx, folder, sizeof folder, err, sizeof err) != 0)
		snprintf(s->message, sizeof s->message, "not saved: %s", err);
	else if (save_picture(folder, g) != 0 || save_report(folder, s) != 0)
		snprintf(s->message, sizeof s->message, "the disk is full: %.100s is incomplete",
			 folder);
	else
		snprintf(s->message, sizeof s->message, "saved in %.140s", folder);
	s->saved |= folder[0] != '\0';
}
