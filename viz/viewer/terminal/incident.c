/*
 * SPDX-License-Identifier: MIT
 *
 * incident.c - see incident.h.
 */
#include "incident.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../explain/diagnose.h"
#include "../../trace/utf8.h"
#include "../../words/units.h"
#include "../screen/grid.h"
#include "../screen/header.h"
#include "draw.h"
#include "term.h"

static int save_picture(const char *folder, const struct tui_grid *g)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof path, "%s/screen.svg", folder);
	return tui_grid_svg(g, "doze live", path);
}

/* Prints an argument that would affect a terminal, as bash quotes it: $'\033[1m'. */
static void print_escaped(FILE *out, const char *arg)
{
	fputs("$'", out);
	for (; *arg; arg++)
		if (*arg == '\'' || *arg == '\\')
			fprintf(out, "\\%c", *arg);
		else if (*arg < ' ' || *arg == 127)
			fprintf(out, "\\%03o", (unsigned char)*arg);
		else
			putc(*arg, out);
	putc('\'', out);
}

/* Prints an argument quoted for a shell. */
static void print_argument(FILE *out, const char *arg)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=+,./:@%";

	if (*arg && strspn(arg, plain) == strlen(arg)) {
		fputs(arg, out);
		return;
	}
	if (!doze_text_is_clean(arg)) {
		print_escaped(out, arg);
		return;
	}
	putc('\'', out);
	for (; *arg; arg++)
		fputs(*arg == '\'' ? "'\\''" : (const char[]){*arg, '\0'}, out);
	putc('\'', out);
}

/* Prints the command line of this process in a form that a shell accepts. */
static void print_command(FILE *out)
{
	FILE *f = fopen("/proc/self/cmdline", "re");
	char *arg = NULL;
	size_t size = 0;

	for (int i = 0; f && getdelim(&arg, &size, '\0', f) > 0; i++) {
		if (i)
			putc(' ', out);
		print_argument(out, arg);
	}
	free(arg);
	if (f)
		fclose(f);
	putc('\n', out);
}

/* Prints the causes found in the saved part, the most serious first. */
static void print_causes(FILE *out, const struct tui_scene *s, int64_t from)
{
	struct doze_diagnosis d;

	if (!doze_diagnose(tui_newest(s)->model, from, INT64_MAX, &d) || !d.count)
		return;
	fputs("causes, the worst first:\n", out);
	for (size_t i = 0; i < d.count; i++)
		fprintf(out, "  %s: %s\n", doze_trouble_name(d.cause[i].kind), d.cause[i].cause);
}

/* reason: the trigger's condition, or null; from: beginning of the saved part, or INT64_MIN. */
static int save_summary(const struct doze_tui_options *opt, const char *folder,
			const struct tui_scene *s, const char *reason, int64_t from)
{
	char path[PATH_MAX + 16], now[TUI_LAST_SECOND_TEXT];
	struct tui_last_second w;
	FILE *f;

	snprintf(path, sizeof path, "%s/incident.txt", folder);
	f = fopen(path, "we");
	if (!f)
		return -1;
	tui_last_second_take(s, &w);
	tui_last_second_text(&w, now);
	fprintf(f, "saved at %s in the trace\n",
		doze_position(s->now.clock - s->view.origin, 1000));
	if (reason)
		fprintf(f, "because: %s\n", reason);
	if (opt->events_at)
		fprintf(f, "events: not here, but on the disk of %s\n", opt->events_at);
	else if (reason)
		fprintf(f, "this recording: the last 30 s before that\n");
	fprintf(f, "last second: %s\nwhole session: %s\n", now,
		doze_verdict_line(tui_newest(s)->model));
	print_causes(f, s, from);
	fputs("command: ", f);
	print_command(f);
	if (!opt->events_at)
		fprintf(f, "see: report.html in a browser; doze replay %s; doze diagnose %s\n",
			folder, folder);
	return fclose(f);
}

/* Saves everything since `from` in a session whose first event was at `first`. Writes a message
 * about the result into `text`. */
