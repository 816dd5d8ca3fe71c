/*
 * SPDX-License-Identifier: MIT
 *
 * duel.c - see duel.h.
 */
#include "duel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../model/hist.h"
#include "../../trace/utf8.h"
#include "../../words/units.h"
#include "../panes/panes.h"
#include "../screen/scene.h"
#include "tui.h"

const struct tui_contest_kind tui_contests[TUI_CONTESTS] = {
    [TUI_BY_WAKES] = {"wakes", "wakes"},
    [TUI_BY_VAIN] = {"wakes in vain", "in vain"},
    [TUI_BY_CPU] = {"CPU", "CPU time"},
    [TUI_BY_P99] = {"p99", "p99 wait"},
};

/* ---- the score of a run ---- */

static void add_wakes(const struct tui_lane *lane, int64_t t, struct tui_score *score,
		      struct doze_hist *delay)
{
	score->forgotten |= lane->wakes.dropped > 0;
	for (size_t i = 0; i < lane->wakes.count; i++) {
		const struct tui_wake *w = tui_ring_at(&lane->wakes, i);
		int64_t waited = doze_wake_delay(&w->wake, DOZE_DELAY_publish_job);

		if (w->at > t)
			return;
		score->wakes += w->wake.cause != DOZE_CAUSE_terminate;
		score->futile += w->wake.verdict == DOZE_VERDICT_futile && w->wake.ended <= t;
		if (waited >= 0 && w->wake.first_job <= t)
			doze_hist_add(delay, waited);
	}
}

static int64_t cpu_of(const struct doze_event *e)
{
	if (e->kind == DOZE_EV_woken)
		return (int64_t)e->u.woken.cpu_ns;
	return e->kind == DOZE_EV_worker_state ? (int64_t)e->u.state.cpu_ns : 0;
}

/* What has already been counted for a worker. */
struct seen {
	bool cpu, jobs;
};

static void add_report(const struct doze_event *e, struct seen *seen, struct tui_score *score)
{
	int64_t cpu = cpu_of(e);

	if (cpu > 0 && !seen->cpu) {
		seen->cpu = score->has_cpu = true;
		score->cpu += cpu;
	}
	if (e->kind == DOZE_EV_worker_state && !seen->jobs) {
		seen->jobs = true;
		score->jobs_run += e->u.state.jobs_run;
	}
}

/* Adds the last CPU time and number of jobs that each worker reported up to t. A worker reports its
 * CPU time when it falls asleep and wakes up, and its number of jobs when it changes its state. */
static void add_reports(const struct tui_history *h, int64_t t, struct tui_score *score)
{
	struct seen *seen = calloc(h->n_lanes + 1, sizeof *seen);
	size_t left = h->n_lanes;

	for (size_t i = tui_ring_after(&h->events, t); seen && left > 0 && i-- > 0;) {
		const struct tui_event *e = tui_ring_at(&h->events, i);
		struct seen *of;
		bool had_all;

		if (e->row < 0 || (size_t)e->row >= h->n_lanes)
			continue;
		of = &seen[e->row];
		had_all = of->cpu && of->jobs;
		add_report(&e->ev, of, score);
		left -= !had_all && of->cpu && of->jobs;
	}
	free(seen);
}

void tui_score_take(const struct tui_scene *s, int64_t t, struct tui_score *score)
{
	const struct tui_history *h = s->history;
	struct doze_hist delay = {0};

	*score = (struct tui_score){0};
	for (size_t i = 0; i < h->n_lanes; i++)
		add_wakes(&h->lanes[i], t, score, &delay);
	/* The history lacks a part of the run. Without a cursor, the score is for the whole run, so
	 * use the model's totals. */
	if (score->forgotten && !s->view.at.has_cursor) {
		score->wakes = s->now.totals.wakes - s->now.totals.verdicts[DOZE_VERDICT_terminate];
		score->futile = s->now.totals.verdicts[DOZE_VERDICT_futile];
		score->forgotten = false;
	}
	score->time = (t < s->now.clock ? t : s->now.clock) - s->view.origin;
	add_reports(h, t, score);
	if (!s->view.at.has_cursor)
		score->jobs_run = s->now.totals.jobs_run;
	score->measured = delay.n;
	score->p99 = doze_hist_percentile(&delay, 0.99);
}

