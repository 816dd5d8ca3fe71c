/*
 * SPDX-License-Identifier: MIT
 *
 * words_foreign.c - see words_foreign.h.
 */
#include "words_foreign.h"

#include <inttypes.h>
#include <stdio.h>

#include "../explain/symbols.h"
#include "../words/event_text.h"
#include "../words/units.h"

const char *tui_foreign_state(enum doze_state state)
{
	switch (state) {
	case DOZE_STATE_active:
		return "no wait";
	case DOZE_STATE_idle:
		return "woken";
	case DOZE_STATE_sleeping:
		return "waits";
	default:
		return NULL;
	}
}

const char *tui_foreign_phrase(enum doze_state state)
{
	switch (state) {
	case DOZE_STATE_active:
		return "is not in a wait that doze sees";
	case DOZE_STATE_idle:
		return "was woken and holds its mutex";
	case DOZE_STATE_sleeping:
		return "waits";
	default:
		return NULL;
	}
}

const char *tui_foreign_reason(enum doze_reason r)
{
	static const char *const words[DOZE_REASON_COUNT] = {
	    [DOZE_REASON_start] = "its thread starts",
	    [DOZE_REASON_woken] = "woken",
	    [DOZE_REASON_self_wake] = "by no call that was seen",
	    [DOZE_REASON_terminate] = "its thread ends",
	    [DOZE_REASON_recheck] = "did not sleep",
	    [DOZE_REASON_waits] = "it calls a function that waits",
	    [DOZE_REASON_went_on] = "it released its mutex",
	    [DOZE_REASON_timed_out] = "timed out",
	};

	return (unsigned)r < DOZE_REASON_COUNT && words[r] ? words[r] : doze_reason_name(r);
}

const char *tui_foreign_meaning(enum doze_verdict v)
{
	static const char *const text[DOZE_VERDICT_COUNT] = {
	    [DOZE_VERDICT_open] = "The thread has neither released its mutex nor waited again yet.",
	    [DOZE_VERDICT_unresolved] = "Unknown, because events are missing.",
	    [DOZE_VERDICT_self] = "The wait ended, but by no call that doze saw.",
	    [DOZE_VERDICT_useful] =
		"The thread left the loop around its wait: others have waited again there.",
	    [DOZE_VERDICT_futile] = "The thread waited again with its mutex held throughout.",
	    [DOZE_VERDICT_went_on] =
		"The thread went on. Whether it found what it waited for is not known.",
	    [DOZE_VERDICT_nobody] = "The thread that it was for had left its wait by itself.",
	};

	return (unsigned)v < DOZE_VERDICT_COUNT && text[v] ? text[v] : "";
}

const char *tui_foreign_place(const struct tui_scene *s, const struct tui_decision *d)
{
	const struct doze_pool_view *p = tui_decision_pool(s, d);

	return d->caller && p ? doze_symbols_line(tui_newest(s)->model, p, d->caller) : "";
}

char *tui_foreign_deed(const struct tui_scene *s, const struct tui_decision *d, const char *who,
		       char *out)
{
	const char *place = tui_foreign_place(s, d);

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

char *tui_foreign_outcome(const struct tui_decision *d, char *out)
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
