/*
 * SPDX-License-Identifier: MIT
 *
 * perfetto.c - writes the Trace Event Format, JSON for Perfetto (ui.perfetto.dev) and
 * chrome://tracing.
 *
 * Each traced process has a track per worker with a slice per state, another with its jobs if the
 * trace has them (a suspended job has a slice per run), a track per outside thread that woke a
 * worker, a track for storms, and counters of sleeping and inactive workers. Each wake is an arrow
 * from the waker to the woken worker, or an instant if it woke no worker; marks are instants. Times
 * are in microseconds after the first event, as the format requires, with three decimals to keep
 * nanoseconds.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../words/event_text.h"
#include "../words/quote.h"
#include "export.h"

/* ---- The tracks: their numbers, and which of them have a name ---- */

/* A pool's tracks are numbered (by tid) from pool * TRACKS_PER_POOL: first the track of storms and
 * marks, then a track of states per worker. At offset JOBS, there is a track of jobs per worker; at
 * offset OUTSIDE, a track per outside thread, numbered by the last digits of its vtid. */
#define TRACKS_PER_POOL 100000
#define JOBS            40000
#define OUTSIDE         50000
#define MAX_NAMED       65536

/* The set of tracks (pid, tid) that already have a name: a hash table with open addressing. */
struct track_names {
	uint64_t key[MAX_NAMED * 2];
	size_t count;
};

static int64_t track_pid(uint32_t host, int32_t vpid)
{
	return (int64_t)host * 10000000 + (vpid < 0 ? 0 : vpid);
}

static int64_t track_tid(uint32_t pool, int32_t worker)
{
	return (int64_t)pool * TRACKS_PER_POOL + 1 + worker;
}

static int64_t track_outside(uint32_t pool, int32_t vtid)
{
	return (int64_t)pool * TRACKS_PER_POOL + OUTSIDE + (vtid < 0 ? 0 : vtid % 10000);
}

/* Returns whether the track has no name yet, and adds it to the set. */
static bool track_is_new(struct track_names *n, int64_t pid, int64_t tid)
{
	uint64_t key = (uint64_t)pid << 40 ^ (uint64_t)tid ^ 1ull << 63;
	size_t i = key * 0x9e3779b97f4a7c15u >> 47 & (MAX_NAMED * 2 - 1);

	while (n->key[i] && n->key[i] != key)
		i = (i + 1) & (MAX_NAMED * 2 - 1);
	if (n->key[i] || n->count == MAX_NAMED)
		return false;
	n->key[i] = key;
	n->count++;
	return true;
}

#define MAX_POOLS 256
#define MAX_OPEN  4096

/* A job that has not ended. */
struct open_job {
	int64_t from; /* when its current part began, or its last one if its thread is suspended */
	int64_t pid, tid;
	int32_t vtid;   /* the thread whose stack it is on */
	uint32_t depth; /* number of jobs below it on that stack */
	uint32_t part;  /* number of parts written */
	uint64_t id;
	enum doze_source source;
};

struct tracks {
	struct track_names named;
	/* per row of a pool: the last counters written, plus 1; 0: none yet */
	uint64_t counted[MAX_POOLS];
	struct open_job open[MAX_OPEN];
	size_t opened;
	uint64_t left_out; /* number of jobs left out because too many others had not ended */
};

static struct tracks *tracks_of(struct doze_export *x)
{
	return x->own;
}

static void item(struct doze_export *x)
{
	fputs(x->rows++ ? ",\n{" : "\n{", x->out);
}

static void time_field(FILE *out, const char *name, int64_t ns)
{
	uint64_t v = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	fprintf(out, "\"%s\":%s%" PRIu64 ".%03u,", name, ns < 0 ? "-" : "", v / 1000,
		(unsigned)(v % 1000));
}

/* Writes the fields ph, ts, pid and tid of an item; the caller adds fields and closes the
 * object. */
