/*
 * SPDX-License-Identifier: MIT
 *
 * phrases.c - see phrases.h.
 */
#include "phrases.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../explain/symbols.h"
#include "../../words/event_text.h"
#include "../../words/units.h"

/* ---- words for programs without libdoze ---- */

/* Returns the function and line of a decision's call, or "". */
static const char *foreign_place(const struct tui_scene *s, const struct tui_decision *d)
{
	const struct doze_pool_view *p = tui_decision_pool(s, d);

	return d->caller && p ? doze_symbols_line(tui_newest(s)->model, p, d->caller) : "";
}

/* Write what a waker did, and with which result, as tui_deed and tui_outcome do. */
static char *foreign_deed(const struct tui_scene *s, const struct tui_decision *d, const char *who,
			  char *out)
{
	const char *place = foreign_place(s, d);

	if (d->wakes && d->verdicts[DOZE_VERDICT_self] == d->wakes)
		snprintf(out, DOZE_EVENT_LINE, "no call that was seen");
	else if (*place)
		snprintf(out, DOZE_EVENT_LINE, "%s in %s", who, place);
	else
		snprintf(out, DOZE_EVENT_LINE, "%s calls", who);
	return out;
}

/* Writes a count, the word if the count is not 0, and what separates it from the next. */
static int add(char *out, int n, uint32_t count, const char *word)
{
	if (!count || n < 0 || n >= DOZE_EVENT_LINE)
		return n;
	return n + snprintf(out + n, DOZE_EVENT_LINE - (size_t)n, "%s%" PRIu32 " %s", n ? ", " : "",
			    count, word);
}

/* Write what a waker did, and with which result, as tui_deed and tui_outcome do. */
static char *foreign_outcome(const struct tui_decision *d, char *out)
{
	const uint32_t *v = d->verdicts;
	int n = 0;

	out[0] = 0;
	if (v[DOZE_VERDICT_futile])
		n = snprintf(out, DOZE_EVENT_LINE, "at least %" PRIu32 " of %" PRIu32 " in vain",
			     v[DOZE_VERDICT_futile], d->wakes);
	n = add(out, n, v[DOZE_VERDICT_open], "not known yet");
	n = add(out, n, v[DOZE_VERDICT_useful] + v[DOZE_VERDICT_went_on], "went on");
	n = add(out, n, v[DOZE_VERDICT_nobody], "woke nobody");
	n = add(out, n, v[DOZE_VERDICT_unresolved], "not recorded");
	(void)n;
	return out;
}

/* ---- names, times and states ---- */

bool tui_is_foreign(const struct tui_scene *s)
{
	return doze_model_is_foreign(s->history->model);
}

/* Returns the worker of an event. */
static struct doze_worker_key event_key(const struct tui_event *e)
{
	return (struct doze_worker_key){
	    .host = e->ev.host, .vpid = e->ev.vpid, .pool = e->ev.pool, .index = e->ev.worker};
}

struct doze_worker_key tui_decision_key(const struct tui_decision *d, int32_t index)
{
	return (struct doze_worker_key){
	    .host = d->host, .vpid = d->vpid, .pool = d->pool, .index = index};
}

char *tui_worker_name(const struct tui_scene *s, const struct doze_worker_key *k, char *out)
{
	bool several = doze_model_pools(s->history->model) > 1;
	char letter = tui_is_foreign(s) ? 't' : 'w';

	if (k->index < 0)
		snprintf(out, TUI_NAME, "outside");
	else if (several)
		snprintf(out, TUI_NAME, "%zu%c%" PRId32, tui_pool_number(s, k), letter, k->index);
	else
		snprintf(out, TUI_NAME, "%c%" PRId32, letter, k->index);
	return out;
}

char *tui_event_who(const struct tui_scene *s, const struct tui_event *e, char *out)
{
	const struct doze_worker_key k = event_key(e);

	return tui_worker_name(s, &k, out);
}

