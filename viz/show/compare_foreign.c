/*
 * SPDX-License-Identifier: MIT
 *
 * compare_foreign.c - compares recordings of programs without libdoze: how many threads each wake
 * call woke, and how many of them, at least, in vain. The duration of such a program may depend on
 * much else, so no side is called better.
 */
#include <string.h>

#include "../words/units.h"
#include "compare.h"

static size_t foreign_runs(const struct doze_side *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->runs; i++)
		n += s->run[i].is_foreign;
	return n;
}

bool doze_compare_is_foreign(const struct doze_side *a, const struct doze_side *b)
{
	return foreign_runs(a) + foreign_runs(b) == a->runs + b->runs;
}

bool doze_compare_any_foreign(const struct doze_side *a, const struct doze_side *b)
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

void doze_compare_foreign(const struct doze_side *a, const struct doze_side *b, char *text,
			  size_t size)
{
	struct doze_foreign x = sum(a), y = sum(b);
	bool per_call = x.calls && y.calls;

	if (!doze_compare_is_foreign(a, b)) {
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

const char *doze_compare_foreign_name(const struct doze_compare_line *l)
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