static void item_at(struct doze_export *x, char ph, int64_t ts, int64_t pid, int64_t tid)
{
	item(x);
	fprintf(x->out, "\"ph\":\"%c\",", ph);
	time_field(x->out, "ts", ts - x->origin);
	fprintf(x->out, "\"pid\":%" PRId64 ",\"tid\":%" PRId64 ",", pid, tid);
}

static bool is_crew(const struct doze_pool_view *p)
{
	return p && doze_pool_is_crew(p);
}

/* Names a track, such as "pool 0 'demo' worker 3": `what`, then `number` unless it is -1, then the
 * thread's name unless that is null. */
static void name_track(struct doze_export *x, int64_t tid, const struct doze_worker_key *k,
		       const char *what, int32_t number, const char *thread)
{
	int64_t pid = track_pid(k->host, k->vpid);
	const struct doze_pool_view *p;
	char name[256];
	int n;

	if (!track_is_new(&tracks_of(x)->named, pid, tid))
		return;
	p = doze_export_pool(x, k);
	n = snprintf(name, sizeof name, "%s %" PRIu32 "%s%s%s %s", is_crew(p) ? "crew" : "pool",
		     k->pool, p && *p->name ? " '" : "", p ? p->name : "", p && *p->name ? "'" : "",
		     what);
	if (thread && *thread)
		n += snprintf(name + n, sizeof name - (size_t)n, " '%s'", thread);
	if (number >= 0)
		snprintf(name + n, sizeof name - (size_t)n, " %" PRId32, number);
	item(x);
	fprintf(x->out,
		"\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%" PRId64 ",\"tid\":%" PRId64
		",\"args\":{\"name\":",
		pid, tid);
	doze_quote_json(x->out, name);
	fputs("}}", x->out);
	item(x);
	fprintf(x->out,
		"\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%" PRId64 ",\"tid\":%" PRId64
		",\"args\":{\"sort_index\":%" PRId64 "}}",
		pid, tid, tid);
}

static bool begin(struct doze_export *x)
{
	x->own = calloc(1, sizeof(struct tracks));
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", x->out);
	return x->own != NULL;
}

/* Writes the duration of a slice. Viewers add ts and dur as floating-point numbers. If the sum
 * exceeds the beginning of the next slice, they nest that slice inside this one, so such a slice is
 * shortened by 1 ns. */
static void dur_field(const struct doze_export *x, int64_t from, int64_t to)
{
	double ts = (double)(from - x->origin) / 1e3, dur = (double)(to - from) / 1e3;
	bool behind = to > from && ts + dur > (double)(to - x->origin) / 1e3;

	time_field(x->out, "dur", to - from - behind);
}

static void on_interval(void *ctx, const struct doze_interval *iv)
{
	struct doze_export *x = ctx;
	int64_t pid = track_pid(iv->who.host, iv->who.vpid);
	int64_t tid = track_tid(iv->who.pool, iv->who.index);

	if (iv->state == DOZE_STATE_none && !iv->unknown)
		return;
	name_track(x, tid, &iv->who, is_crew(doze_export_pool(x, &iv->who)) ? "thread" : "worker",
		   iv->who.index, NULL);
	item_at(x, 'X', iv->from, pid, tid);
	dur_field(x, iv->from, iv->to);
	fprintf(x->out, "\"name\":\"%s\",\"cat\":\"state\",\"args\":{\"reason\":\"%s\"}}",
		iv->unknown ? "unknown"
			    : doze_state_words(is_crew(doze_export_pool(x, &iv->who)), iv->state),
		doze_reason_name(iv->why));
}

/* Writes the part of a job that has run since j->from. Slices of one track must nest, so where the
 * parts of several jobs end together, the inner ones end 2 ns earlier: dur_field may shorten the
 * outer ones. */
static void job_slice(struct doze_export *x, const struct open_job *j, int64_t to)
{
	item_at(x, 'X', j->from, j->pid, j->tid);
	dur_field(x, j->from, to > j->from ? to : j->from);
	fprintf(x->out,
		"\"name\":\"job\",\"cat\":\"job\",\"args\":{\"job\":\"%#" PRIx64
		"\",\"source\":\"%s\"",
		j->id, doze_source_name(j->source));
	if (j->part)
		fprintf(x->out, ",\"part\":%" PRIu32, j->part);
	fputs("}}", x->out);
}

