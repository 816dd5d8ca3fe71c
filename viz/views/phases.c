/*
 * SPDX-License-Identifier: MIT
 *
 * phases.c - see phases.h.
 */
#include "phases.h"

#include <string.h>

#define FIRST_TICK_NS 100000

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_phases *p = ctx;
	struct doze_phase_mark *k;

	(void)pool, (void)worker;
	if (p->marks == DOZE_PHASES_MAX)
		return;
	k = &p->mark[p->marks++];
	strncpy(k->text, text ? text : "", sizeof k->text - 1);
	k->at = doze_sample_now(p->model, ts);
}

const struct doze_model_listener doze_phases_listener = {.on_mark = on_mark};

static void add_tick(struct doze_phases *p, int64_t ts)
{
	if (p->ticks == DOZE_TICKS) { /* twice as coarse from now on */
		for (size_t i = 0; i < DOZE_TICKS / 2; i++)
			p->tick[i] = p->tick[2 * i];
		p->ticks = DOZE_TICKS / 2;
		p->tick_ns *= 2;
	}
	p->tick[p->ticks++] = doze_sample_now(p->model, ts);
	p->next_tick = ts + p->tick_ns;
}

void doze_phases_event(struct doze_phases *p, const struct doze_event *e)
{
	if (!p->tick_ns) {
		p->tick_ns = FIRST_TICK_NS;
		p->next_tick = e->ts;
	}
	if (doze_model_totals(p->model)->events && e->ts >= p->next_tick)
		add_tick(p, e->ts);
}

void doze_phases_finish(struct doze_phases *p)
{
	p->end = doze_sample_now(p->model, doze_model_totals(p->model)->last_ts);
}

struct doze_sample doze_phase(const struct doze_phases *p, size_t i)
{
	static const struct doze_sample zero;
	const struct doze_sample *a = i ? &p->mark[i - 1].at : &zero;
	const struct doze_sample *b = i < p->marks ? &p->mark[i].at : &p->end;

	return doze_sample_minus(b, a);
}

/* What had happened when `time` ns had passed: between the two nearest samples. */
static struct doze_sample sample_at(const struct doze_phases *p, double time)
{
	static const struct doze_sample zero;
	const struct doze_sample *a = &zero, *b = &p->end;
	double span;

	for (size_t i = 0; i < p->ticks; i++) {
		if (p->tick[i].sum[DOZE_SUM_time] > time) {
			b = &p->tick[i];
			break;
		}
		a = &p->tick[i];
	}
	span = b->sum[DOZE_SUM_time] - a->sum[DOZE_SUM_time];
	return doze_sample_between(a, b, span > 0 ? (time - a->sum[DOZE_SUM_time]) / span : 0);
}

struct doze_sample doze_phase_part(const struct doze_phases *p, size_t i, size_t parts)
{
	double whole = p->end.sum[DOZE_SUM_time] / (double)parts;
	struct doze_sample a = sample_at(p, whole * (double)i);
	struct doze_sample b = i + 1 == parts ? p->end : sample_at(p, whole * (double)(i + 1));

	return doze_sample_minus(&b, &a);
}
