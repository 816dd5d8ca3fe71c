/*
 * SPDX-License-Identifier: MIT
 *
 * matrix.c - shows how often each worker wakes each other one, with a row per waker and a
 * column per woken worker.
 *
 * A cell shows the number of wakes, shortened if it does not fit ("1.2M"). In a column too narrow
 * even for that, it shows only how many digits the number has. The style shows whether most of the
 * wakes were futile. The page of a waker lists the workers that it woke, and how often. The counts
 * cover the whole session, not only what is still in the history.
 */
#include <inttypes.h>
#include <stdio.h>

#include "../../words/units.h"
#include "../screen/phrases.h"
#include "panes.h"

enum { LABEL_W = 9, WIDE = 5, LEAST = 1, BAR_W = 24 };

static size_t shown_lanes(const struct tui_scene *s)
{
	return s->now.n_lanes;
}

static enum tui_style style_of(const struct tui_pair *p)
{
	return 2 * p->futile >= p->wakes ? TUI_FUTILE : TUI_ACTIVE;
}

static void put_pair(const struct tui_scene *s, struct tui_textbox *p, int x, int width,
		     const struct tui_pair *pair)
{
	char text[16];
	int digits = snprintf(text, sizeof text, "%" PRIu32, pair->wakes), length = digits;

	if (digits >= width)
		length = snprintf(text, sizeof text, "%s", doze_short_count(pair->wakes));
	if (!pair->wakes)
		tui_put(p->g, x + width - 1, p->y, s->glyphs->dot, TUI_DIM);
	else if (length < width)
		tui_textf(p->g, x, p->y, p->end, style_of(pair), "%*s", width, text);
	else
		tui_put(p->g, x + width - 1, p->y, (uint32_t)('0' + digits), style_of(pair));
	if (pair->wakes && 2 * pair->futile >= pair->wakes && length < width)
		tui_put(p->g, x + width - length - 1, p->y, s->glyphs->wake_futile, TUI_FUTILE);
}

/* Returns the width of a column if the columns of the woken workers begin at x. */
static int width_of(const struct tui_scene *s, int x, int end)
{
	int room = end - x - LABEL_W, n = (int)shown_lanes(s);

	if (n && room / n >= WIDE)
		return room / n < WIDE + 2 ? room / n : WIDE + 2;
	return n && room / n > LEAST ? room / n : LEAST;
}

/* ---- the rows ---- */

/* Returns the waker of a row; -1 stands for all outside threads. */
static int32_t waker_of(const struct tui_item *item)
{
	return (int32_t)item->id - 1;
}

static const char *waker_name(const struct tui_scene *s, int32_t waker, char name[TUI_NAME])
{
	return waker < 0 ? "outside" : tui_worker_name(s, &s->now.workers[waker].key, name);
}

/* Returns how many wakes a waker has sent to the shown workers. */
static struct tui_pair sum_of(const struct tui_scene *s, int32_t waker)
{
	struct tui_pair sum = {0};

	for (size_t i = 0; i < shown_lanes(s); i++) {
		const struct tui_pair *p =
		    tui_pair_at(&tui_newest(s)->pairs, waker, s->now.lanes[i]);

		sum.wakes += p->wakes;
		sum.futile += p->futile;
	}
	return sum;
}

static void add_waker(const struct tui_scene *s, int order, struct tui_list *l, int32_t waker)
{
	struct tui_pair sum = sum_of(s, waker);

	tui_list_add(l, (struct tui_item){.id = (uint64_t)(waker + 1),
					  .sort = order == 1 ? sum.wakes : sum.futile});
}

static void list(const struct tui_scene *s, int order, struct tui_list *l)
{
	if (!shown_lanes(s))
		return;
	add_waker(s, order, l, -1);
	for (size_t i = 0; i < shown_lanes(s); i++)
		add_waker(s, order, l, (int32_t)s->now.workers[s->now.lanes[i]].key.row);
}

static void put_names(const struct tui_scene *s, struct tui_textbox *p, int width)
{
	char name[TUI_NAME];

	for (size_t i = 0; i < shown_lanes(s); i++) {
		const struct doze_worker_view *w = &s->now.workers[s->now.lanes[i]];
		int x = p->x + LABEL_W + (int)i * width;

		if (width == LEAST)
			tui_put(p->g, x, p->y, (uint32_t)('0' + w->key.index % 10), TUI_BOLD);
		else
			tui_textf(p->g, x, p->y, p->end, TUI_BOLD, "%*s", width,
				  tui_worker_name(s, &w->key, name));
	}
	p->y++;
}