char *tui_waker_name(const struct tui_scene *s, const struct doze_worker_key *pool, int32_t worker,
		     int32_t vtid, char *out)
{
	const struct doze_pool_view *p = worker < 0 && vtid > 0 ? tui_pool_of(s, pool) : NULL;
	const struct doze_thread_view *t = NULL;
	struct doze_worker_key k = *pool;

	k.index = worker;
	if (p)
		t = doze_model_thread(s->history->model, (uint32_t)p->row, vtid);
	if (t && t->worker) /* the poster is a worker of another pool */
		tui_worker_name(s, &t->worker->key, out);
	else if (t && *t->name)
		snprintf(out, TUI_NAME, "thread '%s'", t->name);
	else if (worker < 0 && vtid > 0)
		snprintf(out, TUI_NAME, "thread %" PRId32, vtid);
	else
		tui_worker_name(s, &k, out);
	return out;
}

int tui_put_time(const struct tui_scene *s, struct tui_grid *g, int x, int y, int64_t at)
{
	tui_textf(g, x, y, g->w, TUI_DIM, "%*s", TUI_TIME_W,
		  doze_position(at - s->view.origin, DOZE_LISTED));
	return x + TUI_TIME_W + 1;
}

const char *tui_ns(const struct tui_scene *s, int64_t ns)
{
	static char text[8][32];
	static unsigned turn;
	char *out = text[++turn % 8], *unit;

	snprintf(out, sizeof text[0], "%s", doze_duration(ns));
	unit = strstr(out, "us");
	if (unit)
		snprintf(unit, 8, "%ss", s->glyphs->micro);
	return out;
}

const char *tui_state_word(const struct tui_scene *s, enum doze_state state)
{
	static const char *const words[2][DOZE_STATE_COUNT] = {{[DOZE_STATE_active] = "works",
								[DOZE_STATE_idle] = "searches",
								[DOZE_STATE_sleeping] = "sleeps"},
							       /* of programs without libdoze */
							       {[DOZE_STATE_active] = "no wait",
								[DOZE_STATE_idle] = "woken",
								[DOZE_STATE_sleeping] = "waits"}};
	const char *word =
	    (unsigned)state < DOZE_STATE_COUNT ? words[tui_is_foreign(s)][state] : NULL;

	return word ? word : doze_state_name(state);
}

const char *tui_state_phrase(const struct tui_scene *s, enum doze_state state)
{
	static const char *const phrases[2][DOZE_STATE_COUNT] = {
	    {[DOZE_STATE_none] = "has not started",
	     [DOZE_STATE_active] = "works (active)",
	     [DOZE_STATE_idle] = "searches (idle)",
	     [DOZE_STATE_sleepy] = "is about to sleep (sleepy)",
	     [DOZE_STATE_blocked] = "is blocked"},
	    {[DOZE_STATE_none] = "has not started",
	     [DOZE_STATE_active] = "is not in a wait that doze sees",
	     [DOZE_STATE_idle] = "was woken and holds its mutex",
	     [DOZE_STATE_sleepy] = "is about to sleep (sleepy)",
	     [DOZE_STATE_blocked] = "is blocked"}};
	const char *phrase =
	    (unsigned)state < DOZE_STATE_COUNT ? phrases[tui_is_foreign(s)][state] : NULL;

	return phrase ? phrase : tui_state_word(s, state);
}