/*
 * ---- the winner
 *
 * Two runs of the same program never give exactly the same measurements, so a small difference does
 * not count as a win.
 */

/* A run wins if its value is below WON percent of the other run's value. Runs are comparable if
 * each has done at least SAME percent of the other's jobs. */
enum { WON = 95, SAME = 90 };

/* Returns whether both runs have done about the same work: their numbers of jobs differ by at most
 * 10 %. */
static bool is_fair(const struct tui_score score[2])
{
	uint64_t a = score[0].jobs_run, b = score[1].jobs_run;

	return 100 * (a < b ? a : b) >= SAME * (a < b ? b : a);
}

/* Stores a run's value of the measure. Returns false if the run has no such value. */
static bool value_of(const struct tui_score *k, enum tui_contest by, int64_t *value)
{
	switch (by) {
	case TUI_BY_WAKES:
		*value = (int64_t)k->wakes;
		return true;
	case TUI_BY_VAIN:
		*value = (int64_t)k->futile;
		return true;
	case TUI_BY_CPU:
		*value = k->cpu;
		return k->has_cpu;
	default:
		*value = k->p99;
		return k->measured >= TUI_P99_LEAST;
	}
}

int tui_contest_winner(const struct tui_score score[2], enum tui_contest by)
{
	int64_t a, b;

	if (!is_fair(score) || !value_of(&score[0], by, &a) || !value_of(&score[1], by, &b))
		return TUI_UNJUDGED;
	if (100 * (a < b ? a : b) >= WON * (a < b ? b : a))
		return TUI_EVEN;
	return a < b ? 0 : 1;
}

/* ---- the sentence ---- */

static void add(char *out, size_t size, const char *text)
{
	size_t n = strlen(out);

	snprintf(out + n, size - n, "%s", text);
}

/* Returns whether the sentence can omit the result for wakes in vain, because neither run wins on
 * them, or the same run also wins on all wakes. */
static bool is_part_of_wakes(const int result[TUI_CONTESTS])
{
	return result[TUI_BY_VAIN] == result[TUI_BY_WAKES] || result[TUI_BY_VAIN] == TUI_EVEN;
}

/* Appends the names of the measures with this result, such as "wakes, CPU and p99". Returns whether
 * there are any. */
static bool add_names(char *out, size_t size, const int result[TUI_CONTESTS], int wanted,
		      const char *before)
{
	const char *found[TUI_CONTESTS];
	int n = 0;

	for (int i = 0; i < TUI_CONTESTS; i++)
		if (result[i] == wanted && !(i == TUI_BY_VAIN && is_part_of_wakes(result)))
			found[n++] = tui_contests[i].name;
	if (n)
		add(out, size, before);
	for (int i = 0; i < n; i++) {
		add(out, size, !i ? " " : i + 1 == n ? " and " : ", ");
		add(out, size, found[i]);
	}
	return n > 0;
}

/* Writes, for example, "jec wins on wakes, tickle on CPU, even on p99". */
static void winner_text(const struct tui_score score[2], const struct tui_contest_names *n,
			char *out, size_t size)
{
	int result[TUI_CONTESTS];
	char before[80];
	bool any = false;

	for (int i = 0; i < TUI_CONTESTS; i++)
		result[i] = tui_contest_winner(score, (enum tui_contest)i);
	for (int i = 0; i < 2; i++) {
		snprintf(before, sizeof before, "%s%s %s", any ? ", " : "", n->label[i],
			 any ? "on" : "wins on");
		any |= add_names(out, size, result, i, before);
	}
	if (!any)
		add(out, size, "no winner");
	add_names(out, size, result, TUI_EVEN, ", even on");
}

/* Writes, for example, "no winner yet: jec has run 200 jobs, tickle 40". */
static void unfair_text(const struct tui_score score[2], const struct tui_contest_names *n,
			char *out, size_t size)
{
	snprintf(out, size, "no winner%s: %s has run %s, %s %" PRIu64, n->running ? " yet" : "",
		 n->label[0], doze_plural(score[0].jobs_run, "job"), n->label[1],
		 score[1].jobs_run);
}

