/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_report.c - `doze report DIR -o FILE.html`: one page to look at and hand in.
 */
#include <stdio.h>

#include "../check/checker.h"
#include "../path/path.h"
#include "../report/page.h"
#include "../views/load.h"
#include "cmd.h"
#include "options.h"
#include "outfile.h"

static int read_trace(struct report *r, struct doze_model *m, const char *trace)
{
	int rc = doze_load(trace, m, NULL);

	doze_storm_log_finish(&r->log);
	if (rc == 0 && !report_whole(r)) {
		doze_complain("not enough memory: report: record a shorter run");
		rc = DOZE_EXIT_INPUT;
	}
	return rc;
}

static int write_page(const struct report *r, const char *trace, FILE *out)
{
	if (report_page(r, trace, out) == 0 || ferror(out))
		return DOZE_EXIT_OK; /* an error of the file is told where it is closed */
	doze_complain("not enough memory: report: record a shorter run");
	return DOZE_EXIT_INPUT;
}

/* The file first: whoever cannot have it need not wait for the trace. */
static int report_to(struct report *r, struct doze_model *m, const char *trace, const char *path)
{
	struct doze_out out;
	int rc = doze_out_open(&out, path);

	if (rc)
		return rc;
	rc = read_trace(r, m, trace);
	if (rc == 0)
		rc = write_page(r, trace, out.file);
	rc = doze_out_close(&out, rc);
	if (rc == 0 && out.file != stdout)
		printf("%s: open it in a browser\n", path);
	return rc ? rc : doze_load_doubts(trace, m);
}

int cmd_report(int argc, char **argv)
{
	struct report r = {0};
	struct doze_options o;
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;
	int rc = doze_options_parse(&o, argc, argv);

	if (rc >= 0)
		return rc;
	if (o.output == NULL) {
		doze_complain("report: no file named: say where with -o FILE.html");
		return DOZE_EXIT_USAGE;
	}
	struct doze_model *m =
	    doze_with_checker(doze_with_paths(doze_model_new_with(&limits, &report_listener, &r)));
	if (m == NULL) {
		doze_complain("not enough memory: report: close other programs");
		return DOZE_EXIT_INPUT;
	}
	r.model = r.log.model = m;
	rc = report_to(&r, m, o.operands[0], o.output);
	doze_model_free(m);
	report_free(&r);
	return rc;
}