static const char *reason_words(const struct tui_scene *s, enum doze_reason r)
{
	static const char *const words[2][DOZE_REASON_COUNT] = {
	    {[DOZE_REASON_start] = "its thread starts",
	     [DOZE_REASON_no_work] = "no work found",
	     [DOZE_REASON_rounds] = "enough rounds without work",
	     [DOZE_REASON_found_local] = "a job was found",
	     [DOZE_REASON_found_stolen] = "a job was found",
	     [DOZE_REASON_found_injected] = "a job was found",
	     [DOZE_REASON_found_broadcast] = "a job was found",
	     [DOZE_REASON_jec_changed] = "the JEC has changed",
	     [DOZE_REASON_tickled] = "tickled",
	     [DOZE_REASON_latch_set] = "its latch is set",
	     [DOZE_REASON_woken] = "woken",
	     [DOZE_REASON_self_wake] = "spurious wake",
	     [DOZE_REASON_terminate] = "the pool ends",
	     [DOZE_REASON_mark_blocked] = "marked as blocked",
	     [DOZE_REASON_mark_unblocked] = "no longer blocked",
	     [DOZE_REASON_recheck] = "a job was found in the last check",
	     [DOZE_REASON_must_not_help] = "it must not run the next job while it waits",
	     [DOZE_REASON_gives_back] = "a suspended wait can continue",
	     [DOZE_REASON_takes_over] = "taken over by a new thread"},
	    /* of programs without libdoze */
	    {[DOZE_REASON_start] = "its thread starts",
	     [DOZE_REASON_woken] = "woken",
	     [DOZE_REASON_self_wake] = "by no call that was seen",
	     [DOZE_REASON_terminate] = "its thread ends",
	     [DOZE_REASON_recheck] = "did not sleep",
	     [DOZE_REASON_waits] = "it calls a function that waits",
	     [DOZE_REASON_went_on] = "it released its mutex",
	     [DOZE_REASON_timed_out] = "timed out"}};
	const char *of = words[tui_is_foreign(s)][r];

	return of ? of : doze_reason_name(r);
}

const char *tui_reasons(const struct tui_scene *s, uint32_t reasons, char *out, size_t size)
{
	int n = 0;

	out[0] = '\0';
	for (int r = 0; r < DOZE_REASON_COUNT; r++) {
		const char *words = reason_words(s, (enum doze_reason)r);

		if (reasons >> r & 1 && !strstr(out, words) && n >= 0 && (size_t)n < size)
			n += snprintf(out + n, size - (size_t)n, "%s%s", n ? ", " : "", words);
	}
	return out;
}

const char *tui_verdict_word(const struct tui_scene *s, enum doze_verdict v)
{
	if (tui_is_foreign(s) && v == DOZE_VERDICT_useful)
		return "left loop";
	if (v == DOZE_VERDICT_went_on)
		return "went on";
	if (v == DOZE_VERDICT_nobody)
		return "woke nobody";
	return v == DOZE_VERDICT_futile ? "in vain" : doze_verdict_name(v);
}

const char *tui_verdict_meaning(const struct tui_scene *s, enum doze_verdict v)
{
	static const char *const text[2][DOZE_VERDICT_COUNT] = {
	    {[DOZE_VERDICT_open] = "The woken worker has neither run a job nor slept again yet.",
	     [DOZE_VERDICT_unresolved] = "Unknown, because events are missing.",
	     [DOZE_VERDICT_redundant] = "The target was awake, or another wake came first.",
	     [DOZE_VERDICT_self] = "A spurious wake: no thread sent it.",
	     [DOZE_VERDICT_terminate] = "The woken worker stopped next.",
	     [DOZE_VERDICT_latch] = "The woken worker owned the latch that was set.",
	     [DOZE_VERDICT_useful] = "The woken worker ran a job before it slept again.",
	     [DOZE_VERDICT_futile] = "The woken worker slept again without running a job."},
	    /* of programs without libdoze */
	    {[DOZE_VERDICT_open] =
		 "The thread has neither released its mutex nor waited again yet.",
	     [DOZE_VERDICT_unresolved] = "Unknown, because events are missing.",
	     [DOZE_VERDICT_self] = "The wait ended, but by no call that doze saw.",
	     [DOZE_VERDICT_useful] =
		 "The thread left the loop around its wait: others have waited again there.",
	     [DOZE_VERDICT_futile] = "The thread waited again with its mutex held throughout.",
	     [DOZE_VERDICT_went_on] =
		 "The thread went on. Whether it found what it waited for is not known.",
	     [DOZE_VERDICT_nobody] = "The thread that it was for had left its wait by itself."}};
	const char *of = (unsigned)v < DOZE_VERDICT_COUNT ? text[tui_is_foreign(s)][v] : NULL;

	return of ? of : "";
}

const char *tui_scope(const struct tui_scene *s)
{
	return s->status.ended && !s->lesson.file ? "whole run" : "so far";
}

/* ---- describing decisions ---- */

const struct doze_pool_view *tui_decision_pool(const struct tui_scene *s,
					       const struct tui_decision *d)
{
	const struct doze_worker_key k = tui_decision_key(d, 0);

	return tui_pool_of(s, &k);
}

