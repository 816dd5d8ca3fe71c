/*
 * SPDX-License-Identifier: MIT
 *
 * verdict.c - see verdict.h.
 *
 * The sentences are in order of importance; the first one that applies is shown.
 */
#include "verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "../words/units.h"

static unsigned searching(const struct tui_window *w)
{
	return w->in_state[DOZE_STATE_idle] + w->in_state[DOZE_STATE_sleepy];
}

/* Returns the name of the time that the numbers cover: the last second, or the whole run if the run
 * is shorter. */
static const char *scope(const struct tui_window *w)
{
	return w->begins ? "so far" : "in 1 s";
}

/* Writes "w1", "w1 and w2", or "w1, w2, w3 and 4 others". */
static void wakees_text(const struct tui_window *w, char *out, size_t size)
{
	unsigned n = w->wakees < TUI_WAKEES ? w->wakees : TUI_WAKEES;
	unsigned named = w->wakees > TUI_WAKEES ? TUI_WAKEES - 1 : n;
	int at = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < named && at >= 0 && (size_t)at < size; i++)
		at += snprintf(out + at, size - (size_t)at, "%s%s",
			       !i                                     ? ""
			       : i + 1 == named && named == w->wakees ? " and "
								      : ", ",
			       w->wakee[i]);
	if (w->wakees > named && at >= 0 && (size_t)at < size)
		snprintf(out + at, size - (size_t)at, " and %u others", w->wakees - named);
}

static enum tui_style say_futile(const struct tui_window *w, char *out)
{
	char wakees[96];

	wakees_text(w, wakees, sizeof wakees);
	if (w->culprit_futile < w->futile)
		snprintf(out, TUI_VERDICT,
			 "%" PRIu64 " of %" PRIu64 " wakes in vain %s, %" PRIu64
			 " by %s: it wakes %s",
			 w->futile, w->wakes, scope(w), w->culprit_futile, w->culprit, wakees);
	else
		snprintf(out, TUI_VERDICT,
			 "%" PRIu64 " of %" PRIu64 " wakes in vain %s: %s wakes %s for nothing",
			 w->futile, w->wakes, scope(w), w->culprit, wakees);
	return TUI_FUTILE;
}

static enum tui_style say_storm(const struct tui_window *w, char *out)
{
	snprintf(out, TUI_VERDICT,
		 "STORM: %s wakes %" PRIu32 " for %s, %" PRIu32 " in vain; %" PRIu64 " of %" PRIu64
		 " wakes in vain %s",
		 w->storm_waker, w->storm_woken, doze_plural(w->storm_jobs, "job"), w->storm_futile,
		 w->futile, w->wakes, scope(w));
	return TUI_ALARM;
}

/* Writes what the workers are doing: "3 of 4 workers work, 1 sleeps". */
static enum tui_style say_states(const struct tui_window *w, char *out)
{
	unsigned active = w->in_state[DOZE_STATE_active], idle = searching(w);
	unsigned asleep = w->in_state[DOZE_STATE_sleeping];
	char wakes[64] = "";

	if (w->wakes)
		snprintf(wakes, sizeof wakes, "; %s %s, none in vain%s",
			 doze_plural(w->wakes, "wake"), scope(w), w->open ? " yet" : "");
	if (asleep == w->workers && w->workers == 1)
		snprintf(out, TUI_VERDICT, "the worker sleeps: there is no work%s", wakes);
	else if (asleep == w->workers)
		snprintf(out, TUI_VERDICT, "all %u workers sleep: there is no work%s", w->workers,
			 wakes);
	else if (active == w->workers)
		snprintf(out, TUI_VERDICT, "all %u workers work%s", w->workers, wakes);
	else
		snprintf(out, TUI_VERDICT, "of %u workers %u work%s, %u search%s, %u sleep%s%s",
			 w->workers, active, active == 1 ? "s" : "", idle, idle == 1 ? "es" : "",
			 asleep, asleep == 1 ? "s" : "", wakes);
	return TUI_BOLD;
}

/* The sentences on a program without libdoze: every number of wakes in vain is a lower bound. */
static enum tui_style say_foreign(const struct tui_window *w, char *out)
{
	unsigned out_of_waits = w->in_state[DOZE_STATE_active] + w->in_state[DOZE_STATE_idle];
	char vain[96] = "";

	if (w->futile)
		snprintf(vain, sizeof vain, "at least %" PRIu64 " of %" PRIu64 " wakes in vain %s",
			 w->futile, w->wakes, scope(w));
	if (w->storm)
		snprintf(out, TUI_VERDICT,
			 "STORM: %s wakes %" PRIu32 ", at least %" PRIu32 " in vain; %s",
			 w->storm_waker, w->storm_woken, w->storm_futile, vain);
	else if (w->futile && w->culprit[0])
		snprintf(out, TUI_VERDICT, "%s, %s%" PRIu64 " by %s", vain,
			 w->culprit_futile == w->futile ? "all " : "", w->culprit_futile,
			 w->culprit);
	else
		snprintf(out, TUI_VERDICT,
			 "of %u threads %u wait%s, %u %s not in a wait that doze sees; %s %s",
			 w->workers, w->in_state[DOZE_STATE_sleeping],
			 w->in_state[DOZE_STATE_sleeping] == 1 ? "s" : "", out_of_waits,
			 out_of_waits == 1 ? "is" : "are", doze_plural(w->wakes, "wake"), scope(w));
	return w->storm ? TUI_ALARM : w->futile ? TUI_FUTILE : TUI_BOLD;
}

static void say_nothing_yet(const struct tui_window *w, char *out)
{
	if (!w->live)
		snprintf(out, TUI_VERDICT, "the recording has no events up to here");
	else if (w->ended)
		snprintf(out, TUI_VERDICT,
			 "exited without recording an event: it started no pool of libdoze; "
			 "try --any");
	else
		snprintf(out, TUI_VERDICT,
			 "no event yet: it has started no pool (is it a doze "
			 "program?)%s%s",
			 w->program ? "; " : "", w->program ? w->program : "");
}

enum tui_style tui_verdict(const struct tui_window *w, char *out)
{
	if (w->no_events) {
		say_nothing_yet(w, out);
		return TUI_DIM;
	}
	if (w->forgotten) {
		snprintf(
		    out, TUI_VERDICT,
		    "no longer stored: older than what the viewer keeps in memory and on disk");
		return TUI_DIM;
	}
	if (w->hang[0]) {
		snprintf(out, TUI_VERDICT, "HANG since %s: %s", w->hangs_since, w->hang);
		return TUI_ALARM;
	}
	if (w->foreign && !w->lost && w->workers && !w->stopped)
		return say_foreign(w, out);
	if (w->storm && !w->foreign)
		return say_storm(w, out);
	if (w->futile && w->culprit[0] && !w->foreign)
		return say_futile(w, out);
	if (w->lost) {
		snprintf(out, TUI_VERDICT,
			 "events were lost in this second: hatched spans are "
			 "unknown");
		return TUI_UNKNOWN;
	}
	if (w->stopped || !w->workers) {
		snprintf(out, TUI_VERDICT, "%s",
			 w->foreign                     ? "the program has ended"
			 : w->in_state[DOZE_STATE_none] ? "no worker has started yet"
							: "the pool has stopped");
		return TUI_DIM;
	}
	return say_states(w, out);
}
