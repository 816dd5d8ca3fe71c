/*
 * SPDX-License-Identifier: MIT
 *
 * check_view.c - the view `check`, which checks that the pools of a trace obey the protocol of
 * their policies.
 *
 * It keeps a ring of the latest events, and copies for each finding the events that concern it: the
 * events of its worker, the wakes that target the worker and the latches that it owns, or all
 * events of the pool if the finding names no worker. Events become text only when they are printed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../explain/symbols.h"
#include "../model/checker.h"
#include "../trace/policies.h"
#include "../words/complain.h"
#include "../words/event_text.h"
#include "../words/quote.h"
#include "../words/rule_text.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "check_view.h"
#include "load_trace.h"
#include "selected.h"
#include "view.h"

enum {
	RING_EVENTS = 256, /* a larger ring would not fit into the cache */
	PAST_EVENTS = 8,   /* minimum number of earlier events to keep, if there are enough */
	FINDING_RULES = 48,
	FINDING_FOLLOWS = 6, /* maximum number of rules listed as consequences of one finding */
};

struct rule_count {
	const char *rule; /* a string constant; not owned */
	uint64_t n;
};

struct finding_item {
	struct doze_finding finding;
	/* the rules that were violated as a consequence; an unused entry has a null rule */
	struct rule_count follows[FINDING_FOLLOWS];
	uint64_t consequences;
	struct doze_event event[DOZE_FINDING_EVENTS]; /* copies, without strings */
	size_t events, past;            /* the first `past` events are not later than the finding */
	bool mark[DOZE_FINDING_EVENTS]; /* whether this is the finding's own event */
	/* number (see `seen`) of the last event that may still be added */
	uint64_t ends;
};

struct doze_findings {
	size_t max, count, complete; /* items before `complete` collect no further events */
	struct finding_item *item;   /* owned */
	struct rule_count by_rule[FINDING_RULES];
	int64_t origin; /* ts of the first event */
	uint64_t seen;
	struct doze_event ring[RING_EVENTS];
};

struct doze_findings *doze_findings_new(size_t max)
{
	struct doze_findings *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->max = max;
	f->item = calloc(max ? max : 1, sizeof *f->item);
	if (!f->item) {
		free(f);
		return NULL;
	}
	return f;
}

void doze_findings_free(struct doze_findings *f)
{
	if (!f)
		return;
	free(f->item);
	free(f);
}

static bool concerns(const struct doze_worker_key *who, const struct doze_event *e)
{
	if (e->pool != who->pool || e->vpid != who->vpid || e->host != who->host ||
	    e->kind == DOZE_EV_snapshot)
		return false;
	return who->index < 0 || e->worker == who->index ||
	       (e->kind == DOZE_EV_wake && e->u.wake.target == who->index) ||
	       (e->kind == DOZE_EV_latch && e->u.latch.owner == who->index);
}

/* Counts a finding under its rule. In unused entries of the table, the rule is null. */
static void count_rule(struct rule_count *table, size_t size, const char *rule)
{
	for (size_t i = 0; i < size; i++) {
		if (table[i].rule && strcmp(table[i].rule, rule) != 0)
			continue;
		table[i].rule = rule;
		table[i].n++;
		return;
	}
}

/* Returns the pool's latest event at the time of the finding, preferably a post, a wake or a latch
 * event. The event may belong to another worker: for example, the post that failed to wake this
 * one. */
static const struct doze_event *about(const struct doze_findings *f, const struct doze_finding *x)
{
	const struct doze_event *any = NULL;

	for (uint64_t i = 0; i < RING_EVENTS && i < f->seen; i++) {
		const struct doze_event *e = &f->ring[(f->seen - 1 - i) % RING_EVENTS];
		struct doze_worker_key pool = x->who;

		pool.index = -1;
		if (e->ts != x->about || !concerns(&pool, e))
			continue;
		if (e->kind == DOZE_EV_post || e->kind == DOZE_EV_wake || e->kind == DOZE_EV_latch)
			return e;
		any = any ? any : e;
	}
	return any;
}

