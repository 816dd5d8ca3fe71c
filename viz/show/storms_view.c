/*
 * SPDX-License-Identifier: MIT
 *
 * storms_view.c - the view `storms`: keeps the storms and the critical paths of a trace, up to a
 * limit, and prints the summary.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../explain/diagnose.h"
#include "../explain/symbols.h"
#include "../model/checker.h"
#include "../model/path.h"
#include "../trace/grow.h"
#include "../trace/manifest.h"
#include "../trace/policies.h"
#include "../trace/utf8.h"
#include "../words/complain.h"
#include "../words/pool_words.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "fail_if.h"
#include "load_trace.h"
#include "selected.h"
#include "storms.h"
#include "view.h"

static void on_storm(void *ctx, const struct doze_storm *s)
{
	struct doze_storm_log *l = ctx;
	struct doze_storm *more = NULL;

	if (l->count < DOZE_STORMS_KEPT)
		more = doze_grow(l->storm, &l->capacity, l->count, sizeof *more);
	if (!more) {
		l->left_out++;
		return;
	}
	l->storm = more;
	more[l->count++] = *s;
}

/* Moves the thread with the most work from the path to the line. outside: consider only outside
 * threads. */
static void take_top(struct doze_path_line *l, struct doze_path *p, int k, bool outside)
{
	uint32_t best = p->named;

	for (uint32_t i = 0; i < p->named; i++)
		if ((best == p->named || p->work[i].ns > p->work[best].ns) &&
		    !(outside && p->work[i].worker >= 0))
			best = i;
	if (best == p->named)
		return;
	l->top[k].worker = p->work[best].worker;
	l->top[k].vtid = p->work[best].vtid;
	l->top[k].ns = p->work[best].ns;
	p->work[best].ns = 0;
}

/* Returns whether a path is inside the selected range. Other paths are not shown, because their
 * waits may end outside the range. */
static bool is_inside(struct doze_storm_log *l, int64_t from, int64_t to)
{
	int64_t origin = doze_model_totals(l->model)->first_ts;
	const struct doze_selection *s = doze_selection_of(l->model);

	from -= origin;
	to -= origin;
	if (from >= s->from && to <= s->to)
		return true;
	l->paths_cut += to > s->from && from < s->to;
	return false;
}

static void keep_path(struct doze_storm_log *l, uint32_t row, int64_t ts)
{
	struct doze_path p;
	struct doze_path_line *line;

	if (l->paths == DOZE_PATHS_KEPT || !doze_path_of(l->model, row, ts, &p) || p.to <= p.from)
		return;
	if (!is_inside(l, p.from, p.to))
		return;
	line = &l->path[l->paths++];
	*line =
	    (struct doze_path_line){.pool_row = row, .from = p.from, .to = p.to, .last = p.last};
	memcpy(line->part, p.part, sizeof line->part);
	memcpy(line->phase, l->phase, sizeof line->phase);
	/* The busiest outside thread is always named, because the pool waits for it. */
	take_top(line, &p, DOZE_PATH_TOP - 1, true);
	for (int k = 0; k < DOZE_PATH_TOP - 1; k++)
		take_top(line, &p, k, false);
	if (line->top[DOZE_PATH_TOP - 1].ns <= 0)
		take_top(line, &p, DOZE_PATH_TOP - 1, false);
	line->others = p.others;
	for (uint32_t i = 0; i < p.named; i++)
		line->others += p.work[i].ns;
}

static void end_phase(struct doze_storm_log *l, int64_t ts)
{
	for (uint32_t i = 0; l->model && i < doze_model_pools(l->model); i++)
		keep_path(l, i, ts);
}

static void on_mark(void *ctx, int64_t ts, uint32_t pool, int32_t worker, const char *text)
{
	struct doze_storm_log *l = ctx;

	(void)pool, (void)worker;
	end_phase(l, ts);
	doze_utf8_copy(l->phase, sizeof l->phase, text);
}

const struct doze_model_listener doze_storm_listener = {.on_storm = on_storm, .on_mark = on_mark};

uint32_t doze_storms_cpus(const char *trace)
{
	return trace ? doze_manifest_cpus(trace) : 0;
}

struct doze_model *doze_storm_log_open(struct doze_storm_log *l,
				       const struct doze_model_options *limits, const char *trace)
{
	struct doze_model *m =
	    doze_with_paths(doze_model_new_with(limits, &doze_storm_listener, l));

	l->model = doze_with_diagnosis(doze_with_checker(m));
	if (l->model)
		doze_diagnosis_cpus(l->model, doze_storms_cpus(trace));
	return l->model;
}

