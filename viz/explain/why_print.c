/*
 * SPDX-License-Identifier: MIT
 *
 * why_print.c - prints an answer as text and as JSON.
 */
#include <inttypes.h>

#include "../words/json_writer.h"
#include "../words/units.h"
#include "../words/wrap.h"
#include "why_int.h"

bool doze_why_answer(const struct doze_model *m, struct doze_why_answer *a)
{
	const struct why *y = why_of(m);

	if (!y || y->failed)
		return false;
	*a = (struct doze_why_answer){.truncated = y->effect.truncated, .delay = y->effect.delay};
	why_headline(y, &y->effect, a);
	for (; a->count < y->effect.count; a->count++)
		why_words(y, &y->effect, a->count, &a->step[a->count]);
	return true;
}

enum { INDENT = 14 }; /* indentation of a step's text, which follows its time */

static void print_step(const struct doze_why_step *s, const struct doze_model *m, const char *trace,
		       FILE *out)
{
	char text[sizeof s->text + sizeof s->rule + 160];
	int64_t at = s->ts - doze_model_totals(m)->first_ts;

	(void)snprintf(text, sizeof text, "%*s  %s.", INDENT - 2, doze_position(at, DOZE_LISTED),
		       s->text);
	doze_wrap(out, text, INDENT);
	fputc('\n', out);
	if (*s->rule) {
		(void)snprintf(text, sizeof text, "%*sRule: %s", INDENT, "", s->rule);
		doze_wrap(out, text, INDENT);
		fputc('\n', out);
	}
	fprintf(out, "%*sdoze %s %s\n", INDENT, "", s->command, trace ? trace : "DIR");
}

void doze_why_print(const struct doze_why_answer *a, const struct doze_model *m, const char *trace,
		    FILE *out)
{
	doze_wrap(out, a->headline, 0);
	fputc('\n', out);
	if (a->count)
		fputs("\nThe chain, backwards in time:\n", out);
	for (size_t i = 0; i < a->count; i++)
		print_step(&a->step[i], m, trace, out);
	if (a->truncated)
		fputs("Earlier links are left out: ask about an earlier time.\n", out);
}

static void json_step(struct doze_json *j, const struct doze_why_step *s, int64_t first)
{
	doze_json_open(j, NULL, '{');
	doze_json_int(j, "at", s->ts - first);
	doze_json_string(j, "event", doze_event_name(s->kind));
	doze_json_int(j, "worker", s->worker);
	doze_json_int(j, "vtid", s->vtid);
	doze_json_string(j, "text", s->text);
	doze_json_string(j, "rule", *s->rule ? s->rule : NULL);
	doze_json_string(j, "command", s->command);
	doze_json_close(j, '}');
}

void doze_why_json(const struct doze_why_answer *a, const struct doze_why_question *q,
		   const struct doze_model *m, const char *trace, FILE *out)
{
	struct doze_json j = {.out = out};

	doze_json_open(&j, NULL, '{');
	doze_json_string(&j, "trace", trace);
	doze_json_string(&j, "question", q->text);
	doze_json_bool(&j, "found", a->found);
	doze_json_string(&j, "answer", a->headline);
	doze_json_int(&j, "delay", a->delay);
	doze_json_bool(&j, "truncated", a->truncated);
	doze_json_open(&j, "chain", '[');
	for (size_t i = 0; i < a->count; i++)
		json_step(&j, &a->step[i], doze_model_totals(m)->first_ts);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}