/* Copies events that precede the finding from the ring, newest first, then reverses their order.
 * Fills all slots; drop_oldest later frees some of them for events after the finding. The finding's
 * own event is always included. */
static void take_past(const struct doze_findings *f, struct finding_item *it)
{
	const struct doze_event *found[DOZE_FINDING_EVENTS], *key = about(f, &it->finding);
	size_t n = 0, slots = DOZE_FINDING_EVENTS;
	bool seen = !key;

	for (uint64_t i = 0; i < RING_EVENTS && i < f->seen && n < slots; i++) {
		const struct doze_event *e = &f->ring[(f->seen - 1 - i) % RING_EVENTS];

		if (n + 1 == slots && !seen && e != key)
			continue;
		/* The ring may contain later events, because some findings are detected late. */
		if (e == key || (e->ts <= it->finding.ts && concerns(&it->finding.who, e)))
			found[n++] = e;
		seen |= e == key;
	}
	while (n) {
		it->mark[it->events] = found[--n] == key;
		it->event[it->events++] = *found[n];
	}
	it->past = it->events;
}

/* Frees a slot for a later event by dropping the oldest one, but never the finding's own event.
 * Returns false if too few earlier events would remain. */
static bool drop_oldest(struct finding_item *it)
{
	size_t i = it->mark[0], n = it->events - i - 1;

	if (it->events < DOZE_FINDING_EVENTS)
		return true;
	if (it->past <= PAST_EVENTS)
		return false;
	memmove(&it->event[i], &it->event[i + 1], n * sizeof it->event[0]);
	memmove(&it->mark[i], &it->mark[i + 1], n * sizeof it->mark[0]);
	it->mark[it->events - 1] = false;
	it->events--;
	it->past--;
	return true;
}

static void on_finding(void *ctx, const struct doze_finding *finding)
{
	struct doze_findings *f = ctx;
	struct finding_item *it;

	count_rule(f->by_rule, FINDING_RULES, finding->rule);
	if (f->count == f->max)
		return;
	it = &f->item[f->count++];
	it->finding = *finding;
	it->ends = f->seen + RING_EVENTS;
	take_past(f, it);
}

/* The model numbers the findings from 1, in the order of f->item. */
static void on_consequence(void *ctx, const struct doze_finding *finding)
{
	struct doze_findings *f = ctx;
	struct finding_item *it = finding->cause <= f->count ? &f->item[finding->cause - 1] : NULL;

	if (!it)
		return;
	it->consequences++;
	count_rule(it->follows, FINDING_FOLLOWS, finding->rule);
}

const struct doze_model_listener doze_findings_listener = {.on_finding = on_finding,
							   .on_consequence = on_consequence};

void doze_findings_before(struct doze_findings *f, const struct doze_event *e)
{
	if (!f->seen)
		f->origin = e->ts;
	f->ring[f->seen++ % RING_EVENTS] = *e;
}

static bool is_full(const struct finding_item *it)
{
	return it->events == DOZE_FINDING_EVENTS && it->past <= PAST_EVENTS;
}

/* Adds the event to the findings that are still collecting later events. */
void doze_findings_after(struct doze_findings *f, const struct doze_event *e)
{
	for (size_t i = f->complete; i < f->count; i++) {
		struct finding_item *it = &f->item[i];

		if (e->ts > it->finding.ts && concerns(&it->finding.who, e) && drop_oldest(it))
			it->event[it->events++] = *e;
	}
	while (f->complete < f->count &&
	       (is_full(&f->item[f->complete]) || f->item[f->complete].ends < f->seen))
		f->complete++;
}

/* ---- Text and JSON ---- */

static struct doze_wording wording(const struct doze_model *m, const struct doze_worker_key *who)
{
	size_t guess = 0;

	return (struct doze_wording){.model = m,
				     .pool = doze_pool_of_key(m, who, &guess),
				     .decisions = true,
				     .place = doze_symbols_line};
}