static void job_start(struct doze_export *x, const struct doze_event *e, int64_t pid, int64_t tid)
{
	struct tracks *t = x->own;
	struct open_job *j = &t->open[t->opened];
	const struct doze_worker_key pool = {.host = e->host, .vpid = e->vpid, .pool = e->pool};

	if (t->opened == MAX_OPEN) {
		t->left_out++;
		return;
	}
	name_track(x, tid, &pool, "jobs of worker", e->worker, NULL);
	*j = (struct open_job){.from = e->ts,
			       .pid = pid,
			       .tid = tid,
			       .vtid = e->vtid,
			       .id = e->u.job.id,
			       .source = e->u.job.source};
	for (size_t i = 0; i < t->opened; i++)
		j->depth += t->open[i].pid == pid && t->open[i].vtid == e->vtid;
	t->opened++;
}

static void job_end(struct doze_export *x, const struct doze_event *e, int64_t pid, int64_t tid)
{
	struct tracks *t = x->own;
	size_t i = t->opened;

	while (i && (t->open[i - 1].id != e->u.job.id || t->open[i - 1].pid != pid ||
		     t->open[i - 1].tid != tid))
		i--;
	if (!i)
		return; /* the trace lacks the job's start */
	if (t->open[i - 1].part)
		t->open[i - 1].part++;
	job_slice(x, &t->open[i - 1], e->ts);
	t->open[i - 1] = t->open[--t->opened];
}

/* A suspended wait leaves its jobs on the stack of its thread, and another thread runs jobs as the
 * same worker. So each job of the stack has a slice for each time that its thread is the worker. */
static void suspend(struct doze_export *x, const struct doze_event *e)
{
	struct tracks *t = x->own;
	int64_t pid = track_pid(e->host, e->vpid);

	for (size_t i = 0; i < t->opened; i++) {
		struct open_job *j = &t->open[i];

		if (j->pid != pid || j->vtid != e->vtid)
			continue;
		if (e->u.state.to == DOZE_STATE_suspended) {
			j->part++;
			job_slice(x, j, e->ts - 2 * (int64_t)j->depth);
		} else {
			j->from = e->ts;
			j->tid = track_tid(e->pool, e->worker) + JOBS;
		}
	}
}

static void job_event(struct doze_export *x, const struct doze_event *e)
{
	int64_t pid = track_pid(e->host, e->vpid);
	int64_t tid = track_tid(e->pool, e->worker) + JOBS;

	if (e->kind == DOZE_EV_job_start)
		job_start(x, e, pid, tid);
	else if (e->kind == DOZE_EV_job_end)
		job_end(x, e, pid, tid);
	else if (e->kind == DOZE_EV_worker_state &&
		 (e->u.state.to == DOZE_STATE_suspended || e->u.state.from == DOZE_STATE_suspended))
		suspend(x, e);
}

static int64_t waker_tid(const struct doze_wake *k)
{
	return k->waker >= 0 ? track_tid(k->target.pool, k->waker)
			     : track_outside(k->target.pool, k->waker_vtid);
}

static void name_outside(struct doze_export *x, const struct doze_wake *k)
{
	const struct doze_pool_view *p = doze_export_pool(x, &k->target);

	name_track(x, waker_tid(k), &k->target, "outside", k->waker_vtid,
		   doze_export_waker(x, p, k->waker_vtid));
}

/* Writes the start of an arrow. A worker's arrow starts at the slice of its state; for an outside
 * thread, a slice is added. */
static void arrow_begin(struct doze_export *x, const struct doze_wake *k, int64_t pid)
{
	bool inside = k->waker >= 0;
	int64_t tid = waker_tid(k);

	if (!inside) {
		name_outside(x, k);
		item_at(x, 'X', k->notified, pid, tid);
		fprintf(
		    x->out,
		    "\"dur\":0.001,\"name\":\"wake\",\"cat\":\"wake\",\"args\":{\"target\":%" PRId32
		    "}}",
		    k->target.index);
	}
	item_at(x, 's', k->notified, pid, tid);
}

