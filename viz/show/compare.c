/*
 * SPDX-License-Identifier: MIT
 *
 * compare.c - compares two sides: extracts the measures of each recording, averages them over the
 * recordings of each side, and determines which side is better.
 */
#include "compare.h"

#include <math.h>
#include <string.h>

#include "../words/quote.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "load_trace.h"

/* Which part of a run a line of the comparison measures. */
enum where {
	WHERE_ALL,   /* the whole run */
	WHERE_PHASE, /* the time from one mark to the next */
	WHERE_PART,  /* a quarter of the run */
	WHERE_RUN,   /* a measure defined only for the whole run, such as a percentile */
};
struct line {
	const char *name; /* not owned; a leading blank marks a part of the measure above it */
	enum doze_unit unit;
	enum where where;
	/* index of the phase or quarter; for WHERE_RUN, index of the measure */
	size_t index;
	const struct doze_metric *metric; /* not owned; null for WHERE_RUN */
};

/* The result of a comparison. */
struct verdict {
	char better;           /* 'a', 'b', or 0: neither */
	struct doze_mean a, b; /* durations, ns */
	double change;         /* relative change of the duration from a to b: -0.5 means half the
				* time; NaN: unknown */
	bool repeated;         /* both sides have several recordings, which show the noise */
	double noise;          /* half width of the 95 % confidence interval of `change`; NaN:
				* unknown */
	bool exceeds;          /* the change is statistically significant */
	char text[320];        /* one or two sentences */
};

enum { HISTS = 7, SHARES = 2 };

static const struct {
	const char *name;
	enum doze_unit unit;
} of_runs[DOZE_COMPARE_WHOLE] = {
    {"publish->job, p50", DOZE_UNIT_ns},       {"publish->job, p99", DOZE_UNIT_ns},
    {"  publish->notify, p50", DOZE_UNIT_ns},  {"  publish->notify, p99", DOZE_UNIT_ns},
    {"  notify->awake, p50", DOZE_UNIT_ns},    {"  notify->awake, p99", DOZE_UNIT_ns},
    {"  awake->found, p50", DOZE_UNIT_ns},     {"  awake->found, p99", DOZE_UNIT_ns},
    {"  found->job, p50", DOZE_UNIT_ns},       {"  found->job, p99", DOZE_UNIT_ns},
    {"all: notify->awake, p50", DOZE_UNIT_ns}, {"all: notify->awake, p99", DOZE_UNIT_ns},
    {"futile search, p50", DOZE_UNIT_ns},      {"futile search, p99", DOZE_UNIT_ns},
    {"chain, longest", DOZE_UNIT_count},
};

static void take_whole(struct doze_run *r, const struct doze_measures *s)
{
	const struct doze_hist *hists[HISTS] = {
	    &s->publish_job, &s->publish_notify, &s->useful_awake, &s->awake_found,
	    &s->found_job,   &s->notify_awake,   &s->futile_search};
	static const double shares[SHARES] = {0.5, 0.99};

	for (size_t i = 0; i < (size_t)HISTS * SHARES; i++) {
		const struct doze_hist *h = hists[i / SHARES];

		r->whole[i] = h->n ? (double)doze_hist_percentile(h, shares[i % SHARES]) : NAN;
	}
	r->whole[(size_t)HISTS * SHARES] = s->chain.longest;
}

static void take_pools(struct doze_run *r, const struct doze_model *m)
{
	uint32_t waiting = 0;

	snprintf(r->policy, sizeof r->policy, "?");
	for (size_t i = 0; i < doze_model_pools(m); i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);
		bool other = i && strcmp(r->policy, p->policy) != 0;

		snprintf(r->policy, sizeof r->policy, "%s", other ? "several" : p->policy);
		r->jec |= doze_pool_has_jec(p);
		r->workers += p->workers;
		waiting += p->waits.waits ? p->workers : 0;
		r->pools++;
	}
	/* A crew that never waits, such as the main thread, takes no part in the comparison. */
	if (waiting)
		r->workers = waiting;
}