void doze_storm_log_finish(struct doze_storm_log *l)
{
	if (l->model && !l->ended)
		end_phase(l, doze_model_totals(l->model)->last_ts);
	l->ended = true;
}

/* Saves or loads what follows the model and the symbols. */
static void rest_saved(struct doze_storm_log *l, struct doze_saved *s)
{
	doze_diagnosis_saved(l->model, s);
	(void)doze_saved_array(s, l->storm, l->count);
	(void)doze_saved_value(s, l->left_out);
	(void)doze_saved_value(s, l->path);
	(void)doze_saved_value(s, l->paths);
	(void)doze_saved_value(s, l->paths_cut);
	/* A loaded model cannot say that paths are missing. */
	if (doze_paths_missing(l->model))
		(void)doze_saved_fail(s);
	l->capacity = s->loads ? l->count : l->capacity;
}

void doze_storm_log_saved(struct doze_storm_log *l, struct doze_saved *s)
{
	doze_storm_log_finish(l);
	(void)doze_model_saved(l->model, s);
	doze_symbols_saved(l->model, s);
	rest_saved(l, s);
}

void doze_storm_log_rest(struct doze_storm_log *l, struct doze_saved *s)
{
	struct doze_storm_log whole = {.model = l->model};

	rest_saved(&whole, s);
	if (s->failed || whole.paths >= DOZE_PATHS_KEPT) /* further paths are not known */
		(void)doze_saved_fail(s);
	for (size_t i = 0; i < whole.paths && !s->failed; i++)
		if (is_inside(l, whole.path[i].from, whole.path[i].to))
			l->path[l->paths++] = whole.path[i];
	l->ended = true;
	doze_storm_log_free(&whole);
}

void doze_storm_log_free(struct doze_storm_log *l)
{
	free(l->storm);
	*l = (struct doze_storm_log){0};
}

const struct doze_storm *doze_storm_worst(const struct doze_storm_log *l)
{
	const struct doze_storm *worst = NULL;

	for (size_t i = 0; i < l->count; i++)
		if (!worst || l->storm[i].burnt > worst->burnt)
			worst = &l->storm[i];
	return worst;
}

/* ---- The summary ---- */

#define REDUNDANT_MIN 0.1 /* minimum share of redundant wakes that is mentioned */
#define ADVICES       4

/* Prints how many workers the decision woke. If the storm has several decisions, which may wake the
 * same worker more than once, prints the number of wakes instead. */
static void print_woken(const struct doze_storm *s, const struct doze_model *m, FILE *out)
{
	const char *for_jobs = doze_plural(s->jobs, "job");

	if (s->decisions == 1) {
		fprintf(out, "woke %s for %s.\n", doze_plural(s->woken, "worker"), for_jobs);
		return;
	}
	fprintf(out, "was the first of %s, ", doze_plural(s->decisions, "decision"));
	fprintf(out, "each at most %s after the previous one; together they made %s for %s.\n",
		doze_duration(doze_model_limits(m)->storm_merge_ns), doze_plural(s->woken, "wake"),
		for_jobs);
}

/* Prints the verdicts on the storm's wakes, the futile ones first. */
static void print_verdicts(const struct doze_storm *s, FILE *out)
{
	fprintf(out, "%s of them found no job and fell asleep again, after %s of futile search",
		doze_count(s->futile), doze_duration(s->burnt));
	if (s->useful)
		fprintf(out, "; %s found a job", doze_count(s->useful));
	if (s->latch)
		fprintf(out, "; %s reached the owner of a set latch", doze_count(s->latch));
	if (s->unresolved)
		fprintf(out, "; %s unresolved", doze_count(s->unresolved));
	fputs(".\n", out);
}

static void print_worst(const struct doze_storm *s, const struct doze_model *m, FILE *out)
{
	const char *pool = doze_pool_words(m, s->pool_row);

	fprintf(out, "The worst storm, at %s%s%s: %s by %s ",
		doze_position(s->from - doze_model_totals(m)->first_ts, DOZE_LISTED),
		*pool ? " in " : "", pool, doze_cause_phrase(s->cause),
		doze_waker_phrase(m, s->pool_row, s->waker, s->waker_vtid));
	print_woken(s, m, out);
	if (s->caller)
		fprintf(out, "Posted at %s.\n",
			doze_symbols_line(m, doze_model_pool(m, s->pool_row), s->caller));
	print_verdicts(s, out);
}

