/*
 * SPDX-License-Identifier: MIT
 *
 * progress.c - see progress.h.
 */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "../words/units.h"

enum {
	DUE_S = 2,     /* show nothing earlier */
	MEMORY_S = 5,  /* how long an earlier speed counts in the estimate */
	LINE_MS = 250, /* time between two lines on stderr */
};
#define SECOND 1e9

int64_t doze_progress_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- the arithmetic ---- */

static double seconds(int64_t from, int64_t to)
{
	return (double)(to - from) / SECOND;
}

void doze_pace_begin(struct doze_pace *p, int64_t now)
{
	*p = (struct doze_pace){.begun = now, .noted = now};
}

void doze_pace_note(struct doze_pace *p, int64_t now, uint64_t done, uint64_t total)
{
	double passed = seconds(p->noted, now), speed;
	/* The first note sets the average since the beginning. */
	double weight = p->noted == p->begun ? 1 : passed / (passed + MEMORY_S);

	p->total = total;
	if (passed <= 0 || done < p->done)
		return;
	speed = (double)(done - p->done) / passed;
	p->speed += (speed - p->speed) * weight;
	p->done = done;
	p->noted = now;
}

bool doze_pace_due(const struct doze_pace *p, int64_t now)
{
	return seconds(p->begun, now) >= DUE_S;
}

/* Returns a number of seconds or minutes without more digits than the estimate is worth. Rounds up,
 * so that the last thing to be seen is not "0 s". */
static const char *rounded(double s, char *text, size_t size)
{
	unsigned whole = (unsigned)s + 1;

	if (whole <= 10)
		snprintf(text, size, "%u s", whole);
	else if (whole <= 90)
		snprintf(text, size, "%u s", (whole + 4) / 5 * 5);
	else
		snprintf(text, size, "%u min", (whole + 59) / 60);
	return text;
}

/* Returns the part that has been read, in percent; at most 99, because reading has not ended. */
static unsigned percent(const struct doze_pace *p)
{
	double share = 100 * (double)p->done / (double)p->total;

	return share < 99 ? (unsigned)share : 99;
}

const char *doze_pace_text(const struct doze_pace *p, int64_t now, uint64_t events, char *text)
{
	const double most = 100.0 * 3600; /* of a longer time, nothing useful is known */
	double left = p->total > p->done ? (double)(p->total - p->done) : 0;
	char time_left[24];

	text[0] = '\0';
	if (!doze_pace_due(p, now))
		return text;
	if (!p->total)
		snprintf(text, DOZE_PROGRESS_TEXT, "%s in %.0f s", doze_plural(events, "event"),
			 seconds(p->begun, now));
	else if (left > p->speed * most)
		snprintf(text, DOZE_PROGRESS_TEXT, "%u %%", percent(p));
	else
		snprintf(text, DOZE_PROGRESS_TEXT, "%u %%, about %s left", percent(p),
			 rounded(p->speed > 0 ? left / p->speed : 0, time_left, sizeof time_left));
	return text;
}

/* ---- a line on stderr ---- */

static struct doze_progress_line line_new(void)
{
	return (struct doze_progress_line){.terminal = isatty(STDERR_FILENO) == 1};
}

static bool line_is_due(const struct doze_progress_line *l, const struct doze_pace *p, int64_t now)
{
	return l->terminal && doze_pace_due(p, now) &&
	       (!l->shown_at || now - l->shown_at >= LINE_MS * INT64_C(1000000));
}

static void line_write(struct doze_progress_line *l, int64_t now, const char *what,
		       const char *text)
{
	int width = fprintf(stderr, "\r%s: %s", what, text);

	if (width < l->width) /* clear the rest of the previous line */
		fprintf(stderr, "%*s", l->width - width, "");
	fflush(stderr);
	l->width = width;
	l->shown_at = now;
}

static void line_clear(const struct doze_progress_line *l)
{
	if (l->shown_at)
		fprintf(stderr, "\r%*s\r", l->width, "");
}

/* ---- opening ---- */

struct opening {
	struct doze_pace pace;
	struct doze_progress_line line;
};

static void show_checking(void *ctx, uint64_t done, uint64_t total)
{
	struct opening *o = ctx;
	int64_t now = doze_progress_now();
	char text[DOZE_PROGRESS_TEXT];

	if (!line_is_due(&o->line, &o->pace, now))
		return;
	doze_pace_note(&o->pace, now, done, total);
	line_write(&o->line, now, "checking", doze_pace_text(&o->pace, now, 0, text));
}

struct doze_reader *doze_progress_open(const char *dir, char *err, size_t err_size)
{
	struct opening o = {.line = line_new()};
	const struct doze_checking checking = {show_checking, &o};
	struct doze_reader *r;

	doze_pace_begin(&o.pace, doze_progress_now());
	r = doze_reader_open_checking(dir, &checking, err, err_size);
	line_clear(&o.line);
	return r;
}

/* ---- recordings ---- */

void doze_progress_begin(struct doze_progress *p, int64_t now, const char *dir, const char *second)
{
	*p = (struct doze_progress){
	    .part = {{.dir = dir}, {.dir = second}}, .length = INT64_MAX, .line = line_new()};
	doze_pace_begin(&p->pace, now);
}

void doze_progress_use(struct doze_progress *p, const struct doze_packet_index *x)
{
	p->part[0].given = x;
}

static const struct doze_packet_index *index_of(const struct doze_progress_part *p)
{
	return p->given ? p->given : &p->own;
}

/* If a recording's packets cannot be indexed, its size remains unknown. */
static void build_index(struct doze_progress *p)
{
	char err[200];

	for (int i = 0; i < 2 && !p->indexed; i++)
		if (p->part[i].dir && !p->part[i].given)
			(void)doze_packet_index_update(&p->part[i].own, p->part[i].dir, err,
						       sizeof err);
	p->indexed = true;
}

/* Returns how much of the recording will be read. */
static uint64_t size_of(const struct doze_progress *p, const struct doze_packet_index *x)
{
	uint64_t all = doze_packet_index_size(x);

	if (!all || p->length >= x->to - x->from)
		return all;
	return doze_packet_index_done(x, x->from + p->length);
}

static void note(struct doze_progress *p, int64_t now, const int64_t ts[2])
{
	uint64_t done = 0, total = 0;

	for (int i = 0; i < 2 && p->part[i].dir; i++) {
		const struct doze_packet_index *x = index_of(&p->part[i]);
		uint64_t size = size_of(p, x);

		if (!size) { /* if one size is unknown, so is the sum */
			total = 0;
			break;
		}
		total += size;
		done += doze_packet_index_done(x, ts[i]);
	}
	doze_pace_note(&p->pace, now, done, total);
}

const char *doze_progress_text(struct doze_progress *p, int64_t now, const struct doze_reached *r,
			       char *text)
{
	if (doze_pace_due(&p->pace, now)) {
		build_index(p);
		note(p, now, r->ts);
	}
	return doze_pace_text(&p->pace, now, r->events, text);
}

void doze_progress_show(struct doze_progress *p, int64_t now, const char *what,
			const struct doze_reached *r)
{
	char text[DOZE_PROGRESS_TEXT];

	if (line_is_due(&p->line, &p->pace, now))
		line_write(&p->line, now, what, doze_progress_text(p, now, r, text));
}

void doze_progress_end(struct doze_progress *p)
{
	line_clear(&p->line);
	for (int i = 0; i < 2; i++)
		doze_packet_index_free(&p->part[i].own);
	*p = (struct doze_progress){0};
}
