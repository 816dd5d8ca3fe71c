/*
 * SPDX-License-Identifier: MIT
 *
 * foreign_print.c - prints what is known about a program without libdoze as text and as JSON.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../symbols/symbols.h"
#include "../text/pool_words.h"
#include "../text/units.h"
#include "../text/wrap.h"
#include "foreign.h"

#define SITES_LISTED 10

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
	const struct doze_wake_site **list;

	for (*n = 0; doze_model_wake_site(m, *n); (*n)++)
		;
	list = *n ? malloc(*n * sizeof *list) : NULL;
	for (size_t i = 0; list && i < *n; i++)
		list[i] = doze_model_wake_site(m, i);
	if (list)
		qsort(list, *n, sizeof *list, by_vain);
	else
		*n = 0;
	return list;
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

void doze_foreign_sites(const struct doze_model *m, FILE *out)
{
	struct doze_foreign f;
	size_t n, more;
	const struct doze_wake_site **list = sorted(m, &n);

	doze_foreign_take(m, &f);
	more = n > SITES_LISTED ? n - SITES_LISTED : 0;
	if (n)
		fputs("\nPlaces that wake\n"
		      "       calls  no waiter      wakes    in vain  place\n"
		      "                                      at least\n",
		      out);
	for (size_t i = 0; i < n - more; i++) {
		const struct doze_wake_site *s = list[i];

		fprintf(out, "  %10s %10s %10s %10s %s%s%s%s\n",
			s->calls ? doze_count(s->calls) : "-",
			s->calls ? doze_count(s->nobody) : "-", doze_count(s->wakes),
			f.known && shows_vain(s) ? doze_count(s->futile) : "-", place(m, s),
			s->kind > DOZE_WAIT_cond ? " (" : "",
			s->kind > DOZE_WAIT_cond ? doze_wait_kind_name(s->kind) : "",
			s->kind > DOZE_WAIT_cond ? ")" : "");
	}
	if (more)
		fprintf(out, "  and %s more (--json lists all)\n", doze_plural(more, "place"));
	free(list);
}

static void json_sites(struct doze_json *j, const struct doze_model *m)
{
	size_t n;
	const struct doze_wake_site **list = sorted(m, &n);

	doze_json_open(j, "places", '[');
	for (size_t i = 0; i < n; i++) {
		doze_json_open(j, NULL, '{');
		doze_json_int(j, "vpid", list[i]->vpid);
		doze_json_string(j, "kind", doze_wait_kind_name(list[i]->kind));
		doze_json_uint(j, "caller", list[i]->caller);
		doze_json_string(j, "place", place(m, list[i]));
		doze_json_uint(j, "calls", list[i]->calls);
		doze_json_uint(j, "nobody", list[i]->nobody);
		doze_json_uint(j, "woken", list[i]->wakes);
		doze_json_uint(j, "futile_at_least", list[i]->futile);
		doze_json_close(j, '}');
	}
	doze_json_close(j, ']');
	free(list);
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