void doze_run_take(struct doze_run *r, const struct doze_model *m, const struct doze_phases *p)
{
	take_pools(r, m);
	take_whole(r, doze_model_measures(m));
	r->is_foreign = doze_model_is_foreign(m);
	doze_foreign_take(m, &r->foreign);
	snprintf(r->inconclusive, sizeof r->inconclusive, "%s",
		 doze_inconclusive(m) ? doze_inconclusive(m) : "");
	r->jobs_level = doze_model_totals(m)->jobs_level;
	r->level = doze_model_level(m);
	r->all = p->end;
	for (size_t i = 0; i < DOZE_COMPARE_PARTS; i++)
		r->part[i] = doze_phase_part(p, i, DOZE_COMPARE_PARTS);
	r->marks = p->marks;
	for (size_t i = 0; i <= p->marks; i++)
		r->phase[i] = doze_phase(p, i);
	for (size_t i = 0; i < p->marks; i++)
		memcpy(r->mark[i], p->mark[i].text, sizeof r->mark[i]);
}

/* ---- Measures ---- */

static size_t metrics(void)
{
	size_t n = 0;

	while (doze_metrics[n].name)
		n++;
	return n;
}

/* Fills in measure i of the whole run, or of phase or part `index`. Returns false if there are no
 * more. */
static bool measure(size_t i, enum where where, size_t index, struct line *l)
{
	const struct doze_metric *k = doze_metrics;
	size_t n = metrics();

	if (i < n) {
		*l = (struct line){k[i].name, k[i].unit, where, index, &k[i]};
		return true;
	}
	i -= n;
	if (where != WHERE_ALL || i >= DOZE_COMPARE_WHOLE)
		return false;
	*l = (struct line){of_runs[i].name, of_runs[i].unit, WHERE_RUN, i, 0};
	return true;
}

static bool is_measured(const struct doze_run *r, enum doze_needs needs)
{
	return needs == DOZE_NEEDS_nothing || (needs == DOZE_NEEDS_jobs ? r->jobs_level : r->jec);
}

static double value(const struct doze_run *r, const struct line *l)
{
	/* Without a thread that waits again, nothing is known of wakes in vain. */
	if (r->is_foreign && !r->foreign.known && l->metric && !l->metric->over &&
	    (l->metric->sum == DOZE_SUM_futile || l->metric->sum == DOZE_SUM_storms))
		return NAN;
	if (l->where == WHERE_RUN)
		return r->whole[l->index];
	if (!l->metric || !is_measured(r, l->metric->needs))
		return NAN;
	return doze_metric_of(l->metric, l->where == WHERE_PHASE  ? &r->phase[l->index]
					 : l->where == WHERE_PART ? &r->part[l->index]
								  : &r->all);
}

/* Returns the mean of a measure on one side: NaN if a recording of that side lacks the measure. */
static struct doze_mean mean_of(const struct doze_side *s, const struct line *l)
{
	double v[DOZE_COMPARE_MAX];

	for (size_t i = 0; i < s->runs; i++)
		v[i] = value(&s->run[i], l);
	return doze_mean_of(v, s->runs);
}

/* ---- Whether the sides are comparable ---- */

/* Returns run i; the runs of a come first. */
static const struct doze_run *run_of(const struct doze_side *a, const struct doze_side *b, size_t i)
{
	return i < a->runs ? &a->run[i] : &b->run[i - a->runs];
}

/* Returns whether all runs have the same marks in the same order. If not, runs are compared by
 * quarters. */
static bool same_marks(const struct doze_side *a, const struct doze_side *b)
{
	const struct doze_run *first = &a->run[0];

	for (size_t i = 0; i < a->runs + b->runs; i++) {
		const struct doze_run *r = run_of(a, b, i);

		if (r->marks != first->marks)
			return false;
		for (size_t k = 0; k < r->marks; k++)
			if (strcmp(r->mark[k], first->mark[k]) != 0)
				return false;
	}
	return first->marks > 0;
}

/* Each of the following functions returns whether two runs differ, and describes the difference. */
static bool other_level(const struct doze_run *x, const struct doze_run *y, char *text, size_t size)
{
	snprintf(text, size,
		 "the levels of detail differ (%s, %s): under-wakes and latencies from "
		 "publish are not comparable",
		 x->level, y->level);
	return x->jobs_level != y->jobs_level || strcmp(x->level, y->level) != 0;
}

static bool other_workers(const struct doze_run *x, const struct doze_run *y, char *text,
			  size_t size)
{
	snprintf(text, size, "the numbers of %s differ (%u and %u), which affects wakes and times",
		 x->is_foreign ? "threads" : "workers", x->workers, y->workers);
	return x->workers != y->workers;
}