/* Example: "w3   sleepy -> sleeping (rounds)  [1/2/4 => 2/2/4]" */
static const char *evidence(char *out, size_t size, const struct doze_event *e,
			    const struct doze_wording *as)
{
	bool crew = as->pool && doze_pool_is_crew(as->pool);
	char what[DOZE_EVENT_LINE], old[48], new[48];
	int n;

	doze_event_text(what, sizeof what, e, as, NULL);
	if (e->worker >= 0)
		n = snprintf(out, size, "%c%-3d %s", crew ? 't' : 'w', e->worker, what);
	else
		n = snprintf(out, size, "out  %s", what);
	if (!e->has_words || !as->pool || crew || as->pool->layout.kind == DOZE_WORD_none ||
	    n < 0 || (size_t)n >= size)
		return out;
	doze_word_text(old, sizeof old, as->pool, e->old_word);
	doze_word_text(new, sizeof new, as->pool, e->new_word);
	snprintf(out + n, size - (size_t)n, "  [%s%s%s]", old,
		 e->old_word == e->new_word ? "" : " => ", e->old_word == e->new_word ? "" : new);
	return out;
}

enum { EVIDENCE = DOZE_EVENT_LINE + 112 };

#define EVENT_INDENT 26 /* column at which an event's text begins */

/* Prints times in nanoseconds, because the events around a finding are often less than a
 * microsecond apart. */
static void print_event(const struct doze_findings *f, const struct finding_item *it, size_t i,
			const struct doze_wording *as, FILE *out)
{
	const struct doze_event *e = &it->event[i];
	char text[EVIDENCE], line[EVIDENCE + 32], *word;

	snprintf(line, sizeof line, "  %c %15s  %s\n", it->mark[i] ? '>' : ' ',
		 doze_position(e->ts - f->origin, 1), evidence(text, sizeof text, e, as));
	word = strlen(line) > DOZE_TEXT_COLUMNS + 1 ? strstr(line, "  [") : NULL;
	if (word)
		*word = 0;
	doze_wrap(out, line, EVENT_INDENT);
	if (word)
		fprintf(out, "\n%*s%s", EVENT_INDENT, "", word + 2);
}

static bool any_mark(const struct doze_findings *f)
{
	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->item[i].events; k++)
			if (f->item[i].mark[k])
				return true;
	return false;
}

/* Explains the symbols and numbers next to the listed events. The numbers in brackets have the same
 * format for all policies with a counters word. */
static void print_key(const struct doze_findings *f, const struct doze_model *m, FILE *out)
{
	const struct doze_pool_view *p = doze_model_pools(m) ? doze_model_pool(m, 0) : NULL;
	bool word = p && p->layout.kind == DOZE_WORD_counters && !doze_pool_is_crew(p);
	struct doze_wrapped w;
	FILE *to = doze_wrap_begin(&w, out);

	if (any_mark(f))
		fputs("Below, > marks the event that the finding is about.\n", to);
	if (word)
		fprintf(to, "[%s] is the counters word; => shows the change made by the event.\n",
			doze_pool_has_jec(p) ? "sleeping/inactive/JEC" : "sleeping/inactive");
	doze_wrap_end(&w);
}

/* Returns whether missing events or the order of timestamps may explain a finding. */
static bool is_ambiguous(const struct doze_finding *x, const struct doze_model *m)
{
	return x->ambiguous || (doze_model_totals(m)->missing && !x->certain);
}

/* Prints the consequences of the finding. */
static void print_follows(const struct finding_item *it, FILE *out)
{
	struct doze_wrapped w;
	FILE *to;

	if (!it->consequences)
		return;
	to = doze_wrap_begin(&w, out);
	fprintf(to, "   Followed by %s:", doze_plural(it->consequences, "consequence"));
	for (size_t i = 0; i < FINDING_FOLLOWS && it->follows[i].rule; i++)
		fprintf(to, "%s %s %s", i ? "," : "", it->follows[i].rule,
			doze_count(it->follows[i].n));
	fputs(".\n", to);
	doze_wrap_end(&w);
}