static const char *verb_of(const struct tui_decision *d)
{
	static const char *const verbs[DOZE_CAUSE_COUNT] = {
	    [DOZE_CAUSE_latch] = "sets a latch",
	    [DOZE_CAUSE_job_done] = "finishes a job",
	    [DOZE_CAUSE_work_found] = "finds work",
	    [DOZE_CAUSE_broadcast] = "broadcasts",
	    [DOZE_CAUSE_terminate] = "ends the pool"};

	return (unsigned)d->cause < DOZE_CAUSE_COUNT && verbs[d->cause] ? verbs[d->cause] : "posts";
}

char *tui_deed(const struct tui_scene *s, const struct tui_decision *d, char *out)
{
	const struct doze_worker_key k = tui_decision_key(d, 0);
	char who[TUI_NAME];

	tui_waker_name(s, &k, d->waker, d->vtid, who);
	if (tui_is_foreign(s))
		return foreign_deed(s, d, who, out);
	if (d->wakes && d->verdicts[DOZE_VERDICT_self] == d->wakes)
		snprintf(out, DOZE_EVENT_LINE, "no thread");
	else if (d->posted && d->repeats)
		snprintf(out, DOZE_EVENT_LINE, "%s posts %" PRIu32 " jobs in %" PRIu32 " posts",
			 who, d->jobs, d->repeats + 1);
	else if (d->posted)
		snprintf(out, DOZE_EVENT_LINE, "%s posts %s", who, doze_plural(d->jobs, "job"));
	else
		snprintf(out, DOZE_EVENT_LINE, "%s %s", who, verb_of(d));
	return out;
}

static char *nobody(const struct tui_decision *d, char *out)
{
	if (d->chosen)
		snprintf(out, DOZE_EVENT_LINE, "chose to wake %" PRIu32 ", found no sleeper",
			 d->chosen);
	else if (d->idle > 0)
		snprintf(out, DOZE_EVENT_LINE, "%" PRId32 " %s already searching", d->idle,
			 d->idle == 1 ? "is" : "are");
	else if (d->sleeping == 0)
		snprintf(out, DOZE_EVENT_LINE, "all workers are awake");
	else
		snprintf(out, DOZE_EVENT_LINE, "the policy's rule wakes none");
	return out;
}

/* Writes the result of a single wake: how long it took until the woken worker started a job, or for
 * how long the worker searched in vain. */
static char *outcome_of_one(const struct tui_scene *s, const struct tui_decision *d, char *out)
{
	static const char *const others[DOZE_VERDICT_COUNT] = {
	    [DOZE_VERDICT_latch] = "the latch's owner",
	    [DOZE_VERDICT_terminate] = "stops",
	    [DOZE_VERDICT_redundant] = "was already woken",
	    [DOZE_VERDICT_self] = "spurious wake: no waker",
	    [DOZE_VERDICT_unresolved] = "its outcome was not recorded"};
	const struct tui_target *t = &d->target[0];
	uint8_t v = t->verdict;

	if (v == DOZE_VERDICT_useful)
		snprintf(out, DOZE_EVENT_LINE, "works after %s",
			 tui_ns(s, (t->first_job ? t->first_job : t->awake) - d->at));
	else if (v == DOZE_VERDICT_futile)
		snprintf(out, DOZE_EVENT_LINE, "in vain, searched %s", tui_ns(s, d->searched));
	else
		snprintf(out, DOZE_EVENT_LINE, "%s",
			 v < DOZE_VERDICT_COUNT && others[v] ? others[v] : "not known yet");
	return out;
}

/* Writes how many of several wakes were in vain, and when the last of these workers fell asleep
 * again. Ignores later wakes of the same workers. */