static bool other_pools(const struct doze_run *x, const struct doze_run *y, char *text, size_t size)
{
	snprintf(text, size, "numbers of %s differ (%u, %u)", x->is_foreign ? "crews" : "pools",
		 x->pools, y->pools);
	return x->pools != y->pools;
}

/* Returns warning i, or null. A warning describes a difference between the recordings, other than
 * the policy, that may explain differing measures. The text is one line without a newline, in a
 * static buffer. */
static const char *warning(const struct doze_side *a, const struct doze_side *b, size_t i)
{
	static char text[160];
	static bool (*const notes[])(const struct doze_run *, const struct doze_run *, char *,
				     size_t) = {other_level, other_workers, other_pools};

	for (size_t k = 0; k < sizeof notes / sizeof *notes; k++) {
		size_t r = 1;

		while (r < a->runs + b->runs &&
		       !notes[k](&a->run[0], run_of(a, b, r), text, sizeof text))
			r++;
		if (r < a->runs + b->runs && !i--)
			return text;
	}
	return NULL;
}

/*
 * ---- Programs without libdoze ----
 *
 * How many threads each wake call woke, and how many of them, at least, in vain. The duration of
 * such a program may depend on much else, so no side is called better.
 */

static size_t foreign_runs(const struct doze_side *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->runs; i++)
		n += s->run[i].is_foreign;
	return n;
}

/* Return whether all recordings are of programs without libdoze; or whether any is. */
static bool all_foreign(const struct doze_side *a, const struct doze_side *b)
{
	return foreign_runs(a) + foreign_runs(b) == a->runs + b->runs;
}

static bool any_foreign(const struct doze_side *a, const struct doze_side *b)
{
	return foreign_runs(a) + foreign_runs(b) > 0;
}

/* Returns the sum over the side's recordings. */
static struct doze_foreign sum(const struct doze_side *s)
{
	struct doze_foreign all = {0};

	for (size_t i = 0; i < s->runs; i++) {
		const struct doze_foreign *f = &s->run[i].foreign;

		all.known |= f->known;
		all.counted |= f->counted;
		all.woken += f->woken;
		all.futile += f->futile;
		all.calls += f->calls;
	}
	return all;
}

static void put_side(const char *name, const struct doze_foreign *f, bool per_call, char *out,
		     size_t size)
{
	double calls = f->calls ? (double)f->calls : 1;
	size_t n = strlen(out);

	if (!f->known)
		(void)snprintf(out + n, size - n, "%s not known of %s", name,
			       doze_plural(f->woken, "wake"));
	else if (per_call)
		(void)snprintf(out + n, size - n, "%s at least %.2f of %.2f (%s of %s)", name,
			       (double)f->futile / calls, (double)f->woken / calls,
			       doze_count(f->futile), doze_plural(f->woken, "wake"));
	else
		(void)snprintf(out + n, size - n, "%s at least %s of %s", name,
			       doze_count(f->futile), doze_plural(f->woken, "wake"));
}

/* Writes the verdict on two sides of which at least one is a program without libdoze. */
static void foreign_verdict(const struct doze_side *a, const struct doze_side *b, char *text,
			    size_t size)
{
	struct doze_foreign x = sum(a), y = sum(b);
	bool per_call = x.calls && y.calls;

	if (!all_foreign(a, b)) {
		(void)snprintf(text, size,
			       "No verdict: not all of the recorded programs use libdoze, so too "
			       "little is known of the others.");
		return;
	}
	(void)snprintf(text, size, "Woken in vain%s: ", per_call ? ", threads per wake call" : "");
	put_side("A", &x, per_call, text, size);
	(void)snprintf(text + strlen(text), size - strlen(text), ", ");
	put_side("B", &y, per_call, text, size);
	(void)snprintf(text + strlen(text), size - strlen(text), ".%s",
		       x.counted || y.counted ? " Events were lost, so these numbers were counted "
						"in the program."
					      : "");
}

/* Returns the name under which a line is shown for programs without libdoze, or null if the line
 * is not known of them. */
static const char *foreign_name(const struct line *l)
{
	static const struct {
		const char *name, *shown;
	} lines[] = {
	    {"duration", "duration"},
	    {"wakes", "wakes"},
	    {"woken", "woken threads"},
	    {"  futile", "  in vain, at least"},
	    {"storms", "storms, at least"},
	    {"all: notify->awake, mean", "call->awake, mean"},
	    {"all: notify->awake, p50", "call->awake, p50"},
	    {"all: notify->awake, p99", "call->awake, p99"},
	};

	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		if (!strcmp(lines[i].name, l->name))
			return lines[i].shown;
	return NULL;
}