static void arrow_rest(struct doze_export *x, const struct doze_wake *k, int64_t pid)
{
	fprintf(x->out,
		"\"name\":\"wake\",\"cat\":\"wake\",\"id\":\"%" PRId64 ".%" PRIu32 ".%" PRIu64
		"\",\"args\":{\"verdict\":\"%s\",\"cause\":\"%s\",\"decision_id\":%" PRIu64 "}}",
		pid, k->target.pool, k->wake_id, doze_verdict_name(k->verdict),
		doze_cause_name(k->cause), k->decision_id);
}

/* Writes a wake that woke no worker as an instant on its waker's track. */
static void wake_in_vain(struct doze_export *x, const struct doze_wake *k, int64_t pid)
{
	int64_t tid = waker_tid(k);

	if (k->waker < 0)
		name_outside(x, k);
	item_at(x, 'i', k->notified, pid, tid);
	fprintf(
	    x->out,
	    "\"s\":\"t\",\"name\":\"wake, no wakee\",\"cat\":\"wake\",\"args\":{\"verdict\":\"%s\","
	    "\"cause\":\"%s\",\"target\":%" PRId32 ",\"decision_id\":%" PRIu64 "}}",
	    doze_verdict_name(k->verdict), doze_cause_name(k->cause), k->target.index,
	    k->decision_id);
}

/* Writes an arrow for a wake that woke a worker, or an instant for one that did not. Writes nothing
 * for a self-wake, which has no waker. */
static void on_verdict(void *ctx, const struct doze_wake *k)
{
	struct doze_export *x = ctx;
	int64_t pid = track_pid(k->target.host, k->target.vpid);

	if (!k->notified)
		return;
	if (!k->awake) {
		wake_in_vain(x, k, pid);
		return;
	}
	arrow_begin(x, k, pid);
	arrow_rest(x, k, pid);
	item_at(x, 'f', k->awake, pid, track_tid(k->target.pool, k->target.index));
	fputs("\"bp\":\"e\",", x->out);
	arrow_rest(x, k, pid);
}

static void on_storm(void *ctx, const struct doze_storm *s)
{
	struct doze_export *x = ctx;
	int64_t pid = track_pid(s->host, s->vpid), tid = (int64_t)s->pool * TRACKS_PER_POOL;

	name_track(x, tid,
		   &(struct doze_worker_key){.host = s->host, .vpid = s->vpid, .pool = s->pool},
		   "storms", -1, NULL);
	item_at(x, 'X', s->from, pid, tid);
	time_field(x->out, "dur", s->to - s->from);
	if (is_crew(doze_model_pool(x->model, s->pool_row))) {
		fprintf(x->out,
			"\"name\":\"storm: %" PRIu32 " woken, at least %" PRIu32
			" in vain\",\"cat\":\"storm\",\"args\":{}}",
			s->woken, s->futile);
		return;
	}
	fprintf(x->out,
		"\"name\":\"storm: %" PRIu32 " woken, %" PRIu32
		" in vain\",\"cat\":\"storm\",\"args\":{\"cause\":\"%s\",\"jobs\":%" PRIu32
		",\"futile_search_wall_ns\":%" PRId64 "}}",
		s->woken, s->futile, doze_cause_name(s->cause), s->jobs, s->burnt);
}

static void counter(struct doze_export *x, const struct doze_pool_view *p, int64_t ts,
		    uint32_t sleeping, uint32_t inactive)
{
	struct tracks *t = x->own;
	uint64_t now = (uint64_t)sleeping << 32 | inactive;

	if (p->row < MAX_POOLS && t->counted[p->row] == now + 1)
		return;
	if (p->row < MAX_POOLS)
		t->counted[p->row] = now + 1;
	item_at(x, 'C', ts, track_pid(p->host, p->vpid), 0);
	fprintf(x->out,
		"\"name\":\"%s %" PRIu32 "\",\"args\":{\"%s\":%" PRIu32 ",\"%s\":%" PRIu32 "}}",
		is_crew(p) ? "crew" : "pool", p->pool, is_crew(p) ? "waiting" : "sleeping",
		sleeping, is_crew(p) ? "waiting or woken" : "inactive", inactive);
}

