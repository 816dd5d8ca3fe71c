/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_export.c - `doze export --format=F DIR -o FILE`: a trace for other programs.
 */
#include <stdio.h>

#include "../export/export.h"
#include "../views/load.h"
#include "cmd.h"
#include "cmd_offline.h"
#include "outfile.h"

static const struct doze_export_format *format;

/* For --format: a name of the table. */
static const char *check_format(const char *value, void *target)
{
	static char allowed[160];
	size_t n = 0;

	*(const struct doze_export_format **)target = doze_export_find(value);
	if (format)
		return NULL;
	for (const struct doze_export_format *const *f = doze_export_formats; *f; f++)
		n += (size_t)snprintf(allowed + n, sizeof(allowed) - n, "%s%s",
				      n ? ", " : "one of ", (*f)->name);
	return allowed;
}

const struct doze_option cmd_export_options[] = {
    {"format", 'f', "FORMAT", "perfetto, csv, json, svg or trace-compass", check_format, &format},
    {0},
};

static void before(void *ctx, const struct doze_event *e)
{
	struct doze_export *x = ctx;

	if (!x->begun)
		x->origin = e->ts;
	x->begun = true;
	if (format->event)
		format->event(x, e);
}

/* Reads the trace into the format; returns the exit code. */
static int write_format(struct doze_export *x, struct doze_model *m, const char *dir)
{
	struct doze_load_hooks hooks = {.before = before, .ctx = x};
	int rc = DOZE_EXIT_INPUT;

	if (format->begin && !format->begin(x))
		doze_complain("not enough memory: export: close other programs");
	else
		rc = doze_load(dir, m, &hooks);
	if (format->end)
		format->end(x);
	return rc;
}

static int export_to(FILE *out, const char *dir)
{
	struct doze_export x = {.out = out, .trace = dir};
	struct doze_model *m = doze_model_new(&format->listener, &x);
	int rc;

	if (!m) {
		doze_complain("not enough memory: export: close other programs");
		return DOZE_EXIT_INPUT;
	}
	x.model = m;
	rc = write_format(&x, m, dir);
	if (!rc)
		rc = doze_load_doubts(dir, m);
	doze_model_free(m);
	return rc;
}

int cmd_export(int argc, char **argv)
{
	struct doze_options o;
	struct doze_out out;
	int rc = doze_options_parse(&o, argc, argv);

	if (rc >= 0)
		return rc;
	if (!format) {
		doze_complain("export: no format given: add --format=perfetto, or another "
			      "('doze help export')");
		return DOZE_EXIT_USAGE;
	}
	rc = doze_out_open(&out, o.output);
	return rc ? rc : doze_out_close(&out, export_to(out.file, o.operands[0]));
}
