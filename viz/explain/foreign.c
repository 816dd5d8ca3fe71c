/*
 * SPDX-License-Identifier: MIT
 *
 * foreign.c - see foreign.h.
 */
#include "foreign.h"

#include <string.h>

#include "../words/units.h"
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

const char *doze_foreign_in_brief(const struct doze_foreign *f, char *out, size_t size)
{
	if (f->known)
		(void)snprintf(out, size, "at least %s of %s in vain", doze_count(f->futile),
			       doze_plural(f->woken, "wake"));
	else
		(void)snprintf(out, size, "of %s, it is not known whether any was in vain",
			       doze_plural(f->woken, "wake"));
	return out;
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