static void head(const struct tui_scene *s, struct tui_textbox *p)
{
	int width = width_of(s, p->x, p->end);

	tui_sayf(p, TUI_DIM, "%s, who wakes whom: rows wake columns%s; %s", tui_scope(s),
		 width < WIDE ? " (3: a count of three digits)" : "",
		 width < WIDE ? "the colour shows which were mostly in vain"
			      : "marked: half or more in vain");
	tui_put(p->g, p->end - 2, p->y - 1, s->glyphs->wake_futile, TUI_FUTILE);
	put_names(s, p, width);
}

static void row(const struct tui_scene *s, const struct tui_item *item, struct tui_grid *g, int x,
		int y, int end)
{
	int width = width_of(s, x, end);
	struct tui_textbox p = {.g = g, .x = x, .y = y, .end = end, .bottom = y + 1};
	char name[TUI_NAME];

	tui_text(g, x, y, x + LABEL_W - 1, TUI_BOLD, waker_name(s, waker_of(item), name));
	for (size_t i = 0; i < shown_lanes(s); i++) {
		int at = x + LABEL_W + (int)i * width;

		if (at + width <= end)
			put_pair(
			    s, &p, at, width,
			    tui_pair_at(&tui_newest(s)->pairs, waker_of(item), s->now.lanes[i]));
	}
}

/* ---- the page of a waker ---- */

static void put_bar(const struct tui_scene *s, struct tui_textbox *p, int x,
		    const struct tui_pair *pair, uint32_t most)
{
	int full = (int)((uint64_t)pair->wakes * BAR_W / most);
	int futile = (int)((uint64_t)pair->futile * BAR_W / most);

	for (int i = 0; i < full; i++)
		tui_put(p->g, x + i, p->y, i < futile ? s->glyphs->wake_futile : s->glyphs->bar[4],
			i < futile ? TUI_FUTILE : TUI_ACTIVE);
}

static uint32_t most_wakes(const struct tui_scene *s, int32_t waker)
{
	uint32_t most = 1;

	for (size_t i = 0; i < shown_lanes(s); i++) {
		uint32_t n = tui_pair_at(&tui_newest(s)->pairs, waker, s->now.lanes[i])->wakes;

		most = n > most ? n : most;
	}
	return most;
}

static void detail(const struct tui_scene *s, const struct tui_item *item, struct tui_textbox *p)
{
	int32_t waker = waker_of(item);
	struct tui_pair sum = sum_of(s, waker);
	uint32_t most = most_wakes(s, waker);
	char name[TUI_NAME];

	tui_sayf(p, TUI_BOLD, "%s%s woke %s %" PRIu32 " times, %s%" PRIu32 " in vain.",
		 waker < 0 ? "Threads " : "", waker_name(s, waker, name),
		 tui_is_foreign(s) ? "threads" : "workers", sum.wakes,
		 tui_is_foreign(s) ? "at least " : "", sum.futile);
	for (size_t i = 0; i < shown_lanes(s) && p->y < p->bottom; i++) {
		const struct tui_pair *pair =
		    tui_pair_at(&tui_newest(s)->pairs, waker, s->now.lanes[i]);
		int x;

		if (!pair->wakes)
			continue;
		x = tui_textf(p->g, p->x, p->y, p->end, TUI_PLAIN,
			      "%-4s %6" PRIu32 " wakes, %6" PRIu32 " in vain  ",
			      tui_worker_name(s, &s->now.workers[s->now.lanes[i]].key, name),
			      pair->wakes, pair->futile);
		put_bar(s, p, x, pair, most);
		p->y++;
	}
}

static const char *empty(const struct tui_scene *s)
{
	return tui_is_foreign(s) ? "no threads yet" : "no workers yet";
}

const struct tui_pane_type tui_pane_matrix = {
    .name = "matrix",
    .what = "who wakes whom, in the whole session",
    .list = list,
    .head = head,
    .row = row,
    .empty = empty,
    .orders = {"worker", "wakes", "wakes in vain"},
    .whole = true,
    .verb = "show wakes",
    .detail = detail,
};