static void print_cost(const struct doze_model *m, FILE *out)
{
	const struct doze_storm_measures *s = &doze_model_measures(m)->storm;
	double awake = (double)doze_model_time_in(m, DOZE_STATE_active) +
		       (double)doze_model_time_in(m, DOZE_STATE_idle) +
		       (double)doze_model_time_in(m, DOZE_STATE_sleepy);

	fprintf(out, "All storms together: %s in vain, %s of search (wall time, not CPU time)",
		doze_plural(s->futile, "wake"), doze_duration(s->burnt));
	/* Storms may also have woken workers outside the selection. */
	if (doze_selection_by_worker(doze_selection_of(m)))
		fputs(" by all the workers that they woke.\n", out);
	else
		fprintf(out, ", %s of the time that workers were awake.\n",
			doze_share((double)s->burnt, awake));
}

/* Returns the most common cause of the pool's storms. */
static enum doze_cause main_cause(const struct doze_storm_log *l, uint32_t row)
{
	uint64_t n[DOZE_CAUSE_COUNT] = {0};
	enum doze_cause best = DOZE_CAUSE_none;

	for (size_t i = 0; i < l->count; i++)
		n[l->storm[i].cause] += l->storm[i].pool_row == row;
	for (int c = 0; c < DOZE_CAUSE_COUNT; c++)
		if (n[c] > n[best])
			best = (enum doze_cause)c;
	return best;
}

static const char *advice_for(const struct doze_storm_log *l, const struct doze_model *m, size_t i)
{
	enum doze_cause c = main_cause(l, (uint32_t)i);

	return c ? doze_policy_advice(doze_policy_descriptor(doze_model_pool(m, i)->policy), c,
				      true)
		 : NULL;
}

/* Prints the advice for each pool, but never the same advice twice. */
static void print_advice(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	const char *given[ADVICES], *text;
	size_t n = 0, old;

	for (size_t i = 0; i < doze_model_pools(m) && n < ADVICES; i++) {
		text = advice_for(l, m, i);
		for (old = 0; old < n && given[old] != text; old++)
			;
		if (!text || old < n)
			continue;
		given[n++] = text;
		fprintf(out, "What to change: %s.\n", text);
	}
}

/* Returns whether there are resolved wakes, from which the futile ratio is computed. */
static bool any_resolved(const struct doze_totals *t)
{
	for (int v = DOZE_VERDICT_redundant; v < DOZE_VERDICT_COUNT; v++)
		if (t->verdicts[v] && v != DOZE_VERDICT_self)
			return true;
	return false;
}

static void print_totals(const struct doze_model *m, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	uint64_t jobs = t->jobs_published > t->jobs_run ? t->jobs_published : t->jobs_run;

	fputs(doze_plural(t->wakes, "wake"), out);
	if (doze_selection_by_worker(doze_selection_of(m)))
		fprintf(out, " of %s", doze_selection_who(doze_selection_of(m)));
	else
		fprintf(out, " for %s", doze_plural(jobs, "job"));
	if (any_resolved(t))
		fprintf(out, "; %s of the resolved wakes were futile.\n",
			doze_share(doze_model_futile_ratio(m), 1));
	else
		fputs(t->wakes ? "; none is resolved.\n" : ".\n", out);
}

/* Prints the number of storms and the length of the selected part: "3 wakeup storms in 1.20 s." */
static void print_count(const struct doze_model *m, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	const char *why = doze_inconclusive(m);

	fputs(t->storms ? doze_plural(t->storms, "wakeup storm") : "No wakeup storm", out);
	if (!t->storms && why)
		fprintf(out, ", but inconclusive (%s),", why);
	fprintf(out, " %s", doze_selection_when(doze_selection_of(m), t));
	if (doze_selection_by_worker(doze_selection_of(m)))
		fprintf(out, " that %s caused or %s woken in",
			doze_selection_who(doze_selection_of(m)),
			doze_selection_is_plural(doze_selection_of(m)) ? "were" : "was");
	fputs(".\n", out);
	if (t->storms && why)
		fprintf(out, "There may be more: %s.\n", why);
}

static enum doze_cause most_common(const struct doze_measures *s, enum doze_verdict v)
{
	enum doze_cause best = DOZE_CAUSE_none;

