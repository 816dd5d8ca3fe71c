/*
 * SPDX-License-Identifier: MIT
 *
 * csv.c - writes the model's results as one table (RFC 4180, with a header). A row is a span of one
 * state, a wake with its verdict, a storm, a mark, or lost events; columns that do not apply are
 * empty. Times are in ns since the epoch. Rows are in the order in which the model knew them.
 */
#include <inttypes.h>

#include "../text/quote.h"
#include "export.h"

static const char header[] = "row,at,from,to,host,vpid,pool,worker,state,reason,unknown,wake_id,"
			     "decision_id,waker,cause,verdict,published,notified,awake,first_job,"
			     "woken,futile,jobs,futile_search_wall,text\r\n";

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

static void on_interval(void *ctx, const struct doze_interval *iv)
{
	struct doze_export *x = ctx;

	start(x, "state", iv->from, iv->to);
	who(x->out, iv->who.host, iv->who.vpid, iv->who.pool);
	fprintf(x->out, "%" PRId32 ",%s,%s,%d,,,,,,,,,,,,,,\r\n", iv->who.index,
		doze_state_name(iv->state), doze_reason_name(iv->why), iv->unknown);
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
	fputs(",,,,\r\n", x->out);
}

static void on_storm(void *ctx, const struct doze_storm *s)
{
	struct doze_export *x = ctx;

	start(x, "storm", s->from, s->to);
	who(x->out, s->host, s->vpid, s->pool);
	fprintf(x->out,
		",,,,,%" PRIu64 ",%" PRId32 ",%s,,,,,,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRId64
		",\r\n",
		s->decision_id, s->waker, doze_cause_name(s->cause), s->woken, s->futile, s->jobs,
		s->burnt);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_export *x = ctx;

	start(x, "mark", ts, ts);
	fprintf(x->out, ",,%" PRIu32 ",%" PRId32 ",,,,,,,,,,,,,,,,,", pool, worker);
	doze_quote_csv(x->out, text);
	fputs("\r\n", x->out);
}

static void on_lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct doze_export *x = ctx;

	start(x, "lost", from, to);
	fprintf(x->out, ",,,,,,,,,,,,,,,,,,,,%" PRIu64 " events\r\n", count);
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
