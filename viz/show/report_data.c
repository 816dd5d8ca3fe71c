/*
 * SPDX-License-Identifier: MIT
 *
 * report_data.c - collects what the page of `doze report` shows, in packed form. page/data.js
 * unpacks it.
 */
#include <stdlib.h>
#include <string.h>

#include "../model/observer.h"
#include "../trace/utf8.h"
#include "report.h"

/* ---- Packed numbers ---- */

static void free_bytes(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

bool report_bytes_more(struct bytes *b, size_t n)
{
	size_t capacity = b->capacity ? 2 * b->capacity : 4096;
	uint8_t *data;

	while (capacity - b->size < n)
		capacity *= 2;
	data = b->failed ? NULL : realloc(b->data, capacity);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->capacity = capacity;
	return true;
}

static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum { PAIRS = 1 << 12 };

/* Returns a table with the two base64 digits of each 12-bit number. Most of a page is base64, and
 * writing the digits in pairs takes half the time. */
static const char (*digit_pairs(void))[2]
{
	static char pair[PAIRS][2];

	for (unsigned i = 0; !pair[PAIRS - 1][1] && i < PAIRS; i++) {
		pair[i][0] = digit[i >> 6];
		pair[i][1] = digit[i & 63];
	}
	return pair;
}

/* Writes n bytes as base64 digits. Only at the end of the data may n be other than a multiple of 3,
 * because padding follows. Returns the end of the digits. */
static char *encode(char *out, const uint8_t *data, size_t n)
{
	const char(*pair)[2] = digit_pairs();
	size_t i = 0;

	for (; i + 3 <= n; i += 3, out += 4) {
		uint32_t v = (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2];
		memcpy(out, pair[v >> 12], 2);
		memcpy(out + 2, pair[v & (PAIRS - 1)], 2);
	}
	if (i < n) {
		bool two = n - i == 2;
		uint32_t v = (uint32_t)data[i] << 16;
		if (two)
			v |= (uint32_t)data[i + 1] << 8;
		*out++ = digit[v >> 18];
		*out++ = digit[v >> 12 & 63];
		*out++ = two ? digit[v >> 6 & 63] : '=';
		*out++ = '=';
	}
	return out;
}

void report_bytes_print_base64(const struct bytes *b, FILE *f)
{
	enum { PART = 3 * 16384 }; /* bytes of data whose digits are written at once: 64 KiB */
	char text[PART / 3 * 4];

	for (size_t i = 0; i < b->size; i += PART) {
		size_t n = b->size - i < PART ? b->size - i : PART;

		fwrite(text, 1, (size_t)(encode(text, b->data + i, n) - text), f);
	}
}

/* ---- One function per kind of data ---- */

/* Returns the lane of a row. If out of memory, sets `failed` and returns null. */
static struct report_lane *lane_at(struct report *r, size_t row)
{
	struct report_lane *lanes = doze_grow(r->lane, &r->lanes, row, sizeof *lanes);

	r->failed |= !lanes;
	r->lane = lanes ? lanes : r->lane;
	return lanes ? &lanes[row] : NULL;
}

static void add_span(struct report_lane *lane, unsigned state, unsigned why, int64_t ns)
{
	struct bytes *b = &lane->intervals;

	if (!report_bytes_room(b, 2 + REPORT_BYTES_NUMBER))
		return;
	report_bytes_put(b, (uint8_t)state);
	report_bytes_put(b, (uint8_t)why);
	report_bytes_put_number(b, ns > 0 ? (uint64_t)ns : 0);
	lane->count++;
}

static void take_interval(void *ctx, const struct doze_interval *i)
{
	struct report *r = ctx;
	struct report_lane *lane = lane_at(r, i->who.row);

	if (!lane)
		return;
	if (lane->count == 0)
		lane->first = lane->last = i->from;
	if (i->from > lane->last)
		add_span(lane, DOZE_STATE_none, DOZE_REASON_none, i->from - lane->last);
	add_span(lane, i->state + (i->unknown ? 16u : 0u), i->why, i->to - i->from);
	lane->last = i->to;
}

/* Returns the time of the first event, to which the page's times are relative. The page's numbers
 * are doubles, in which nanoseconds since 1970 would be exact only to a quarter of a
 * microsecond. */
static int64_t origin(const struct report *r)
{
	return doze_model_totals(r->model)->first_ts;
}

/* Returns a time relative to base, or 0 for an unknown time. */
static int64_t after(int64_t ts, int64_t base)
{
	return ts == 0 ? 0 : ts - base;
}

static void add_target(struct report *r, const struct doze_worker_key *k)
{
	bool lane = k->row < doze_model_workers(r->model);

	report_bytes_put_number(&r->wakes, lane ? k->row + 1ull : 0);
	/* the target is unknown or never appeared in the trace */
	if (!lane)
		report_bytes_put_number(
		    &r->wakes, doze_pool_of_key(r->model, k, &r->loose_pool) ? r->loose_pool : 0);
}

static void take_verdict(void *ctx, const struct doze_wake *w)
{
	struct report *r = ctx;
	struct bytes *b = &r->wakes;
	int64_t base = w->notified ? w->notified : w->awake;

	if (!report_bytes_room(b, 12 * REPORT_BYTES_NUMBER))
		return;
	if (r->wake_count == 0)
		r->last_wake = origin(r);
	/* signed, because verdicts are not in chronological order */
	report_bytes_put_signed(b, base - r->last_wake);
	r->last_wake = base;
	add_target(r, &w->target);
	report_bytes_put_signed(b, w->waker);
	report_bytes_put_signed(b, w->waker_vtid);
	report_bytes_put(b, (uint8_t)w->cause);
	report_bytes_put(b, (uint8_t)w->verdict);
	report_bytes_put_number(b, w->wake_id);
	report_bytes_put_number(b, w->decision_id);
	report_bytes_put_signed(b, after(w->published, base));
	report_bytes_put_signed(b, after(w->awake, base));
	report_bytes_put_signed(b, after(w->first_job, base));
	r->wake_count++;
}

static void take_word(void *ctx, int64_t ts, const struct doze_pool_view *pool, uint64_t word)
{
	struct report *r = ctx;
	const struct doze_word_layout *l = &pool->layout;

	if (l->kind != DOZE_WORD_counters)
		return;
	struct report_words *w = doze_grow(r->word, &r->words, pool->row, sizeof *w);

	r->failed |= !w;
	if (!w)
		return;
	r->word = w;
	w += pool->row;
	uint32_t sleeping = doze_word_sleeping(l, word), inactive = doze_word_inactive(l, word);
	if (!report_bytes_room(&w->steps, 4 * REPORT_BYTES_NUMBER))
		return;
	if (w->count == 0)
		w->last = origin(r);
	report_bytes_put_signed(&w->steps, ts - w->last);
	report_bytes_put_number(&w->steps, sleeping);
	report_bytes_put_number(&w->steps, inactive > sleeping ? inactive - sleeping : 0);
	report_bytes_put_number(&w->steps, doze_word_jec(l, word) & UINT32_MAX);
	w->last = ts;
	w->count++;
}

static void take_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct report *r = ctx;

	if (r->marks == REPORT_TEXTS)
		return;
	if (r->mark == NULL)
		r->mark = calloc(REPORT_TEXTS, sizeof *r->mark);
	if (r->mark == NULL) {
		r->failed = true;
		return;
	}
	struct report_mark *m = &r->mark[r->marks++];
	m->ts = ts;
	m->pool = pool;
	m->worker = worker;
	doze_utf8_copy(m->text, sizeof m->text, text);
}