static void print_item(const struct doze_findings *f, size_t i, const struct doze_model *m,
		       FILE *out)
{
	const struct finding_item *it = &f->item[i];
	const struct doze_finding *x = &it->finding;
	const struct doze_wording as = wording(m, &x->who);
	bool crew = as.pool && doze_pool_is_crew(as.pool);
	char text[512], who[32] = "";

	if (x->who.index >= 0)
		snprintf(who, sizeof who, ", %s %d", crew ? "thread" : "worker", x->who.index);
	snprintf(text, sizeof text, "\n%zu. %s%s, %s %u%s, at %s: %s\n", i + 1, x->rule,
		 is_ambiguous(x, m) ? " (ambiguous)" : "", crew ? "crew" : "pool", x->who.pool, who,
		 doze_position(x->ts - f->origin, 1), x->text);
	doze_wrap(out, text, 3);
	if (*doze_rule_text(x->rule) && !crew) {
		snprintf(text, sizeof text, "   The rule: %s\n", doze_rule_text(x->rule));
		doze_wrap(out, text, 3);
	}
	print_follows(it, out);
	for (size_t k = 0; k < it->events; k++)
		print_event(f, it, k, &as, out);
}

static void print_pools(const struct doze_model *m, FILE *out)
{
	for (size_t i = 0; i < doze_model_pools(m) && i < 8; i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);

		if (doze_pool_is_crew(p))
			fprintf(out, "%screw '%s' of %s", i ? ", " : "", p->name,
				doze_plural(p->workers, "thread"));
		else
			fprintf(out, "%s%s with %s", i ? ", " : "", p->policy,
				doze_plural(p->workers, "worker"));
	}
	if (doze_model_pools(m) > 8)
		fprintf(out, " and %zu more", doze_model_pools(m) - 8);
}

static void print_counts(const struct doze_findings *f, FILE *out)
{
	for (size_t i = 0; i < FINDING_RULES && f->by_rule[i].rule; i++)
		fprintf(out, "  %-13s %s\n", f->by_rule[i].rule, doze_count(f->by_rule[i].n));
}

/* Lists the rules that were not checked because they need every job, if the trace lacks some. */
static void print_not_judged(const struct doze_model *m, FILE *out)
{
	char text[256];

	if (doze_model_totals(m)->jobs_level || !doze_model_pools(m) || doze_model_is_foreign(m))
		return;
	snprintf(text, sizeof text,
		 "Not checked: job-lost. Checked only for recorded jobs: job-once and job-end. "
		 "Level %s does not record every job (record with --detail all).\n",
		 doze_model_level(m));
	doze_wrap(out, text, 0);
}

/* The number of confirmed findings, and of findings that may have another explanation. */
struct judged {
	uint64_t findings, ambiguous;
	const char *may_be;
};

static struct judged judged(const struct doze_totals *t)
{
	if (t->missing)
		return (struct judged){t->certain, t->findings - t->certain + t->ambiguous,
				       "an effect of missing events"};
	return (struct judged){t->findings, t->ambiguous, "an effect of timestamp order"};
}

/* Returns the name of a policy that this version does not know and that was therefore checked only
 * against the common rules. Returns null if there is none. */
static const char *unknown_policy(const struct doze_model *m)
{
	for (size_t i = 0; i < doze_model_pools(m); i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);

		if (p->rules == &doze_policy_unknown && strcmp(p->policy, "?") != 0)
			return p->policy;
	}
	return NULL;
}

/* Returns why the absence of findings proves nothing, or null if it is conclusive. */
static const char *inconclusive(const struct doze_model *m)
{
	static char text[96];
	const char *why = doze_inconclusive(m), *policy = unknown_policy(m);

	if (why || !policy)
		return why;
	snprintf(text, sizeof text, "policy %s is unknown, so only the common rules were checked",
		 policy);
	return text;
}