char *tui_contest_text(const struct tui_score score[2], const struct tui_contest_names *n, int room,
		       char *out, size_t size)
{
	char winner[240] = "";

	if (n->foreign) {
		snprintf(out, size,
			 "%s: at least %" PRIu64 " of %s in vain; %s: at least %" PRIu64
			 " of %" PRIu64,
			 n->label[0], score[0].futile, doze_plural(score[0].wakes, "wake"),
			 n->label[1], score[1].futile, score[1].wakes);
		return out;
	}
	if (is_fair(score))
		winner_text(score, n, winner, sizeof winner);
	else
		unfair_text(score, n, winner, sizeof winner);
	snprintf(out, size,
		 "%s: %s, %" PRIu64 " in vain; %s: %" PRIu64 ", %" PRIu64 " in vain %s %s",
		 n->label[0], doze_plural(score[0].wakes, "wake"), score[0].futile, n->label[1],
		 score[1].wakes, score[1].futile, n->dash, winner);
	if ((int)doze_utf8_columns(out, SIZE_MAX) > room)
		snprintf(out, size, "%s", winner);
	return out;
}

/* ---- scenes from the options of the command line ---- */

bool tui_scene_open(struct tui_scene *s, const struct doze_tui_options *opt, bool ascii)
{
	s->glyphs = tui_glyphs(ascii);
	s->title = opt->title;
	s->program = opt->name;
	s->detail = opt->detail;
	s->from_ns = opt->selection->from;
	s->to_ns = opt->selection->to;
	s->has_output = opt->program_log != NULL;
	s->can_save = opt->save && !opt->events_at;
	s->status = (struct tui_status){.live = opt->live, .loading = !opt->live, .behind_ns = -1};
	tui_view_init(&s->view, opt->live);
	tui_view_set_workers(&s->view, &opt->selection->workers, opt->selection->list);
	s->history = opt->known ? opt->known : tui_history_new();
	if (!s->history)
		return false;
	s->lesson.file = opt->lesson;
	s->history->live = opt->live;
	s->history->selection = opt->selection;
	s->history->recording = opt->lesson ? &s->lesson.recording : NULL;
	return true;
}

bool tui_duel_open(struct tui_duel *d, struct tui_scene *first, const struct doze_tui_options *opt,
		   bool ascii)
{
	if (!tui_scene_open(&d->second, opt, ascii))
		return false;
	d->side[0] = first;
	d->side[1] = &d->second;
	d->label[0] = opt->duel[0];
	d->label[1] = opt->duel[1];
	d->how = opt->duel_how;
	d->second.title = opt->second_title;
	if (opt->second)
		return true;
	d->split = (struct tui_policy_split){.policy = {opt->duel[0], opt->duel[1]},
					     .to = {first->history, d->second.history}};
	first->history->split = &d->split;
	return true;
}

/* ---- aligning the times of the runs ---- */

static const struct tui_event *mark_at(const struct tui_scene *s, size_t i)
{
	return tui_ring_at(&s->history->marks, i);
}

/* Returns the number of earlier marks with the same text as mark i. */
static size_t occurrence(const struct tui_scene *s, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < i; k++)
		n += strcmp(mark_at(s, k)->note, mark_at(s, i)->note) == 0;
	return n;
}

/* Returns the nth mark of the scene that has this text, or null. */
static const struct tui_event *same_mark(const struct tui_scene *s, const char *note, size_t nth)
{
	for (size_t i = 0; i < s->history->marks.count; i++) {
		const struct tui_event *e = mark_at(s, i);

		if (strcmp(e->note, note) == 0 && nth-- == 0)
			return e;
	}
	return NULL;
}