static void say_in_vain(const struct tui_scene *s, const struct tui_decision *d, char *out)
{
	int64_t last = 0;
	int n = snprintf(out, DOZE_EVENT_LINE, "%" PRIu32 " of %" PRIu32 " in vain",
			 d->verdicts[DOZE_VERDICT_futile], d->wakes);

	for (uint32_t i = 0; i < d->targets; i++)
		if (d->target[i].verdict == DOZE_VERDICT_futile && d->target[i].ended > last)
			last = d->target[i].ended;
	if (last > d->at && d->wakes <= d->targets)
		snprintf(out + n, DOZE_EVENT_LINE - (size_t)n, ", asleep again after %s",
			 tui_ns(s, last - d->at));
}

char *tui_outcome(const struct tui_scene *s, const struct tui_decision *d, char *out)
{
	uint32_t futile = d->verdicts[DOZE_VERDICT_futile], open = d->verdicts[DOZE_VERDICT_open];
	uint32_t good = d->verdicts[DOZE_VERDICT_useful] + d->verdicts[DOZE_VERDICT_latch];

	if (tui_is_foreign(s))
		return foreign_outcome(d, out);
	if (!d->wakes)
		return nobody(d, out);
	if (d->wakes == 1)
		return outcome_of_one(s, d, out);
	if (futile)
		say_in_vain(s, d, out);
	else if (open)
		snprintf(out, DOZE_EVENT_LINE, "%" PRIu32 " of %" PRIu32 " not known yet", open,
			 d->wakes);
	else if (d->verdicts[DOZE_VERDICT_terminate])
		snprintf(out, DOZE_EVENT_LINE, "they stop");
	else
		snprintf(out, DOZE_EVENT_LINE, "%s%" PRIu32 " useful",
			 good == d->wakes ? "all " : "", good);
	return out;
}

bool tui_decision_shown(const struct tui_scene *s, const struct tui_decision *d)
{
	const struct doze_worker_key k = tui_decision_key(d, 0);

	if (d->at > s->now.clock || (s->view.pool && tui_pool_number(s, &k) != s->view.pool))
		return false;
	if (!s->view.filter[0] || tui_view_shows(&s->view, d->waker))
		return true;
	for (uint32_t i = 0; i < d->targets; i++)
		if (tui_view_shows(&s->view, d->target[i].index))
			return true;
	return false;
}

/* ---- events as rows ---- */

enum { WHO_W = 8 };

bool tui_event_shown(const struct tui_scene *s, const struct tui_event *e)
{
	const struct doze_worker_key k = event_key(e);

	return e->at <= s->now.clock && tui_view_shows(&s->view, e->ev.worker) &&
	       e->ev.kind != DOZE_EV_snapshot &&
	       (!s->view.pool || tui_pool_number(s, &k) == s->view.pool);
}

static enum tui_style event_style(const struct tui_event *e)
{
	switch (e->ev.kind) {
	case DOZE_EV_worker_state:
		return tui_state_style(e->ev.u.state.to);
	case DOZE_EV_wake:
	case DOZE_EV_woken:
		return TUI_WAKE;
	case DOZE_EV_mark:
	case DOZE_EV_pool_start:
	case DOZE_EV_pool_stop:
		return TUI_BOLD;
	default:
		return TUI_PLAIN;
	}
}

char *tui_event_line(const struct tui_scene *s, const struct tui_event *e, bool explained,
		     char *out)
{
	const struct doze_worker_key who = event_key(e);
	const struct doze_wording as = {.model = tui_is_foreign(s) ? tui_newest(s)->model
								   : s->history->model,
					.pool = tui_pool_of(s, &who),
					.utf8 = s->glyphs->micro[0] != 'u',
					.decisions = explained,
					.place = doze_symbols_line,
					.latch_ids = explained};

	return doze_event_text(out, DOZE_EVENT_LINE, &e->ev, &as, e->note[0] ? e->note : NULL);
}

void tui_event_row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g,
		   int x, int y, int end)
{
	const struct tui_event *e = item->what;
	char text[DOZE_EVENT_LINE], who[TUI_NAME];

	x = tui_put_time(s, g, x, y, e->at);
	tui_text(g, x, y, end, TUI_PLAIN, tui_event_who(s, e, who));
	tui_text(g, x + WHO_W, y, end, event_style(e), tui_event_line(s, e, false, text));
}

