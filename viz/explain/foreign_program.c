/*
 * SPDX-License-Identifier: MIT
 *
 * foreign_program.c - see foreign_program.h.
 */
#include "foreign_program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../words/pool_words.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "symbols.h"

static bool by_part(const struct doze_model *m)
{
	const struct doze_selection *s = &doze_model_limits(m)->selection;

	return doze_selection_by_time(s) || doze_selection_by_worker(s);
}

/* Uses the program's own counts of waits instead of the events if these are incomplete. */
static void take_wakes(const struct doze_model *m, struct doze_foreign *f)
{
	const struct doze_totals *t = doze_model_totals(m);
	struct doze_wait_counts c = doze_model_wait_counts(m);

	f->sampled = c.sampled;
	f->counted = (t->discarded || c.sampled) && !by_part(m) && c.woken >= t->woken && c.woken;
	f->woken = f->counted ? c.woken : t->woken;
	f->futile = f->counted ? c.again : t->verdicts[DOZE_VERDICT_futile];
	f->recorded = t->verdicts[DOZE_VERDICT_futile];
	f->known = f->futile > 0;
	for (size_t i = 0; i < doze_model_pools(m); i++)
		f->known |= doze_model_pool(m, i)->waited_again;
}

static void name_site(const struct doze_model *m, const struct doze_wake_site *s, char *out,
		      size_t size)
{
	const struct doze_pool_view *p = s ? doze_model_site_pool(m, s) : NULL;

	(void)snprintf(out, size, "%s", p ? doze_symbols_line(m, p, s->caller) : "");
}

/* If most wakes in vain of a place come from one caller, such as a pool that calls a wrapper,
 * appends that caller. */
static void name_caller(const struct doze_model *m, const struct doze_wake_site *s, char *out,
			size_t size)
{
	const struct doze_wake_site *part;

	for (size_t i = 0; s && (part = doze_model_wake_site(m, i)); i++) {
		size_t n = strlen(out);

		if (!part->caller2 || part->caller != s->caller || part->vpid != s->vpid ||
		    part->host != s->host || 2 * part->futile <= s->futile)
			continue;
		(void)snprintf(out + n, size - n, ", called by %s",
			       doze_symbols_line(m, doze_model_site_pool(m, s), part->caller2));
		return;
	}
}

void doze_foreign_take(const struct doze_model *m, struct doze_foreign *f)
{
	const struct doze_wake_site *s, *vain = NULL, *nobody = NULL;

	*f = (struct doze_foreign){.herd = doze_model_measures(m)->herd};
	take_wakes(m, f);
	for (size_t i = 0; (s = doze_model_wake_site(m, i)); i++) {
		f->calls += s->calls;
		f->nobody += s->nobody;
		if (s->caller2)
			continue;
		if (s->caller && s->futile && (!vain || s->futile > vain->futile))
			vain = s;
		if (s->caller && s->nobody && (!nobody || s->nobody > nobody->nobody))
			nobody = s;
	}
	name_site(m, vain, f->most, sizeof f->most);
	name_caller(m, vain, f->most, sizeof f->most);
	f->most_futile = vain ? vain->futile : 0;
	name_site(m, nobody, f->most_nobody, sizeof f->most_nobody);
	f->most_calls = nobody ? nobody->nobody : 0;
}

static void put_site(const struct doze_foreign *f, char *out, size_t size)
{
	size_t n = strlen(out);

	if (*f->most)
		(void)snprintf(out + n, size - n, ", %s%s by %s",
			       f->most_futile == f->recorded      ? "all"
			       : f->most_futile > f->recorded / 2 ? "most"
								  : "the most",
			       f->counted ? " that were recorded" : "", f->most);
}

void doze_foreign_verdict(const struct doze_foreign *f, char *out, size_t size)
{
	size_t n;

	if (!f->woken) {
		(void)snprintf(out, size, "No wake of any thread was recorded.");
		return;
	}
	if (!f->known) {
		(void)snprintf(out, size,
			       "Whether wakes were in vain is not known: none of the %s was "
			       "followed by another wait on the same condition variable with the "
			       "mutex held.",
			       doze_plural(f->woken, "wake"));
		return;
	}
	(void)snprintf(out, size, "At least %s of %s in vain", doze_count(f->futile),
		       doze_plural(f->woken, "wake"));
	put_site(f, out, size);
	n = strlen(out);
	(void)snprintf(out + n, size - n, ".%s",
		       !f->counted  ? ""
		       : f->sampled ? " These numbers were counted in the program, which waits too "
				      "often to record each wait."
				    : " These numbers were counted in the program, because events "
				      "were lost.");
}

/* ---- Text and JSON ---- */

#define SITES_LISTED 10
#define NO_LINES     ", no line numbers: build it with -g"

