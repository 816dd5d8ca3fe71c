/*
 * SPDX-License-Identifier: MIT
 *
 * fan_out.c - see fan_out.h.
 */
#include "fan_out.h"

#include <inttypes.h>
#include <stdio.h>

#include "words.h"

/* Returns whether a storm is being played in slow motion and the cursor has not reached this time
 * yet, so that events at this time must stay hidden. */
static bool hidden(const struct tui_scene *s, int64_t at)
{
	return s->view.stop_at && s->view.at.has_cursor && at > s->view.at.cursor;
}

static void say_target(const struct tui_scene *s, const struct tui_decision *d,
		       const struct tui_target *t, bool last, struct tui_paper *p)
{
	const struct doze_worker_key k = {
	    .host = d->host, .vpid = d->vpid, .pool = d->pool, .index = t->index};
	char name[TUI_NAME], text[TUI_SENTENCE];
	enum doze_verdict v =
	    hidden(s, t->ended) ? DOZE_VERDICT_open : (enum doze_verdict)t->verdict;
	enum tui_style style;
	uint32_t ch = tui_wake_glyph(s->look, v, &style);
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
	tui_put(p->g, p->x + 1, p->y, s->look->branch[last], TUI_DIM);
	tui_put(p->g, p->x + 3, p->y, ch, style);
	tui_text(p->g, p->x + 5, p->y++, p->end, style, text);
}

void tui_fan_out(const struct tui_scene *s, const struct tui_decision *d, struct tui_paper *p)
{
	for (uint32_t i = 0; i < d->targets; i++)
		say_target(s, d, &d->target[i], i + 1 == d->wakes, p);
	if (d->wakes > d->targets)
		tui_sayf(p, TUI_PLAIN, "   and %" PRIu32 " more", d->wakes - d->targets);
}