static void save(const struct doze_tui_options *opt, struct tui_scene *s, const struct tui_grid *g,
		 const char *reason, int64_t from, int64_t first, char *text, size_t size)
{
	char folder[PATH_MAX] = "", err[100] = "";

	if (opt->save(opt->ctx, from, folder, sizeof folder, err, sizeof err) != 0) {
		snprintf(text, size, "not saved: %s", err);
		return;
	}
	if (save_picture(folder, g) != 0 || save_summary(opt, folder, s, reason, from) != 0)
		snprintf(text, size, "the disk is full: %.100s is incomplete", folder);
	else if (snprintf(text, size, "%s in %.120s", opt->events_at ? "screen saved" : "saved",
			  folder) > 0 &&
		 !reason)
		s->saved = true;
	/* A trigger saves only the last 30 s, so the page covers everything that was saved. The key
	 * `!` saves more. */
	if (opt->report)
		opt->report(opt->ctx, folder,
			    reason ? INT64_MIN : tui_newest(s)->clock - DOZE_INCIDENT_NS, first);
}

bool tui_incident_problem(const struct doze_tui_options *opt, struct tui_scene *s)
{
	const char *problem = opt->report_problem ? opt->report_problem(opt->ctx) : NULL;

	if (problem)
		snprintf(s->message, sizeof s->message, "%s", problem);
	return problem;
}

void tui_incident_save(const struct doze_tui_options *opt, struct tui_scene *s, int64_t first,
		       const struct tui_grid *g)
{
	/* if the session cannot be saved, the handler of the key `!` has already shown why */
	if (opt->save && !opt->events_at)
		save(opt, s, g, NULL, INT64_MIN, first, s->message, sizeof s->message);
}

/* Draws the newest moment, even if the screen is paused or shows another moment. Uses a copy of the
 * scene with its own, empty allocations, which end_copy releases. */
static bool draw_newest(const struct tui_scene *s, struct tui_scene *copy,
			const struct tui_grid *like, struct tui_grid *g)
{
	*copy = *s;
	copy->now = (struct tui_present){0};
	copy->list = (struct tui_list){0};
	copy->found = (struct tui_found){0};
	copy->history = tui_newest(s);
	copy->quiz.on = copy->steady = false;
	*g = (struct tui_grid){.ascii = like->ascii};
	if (tui_grid_resize(g, like->w, like->h) != 0)
		return false;
	copy->view.paused = copy->view.help = copy->view.playing = false;
	tui_view_follow(&copy->view);
	tui_scene_update(copy);
	tui_draw(copy, g);
	return true;
}

static void end_copy(struct tui_scene *copy)
{
	free(copy->now.workers);
	free(copy->now.lanes);
	free(copy->list.item);
	free(copy->found.numbers.item);
}

bool tui_incident_watch(const struct doze_tui_options *opt, const struct tui_watched *run,
			struct tui_scene *shown, const struct tui_grid *g)
{
	char what[TUI_TRIGGER_TEXT], because[TUI_TRIGGER_TEXT + 80],
	    done[160] = "no memory for its picture";
	struct tui_grid newest;
	struct tui_scene copy;
	char *text = opt->banner ? shown->banner : shown->message;
	size_t size = opt->banner ? sizeof shown->banner : sizeof shown->message;

	run->watch->triggers = opt->triggers;
	if (!opt->save || !tui_watch_step(run->watch, tui_newest(run->scene), what))
		return false;
	snprintf(because, sizeof because, "%.70s%s%s", run->name ? run->name : "",
		 run->name ? ": " : "", what);
	if (draw_newest(run->scene, &copy, g, &newest))
		save(opt, &copy, &newest, because, tui_newest(run->scene)->clock - DOZE_INCIDENT_NS,
		     INT64_MIN, done, sizeof done);
	end_copy(&copy);
	tui_grid_free(&newest);
	snprintf(text, size, "%.110s; %.150s", because, done);
	if (opt->bell && !opt->once)
		tui_term_bell();
	return true;
}
