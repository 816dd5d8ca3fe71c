/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_doctor.c - `doze doctor`: checks whether this machine is ready, and prints how to fix
 * problems.
 */
#include <stdio.h>

#include "../session/doctor.h"
#include "../words/quote.h"
#include "cmd.h"
#include "options.h"

static bool quick;

const struct doze_option cmd_doctor_options[] = {
    {"quick", 'q', NULL, "skip the trial recording", doze_check_flag, &quick},
    {0},
};

static const char *const verdicts[] = {
    [DOCTOR_OK] = "ok", [DOCTOR_NOTE] = "note", [DOCTOR_BAD] = "bad"};

static void print_text(const struct doctor *d, bool color)
{
	static const char *const colors[] = {
	    [DOCTOR_OK] = "\33[32m", [DOCTOR_NOTE] = "\33[33m", [DOCTOR_BAD] = "\33[31m"};
	for (size_t i = 0; i < d->count; i++) {
		const struct doctor_finding *f = &d->findings[i];
		printf("%s%-4s%s  %s: %s\n", color ? colors[f->verdict] : "", verdicts[f->verdict],
		       color ? "\33[0m" : "", f->check, f->text);
		if (f->fix[0])
			printf("      fix: %s\n", f->fix);
	}
}

static void print_json(const struct doctor *d)
{
	struct doze_json j = {.out = stdout};

	doze_json_open(&j, NULL, '{');
	doze_json_bool(&j, "ready", !d->bad);
	doze_json_open(&j, "findings", '[');
	for (size_t i = 0; i < d->count; i++) {
		const struct doctor_finding *f = &d->findings[i];

		doze_json_open(&j, NULL, '{');
		doze_json_string(&j, "check", f->check);
		doze_json_string(&j, "verdict", verdicts[f->verdict]);
		doze_json_string(&j, "text", f->text);
		doze_json_string(&j, "mend", f->fix[0] ? f->fix : NULL);
		doze_json_close(&j, '}');
	}
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}

int cmd_doctor(const struct doze_cmd *cmd, int argc, char **argv)
{
	static struct doctor d;
	struct doze_options o;
	int rc = doze_options_parse(cmd, &o, argc, argv);
	if (rc >= 0)
		return rc;
	doctor_run(&d, !quick);
	if (o.json)
		print_json(&d);
	else
		print_text(&d, doze_options_color(&o, 1));
	return d.bad ? DOZE_EXIT_FINDINGS : DOZE_EXIT_OK;
}