	for (int c = 0; c < DOZE_CAUSE_COUNT; c++)
		if (s->verdicts[c][v] > s->verdicts[best][v])
			best = (enum doze_cause)c;
	return best;
}

/* Returns the policy of all pools, or doze_policy_unknown if they differ. */
static const struct doze_policy_descriptor *common_policy(const struct doze_model *m)
{
	const char *policy = NULL;

	for (size_t i = 0; i < doze_model_pools(m); i++) {
		const char *other = doze_model_pool(m, i)->policy;

		if (policy && strcmp(policy, other) != 0)
			return &doze_policy_unknown;
		policy = other;
	}
	return doze_policy_descriptor(policy ? policy : "?");
}

static const char *part_of(uint64_t these, uint64_t all)
{
	return these == all ? "all" : doze_share((double)these, (double)all);
}

/* Explains futile wakes when there is no storm, because a futile ratio near 1 without any storm
 * looks like a contradiction. */
static void print_futile(const struct doze_model *m, FILE *out)
{
	const struct doze_measures *s = doze_model_measures(m);
	enum doze_cause c = most_common(s, DOZE_VERDICT_futile);
	uint64_t all = doze_model_totals(m)->verdicts[DOZE_VERDICT_futile];
	uint64_t these = s->verdicts[c][DOZE_VERDICT_futile];

	if (doze_model_futile_ratio(m) <= 0.5)
		return;
	fprintf(out, "%s were futile; %s of them were caused by %s.\n",
		doze_inconclusive(m) ? "Most resolved wakes" : "There is no storm, but most wakes",
		part_of(these, all), doze_cause_phrase(c));
	fprintf(out, "What to change: %s.\n", doze_policy_advice(common_policy(m), c, false));
}

/* Reports redundant wakes. They cost the waker as much as other wakes, but wake no worker. */
static void print_redundant(const struct doze_model *m, FILE *out)
{
	const struct doze_measures *s = doze_model_measures(m);
	const struct doze_totals *t = doze_model_totals(m);
	uint64_t all = t->verdicts[DOZE_VERDICT_redundant];
	enum doze_cause c = most_common(s, DOZE_VERDICT_redundant);
	uint64_t these = s->verdicts[c][DOZE_VERDICT_redundant];

	if ((double)all < REDUNDANT_MIN * (double)t->wakes || !all)
		return;
	fprintf(
	    out,
	    "%s of the wakes %s redundant, because they woke no worker; %s were caused by %s.\n",
	    doze_count(all), all == 1 ? "is" : "are", part_of(these, all), doze_cause_phrase(c));
	fprintf(out, "Why: %s.\n", doze_policy_redundant(common_policy(m)));
}

static void answer(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	const struct doze_storm_measures *s = &doze_model_measures(m)->storm;
	const struct doze_storm *w = doze_storm_worst(l);

	print_count(m, out);
	if (w)
		print_worst(w, m, out);
	if (t->storms)
		print_cost(m, out);
	print_totals(m, out);
	if (t->storms)
		print_advice(l, m, out);
	else
		print_futile(m, out);
	print_redundant(m, out);
	if (s->unresolved)
		fprintf(out, "%s may have caused storms: events were lost.\n",
			doze_plural(s->unresolved, "further decision"));
}

const char *doze_storms_verdict(const struct doze_model *m)
{
	const struct doze_selection *s = doze_selection_of(m);
	int64_t first = doze_model_totals(m)->first_ts;

	if (doze_selection_by_worker(s))
		return "";
	return doze_verdict_on(m, first + s->from,
			       s->to > DOZE_TS_MAX - first ? INT64_MAX : first + s->to);
}

/* Prints the verdict of the diagnosis, because storms may be the least of the trace's problems. */
static void print_verdict(const struct doze_model *m, FILE *out)
{
	const char *verdict = doze_storms_verdict(m);

	if (*verdict)
		fprintf(out, "%s\n\n", verdict);
}

void doze_storms_answer(const struct doze_storm_log *l, const struct doze_model *m, FILE *out)
{
	struct doze_wrapped w;

	if (doze_model_is_foreign(m)) {
		doze_storms_foreign_answer(l, m, out);
		return;
	}
	print_verdict(m, doze_wrap_begin(&w, out));
	doze_wrap_end(&w);

	answer(l, m, doze_wrap_begin(&w, out));
	doze_wrap_end(&w);
}

/* ---- The view ---- */

struct storms {
	struct doze_model_options limits;
	struct doze_storm_log log;
	struct doze_fail_if fail_if;
	bool histograms, brief;
};

