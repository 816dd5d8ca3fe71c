/*
 * SPDX-License-Identifier: MIT
 *
 * trigger.c - see trigger.h. The table of measures is in the middle.
 */
#include "trigger.h"

#include <stdio.h>
#include <string.h>

#include "../../explain/diagnose.h"
#include "../../show/fail_if.h"
#include "../../words/option_values.h"
#include "../../words/units.h"

/* ---- measures ---- */

/* Returns the value of a measure over [from, to], or a negative value if it is unknown. */
typedef double measure_fn(const struct tui_watch *, const struct tui_history *, int64_t from,
			  int64_t to);

static double futile_share(const struct tui_watch *w, const struct tui_history *h, int64_t from,
			   int64_t to)
{
	const struct tui_ring *r = &h->decisions.ring;
	uint64_t futile = 0, judged = 0;

	(void)w;
	for (size_t i = tui_ring_after(r, to); i-- > 0;) {
		const struct tui_decision *d = tui_ring_at(r, i);

		if (d->at < from)
			break;
		futile += d->verdicts[DOZE_VERDICT_futile];
		judged += d->verdicts[DOZE_VERDICT_futile] + d->verdicts[DOZE_VERDICT_useful] +
			  d->verdicts[DOZE_VERDICT_latch];
	}
	return judged < TUI_TRIGGER_WAKES ? -1 : (double)futile / (double)judged;
}

static double delay_p99(const struct tui_watch *w, const struct tui_history *h, int64_t from,
			int64_t to)
{
	const struct tui_ring *r = &h->decisions.ring;
	struct doze_hist delays = {0};

	(void)w;
	for (size_t i = tui_ring_after(r, to); i-- > 0;) {
		const struct tui_decision *d = tui_ring_at(r, i);

		if (d->at < from)
			break;
		for (uint32_t t = 0; d->posted && t < d->targets; t++)
			if (d->target[t].verdict == DOZE_VERDICT_useful && d->target[t].first_job)
				doze_hist_add(&delays, d->target[t].first_job - d->at);
	}
	return delays.n ? (double)doze_hist_percentile(&delays, 0.99) / 1e9 : -1;
}

static double asleep_share(const struct tui_watch *w, const struct tui_history *h, int64_t from,
			   int64_t to)
{
	size_t workers = doze_model_workers(h->model);
	uint64_t last = w->samples - 1, i = w->samples;

	(void)to;
	while (i > 0 && w->samples - i < TUI_TRIGGER_SAMPLES &&
	       w->sample[(i - 1) % TUI_TRIGGER_SAMPLES].at > from)
		i--;
	if (i == 0 || w->samples - i >= TUI_TRIGGER_SAMPLES || !workers)
		return -1;
	i = (i - 1) % TUI_TRIGGER_SAMPLES;
	last %= TUI_TRIGGER_SAMPLES;
	return (double)(w->sample[last].asleep - w->sample[i].asleep) / (double)workers /
	       (double)(w->sample[last].at - w->sample[i].at);
}

/* Returns 1 if a pool hung at `from` or earlier, otherwise 0. */
static double hang(const struct tui_watch *w, const struct tui_history *h, int64_t from, int64_t to)
{
	struct doze_hang found;

	(void)w;
	return doze_hang_now(h->model, to, &found) && found.since <= from ? 1 : 0;
}

enum unit { NONE, SHARE, TIME };

static const struct {
	const char *name;
	measure_fn *of;
	enum unit unit;
} measures[] = {
    {"futile", futile_share, SHARE},
    {"p99", delay_p99, TIME},
    {"asleep", asleep_share, SHARE},
    {"hang", hang, NONE},
};

enum { MEASURES = sizeof measures / sizeof measures[0] };

/* ---- parsing the conditions ---- */

static const char syntax[] =
    "MEASURE>NUMBER [for TIME], such as 'futile>0.5 for 1s', where MEASURE is futile (a share), "
    "asleep (a share) or p99 (a time such as 2ms); or 'hang [for TIME]'";

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

static void trim(char *text)
{
	size_t n = strlen(text);

	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		text[--n] = '\0';
}

/* Removes "for TIME" from the end of the text and parses it into *span. */
static bool cut_span(char *text, int64_t *span)
{
	char *at = strstr(text, " for");

	*span = 1000000000;
	trim(text);
	if (!at)
		return true;
	if (at[4] != ' ' || doze_check_duration(skip_blanks(at + 4), span) || *span <= 0)
		return false;
	*at = '\0';
	trim(text);
	return true;
}