/*
 * ---- The verdict: the better side, by how much, and whether that exceeds the noise ----
 *
 * The side that takes less time is better. If a side has only one recording, the noise is unknown,
 * and the text says so.
 */

static bool find_line(const char *name, struct line *l)
{
	for (size_t i = 0; measure(i, WHERE_ALL, 0, l); i++)
		if (!strcmp(l->name, name))
			return true;
	return false;
}

/* Relative difference up to which two single recordings count as equal. */
#define ALIKE 0.02

static void judge(struct verdict *v, const struct doze_mean *a, const struct doze_mean *b)
{
	v->a = *a;
	v->b = *b;
	v->change = b->mean / a->mean - 1;
	v->repeated = a->n > 1 && b->n > 1;
	/* Half width of the confidence interval of the difference between two independent means. */
	v->noise = v->repeated ? hypot(a->half, b->half) / a->mean : NAN;
	v->exceeds = v->repeated && doze_means_differ(a, b);
	v->better = 0;
	if (v->repeated ? v->exceeds : fabs(v->change) > ALIKE)
		v->better = v->change < 0 ? 'b' : 'a';
}

static const char *other_jobs(const struct doze_side *a, const struct doze_side *b)
{
	struct line l;
	struct doze_mean x, y;

	if (!find_line("jobs", &l))
		return "";
	x = mean_of(a, &l);
	y = mean_of(b, &l);
	return fabs(y.mean - x.mean) > 0.1 * fmax(x.mean, y.mean)
		   ? " The two sides did not do the same work: the numbers of jobs differ."
		   : "";
}

/* Writes the text of verdict v. */
#define SAY(...) snprintf(v->text, sizeof v->text, __VA_ARGS__)

static void write_text(struct verdict *v, const char *a, const char *b, const char *more)
{
	const char *better = v->better == 'a' ? "A" : "B", *name = v->better == 'a' ? a : b;
	double shorter = v->better == 'a' ? v->a.mean : v->b.mean;
	double longer = v->better == 'a' ? v->b.mean : v->a.mean;
	char noise[120];

	if (!v->repeated)
		snprintf(noise, sizeof noise,
			 "a single recording per side does not show the noise: record each side "
			 "three times");
	else
		snprintf(noise, sizeof noise, "%s the noise (+-%.1f %%)",
			 v->exceeds ? "more than" : "within", 100 * v->noise);
	if (v->better)
		SAY("%s (%s) is better: it takes %s instead of %s, %.1f %% less; %s.%s", better,
		    name, doze_duration((int64_t)shorter), doze_duration((int64_t)longer),
		    100 * (1 - shorter / longer), noise, more);
	else
		SAY("Neither side is better: A (%s) takes %s, B (%s) %s, %+.1f %%; %s.%s", a,
		    doze_duration((int64_t)v->a.mean), b, doze_duration((int64_t)v->b.mean),
		    100 * v->change, noise, more);
}

static void decide(const struct doze_side *a, const struct doze_side *b, struct verdict *v)
{
	struct line l;
	struct doze_mean x, y;

	memset(v, 0, sizeof *v);
	if (!find_line("duration", &l))
		return;
	x = mean_of(a, &l);
	y = mean_of(b, &l);
	if (!(x.mean > 0) || !(y.mean > 0)) {
		SAY("No verdict: a recording has no duration.");
		v->change = v->noise = NAN;
		return;
	}
	if (a->run[0].chosen) {
		SAY("No verdict, because --from and --to determine the durations: compare the "
		    "measures.");
		v->change = v->noise = NAN;
		return;
	}
	judge(v, &x, &y);
	if (any_foreign(a, b)) { /* the duration says little about such a program */
		v->better = 0;
		foreign_verdict(a, b, v->text, sizeof v->text);
		return;
	}
	write_text(v, a->run[0].policy, b->run[0].policy, other_jobs(a, b));
}

/* ---- Text, per measure and phase ---- */

static const char *number(char *buf, size_t size, double v, enum doze_unit u)
{
	if (isnan(v))
		snprintf(buf, size, "-");
	else if (u == DOZE_UNIT_ns)
		snprintf(buf, size, "%s", doze_duration((int64_t)v));
	else if (u == DOZE_UNIT_ratio)
		snprintf(buf, size, "%.3f", v);
	else if (v < 1e15 && v == floor(v))
		snprintf(buf, size, "%s", doze_count((uint64_t)(v < 0 ? 0 : v)));
	else
		snprintf(buf, size, "%.1f", v);
	return buf;
}