static void print_total(const struct doze_model *m, FILE *out)
{
	const struct doze_selection *s = doze_selection_of(m);
	const struct doze_totals *t = doze_model_totals(m);
	const struct judged n = judged(t);
	const char *why = inconclusive(m);

	fputs(n.findings ? doze_plural(n.findings, "finding") : "No finding", out);
	if (!n.findings && why)
		fprintf(out, ", but inconclusive (%s)", why);
	if (n.ambiguous)
		fprintf(out, "%s%s that may be %s",
			n.findings || why ? " and " : ", but inconclusive: ",
			doze_plural(n.ambiguous, "observation"), n.may_be);
	if (doze_selection_by_worker(s))
		fprintf(out, " about %s", doze_selection_who(s));
	if (doze_selection_by_time(s))
		fprintf(out, " %s", doze_selection_when(s, t));
	if (t->consequences)
		fprintf(out, ", with %s", doze_plural(t->consequences, "consequence"));
	fprintf(out, " in %s of %s (", doze_plural(t->events, "event"),
		doze_duration(t->last_ts - t->first_ts));
	print_pools(m, out);
	fprintf(out, ").\n");
	if (n.findings && why)
		fprintf(out, "There may be more: %s.\n", why);
	if (t->elsewhere)
		fprintf(
		    out,
		    "%s more outside this selection: omit --from, --to and --worker to see them.\n",
		    doze_count(t->elsewhere));
}

void doze_findings_print(const struct doze_findings *f, const struct doze_model *m, FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	struct doze_wrapped w;

	print_total(m, doze_wrap_begin(&w, out));
	doze_wrap_end(&w);
	print_not_judged(m, out);
	print_counts(f, out);
	if (f->count)
		print_key(f, m, out);
	for (size_t i = 0; i < f->count; i++)
		print_item(f, i, m, out);
	if (t->findings + t->ambiguous > f->count && f->count)
		fprintf(out, "\n%s shown; --max shows more.\n", doze_plural(f->count, "finding"));
}

static void json_item(struct doze_json *j, const struct doze_findings *f, size_t i,
		      const struct doze_model *m)
{
	const struct finding_item *it = &f->item[i];
	const struct doze_wording as = wording(m, &it->finding.who);
	char text[EVIDENCE];

	doze_json_open(j, NULL, '{');
	doze_json_string(j, "rule", it->finding.rule);
	doze_json_bool(j, "ambiguous", is_ambiguous(&it->finding, m));
	doze_json_int(j, "vpid", it->finding.who.vpid);
	doze_json_uint(j, "pool", it->finding.who.pool);
	doze_json_int(j, "worker", it->finding.who.index);
	doze_json_int(j, "at", it->finding.ts - f->origin);
	doze_json_int(j, "about", it->finding.about - f->origin);
	doze_json_string(j, "text", it->finding.text);
	doze_json_open(j, "consequences", '{');
	for (size_t k = 0; k < FINDING_FOLLOWS && it->follows[k].rule; k++)
		doze_json_uint(j, it->follows[k].rule, it->follows[k].n);
	doze_json_close(j, '}');
	doze_json_open(j, "events", '[');
	for (size_t k = 0; k < it->events; k++) {
		doze_json_open(j, NULL, '{');
		doze_json_int(j, "at", it->event[k].ts - f->origin);
		doze_json_string(j, "event", doze_event_name(it->event[k].kind));
		doze_json_int(j, "worker", it->event[k].worker);
		doze_json_string(j, "text", evidence(text, sizeof text, &it->event[k], &as));
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
	doze_json_close(j, '}');
}

static void write_json(const struct doze_findings *f, const struct doze_model *m, const char *trace,
		       FILE *out)
{
	const struct doze_totals *t = doze_model_totals(m);
	const struct judged n = judged(t);
	struct doze_json j = {.out = out};

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "format", "doze-check/1");
	doze_json_string(&j, "trace", trace);
	doze_selection_json(&j, doze_selection_of(m));
	doze_json_uint(&j, "events", t->events);
	doze_json_uint(&j, "lost", t->discarded);
	doze_json_bool(&j, "truncated", t->truncated);
	doze_json_bool(&j, "missing", t->missing > 0);
	doze_json_uint(&j, "finding_count", n.findings);
	doze_json_uint(&j, "ambiguous_count", n.ambiguous);
	doze_json_uint(&j, "elsewhere_count", t->elsewhere);
	doze_json_uint(&j, "consequence_count", t->consequences);
	if (!doze_model_is_foreign(m)) {
		doze_json_bool(&j, "every_job", t->jobs_level);
		doze_json_bool(&j, "unknown_policy", unknown_policy(m) != NULL);
	}
	doze_json_open(&j, "by_rule", '{');
	for (size_t i = 0; i < FINDING_RULES && f->by_rule[i].rule; i++)
		doze_json_uint(&j, f->by_rule[i].rule, f->by_rule[i].n);
	doze_json_close(&j, '}');
	doze_json_open(&j, "findings", '[');
	for (size_t i = 0; i < f->count; i++)
		json_item(&j, f, i, m);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}

