/*
 * SPDX-License-Identifier: MIT
 *
 * words.c - see words.h.
 */
#include "words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../words/event_text.h"
#include "../words/units.h"
#include "clock.h"
#include "words_foreign.h"

bool tui_is_foreign(const struct tui_scene *s)
{
	return doze_model_is_foreign(s->history->model);
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

	turn = (turn + 1) % 8;
	return tui_duration(text[turn], sizeof text[turn], ns, s->look->micro);
}

const char *tui_state_word(const struct tui_scene *s, enum doze_state state)
{
	if (tui_is_foreign(s) && tui_foreign_state(state))
		return tui_foreign_state(state);
	switch (state) {
	case DOZE_STATE_active:
		return "works";
	case DOZE_STATE_idle:
		return "searches";
	case DOZE_STATE_sleeping:
		return "sleeps";
	default:
		return doze_state_name(state);
	}
}

const char *tui_state_phrase(const struct tui_scene *s, enum doze_state state)
{
	if (tui_is_foreign(s) && tui_foreign_phrase(state))
		return tui_foreign_phrase(state);
	switch (state) {
	case DOZE_STATE_active:
		return "works (active)";
	case DOZE_STATE_idle:
		return "searches (idle)";
	case DOZE_STATE_sleepy:
		return "is about to sleep (sleepy)";
	case DOZE_STATE_none:
		return "has not started";
	case DOZE_STATE_blocked:
		return "is blocked";
	default:
		return tui_state_word(s, state);
	}
}

static const char *reason_words(enum doze_reason r)
{
	switch (r) {
	case DOZE_REASON_start:
		return "its thread starts";
	case DOZE_REASON_no_work:
		return "no work found";
	case DOZE_REASON_rounds:
		return "enough rounds without work";
	case DOZE_REASON_found_local:
	case DOZE_REASON_found_stolen:
	case DOZE_REASON_found_injected:
	case DOZE_REASON_found_broadcast:
		return "a job was found";
	case DOZE_REASON_jec_changed:
		return "the JEC has changed";
	case DOZE_REASON_tickled:
		return "tickled";
	case DOZE_REASON_latch_set:
		return "its latch is set";
	case DOZE_REASON_woken:
		return "woken";
	case DOZE_REASON_self_wake:
		return "spurious wake";
	case DOZE_REASON_terminate:
		return "the pool ends";
	case DOZE_REASON_mark_blocked:
		return "marked as blocked";
	case DOZE_REASON_mark_unblocked:
		return "no longer blocked";
	case DOZE_REASON_recheck:
		return "a job was found in the last check";
	case DOZE_REASON_must_not_help:
		return "it must not run the next job while it waits";
	case DOZE_REASON_gives_back:
		return "a suspended wait can continue";
	case DOZE_REASON_takes_over:
		return "taken over by a new thread";
	default:
		return doze_reason_name(r);
	}
}

const char *tui_reasons(const struct tui_scene *s, uint32_t reasons, char *out, size_t size)
{
	int n = 0;

	out[0] = '\0';
	for (int r = 0; r < DOZE_REASON_COUNT; r++) {
		const char *words = tui_is_foreign(s) ? tui_foreign_reason((enum doze_reason)r)
						      : reason_words((enum doze_reason)r);

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

const char *tui_scope(const struct tui_scene *s)
{
	return s->status.ended && !s->lesson.file ? "whole run" : "so far";
}

/* ---- describing decisions ---- */

const struct doze_pool_view *tui_decision_pool(const struct tui_scene *s,
					       const struct tui_decision *d)
{
	const struct doze_worker_key k = {.host = d->host, .vpid = d->vpid, .pool = d->pool};

	return tui_pool_of(s, &k);
}

static const char *verb_of(const struct tui_decision *d)
{
	switch (d->cause) {
	case DOZE_CAUSE_latch:
		return "sets a latch";
	case DOZE_CAUSE_job_done:
		return "finishes a job";
	case DOZE_CAUSE_work_found:
		return "finds work";
	case DOZE_CAUSE_broadcast:
		return "broadcasts";
	case DOZE_CAUSE_terminate:
		return "ends the pool";
	default:
		return "posts";
	}
}

char *tui_deed(const struct tui_scene *s, const struct tui_decision *d, char *out)
{
	const struct doze_worker_key k = {.host = d->host, .vpid = d->vpid, .pool = d->pool};
	char who[TUI_NAME];

	tui_waker_name(s, &k, d->waker, d->vtid, who);
	if (tui_is_foreign(s))
		return tui_foreign_deed(s, d, who, out);
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
	const struct tui_target *t = &d->target[0];

	switch ((enum doze_verdict)t->verdict) {
	case DOZE_VERDICT_useful:
		snprintf(out, DOZE_EVENT_LINE, "works after %s",
			 tui_ns(s, (t->first_job ? t->first_job : t->awake) - d->at));
		break;
	case DOZE_VERDICT_futile:
		snprintf(out, DOZE_EVENT_LINE, "in vain, searched %s", tui_ns(s, d->searched));
		break;
	case DOZE_VERDICT_latch:
		snprintf(out, DOZE_EVENT_LINE, "the latch's owner");
		break;
	case DOZE_VERDICT_terminate:
		snprintf(out, DOZE_EVENT_LINE, "stops");
		break;
	case DOZE_VERDICT_redundant:
		snprintf(out, DOZE_EVENT_LINE, "was already woken");
		break;
	case DOZE_VERDICT_self:
		snprintf(out, DOZE_EVENT_LINE, "spurious wake: no waker");
		break;
	case DOZE_VERDICT_unresolved:
		snprintf(out, DOZE_EVENT_LINE, "its outcome was not recorded");
		break;
	default:
		snprintf(out, DOZE_EVENT_LINE, "not known yet");
	}
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
		return tui_foreign_outcome(d, out);
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

enum doze_verdict tui_decision_verdict(const struct tui_decision *d)
{
	static const enum doze_verdict order[] = {DOZE_VERDICT_futile,    DOZE_VERDICT_useful,
						  DOZE_VERDICT_latch,     DOZE_VERDICT_open,
						  DOZE_VERDICT_terminate, DOZE_VERDICT_redundant,
						  DOZE_VERDICT_self,      DOZE_VERDICT_went_on,
						  DOZE_VERDICT_nobody,    DOZE_VERDICT_unresolved};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (d->verdicts[order[i]])
			return order[i];
	return DOZE_VERDICT_COUNT;
}

bool tui_decision_shown(const struct tui_scene *s, const struct tui_decision *d)
{
	const struct doze_worker_key k = {.host = d->host, .vpid = d->vpid, .pool = d->pool};

	if (d->at > s->now.clock || (s->view.pool && tui_pool_number(s, &k) != s->view.pool))
		return false;
	if (!s->view.filter[0] || tui_view_shows(&s->view, d->waker))
		return true;
	for (uint32_t i = 0; i < d->targets; i++)
		if (tui_view_shows(&s->view, d->target[i].index))
			return true;
	return false;
}
