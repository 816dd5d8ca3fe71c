/*
 * SPDX-License-Identifier: MIT
 *
 * csv.c - writes the model's results as one table (RFC 4180, with a header). A row is a span of one
 * state, a wake with its verdict, a storm, a mark, or lost events; columns that do not apply are
 * empty. The last columns name the pool, and the waker if it is an outside thread. Times are in ns:
 * `at` since the first event, the others since the epoch. Rows are in the order in which the model
 * reported them.
 */
#include <inttypes.h>

#include "../words/quote.h"
#include "export.h"

static const char header[] = "row,at,from,to,host,vpid,pool,worker,state,reason,unknown,wake_id,"
			     "decision_id,waker,cause,verdict,published,notified,awake,first_job,"
			     "woken,futile,jobs,futile_search_wall,text,pool_name,waker_vtid,"
			     "waker_name\r\n";

static bool begin(struct doze_export *x)
{
	fputs(header, x->out);
	return true;
}

static void start(struct doze_export *x, const char *row, int64_t from, int64_t to)
{
	fprintf(x->out, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",", row, from - x->origin, from, to);
	x->rows++;
}

static void who(FILE *out, uint32_t host, int32_t vpid, uint32_t pool)
{
	fprintf(out, "%" PRIu32 ",%" PRId32 ",%" PRIu32 ",", host, vpid, pool);
}

/* Writes an unknown time, 0, as an empty field. */
static void time_or_empty(FILE *out, int64_t ns)
{
	if (ns)
		fprintf(out, "%" PRId64, ns);
	fputc(',', out);
}

/* Writes the last columns. waker_vtid: the outside thread that sent the wake; -1: none. */
static void finish(struct doze_export *x, const struct doze_pool_view *p, int32_t waker_vtid)
{
	fputc(',', x->out);
	doze_quote_csv(x->out, p ? p->name : "");
	fputc(',', x->out);
	if (waker_vtid >= 0)
		fprintf(x->out, "%" PRId32, waker_vtid);
	fputc(',', x->out);
	doze_quote_csv(x->out, doze_export_waker(x, p, waker_vtid));
	fputs("\r\n", x->out);
}

static void on_interval(void *ctx, const struct doze_interval *iv)
{
	struct doze_export *x = ctx;

	start(x, "state", iv->from, iv->to);
	who(x->out, iv->who.host, iv->who.vpid, iv->who.pool);
	fprintf(x->out, "%" PRId32 ",%s,%s,%d,,,,,,,,,,,,,,", iv->who.index,
		doze_state_name(iv->state), doze_reason_name(iv->why), iv->unknown);
	finish(x, doze_export_pool(x, &iv->who), -1);
}

static void on_verdict(void *ctx, const struct doze_wake *k)
{
	struct doze_export *x = ctx;

	start(x, "wake", k->notified ? k->notified : k->awake, k->ended);
	who(x->out, k->target.host, k->target.vpid, k->target.pool);
	fprintf(x->out, "%" PRId32 ",,,,%" PRIu64 ",%" PRIu64 ",%" PRId32 ",%s,%s,",
		k->target.index, k->wake_id, k->decision_id, k->waker, doze_cause_name(k->cause),
		doze_verdict_name(k->verdict));
	time_or_empty(x->out, k->published);
	time_or_empty(x->out, k->notified);
	time_or_empty(x->out, k->awake);
	time_or_empty(x->out, k->first_job);
	fputs(",,,,", x->out);
	finish(x, doze_export_pool(x, &k->target), k->waker < 0 ? k->waker_vtid : -1);
}

static void on_storm(void *ctx, const struct doze_storm *s)
{
	struct doze_export *x = ctx;

	start(x, "storm", s->from, s->to);
	who(x->out, s->host, s->vpid, s->pool);
	fprintf(x->out,
		",,,,,%" PRIu64 ",%" PRId32 ",%s,,,,,,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRId64
		",",
		s->decision_id, s->waker, doze_cause_name(s->cause), s->woken, s->futile, s->jobs,
		s->burnt);
	finish(x, doze_model_pool(x->model, s->pool_row), s->waker < 0 ? s->waker_vtid : -1);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_export *x = ctx;

	start(x, "mark", ts, ts);
	fprintf(x->out, ",,%" PRIu32 ",%" PRId32 ",,,,,,,,,,,,,,,,,", pool, worker);
	doze_quote_csv(x->out, text);
	finish(x, NULL, -1);
}

static void on_lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct doze_export *x = ctx;

	start(x, "lost", from, to);
	fprintf(x->out, ",,,,,,,,,,,,,,,,,,,,%" PRIu64 " events", count);
	finish(x, NULL, -1);
}

const struct doze_export_format doze_export_csv = {
    .name = "csv",
    .what = "a table of states, wakes with verdicts, storms, marks and losses",
    .listener = {.on_interval = on_interval,
		 .on_verdict = on_verdict,
		 .on_storm = on_storm,
		 .on_mark = on_mark,
		 .on_lost = on_lost},
    .begin = begin,
};
