/*
 * SPDX-License-Identifier: MIT
 *
 * storms.c - lists wakeup storms. Enter shows the decisions of a storm and their fan-out.
 */
#include <inttypes.h>

#include "../../explain/symbols.h"
#include "../../trace/policies.h"
#include "../../words/units.h"
#include "../screen/phrases.h"
#include "panes.h"

enum { WHO_X = 15, WOKE_X = 31, VAIN_X = 37, JOBS_X = 45, COST_X = 51, CAUSE_X = 62 };

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	const struct tui_ring *r = &tui_newest(s)->storms;

	for (size_t i = 0; i < r->count; i++) {
		const struct tui_storm *t = tui_ring_at(r, i);

		if (t->storm.to > s->now.clock ||
		    (s->view.pool && t->storm.pool_row + 1 != s->view.pool))
			continue;
		tui_list_add(
		    l, (struct tui_item){.at = t->at,
					 .id = r->dropped + i,
					 .sort = order == 1 ? t->storm.futile : t->storm.burnt,
					 .what = t});
	}
}

static struct doze_worker_key pool_key(const struct doze_storm *t)
{
	return (struct doze_worker_key){.host = t->host, .vpid = t->vpid, .pool = t->pool};
}

static void head(const struct tui_scene *s, struct tui_textbox *p)
{
	tui_text(p->g, p->x + TUI_TIME_W - 4, p->y, p->end, TUI_BOLD, "time");
	tui_text(p->g, p->x + WHO_X, p->y, p->end, TUI_BOLD, "waker");
	tui_text(p->g, p->x + WOKE_X, p->y, p->end, TUI_BOLD, "woken");
	tui_text(p->g, p->x + VAIN_X, p->y, p->end, TUI_BOLD, "in vain");
	if (tui_is_foreign(s)) {
		tui_text(p->g, p->x + JOBS_X, p->y++, p->end, TUI_BOLD, "in vain: at least; place");
		return;
	}
	tui_text(p->g, p->x + JOBS_X, p->y, p->end, TUI_BOLD, "jobs");
	tui_text(p->g, p->x + COST_X, p->y, p->end, TUI_BOLD, "searched");
	tui_text(p->g, p->x + CAUSE_X, p->y++, p->end, TUI_BOLD, "cause");
}

/* Returns the function and line of the call that began a storm. */
static const char *place(const struct tui_scene *s, const struct doze_storm *t)
{
	const struct doze_worker_key k = pool_key(t);
	const struct doze_pool_view *p = tui_pool_of(s, &k);

	return p && t->caller ? doze_symbols_line(tui_newest(s)->model, p, t->caller) : "";
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	const struct doze_storm *t = &((const struct tui_storm *)item->what)->storm;
	const struct doze_worker_key k = pool_key(t);
	char who[TUI_NAME];

	tui_put_time(s, g, x, y, item->at);
	tui_text(g, x + WHO_X, y, x + WOKE_X - 1, TUI_PLAIN,
		 tui_waker_name(s, &k, t->waker, t->waker_vtid, who));
	tui_textf(g, x + WOKE_X, y, end, TUI_WAKE, "%5" PRIu32, t->woken);
	tui_textf(g, x + VAIN_X, y, end, TUI_FUTILE, "%7" PRIu32, t->futile);
	if (tui_is_foreign(s)) {
		tui_text(g, x + JOBS_X, y, end, TUI_PLAIN, place(s, t));
		return;
	}
	tui_textf(g, x + JOBS_X, y, end, TUI_PLAIN, "%4" PRIu32, t->jobs);
	tui_text(g, x + COST_X, y, end, TUI_PLAIN, tui_ns(s, t->burnt));
	tui_textf(g, x + CAUSE_X, y, end, TUI_PLAIN, "%s%s", doze_cause_name(t->cause),
		  t->decisions > 1 ? ", several decisions" : "");
}

/* Returns whether all workers that a decision woke were asleep again before t. */
static bool before(const struct tui_decision *d, int64_t t)
{
	for (uint32_t i = 0; i < d->targets; i++)
		if (d->target[i].ended >= t || d->target[i].ended == 0)
			return false;
	return true;
}

/* Lists the decisions of the storm's pool between the storm's first notification and its last
 * verdict. */
static void say_fan_out(const struct tui_scene *s, const struct doze_storm *t,
			struct tui_textbox *p)
{
	const struct tui_ring *r = &s->history->decisions.ring;
	size_t i = tui_ring_after(r, t->from - 1);
	char deed[DOZE_EVENT_LINE];

	/* Begin a few decisions earlier, because the storm's post precedes its first
	 * notification. */
	for (int back = 0; back < 8 && i > 0; back++, i--)
		;
	for (uint32_t n = 0; n < t->decisions && i < r->count && p->y < p->bottom; i++) {
		const struct tui_decision *d = tui_ring_at(r, i);

		if (d->at > t->to)
			break;
		if (d->pool != t->pool || d->vpid != t->vpid || d->wakes < 2 || before(d, t->from))
			continue;
		n++;
		tui_text(p->g, p->x, p->y++, p->end, TUI_PLAIN, tui_deed(s, d, deed));
		tui_fan_out(s, d, p);
	}
}

static void detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	const struct doze_storm *t = &((const struct tui_storm *)item->what)->storm;
	const struct doze_worker_key k = pool_key(t);
	const struct doze_pool_view *pool = tui_pool_of(s, &k);
	char who[TUI_NAME];

	if (tui_is_foreign(s)) {
		tui_sayf(p, TUI_BOLD, "At %s %s woke %s, at least %" PRIu32 " in vain, in %s.",
			 tui_ns(s, item->at - s->view.origin),
			 tui_waker_name(s, &k, t->waker, t->waker_vtid, who),
			 doze_plural(t->woken, "thread"), t->futile, place(s, t));
		say_fan_out(s, t, p);
		return;
	}
	tui_sayf(p, TUI_BOLD,
		 "At %s %s woke %s for %s: %" PRIu32
		 " in vain, after searching for %s in all. It lasted %s.",
		 tui_ns(s, item->at - s->view.origin),
		 tui_waker_name(s, &k, t->waker, t->waker_vtid, who),
		 doze_plural(t->woken, "worker"), doze_plural(t->jobs, "job"), t->futile,
		 tui_ns(s, t->burnt), tui_ns(s, t->to - t->from));
	say_fan_out(s, t, p);
	if (pool)
		tui_sayf(p, TUI_PLAIN, "Why: %s.",
			 doze_policy_advice(doze_policy_descriptor(pool->policy), t->cause, true));
}

static const char *empty(const struct tui_scene *s)
{
	return s->now.totals.discarded ? "no storms, but events were lost" : "no storms";
}

const struct tui_pane_type tui_pane_storms = {
    .name = "storms",
    .what = "decisions that woke many workers, mostly in vain",
    .list = list,
    .head = head,
    .row = row,
    .empty = empty,
    .orders = {"time", "wakes in vain", "search in vain"},
    .verb = "fan-out",
    .detail = detail,
};
