/*
 * SPDX-License-Identifier: MIT
 *
 * inconclusive.c - see inconclusive.h.
 */
#include "inconclusive.h"

#include <string.h>

#include "../words/units.h"
#include "../words/wrap.h"

/* Each of the following functions returns whether one reason applies, and writes it. */
static bool lost(const struct doze_model *m, char *text, size_t size)
{
	const struct doze_totals *t = doze_model_totals(m);

	snprintf(text, size, "at least %s %s lost", doze_plural(t->discarded, "event"),
		 t->discarded == 1 ? "was" : "were");
	return t->discarded > 0;
}

static bool missing(const struct doze_model *m, char *text, size_t size)
{
	const struct doze_totals *t = doze_model_totals(m);

	if (*t->missing_what)
		snprintf(text, size, "events are missing: %s", t->missing_what);
	else
		snprintf(text, size, "events are missing, although no loss was reported");
	return t->missing > 0;
}

static bool evicted(const struct doze_model *m, char *text, size_t size)
{
	const struct doze_totals *t = doze_model_totals(m);

	snprintf(text, size, "%s did not fit into the model's tables",
		 doze_plural(t->evicted, "item"));
	return t->evicted > 0;
}

static bool backwards(const struct doze_model *m, char *text, size_t size)
{
	const struct doze_totals *t = doze_model_totals(m);

	snprintf(text, size, "time runs backwards %s",
		 t->backwards == 1 ? "once" : doze_plural(t->backwards, "time"));
	return t->backwards > 0;
}

static bool leaps(const struct doze_model *m, char *text, size_t size)
{
	const struct doze_totals *t = doze_model_totals(m);

	snprintf(text, size, "%s more than 30 days after %s",
		 t->leaps == 1 ? "an event comes" : "events come",
		 t->leaps == 1 ? "its predecessor" : "their predecessors");
	return t->leaps > 0;
}

static bool truncated(const struct doze_model *m, char *text, size_t size)
{
	const struct doze_totals *t = doze_model_totals(m);

	snprintf(text, size,
		 doze_model_is_foreign(m) ? "the trace ends before the program exited"
					  : "the trace ends before its pool stopped");
	return t->truncated;
}

static bool no_start(const struct doze_model *m, char *text, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < doze_model_pools(m); i++)
		n += !strcmp(doze_model_pool(m, i)->policy, "?");
	snprintf(text, size, "the start of %s is missing, so the policy is unknown",
		 n == doze_model_pools(m) ? "the pool" : "a pool");
	return n > 0;
}

static bool empty(const struct doze_model *m, char *text, size_t size)
{
	snprintf(text, size, "the trace has no events");
	return !doze_model_totals(m)->events;
}

static const struct {
	bool (*applies)(const struct doze_model *, char *text, size_t size);
	const char *advice;
} reasons[] = {
    {lost, "record with larger buffers or less detail"},
    {missing, "check that no file of the trace is missing, or record again"},
    {empty, "check that no file of the trace is missing and that the program creates a pool"},
    {no_start, "check that no file of the trace is missing, or record from the program's start"},
    {backwards, "a stream is damaged, or the machine's clock was wrong: record again"},
    {leaps, "a stream is damaged, or the machine's clock was wrong: record again"},
    {evicted, "record fewer pools and workers at once"},
    {truncated, "let the program exit before the recording ends"},
};
#define REASONS (sizeof reasons / sizeof reasons[0])

const char *doze_inconclusive(const struct doze_model *m)
{
	static char text[768]; /* large enough for all reasons */
	char one[192];
	size_t n = 0;

	for (size_t i = 0; i < REASONS; i++)
		if (reasons[i].applies(m, one, sizeof one))
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", and " : "",
					      one);
	return n ? text : NULL;
}

const char *doze_inconclusive_advice(const struct doze_model *m)
{
	char one[192];

	for (size_t i = 0; i < REASONS; i++)
		if (reasons[i].applies(m, one, sizeof one))
			return reasons[i].advice;
	return "";
}

void doze_inconclusive_line(const struct doze_model *m, FILE *out)
{
	const char *why = doze_inconclusive(m);
	struct doze_wrapped w;

	if (!why)
		return;
	fprintf(doze_wrap_begin(&w, out), "Inconclusive: %s.\n", why);
	doze_wrap_end(&w);
}