static const char *mean_text(char *buf, size_t size, const struct doze_mean *m, enum doze_unit u)
{
	char a[32], b[32];

	if (m->n > 1 && !isnan(m->mean))
		snprintf(buf, size, "%s +- %s", number(a, sizeof a, m->mean, u),
			 number(b, sizeof b, m->half, u));
	else
		number(buf, size, m->mean, u);
	return buf;
}

static const char *difference(char *buf, size_t size, double a, double b, enum doze_unit u)
{
	if (isnan(a) || isnan(b))
		snprintf(buf, size, "-");
	else if (u == DOZE_UNIT_ratio)
		snprintf(buf, size, "%+.3f", b - a);
	else if (a == 0 && b == 0)
		snprintf(buf, size, "=");
	else if (a == 0)
		snprintf(buf, size, "from 0");
	else if (b / a >= 10)
		snprintf(buf, size, "x %.0f", b / a);
	else
		snprintf(buf, size, "%+.1f %%", 100 * (b - a) / a);
	return buf;
}

static bool is_blank(const struct doze_mean *m)
{
	return isnan(m->mean) || (m->mean == 0 && m->half == 0);
}

/* Prints one line of the comparison. brief: omit the line if the measure is 0 or unknown on both
 * sides. */
static void print_line(const struct doze_side *a, const struct doze_side *b, const struct line *l,
		       bool brief, FILE *out)
{
	struct doze_mean x = mean_of(a, l), y = mean_of(b, l);
	char xs[80], ys[80], ds[40];
	const char *name = any_foreign(a, b) ? foreign_name(l) : l->name;

	if (!name)
		return;
	if (brief && is_blank(&x) && is_blank(&y))
		return;
	fprintf(out, "  %-24s %18s %18s %10s%s\n", name, mean_text(xs, sizeof xs, &x, l->unit),
		mean_text(ys, sizeof ys, &y, l->unit),
		difference(ds, sizeof ds, x.mean, y.mean, l->unit),
		doze_means_differ(&x, &y) ? " *" : "");
}

static void heading(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	char as[64], bs[64];
	const struct doze_run *x = &a->run[0], *y = &b->run[0];

	snprintf(as, sizeof as, "A (%s)",
		 x->is_foreign ? doze_plural(x->workers, "thread") : x->policy);
	snprintf(bs, sizeof bs, "B (%s)",
		 y->is_foreign ? doze_plural(y->workers, "thread") : y->policy);
	fprintf(out, "  %-24s %18s %18s %10s\n", "", as, bs, "B vs A");
}

static void all_lines(const struct doze_side *a, const struct doze_side *b, enum where where,
		      size_t index, FILE *out)
{
	struct line l;

	for (size_t i = 0; measure(i, where, index, &l); i++)
		print_line(a, b, &l, where != WHERE_ALL, out);
}

static void phases(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	const struct doze_run *r = &a->run[0];
	bool marks = same_marks(a, b);
	size_t n = marks ? r->marks + 1 : DOZE_COMPARE_PARTS;

	fprintf(out, "\n%s\n(measures that are 0 or unknown on both sides are left out)\n",
		marks ? "By phase marks"
		      : "By quarters of the run (the traces do not have the same phase marks)");
	for (size_t i = 0; i < n; i++) {
		if (!marks)
			fprintf(out, "\n quarter %zu\n", i + 1);
		else if (i == 0)
			fprintf(out, "\n before %s\n", r->mark[0]);
		else
			fprintf(out, "\n from %s\n", r->mark[i - 1]);
		all_lines(a, b, marks ? WHERE_PHASE : WHERE_PART, i, out);
	}
}

static void inconclusive(const char *name, const struct doze_side *s, FILE *out)
{
	for (size_t i = 0; i < s->runs; i++) {
		char text[512];

		if (!*s->run[i].inconclusive)
			continue;
		snprintf(text, sizeof text, "\nInconclusive: recording %zu of %s: %s.\n", i + 1,
			 name, s->run[i].inconclusive);
		doze_wrap(out, text, 0);
	}
}

