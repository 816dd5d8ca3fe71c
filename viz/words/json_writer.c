/*
 * SPDX-License-Identifier: MIT
 *
 * json_writer.c - see json_writer.h.
 */
#include "json_writer.h"

#include <inttypes.h>
#include <math.h>

#include "quote.h"

/* Writes what precedes an element: comma, line break, indentation and name. */
static void begin(struct doze_json *j, const char *name)
{
	uint32_t bit = 1u << (j->level & 31);

	if (j->begun & bit)
		fputc(',', j->out);
	j->begun |= bit;
	if (j->level)
		fprintf(j->out, "\n%*s", (int)(2 * j->level), "");
	if (name) {
		doze_quote_json(j->out, name);
		fputs(": ", j->out);
	}
}

void doze_json_open(struct doze_json *j, const char *name, char bracket)
{
	begin(j, name);
	fputc(bracket, j->out);
	j->level++;
	j->begun &= ~(1u << (j->level & 31));
}

void doze_json_close(struct doze_json *j, char bracket)
{
	bool empty = !(j->begun & 1u << (j->level & 31));

	j->level--;
	if (!empty)
		fprintf(j->out, "\n%*s", (int)(2 * j->level), "");
	fputc(bracket, j->out);
	if (!j->level)
		fputc('\n', j->out);
}

void doze_json_int(struct doze_json *j, const char *name, int64_t v)
{
	begin(j, name);
	fprintf(j->out, "%" PRId64, v);
}

void doze_json_uint(struct doze_json *j, const char *name, uint64_t v)
{
	begin(j, name);
	fprintf(j->out, "%" PRIu64, v);
}

void doze_json_real(struct doze_json *j, const char *name, double v)
{
	begin(j, name);
	if (isfinite(v))
		fprintf(j->out, "%.6g", v);
	else
		fputs("null", j->out);
}

void doze_json_bool(struct doze_json *j, const char *name, bool v)
{
	begin(j, name);
	fputs(v ? "true" : "false", j->out);
}

void doze_json_string(struct doze_json *j, const char *name, const char *v)
{
	if (!v) {
		doze_json_null(j, name);
		return;
	}
	begin(j, name);
	doze_quote_json(j->out, v);
}

void doze_json_null(struct doze_json *j, const char *name)
{
	begin(j, name);
	fputs("null", j->out);
}