static void take_finding(void *ctx, const struct doze_finding *f)
{
	struct report *r = ctx;

	if (r->finding == NULL)
		r->finding = calloc(REPORT_FINDINGS, sizeof *r->finding);
	if (r->finding == NULL)
		r->failed = true;
	else if (r->findings < REPORT_FINDINGS)
		r->finding[r->findings++] = *f;
	else
		r->findings_left_out++;
}

static void take_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct report *r = ctx;
	if (r->losses < sizeof r->loss / sizeof r->loss[0])
		r->loss[r->losses++] = (struct report_loss){from, to, count};
}

static void take_storm(void *ctx, const struct doze_storm *s)
{
	struct report *r = ctx;
	doze_storm_listener.on_storm(&r->log, s);
}

const struct doze_model_listener report_listener = {
    .on_interval = take_interval,
    .on_verdict = take_verdict,
    .on_word = take_word,
    .on_mark = take_mark,
    .on_finding = take_finding,
    .on_lost = take_loss,
    .on_storm = take_storm,
};

static void job_start(struct report_lane *lane, const struct doze_event *e)
{
	if (lane->depth < REPORT_DEPTH)
		lane->open[lane->depth++] = (struct report_job){e->ts, e->u.job.id};
}

static void job_end(struct report *r, struct report_lane *lane, const struct doze_event *e)
{
	size_t i = lane->depth;

	while (i && lane->open[i - 1].id != e->u.job.id)
		i--;
	if (!i)
		return; /* the trace lacks the job's start, or the array was full */
	struct report_job job = lane->open[--i];
	memmove(lane->open + i, lane->open + i + 1, (--lane->depth - i) * sizeof job);
	if (r->jobs++ >= REPORT_JOBS || !report_bytes_room(&lane->jobs, 4 * REPORT_BYTES_NUMBER))
		return;
	if (lane->job_count == 0)
		lane->last_job = origin(r);
	report_bytes_put_signed(&lane->jobs, job.from - lane->last_job);
	report_bytes_put_number(&lane->jobs, e->ts > job.from ? (uint64_t)(e->ts - job.from) : 0);
	report_bytes_put(&lane->jobs, (uint8_t)i);
	report_bytes_put_number(&lane->jobs, job.id);
	lane->last_job = job.from;
	lane->job_count++;
}

void report_event(struct report *r, const struct doze_event *e)
{
	const struct doze_worker_view *w;
	const struct doze_pool_view *p;
	struct report_lane *lane;

	if (e->kind != DOZE_EV_job_start && e->kind != DOZE_EV_job_end)
		return;
	p = doze_model_pool_of(r->model, e);
	w = p ? doze_pool_worker(p, e->worker) : NULL;
	if (!w)
		return;
	lane = lane_at(r, w->key.row);
	if (!lane)
		return;
	if (e->kind == DOZE_EV_job_start)
		job_start(lane, e);
	else
		job_end(r, lane, e);
}

void report_free(struct report *r)
{
	for (size_t i = 0; i < r->lanes; i++) {
		free_bytes(&r->lane[i].intervals);
		free_bytes(&r->lane[i].jobs);
	}
	for (size_t i = 0; i < r->words; i++)
		free_bytes(&r->word[i].steps);
	free(r->lane);
	free(r->word);
	free(r->mark);
	free(r->finding);
	free_bytes(&r->wakes);
	doze_storm_log_free(&r->log);
}

bool report_whole(const struct report *r)
{
	bool failed = r->failed || r->wakes.failed;
	for (size_t i = 0; i < r->lanes; i++)
		failed |= r->lane[i].intervals.failed || r->lane[i].jobs.failed;
	for (size_t i = 0; i < r->words; i++)
		failed |= r->word[i].steps.failed;
	return !failed;
}