void tui_event_detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	const struct tui_event *e = item->what;
	const struct doze_worker_key k = event_key(e);
	const struct doze_pool_view *pool = tui_pool_of(s, &k);
	char text[TUI_SENTENCE], line[DOZE_EVENT_LINE], who[TUI_NAME], before[80], after[80];

	tui_sayf(p, TUI_BOLD, "At %s %s: %s.", tui_ns(s, e->at - s->view.origin),
		 tui_waker_name(s, &k, e->ev.worker, e->ev.vtid, who),
		 tui_event_line(s, e, true, line));
	tui_sayf(p, TUI_DIM, "event %s, process %d, thread %d, CPU %d", doze_event_name(e->ev.kind),
		 (int)e->ev.vpid, (int)e->ev.vtid, (int)e->ev.cpu);
	tui_say(p, TUI_PLAIN, doze_event_why(text, sizeof text, pool, &e->ev));
	if (!e->ev.has_words || !pool)
		return;
	tui_sayf(p, TUI_PLAIN, "Counters before: %s; after: %s.",
		 doze_word_sentence(before, sizeof before, pool, e->ev.old_word),
		 doze_word_sentence(after, sizeof after, pool, e->ev.new_word));
}

/* ---- the fan-out: the wakes of a decision as a tree ---- */

/* Returns whether a storm is being played in slow motion and the cursor has not reached this time
 * yet, so that events at this time must stay hidden. */
static bool hidden(const struct tui_scene *s, int64_t at)
{
	return s->view.stop_at && s->view.at.has_cursor && at > s->view.at.cursor;
}

static void say_target(const struct tui_scene *s, const struct tui_decision *d,
		       const struct tui_target *t, bool last, struct tui_textbox *p)
{
	const struct doze_worker_key k = tui_decision_key(d, t->index);
	char name[TUI_NAME], text[TUI_SENTENCE];
	enum doze_verdict v =
	    hidden(s, t->ended) ? DOZE_VERDICT_open : (enum doze_verdict)t->verdict;
	enum tui_style style;
	uint32_t ch = tui_wake_glyph(s->glyphs, v, &style);
	int n;

	if (p->y >= p->bottom || (t->awake && hidden(s, t->awake)))
		return;
	n = snprintf(text, sizeof text, "%s", tui_worker_name(s, &k, name));
	if (t->awake)
		n += snprintf(text + n, sizeof text - (size_t)n, " is awake after %s",
			      tui_ns(s, t->awake - d->at));
	if (t->first_job && !hidden(s, t->first_job))
		snprintf(text + n, sizeof text - (size_t)n, " and works after %s",
			 tui_ns(s, t->first_job - d->at));
	else if (hidden(s, t->ended) && tui_is_foreign(s))
		snprintf(text + n, sizeof text - (size_t)n, " and holds its mutex");
	else if (hidden(s, t->ended))
		snprintf(text + n, sizeof text - (size_t)n, " and searches");
	else if (t->verdict == DOZE_VERDICT_futile && t->awake && tui_is_foreign(s))
		snprintf(text + n, sizeof text - (size_t)n, " and waits again after %s: in vain",
			 tui_ns(s, t->ended - t->awake));
	else if (t->verdict == DOZE_VERDICT_futile && t->awake)
		snprintf(text + n, sizeof text - (size_t)n,
			 ", searches %s in vain and sleeps again", tui_ns(s, t->ended - t->awake));
	else
		snprintf(text + n, sizeof text - (size_t)n, " (%s)",
			 tui_verdict_word(s, (enum doze_verdict)t->verdict));
	tui_put(p->g, p->x + 1, p->y, s->glyphs->branch[last], TUI_DIM);
	tui_put(p->g, p->x + 3, p->y, ch, style);
	tui_text(p->g, p->x + 5, p->y++, p->end, style, text);
}

void tui_fan_out(const struct tui_scene *s, const struct tui_decision *d, struct tui_textbox *p)
{
	for (uint32_t i = 0; i < d->targets; i++)
		say_target(s, d, &d->target[i], i + 1 == d->wakes, p);
	if (d->wakes > d->targets)
		tui_sayf(p, TUI_PLAIN, "   and %" PRIu32 " more", d->wakes - d->targets);
}