/* Parses the operator and the number, which a measure without a limit does not have. */
static bool parse_limit(const char *text, struct doze_trigger *t)
{
	text = skip_blanks(text);
	if (measures[t->measure].unit == NONE)
		return !*text;
	if (*text != '>')
		return false;
	t->reaches = text[1] == '=';
	return doze_parse_amount(skip_blanks(text + 1 + t->reaches), &t->limit) && t->limit >= 0;
}

static bool parse(const char *value, struct doze_trigger *t)
{
	char text[TUI_TRIGGER_TEXT];
	size_t name;

	if ((size_t)snprintf(text, sizeof text, "%s", value) >= sizeof text ||
	    !cut_span(text, &t->span))
		return false;
	name = strcspn(text, "> \t");
	for (t->measure = 0; t->measure < MEASURES; t->measure++)
		if (strlen(measures[t->measure].name) == name &&
		    !strncmp(measures[t->measure].name, text, name))
			break;
	return t->measure < MEASURES && parse_limit(text + name, t);
}

const char *doze_check_trigger(const char *value, void *target)
{
	struct doze_triggers *all = target;
	struct doze_trigger t = {.text = skip_blanks(value)};

	if (all->count == DOZE_TRIGGERS_MAX)
		return "give at most 8 conditions";
	if (!parse(t.text, &t))
		return syntax;
	if (t.span > DOZE_INCIDENT_NS)
		return "'for' takes at most 30s, because only the last 30 seconds are saved";
	if (measures[t.measure].unit == SHARE && t.limit > 1)
		return "a share from 0 to 1, or from 0% to 100%";
	all->at[all->count++] = t;
	return NULL;
}

/* ---- checking the conditions ---- */

static void take_sample(struct tui_watch *w, const struct tui_history *h)
{
	struct doze_lost_parallelism lost = {0};
	size_t at = w->samples++ % TUI_TRIGGER_SAMPLES;

	doze_lost_parallelism(h->model, &lost);
	w->sample[at].at = h->clock;
	w->sample[at].asleep = lost.low;
}

static bool is_due(const struct tui_watch *w, const struct tui_history *h)
{
	const struct doze_totals *t = doze_model_totals(h->model);

	return t->events &&
	       (!w->samples || h->clock - w->sample[(w->samples - 1) % TUI_TRIGGER_SAMPLES].at >=
				   TUI_TRIGGER_STEP);
}

/* Returns whether the condition holds. No condition holds until the trace is as long as the
 * condition's span. */
static bool condition_holds(const struct tui_watch *w, const struct doze_trigger *t,
			    const struct tui_history *h, double *value)
{
	int64_t to = h->clock, from = to - t->span;

	if (from < doze_model_totals(h->model)->first_ts)
		return false;
	*value = measures[t->measure].of(w, h, from, to);
	if (measures[t->measure].unit == NONE)
		return *value > 0;
	return *value >= 0 && (t->reaches ? *value >= t->limit : *value > t->limit);
}

static void describe(const struct doze_trigger *t, double value, char *what)
{
	switch (measures[t->measure].unit) {
	case SHARE:
		snprintf(what, TUI_TRIGGER_TEXT, "%s: it is %.2f", t->text, value);
		break;
	case TIME:
		snprintf(what, TUI_TRIGGER_TEXT, "%s: it is %s", t->text,
			 doze_duration((int64_t)(value * 1e9)));
		break;
	default:
		snprintf(what, TUI_TRIGGER_TEXT, "%s", t->text);
		break;
	}
}

const struct doze_trigger *tui_watch_step(struct tui_watch *w, const struct tui_history *h,
					  char *what)
{
	const struct doze_trigger *fires = NULL;

	if (!w->triggers || !w->triggers->count || !is_due(w, h))
		return NULL;
	take_sample(w, h);
	for (size_t i = 0; i < w->triggers->count; i++) {
		const struct doze_trigger *t = &w->triggers->at[i];
		double value = 0;
		bool held = w->holds[i];

		w->holds[i] = condition_holds(w, t, h, &value);
		if (!w->holds[i] || held || fires ||
		    (w->fired[i] && h->clock - w->fired[i] < DOZE_INCIDENT_NS))
			continue;
		w->fired[i] = h->clock;
		describe(t, value, what);
		fires = t;
	}
	return fires;
}