static void print_nobody(const struct doze_foreign *f, FILE *out)
{
	if (!f->calls)
		return;
	fprintf(out, "%s of %s found no waiter", doze_count(f->nobody),
		doze_plural(f->calls, "wake call"));
	if (*f->most_nobody)
		fprintf(out, ", %s by %s",
			f->most_calls == f->nobody      ? "all"
			: f->most_calls > f->nobody / 2 ? "most"
							: "the most",
			f->most_nobody);
	fputs(".\n", out);
	if (f->woken)
		fprintf(out, "%.2f wake calls per woken thread.\n",
			(double)f->calls / (double)f->woken);
}

static void print_herd(const struct doze_herd_measures *h, FILE *out)
{
	if (!h->decisions)
		return;
	fprintf(out, "%s for all waiters woke %s", doze_plural(h->decisions, "call"),
		doze_plural(h->woken, "thread"));
	if (h->decisions > 1)
		fprintf(out, ": %.1f per call, at most %" PRIu32,
			(double)h->woken / (double)h->decisions, h->most);
	fputs(".\n", out);
}

void doze_foreign_sentences(const struct doze_model *m, FILE *out)
{
	struct doze_foreign f;
	struct doze_wrapped w;
	FILE *to;

	doze_foreign_take(m, &f);
	if (f.known)
		doze_wrap(out,
			  "In vain: the woken thread waited again on the same condition variable, "
			  "and had held the mutex since it was woken. Other wakes may have been in "
			  "vain, too; doze cannot see that.\n",
			  0);
	to = doze_wrap_begin(&w, out);
	print_nobody(&f, to);
	doze_wrap_end(&w);
	print_herd(&f.herd, out);
}

static void crew_line(const struct doze_model *m, size_t i, FILE *out)
{
	const struct doze_pool_view *p = doze_model_pool(m, i);
	char name[40], vain[24];

	(void)snprintf(name, sizeof name, "%s%" PRIu32 " '%s'",
		       doze_model_pools(m) > 1 && p->vpid != doze_model_pool(m, 0)->vpid ? "..."
											 : "",
		       p->pool, p->name);
	(void)snprintf(vain, sizeof vain, "%s",
		       p->waited_again ? doze_count(p->waits.again) : "not known");
	if (p->waits.waits)
		fprintf(out, "  %-28s %7" PRIu32 " %10s %10s %16s\n", name, p->workers,
			doze_count(p->waits.waits), doze_count(p->waits.woken), vain);
	else
		fprintf(out, "  %-28s %7" PRIu32 " %10s %10s %16s\n", name, p->workers, "-", "-",
			p->waited_again ? "-" : vain);
}

void doze_foreign_crews(const struct doze_model *m, FILE *out)
{
	fputs("\nCrews: threads with one start routine and one stem of their names\n"
	      "  crew                          most at      waits      woken at least in vain\n"
	      "                                   once\n",
	      out);
	for (size_t i = 0; i < doze_model_pools(m); i++)
		if (doze_pool_is_crew(doze_model_pool(m, i)))
			crew_line(m, i, out);
}

static int by_vain(const void *a, const void *b)
{
	const struct doze_wake_site *x = *(const struct doze_wake_site *const *)a;
	const struct doze_wake_site *y = *(const struct doze_wake_site *const *)b;

	if (x->futile != y->futile)
		return x->futile < y->futile ? 1 : -1;
	if (x->nobody != y->nobody)
		return x->nobody < y->nobody ? 1 : -1;
	return (x->calls < y->calls) - (x->calls > y->calls);
}

/* Returns the places, those with the most wakes in vain first. The caller owns the array. */
static const struct doze_wake_site **sorted(const struct doze_model *m, size_t *n)
{
	const struct doze_wake_site **list, *s;
	size_t all = 0;

	*n = 0;
	while (doze_model_wake_site(m, all))
		all++;
	list = all ? malloc(all * sizeof *list) : NULL;
	for (size_t i = 0; list && (s = doze_model_wake_site(m, i)); i++)
		if (!s->caller2)
			list[(*n)++] = s;
	if (list)
		qsort(list, *n, sizeof *list, by_vain);
	return list;
}

static bool is_part(const struct doze_wake_site *part, const struct doze_wake_site *of)
{
	return part->caller2 && part->caller == of->caller && part->vpid == of->vpid &&
	       part->host == of->host;
}

static const char *place(const struct doze_model *m, const struct doze_wake_site *s)
{
	const struct doze_pool_view *p = doze_model_site_pool(m, s);

	if (!s->caller)
		return "all further places";
	return p ? doze_symbols_line(m, p, s->caller) : "?";
}

/* Returns whether the wakes of a kind of object can be in vain in a way that doze sees. */
static bool shows_vain(const struct doze_wake_site *s)
{
	return s->futile || s->kind == DOZE_WAIT_none || s->kind == DOZE_WAIT_cond;
}

