/*
 * SPDX-License-Identifier: MIT
 *
 * scene.c - see scene.h.
 */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* ---- the rows of a pane ---- */

enum { FIRST_SIZE = 256 };

void tui_list_add(struct tui_list *l, struct tui_item item)
{
	if (l->count == l->size) {
		size_t size = l->size ? l->size * 2 : FIRST_SIZE;
		struct tui_item *more = realloc(l->item, size * sizeof *more);

		if (!more)
			return;
		l->item = more;
		l->size = size;
	}
	l->item[l->count++] = item;
}

static int by_time(const void *pa, const void *pb)
{
	const struct tui_item *a = pa, *b = pb;

	return (a->at > b->at) - (a->at < b->at);
}

void tui_list_sort(struct tui_list *l)
{
	if (l->count > 0)
		qsort(l->item, l->count, sizeof *l->item, by_time);
}

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_workers(const void *pa, const void *pb)
{
	const struct doze_worker_view *a = pa, *b = pb;
	int d = compare_u32(a->key.host, b->key.host);

	if (!d)
		d = (a->key.vpid > b->key.vpid) - (a->key.vpid < b->key.vpid);
	if (!d)
		d = compare_u32(a->key.pool, b->key.pool);
	return d ? d : (a->key.index > b->key.index) - (a->key.index < b->key.index);
}

/* Lists the rows that pass the filter, ordered by their keys. */
static void list_lanes(struct tui_scene *s)
{
	struct tui_present *now = &s->now;
	struct doze_worker_view *sorted = malloc((now->n_workers + 1) * sizeof *sorted);

	now->n_lanes = 0;
	if (!sorted)
		return;
	memcpy(sorted, now->workers, now->n_workers * sizeof *sorted);
	qsort(sorted, now->n_workers, sizeof *sorted, compare_workers);
	for (size_t i = 0; i < now->n_workers; i++)
		if (tui_view_shows(&s->view, sorted[i].key.index) &&
		    (!s->view.pool || sorted[i].pool_row + 1 == s->view.pool))
			now->lanes[now->n_lanes++] = sorted[i].key.row;
	free(sorted);
}

static int grow_workers(struct tui_present *now, size_t n)
{
	struct doze_worker_view *workers = realloc(now->workers, (n + 1) * sizeof *workers);
	uint32_t *lanes;

	if (!workers)
		return -1;
	now->workers = workers;
	lanes = realloc(now->lanes, (n + 1) * sizeof *lanes);
	if (!lanes)
		return -1;
	now->lanes = lanes;
	return 0;
}

struct tui_history *tui_newest(const struct tui_scene *s)
{
	return s->newest ? s->newest : s->history;
}

static void take_workers(struct tui_scene *s)
{
	const struct doze_model *m = s->history->model;
	struct tui_present *now = &s->now;
	size_t n = doze_model_workers(m);

	if ((n > now->n_workers || !now->workers) && grow_workers(now, n) != 0)
		n = 0;
	now->n_workers = n;
	for (size_t i = 0; i < n; i++)
		now->workers[i] = *doze_model_worker(m, i);
	now->of = s->history;
}

static void take_present(struct tui_scene *s)
{
	const struct doze_model *m = tui_newest(s)->model;
	struct tui_present *now = &s->now;

	take_workers(s);
	now->known = tui_newest(s)->clock;
	if (s->status.loading && s->disk_end > now->known && doze_model_totals(m)->events)
		now->known = s->disk_end;
	if (s->steady && now->totals.events)
		return;
	now->totals = *doze_model_totals(m);
	now->measures = *doze_model_measures(m);
	now->amplification = doze_model_amplification(m);
	now->herd_excess = doze_model_herd_excess(m);
}

/* Returns the end of the time that may be shown: the cursor during a quiz, otherwise `clock`. */
static int64_t horizon(const struct tui_scene *s, int64_t clock)
{
	if (!s->quiz.on || !s->view.at.has_cursor || s->view.at.cursor > clock)
		return clock;
	return s->view.at.cursor;
}

void tui_scene_update(struct tui_scene *s)
{
	struct tui_present *now = &s->now;
	int64_t origin, first, last;

	if (!s->view.paused || !now->workers)
		take_present(s);
	else if (now->of != s->history)
		take_workers(s);
	if (now->workers)
		list_lanes(s);
	if (s->view.selected >= now->n_lanes)
		s->view.selected = now->n_lanes ? now->n_lanes - 1 : 0;
	origin = first = now->totals.first_ts;
	last = now->known > first ? now->known : first;
	if (s->from_ns > 0)
		first += s->from_ns;
	if (s->to_ns > 0 && s->to_ns < last - origin)
		last = origin + s->to_ns;
	tui_view_extent(&s->view, origin, first < last ? first : last, last);
	s->view.settled =
	    tui_newest(s)->ending > first && !s->view.at.follow ? tui_newest(s)->ending : 0;
	now->clock = horizon(s, now->known);
}

void tui_scene_free(struct tui_scene *s)
{
	free(s->now.workers);
	free(s->now.lanes);
	free(s->list.item);
	tui_recording_free(&s->lesson.recording);
	free(s->found.numbers.item);
	tui_ring_free(&s->found.disk);
	free(s->output.text);
	free(s->output.lines);
}

const struct doze_worker_view *tui_selected(const struct tui_scene *s)
{
	if (s->view.selected >= s->now.n_lanes)
		return NULL;
	return &s->now.workers[s->now.lanes[s->view.selected]];
}

size_t tui_pool_number(const struct tui_scene *s, const struct doze_worker_key *k)
{
	const struct doze_model *m = s->history->model;

	for (size_t i = 0; i < doze_model_pools(m); i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);

		if (p->host == k->host && p->vpid == k->vpid && p->pool == k->pool)
			return i + 1;
	}
	return 0;
}

const struct doze_pool_view *tui_pool_of(const struct tui_scene *s, const struct doze_worker_key *k)
{
	size_t number = tui_pool_number(s, k);

	return number ? doze_model_pool(s->history->model, number - 1) : NULL;
}

const struct doze_pool_view *tui_selected_pool(const struct tui_scene *s)
{
	const struct doze_worker_view *w = tui_selected(s);
	const struct doze_pool_view *p = w ? tui_pool_of(s, &w->key) : NULL;

	if (!p && doze_model_pools(s->history->model) > 0)
		p = doze_model_pool(s->history->model, 0);
	return p;
}

enum doze_state tui_state_at(const struct tui_scene *s, uint32_t row, int64_t t, bool *unknown)
{
	const struct doze_worker_view *w = &s->now.workers[row];
	const struct tui_span *span =
	    row < s->history->n_lanes ? tui_span_at(&s->history->lanes[row], t) : NULL;

	*unknown = false;
	if (span) {
		*unknown = span->unknown;
		return (enum doze_state)span->state;
	}
	if (t < w->since || w->state == DOZE_STATE_none)
		return DOZE_STATE_none;
	*unknown = w->unknown;
	return w->state;
}

enum doze_state tui_state_at_focus(const struct tui_scene *s, uint32_t row, bool *unknown)
{
	return tui_state_at(s, row, tui_view_focus(&s->view), unknown);
}
