/*
 * SPDX-License-Identifier: MIT
 *
 * storms_answer.c - prints the summary at the top of the storm report.
 */
#include <inttypes.h>
#include <string.h>

#include "../explain/diagnose.h"
#include "../explain/symbols.h"
#include "../trace/policies.h"
#include "../words/pool_words.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "inconclusive.h"
#include "selection_text.h"
#include "storms.h"

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