/* Returns the number of workers that will be in these states after the event, which the model has
 * not processed yet. */
static uint32_t after(const struct doze_pool_view *p, const struct doze_event *e, uint32_t states)
{
	uint32_t n = 0;

	for (int s = 0; s < DOZE_STATE_COUNT; s++)
		n += states & 1u << s ? p->in_state[s] : 0;
	if (states & 1u << e->u.state.from && n)
		n--;
	return n + (states >> e->u.state.to & 1);
}

/* Writes the counters of the word, which change at atomic steps. Under policies without such a
 * word, writes counters derived from the workers' states. */
static void count(struct doze_export *x, const struct doze_pool_view *p, const struct doze_event *e)
{
	const uint32_t asleep = 1u << DOZE_STATE_sleeping;
	const uint32_t inactive = asleep | 1u << DOZE_STATE_idle | 1u << DOZE_STATE_sleepy;

	if (p->layout.kind == DOZE_WORD_counters) {
		if (e->has_words && e->old_word != e->new_word)
			counter(x, p, e->ts, doze_word_sleeping(&p->layout, e->new_word),
				doze_word_inactive(&p->layout, e->new_word));
	} else if (e->kind == DOZE_EV_worker_state) {
		counter(x, p, e->ts, after(p, e, asleep), after(p, e, inactive));
	}
}

static void on_event(struct doze_export *x, const struct doze_event *e)
{
	const struct doze_pool_view *p;

	job_event(x, e);
	if (!e->has_words && e->kind != DOZE_EV_worker_state)
		return;
	p = doze_model_pool_of(x->model, e);
	if (p)
		count(x, p, e);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_export *x = ctx;

	(void)worker;
	item_at(x, 'i', ts, 0, (int64_t)pool * TRACKS_PER_POOL);
	fputs("\"s\":\"g\",\"cat\":\"mark\",\"name\":", x->out);
	doze_quote_json(x->out, text);
	fputc('}', x->out);
}

static void on_lost(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	struct doze_export *x = ctx;

	(void)from;
	item_at(x, 'i', to, 0, 0);
	fprintf(x->out, "\"s\":\"g\",\"cat\":\"lost\",\"name\":\"%" PRIu64 " events lost\"}",
		count);
}

static void name_process(struct doze_export *x, const struct doze_pool_view *p)
{
	int64_t pid = track_pid(p->host, p->vpid);

	if (!track_is_new(&tracks_of(x)->named, pid, -1))
		return;
	item(x);
	fprintf(x->out,
		"\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%" PRId64
		",\"args\":{\"name\":\"process %" PRId32 "\"",
		pid, p->vpid);
	if (!is_crew(p)) {
		fputs(",\"policy\":", x->out);
		doze_quote_json(x->out, p->policy);
	}
	fputs("}}", x->out);
}

static void end(struct doze_export *x)
{
	const struct tracks *t = x->own;

	for (size_t i = 0; x->own && i < doze_model_pools(x->model); i++)
		name_process(x, doze_model_pool(x->model, i));
	fprintf(x->out,
		"\n],\"otherData\":{\"origin_ns\":\"%" PRId64 "\",\"jobs_left_out\":\"%" PRIu64
		"\",\"trace\":",
		x->origin, t ? t->left_out + t->opened : 0);
	doze_quote_json(x->out, x->trace);
	fputs("}}\n", x->out);
	free(x->own);
}

const struct doze_export_format doze_export_perfetto = {
    .name = "perfetto",
    .what = "JSON for ui.perfetto.dev: state slices, counters, an arrow per woken worker",
    .listener = {.on_interval = on_interval,
		 .on_verdict = on_verdict,
		 .on_storm = on_storm,
		 .on_mark = on_mark,
		 .on_lost = on_lost},
    .begin = begin,
    .event = on_event,
    .end = end,
};