int64_t tui_duel_shift(const struct tui_scene *a, const struct tui_scene *b, char *where,
		       size_t size)
{
	const struct tui_ring *marks = &a->history->marks;

	for (size_t i = tui_ring_after(marks, tui_view_focus(&a->view)); i-- > 0;) {
		const struct tui_event *in_a = mark_at(a, i);
		const struct tui_event *in_b = same_mark(b, in_a->note, occurrence(a, i));

		if (!in_b)
			continue;
		snprintf(where, size, "aligned at mark '%s'", in_a->note);
		return in_b->at - in_a->at;
	}
	snprintf(where, size, "aligned at their first events");
	if (!a->now.totals.events || !b->now.totals.events)
		return 0;
	return b->view.origin - a->view.origin;
}

/* ---- the names of the runs ---- */

static const char *policy_of(const struct tui_scene *s)
{
	return doze_model_pools(s->history->model) ? doze_model_pool(s->history->model, 0)->policy
						   : "";
}

const char *tui_duel_label(const struct tui_duel *d, int side)
{
	const char *mine = policy_of(d->side[side]), *other = policy_of(d->side[!side]);

	return d->split.policy[0] || !*mine || !*other || strcmp(mine, other) == 0 ? d->label[side]
										   : mine;
}

/* ---- the windows of the runs ---- */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Makes the scene `to` show the same span as `from`. shift: what to add to a time in `from` to get
 * the corresponding time in `to`. */
static void copy_view(const struct tui_scene *from, struct tui_scene *to, int64_t shift)
{
	struct tui_view *v = &to->view;

	v->at = from->view.at;
	v->at.right += shift;
	v->at.cursor += shift;
	v->at.follow = v->at.fit = false;
	v->cells = from->view.cells;
	v->paused = from->view.paused;
	v->marks = from->view.marks;
	v->playing = false;
}

void tui_duel_update(struct tui_duel *d)
{
	struct tui_scene *a = d->side[d->active], *b = d->side[!d->active];
	struct tui_view *v = &a->view;
	int64_t shift, first;

	d->side[1]->status = d->side[0]->status;
	b->steady = a->steady;
	tui_scene_update(a);
	tui_scene_update(b);
	if (d->alone)
		return;
	shift = tui_duel_shift(a, b, d->aligned, sizeof d->aligned);
	first = b->view.first - shift;
	/* Extend the range by a margin: a window begins at a cell boundary, so the first event
	 * could otherwise be outside it. */
	if (first < v->first)
		first -= (v->last - first) / v->cells;
	/* The range ends with the run that ends later. */
	if (b->now.totals.events)
		tui_view_extent(v, v->origin, least(v->first, first),
				-least(-v->last, shift - b->now.clock));
	copy_view(a, b, shift);
}

/* ---- keys ---- */

/* Returns whether the key is for panes or prompts, which the screen of a duel does not have. */
static bool is_for_panes(int key)
{
	return key > 0 && key < 128 && strchr("/\\nNeEzPoO123456789", key) != NULL;
}

enum tui_answer tui_duel_key(struct tui_duel *d, int key)
{
	struct tui_scene *s = d->side[d->active];

	s->banner[0] = '\0';
	if (d->alone && key == TUI_KEY_BACKSPACE && !s->prompt) {
		d->alone = false;
		return TUI_GO_ON;
	}
	if (d->alone || s->view.help)
		return tui_key_press(s, key);
	if (key == TUI_KEY_TAB || key == TUI_KEY_BACKTAB) {
		d->side[!d->active]->view.at.follow = s->view.at.follow;
		d->side[!d->active]->view.at.fit = s->view.at.fit;
		d->active = !d->active;
	} else if (key == TUI_KEY_ENTER || key == '\r') {
		d->alone = true;
		snprintf(s->message, sizeof s->message, "%s alone: Backspace returns to the duel",
			 tui_duel_label(d, d->active));
	} else if (key == TUI_KEY_UP || key == TUI_KEY_DOWN) {
		return tui_key_press(s, key == TUI_KEY_UP ? 'k' : 'j');
	} else if (!is_for_panes(key)) {
		return tui_key_press(s, key);
	}
	return TUI_GO_ON;
}

void tui_duel_free(struct tui_duel *d)
{
	tui_history_free(d->second.history);
	tui_scene_free(&d->second);
}