static void notes(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	const char *note;

	for (size_t i = 0; (note = warning(a, b, i)); i++) {
		char text[200];

		snprintf(text, sizeof text, "\nWarning: %s.\n", note);
		doze_wrap(out, text, 0);
	}
}

void doze_compare_print(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	struct verdict v;

	decide(a, b, &v);
	doze_wrap(out, strcat(v.text, "\n"), 0);
	fputc('\n', out);
	heading(a, b, out);
	all_lines(a, b, WHERE_ALL, 0, out);
	fputs("\n  - no value: nothing to measure, or not recorded\n", out);
	if (a->runs > 1 || b->runs > 1)
		fprintf(out,
			"  %zu and %zu recordings\n"
			"  +- half the width of the mean's 95 %% confidence interval\n"
			"  * statistically significant difference (Welch's t-test)\n",
			a->runs, b->runs);
	notes(a, b, out);
	phases(a, b, out);
	inconclusive("A", a, out);
	inconclusive("B", b, out);
}

/* ---- JSON; null stands for an unknown value ---- */

static void json_mean(struct doze_json *j, const char *name, const struct doze_mean *m)
{
	doze_json_open(j, name, '{');
	doze_json_real(j, "mean", m->mean);
	doze_json_real(j, "half_95", m->n > 1 ? m->half : NAN); /* a single run has no interval */
	doze_json_close(j, '}');
}

static void json_line(struct doze_json *j, const struct doze_side *a, const struct doze_side *b,
		      const struct line *l)
{
	struct doze_mean x = mean_of(a, l), y = mean_of(b, l);

	if (any_foreign(a, b) && !foreign_name(l))
		return;
	doze_json_open(j, NULL, '{');
	doze_json_string(j, "measure", l->name + strspn(l->name, " "));
	json_mean(j, "a", &x);
	json_mean(j, "b", &y);
	doze_json_real(j, "difference", y.mean - x.mean);
	doze_json_bool(j, "differs", doze_means_differ(&x, &y));
	doze_json_close(j, '}');
}

static void json_lines(struct doze_json *j, const struct doze_side *a, const struct doze_side *b,
		       enum where where, size_t index)
{
	struct line l;

	doze_json_open(j, "measures", '[');
	for (size_t i = 0; measure(i, where, index, &l); i++)
		json_line(j, a, b, &l);
	doze_json_close(j, ']');
}

static void json_phases(struct doze_json *j, const struct doze_side *a, const struct doze_side *b)
{
	bool marks = same_marks(a, b);
	size_t n = marks ? a->run[0].marks + 1 : DOZE_COMPARE_PARTS;

	doze_json_string(j, "aligned_by", marks ? "marks" : "quarters");
	doze_json_open(j, "phases", '[');
	for (size_t i = 0; i < n; i++) {
		doze_json_open(j, NULL, '{');
		doze_json_string(j, "mark", marks && i ? a->run[0].mark[i - 1] : 0);
		json_lines(j, a, b, marks ? WHERE_PHASE : WHERE_PART, i);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

static void json_verdict(struct doze_json *j, const struct doze_side *a, const struct doze_side *b)
{
	struct verdict v;
	char better[2] = "";

	decide(a, b, &v);
	better[0] = v.better;
	doze_json_string(j, "verdict", v.text);
	doze_json_string(j, "better", v.better ? better : NULL);
	doze_json_real(j, "change", v.change);
	doze_json_real(j, "noise", v.noise);
	if (v.repeated)
		doze_json_bool(j, "exceeds_noise", v.exceeds);
	else
		doze_json_null(j, "exceeds_noise");
}

void doze_compare_json(const struct doze_side *a, const struct doze_side *b, FILE *out)
{
	struct doze_json j = {.out = out};
	const char *note;

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "format", "doze-compare/1");
	json_verdict(&j, a, b);
	if (any_foreign(a, b)) {
		doze_json_bool(&j, "foreign", true);
	} else {
		doze_json_string(&j, "policy_a", a->run[0].policy);
		doze_json_string(&j, "policy_b", b->run[0].policy);
	}
	doze_json_uint(&j, "runs_a", a->runs);
	doze_json_uint(&j, "runs_b", b->runs);
	doze_json_open(&j, "warnings", '[');
	for (size_t i = 0; (note = warning(a, b, i)); i++)
		doze_json_string(&j, NULL, note);
	doze_json_close(&j, ']');
	json_lines(&j, a, b, WHERE_ALL, 0);
	json_phases(&j, a, b);
	doze_json_close(&j, '}');
}