/* ---- The view ---- */

struct check {
	struct doze_findings *findings; /* owned */
	unsigned max;
	bool rules;
	bool raw_ids;
};

static const struct check defaults = {.max = 20};

static const struct doze_view_option options[] = {
    {.option = {"max", 0, "N", "show at most N findings, with the events around them (default 20)",
		doze_check_count, NULL},
     .offset = offsetof(struct check, max),
     .only = DOZE_VIEW_COMMAND},
    {.option = {"max", 0, "N", "show at most N findings, with the events around them (default 20)",
		doze_check_number, NULL},
     .offset = offsetof(struct check, max),
     .only = DOZE_VIEW_SINK},
    {.option = {"rules", 0, NULL, "print the rules and exit", doze_check_flag, NULL},
     .offset = offsetof(struct check, rules),
     .only = DOZE_VIEW_COMMAND},
    {.option = {"raw-ids", 0, NULL,
		"name latches by their raw ids, as --json does, instead of L1, L2", doze_check_flag,
		NULL},
     .offset = offsetof(struct check, raw_ids),
     .only = DOZE_VIEW_COMMAND},
    {.option = {0}},
};

static int check_precheck(const void *state, const struct doze_view_request *r)
{
	const struct check *c = state;

	if (c->rules) {
		doze_rules_print(stdout);
		return DOZE_EXIT_OK;
	}
	if (r->trace)
		return -1;
	doze_complain("check: no trace given: usage: doze check DIR");
	return DOZE_EXIT_USAGE;
}

static struct doze_model *check_open(void *state, const struct doze_view_request *r)
{
	struct doze_model_options o = DOZE_MODEL_DEFAULTS;
	struct check *c = state;

	o.selection = r->selection;
	o.raw_ids = r->json || c->raw_ids;
	c->findings = doze_findings_new(c->max);
	if (!c->findings)
		return NULL;
	return doze_with_checker(doze_model_new_with(&o, &doze_findings_listener, c->findings));
}

static void check_feed(void *state, struct doze_model *m, const struct doze_event *e)
{
	struct check *c = state;

	doze_findings_before(c->findings, e);
	doze_model_feed(m, e);
	doze_findings_after(c->findings, e);
}

static void check_print(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	const struct check *c = state;

	if (r->json)
		write_json(c->findings, m, r->trace, r->out);
	else
		doze_findings_print(c->findings, m, r->out);
}

static int check_judge(const void *state, const struct doze_model *m)
{
	const struct doze_totals *t = doze_model_totals(m);

	(void)state;
	if (t->certain || (t->findings && !t->missing))
		return DOZE_EXIT_FINDINGS;
	if (unknown_policy(m) && !doze_inconclusive(m)) {
		doze_complain("check: inconclusive: policy %s is unknown, so only the rules common "
			      "to all policies were checked: update doze, unless the pool is not "
			      "libdoze's",
			      unknown_policy(m));
		return DOZE_EXIT_INCONCLUSIVE;
	}
	return t->ambiguous ? DOZE_EXIT_INCONCLUSIVE : DOZE_EXIT_OK;
}

static void check_close(void *state)
{
	doze_findings_free(((struct check *)state)->findings);
}

const struct doze_view doze_check_view = {
    .name = "check",
    .options = options,
    .size = sizeof(struct check),
    .defaults = &defaults,
    .precheck = check_precheck,
    .open = check_open,
    .part = doze_view_any_part,
    .feed = check_feed,
    .print = check_print,
    .json = check_print,
    .judge = check_judge,
    .close = check_close,
};
