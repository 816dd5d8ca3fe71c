/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_report.c - `doze report DIR -o FILE.html`: one page to look at and hand in.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "report/page.h"
#include "views/load.h"

static int write_page(const struct report *r, const char *trace, const char *path)
{
	FILE *out = fopen(path, "w");

	if (out == NULL) {
		doze_complain("%s: %s: choose another file with -o", path, strerror(errno));
		return DOZE_EXIT_INPUT;
	}
	int failed = report_page(r, trace, out);
	bool broken = ferror(out) != 0;
	if (fclose(out) != 0 || broken || failed != 0) {
		doze_complain("%s: the page could not be written: %s: is the disk full?", path,
			      failed ? "not enough memory" : strerror(errno));
		(void)remove(path);
		return DOZE_EXIT_INPUT;
	}
	printf("%s: open it in a browser\n", path);
	return DOZE_EXIT_OK;
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
	limits.check = true;
	struct doze_model *m = doze_model_new_with(&limits, &report_listener, &r);
	if (m == NULL) {
		doze_complain("not enough memory: report: close other programs");
		return DOZE_EXIT_INPUT;
	}
	r.model = r.log.model = m;
	rc = doze_load(o.operands[0], m, NULL);
	doze_storm_log_finish(&r.log);
	if (rc == 0 && !report_whole(&r)) {
		doze_complain("not enough memory: report: record a shorter run");
		rc = DOZE_EXIT_INPUT;
	}
	if (rc == 0)
		rc = write_page(&r, o.operands[0], o.output);
	if (rc == 0)
		rc = doze_load_doubts(o.operands[0], m);
	doze_model_free(m);
	report_free(&r);
	return rc;
}