/* Leaves out the advice on missing line numbers, which would be in every line. */
static const char *in_short(const char *where)
{
	static char text[320];
	char *advice;

	(void)snprintf(text, sizeof text, "%s", where);
	while ((advice = strstr(text, NO_LINES)))
		memmove(advice, advice + strlen(NO_LINES), strlen(advice + strlen(NO_LINES)) + 1);
	return text;
}

static void print_site(const struct doze_model *m, const struct doze_wake_site *s, bool known,
		       FILE *out)
{
	const char *kind = s->kind > DOZE_WAIT_cond ? doze_wait_kind_name(s->kind) : "";
	const struct doze_wake_site *part;

	known &= shows_vain(s);
	fprintf(out, "  %10s %10s %10s %10s %s%s%s%s\n", s->calls ? doze_count(s->calls) : "-",
		s->calls ? doze_count(s->nobody) : "-", doze_count(s->wakes),
		known ? doze_count(s->futile) : "-", in_short(place(m, s)), *kind ? " (" : "", kind,
		*kind ? ")" : "");
	for (size_t i = 0; (part = doze_model_wake_site(m, i)); i++)
		if (is_part(part, s))
			fprintf(out, "  %10s %10s %10s %10s   called by %s\n", "", "",
				doze_count(part->wakes), known ? doze_count(part->futile) : "-",
				in_short(doze_symbols_line(m, doze_model_site_pool(m, s),
							   part->caller2)));
}

void doze_foreign_sites(const struct doze_model *m, FILE *out)
{
	struct doze_foreign f;
	size_t n, shown;
	const struct doze_wake_site **list = sorted(m, &n);

	doze_foreign_take(m, &f);
	shown = n < SITES_LISTED ? n : SITES_LISTED;
	if (n)
		fputs("\nPlaces that wake\n"
		      "       calls  no waiter      wakes    in vain  place\n"
		      "                                      at least\n",
		      out);
	for (size_t i = 0; i < shown; i++)
		print_site(m, list[i], f.known, out);
	if (n > shown)
		fprintf(out, "  and %s more (--json lists all)\n", doze_plural(n - shown, "place"));
	free(list);
}

static void json_sites(struct doze_json *j, const struct doze_model *m)
{
	const struct doze_wake_site *s;

	doze_json_open(j, "places", '[');
	for (size_t i = 0; (s = doze_model_wake_site(m, i)); i++) {
		const struct doze_pool_view *p = doze_model_site_pool(m, s);

		doze_json_open(j, NULL, '{');
		doze_json_int(j, "vpid", s->vpid);
		doze_json_string(j, "kind", doze_wait_kind_name(s->kind));
		doze_json_uint(j, "caller", s->caller);
		doze_json_string(j, "place", place(m, s));
		doze_json_uint(j, "caller2", s->caller2);
		doze_json_string(j, "called_by",
				 p && s->caller2 ? doze_symbols_line(m, p, s->caller2) : NULL);
		doze_json_uint(j, "calls", s->calls);
		doze_json_uint(j, "nobody", s->nobody);
		doze_json_uint(j, "woken", s->wakes);
		doze_json_uint(j, "futile_at_least", s->futile);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

static void json_crews(struct doze_json *j, const struct doze_model *m)
{
	doze_json_open(j, "crews", '[');
	for (size_t i = 0; i < doze_model_pools(m); i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);

		doze_json_open(j, NULL, '{');
		doze_json_int(j, "vpid", p->vpid);
		doze_json_uint(j, "pool", p->pool);
		doze_json_string(j, "name", p->name);
		doze_json_uint(j, "start", p->crew_start);
		doze_json_uint(j, "threads", p->workers);
		doze_json_uint(j, "waits", p->waits.waits);
		doze_json_uint(j, "woken", p->waits.woken);
		doze_json_uint(j, "timed_out", p->waits.timed_out);
		if (p->waited_again)
			doze_json_uint(j, "futile_at_least", p->waits.again);
		else
			doze_json_null(j, "futile_at_least");
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
}

void doze_foreign_json(struct doze_json *j, const char *name, const struct doze_model *m)
{
	struct doze_foreign f;

	doze_foreign_take(m, &f);
	doze_json_open(j, name, '{');
	doze_json_bool(j, "counted_in_program", f.counted);
	doze_json_bool(j, "sampled", f.sampled);
	doze_json_uint(j, "woken", f.woken);
	if (f.known)
		doze_json_uint(j, "futile_at_least", f.futile);
	else
		doze_json_null(j, "futile_at_least");
	doze_json_uint(j, "calls", f.calls);
	doze_json_uint(j, "nobody", f.nobody);
	doze_json_uint(j, "broadcasts", f.herd.decisions);
	doze_json_uint(j, "woken_by_broadcasts", f.herd.woken);
	doze_json_uint(j, "most_woken_by_one", f.herd.most);
	json_crews(j, m);
	json_sites(j, m);
	doze_json_close(j, '}');
}