static const struct storms defaults = {.limits = DOZE_MODEL_DEFAULTS};

#define AT(field) .offset = offsetof(struct storms, field)
static const struct doze_view_option options[] = {
    {.option = {"histogram", 0, NULL, "also draw the log-2 histograms of the latencies",
		doze_check_flag, NULL},
     AT(histograms)},
    {.option = {"brief", 0, NULL, "print only the summary, without the tables", doze_check_flag,
		NULL},
     AT(brief)},
    {.option = {"fail-if", 0, "COND",
		"exit with code 1 if COND holds, e.g. 'futile>0.5'; may be repeated",
		doze_check_condition, NULL},
     AT(fail_if),
     .only = DOZE_VIEW_COMMAND},
    {.option = {"storm-wakes", 0, "N", "a storm wakes at least N workers (default 4)",
		doze_check_count, NULL},
     AT(limits.storm_min_wakes)},
    {.option = {"storm-share", 0, "R",
		"and at least this share of the pool's workers (default 0.5)", doze_check_ratio,
		NULL},
     AT(limits.storm_min_share)},
    {.option = {"storm-futile", 0, "R",
		"and at least this share of its wakes is futile (default 0.5)", doze_check_ratio,
		NULL},
     AT(limits.storm_min_futile)},
    {.option = {"storm-merge", 0, "TIME",
		"decisions at most TIME apart count as one storm (default 1ms)",
		doze_check_duration, NULL},
     AT(limits.storm_merge_ns)},
    {.option = {0}},
};
#undef AT

static const char *storms_refuse(const void *state, const struct doze_view_request *r)
{
	static char text[120];
	const char *condition = doze_fail_if_of_all(&((const struct storms *)state)->fail_if);

	if (!condition || !doze_selection_by_worker(&r->selection))
		return NULL;
	snprintf(
	    text, sizeof text,
	    "--worker: --fail-if=%s applies to all workers together: omit one of the two options",
	    condition);
	return text;
}

/* The sizes of storms are options, and storms are found while the trace is read. */
static bool usual_sizes(const void *state)
{
	static const struct doze_model_options usual = DOZE_MODEL_DEFAULTS;
	const struct doze_model_options *o = &((const struct storms *)state)->limits;

	return o->storm_min_wakes == usual.storm_min_wakes &&
	       o->storm_min_share == usual.storm_min_share &&
	       o->storm_min_futile == usual.storm_min_futile &&
	       o->storm_merge_ns == usual.storm_merge_ns;
}

static bool storms_part(const void *state, const struct doze_view_request *r,
			struct doze_selection *range)
{
	(void)r, (void)range;
	return usual_sizes(state);
}

static bool storms_whole(const void *state, const struct doze_view_request *r)
{
	return !doze_view_part_option(r) && !doze_selection_by_pool(&r->selection) &&
	       usual_sizes(state);
}

static void storms_saved(void *state, struct doze_saved *s)
{
	doze_storm_log_saved(&((struct storms *)state)->log, s);
}

static void storms_rest(void *state, struct doze_saved *s)
{
	doze_storm_log_rest(&((struct storms *)state)->log, s);
}

static struct doze_model *storms_open(void *state, const struct doze_view_request *r)
{
	struct storms *s = state;

	s->limits.selection = r->selection;
	return doze_storm_log_open(&s->log, &s->limits, r->trace);
}

static void storms_print(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	struct storms *s = state;

	doze_storm_log_finish(&s->log);
	if (r->json) {
		doze_storms_json(&s->log, m, r->trace, r->out);
		return;
	}
	doze_storms_answer(&s->log, m, r->out);
	if (!s->brief)
		doze_storms_tables(&s->log, m, s->histograms, r->out);
}

static int storms_judge(const void *state, const struct doze_model *m)
{
	return doze_fail_if_judge(&((const struct storms *)state)->fail_if, m);
}

static void storms_close(void *state)
{
	doze_storm_log_free(&((struct storms *)state)->log);
}

const struct doze_view doze_storms_view = {
    .name = "storms",
    .options = options,
    .size = sizeof(struct storms),
    .defaults = &defaults,
    .refuse = storms_refuse,
    .open = storms_open,
    .whole = storms_whole,
    .saved = storms_saved,
    .part = storms_part,
    .rest = storms_rest,
    .print = storms_print,
    .json = storms_print,
    .judge = storms_judge,
    .close = storms_close,
};
