/*
 * SPDX-License-Identifier: MIT
 *
 * ledger_loose.c - wakes that name no target (-1): pthread_cond_signal does not say whom it wakes.
 * They wait in a ring, oldest first, until a worker says that it was woken by one of them.
 */
#include <stdlib.h>

#include "model_int.h"

static struct loose_wake *at(struct pool *p, uint32_t i)
{
	return &p->loose[(p->loose_first + i) % LOOSE_WAKES];
}

/* Nobody said so: the signal met no sleeper (forkjoin gives it in any case), or others were first.
 * Certain, unless events were lost or the trace ended first. */
static void drop_oldest(struct doze_model *m, struct pool *p, int64_t ts, bool certain)
{
	struct loose_wake *k = at(p, 0);

	k->line.ended = ts;
	ledger_close(m, p, &k->line,
		     certain && !k->lost ? DOZE_VERDICT_redundant : DOZE_VERDICT_unresolved);
	path_forget(p, &k->path);
	p->loose_first++;
	p->loose_count--;
	p->notified--;
}

void loose_add(struct doze_model *m, struct pool *p, struct doze_wake *line, struct worker *by,
	       const struct doze_event *e)
{
	struct loose_wake *k;

	if (!p->loose)
		p->loose = calloc(LOOSE_WAKES, sizeof *p->loose);
	if (!p->loose) {
		m->totals.evicted++;
		return;
	}
	/* No condition variable remembers so many signals. */
	if (p->loose_count == LOOSE_WAKES)
		drop_oldest(m, p, line->notified, true);
	k = at(p, p->loose_count++);
	*k = (struct loose_wake){.line = *line,
				 .by = by,
				 .scope = e->u.wake.scope,
				 .lost = line->notified <= m->lost_to};
	path_note(p, e, &k->path);
	p->notified++;
}

bool loose_adopt(struct doze_model *m, struct worker *w, uint64_t wake_id)
{
	struct pool *p = w->pool;
	uint32_t i = 0;
	struct loose_wake k;

	while (i < p->loose_count && at(p, i)->line.wake_id != wake_id)
		i++;
	if (i == p->loose_count)
		return false;
	k = *at(p, i);
	for (; i > 0; i--) /* the older ones stay in order */
		*at(p, i) = *at(p, i - 1);
	p->loose_first++;
	p->loose_count--;
	w->wake = k.line;
	w->wake.target = w->v.key;
	w->wake_by = k.by;
	w->wake_scope = k.scope;
	w->wake_lost = k.lost || w->span_lost;
	w->phase = WAKE_NOTIFIED;               /* counted in notified since loose_add */
	if (!in_choice(m, k.line.target.index)) /* nobody's so far */
		ledger_count_sent(m, p, &w->wake, k.by);
	ledger_chain(m, k.by, w);
	path_owe(w, &k.path);
	path_forget(p, &k.path);
	if (m->on.on_wake)
		m->on.on_wake(m->ctx, &w->wake);
	return true;
}

int64_t loose_notified(const struct pool *p, uint64_t wake_id)
{
	for (uint32_t i = 0; i < p->loose_count; i++) {
		const struct doze_wake *k = &p->loose[(p->loose_first + i) % LOOSE_WAKES].line;

		if (k->wake_id == wake_id)
			return k->notified;
	}
	return 0;
}

void loose_lost(struct pool *p)
{
	for (uint32_t i = 0; i < p->loose_count; i++)
		at(p, i)->lost = true;
}

void loose_finish(struct doze_model *m, struct pool *p, int64_t ts)
{
	while (p->loose_count)
		drop_oldest(m, p, ts, p->v.stopped);
}
