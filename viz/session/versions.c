/*
 * SPDX-License-Identifier: MIT
 *
 * versions.c - which versions of LTTng and Babeltrace are installed, and whether doze was tested
 * with both together.
 */
#include <babeltrace2/babeltrace.h>
#include <stdio.h>
#include <string.h>

#include "doctor.h"

/* A row of tested.tsv in which no test failed. */
struct tested {
	const char *place, *date, *lttng, *babeltrace;
};

static const struct tested tested[] = {
#include "tested.h" /* made from tested.tsv; see module.mk */
    {0},
};

static bool lttng_version(char *text, size_t size)
{
	FILE *f = popen("lttng-sessiond --version 2>&1", "re");
	bool ok = f && fgets(text, (int)size, f);

	if (f)
		pclose(f);
	if (!ok)
		return false;
	text[strcspn(text, " \n")] = '\0';
	return *text != '\0';
}

/* Writes "LTTng X with Babeltrace Y" of each row. */
static void list(char *text, size_t size)
{
	size_t n = 0;

	*text = '\0';
	for (const struct tested *t = tested; t->place && n < size; t++)
		n += (size_t)snprintf(text + n, size - n, "%sLTTng %s with Babeltrace %s",
				      n ? ", " : "", t->lttng, t->babeltrace);
}

void doctor_versions(struct doctor *d)
{
	char lttng[64], babeltrace[64], all[256], fix[400];

	if (!lttng_version(lttng, sizeof(lttng)))
		return; /* the check of programs reports this */
	snprintf(babeltrace, sizeof(babeltrace), "%u.%u.%u", bt_version_get_major(),
		 bt_version_get_minor(), bt_version_get_patch());
	for (const struct tested *t = tested; t->place; t++)
		if (!strcmp(t->lttng, lttng) && !strcmp(t->babeltrace, babeltrace)) {
			doctor_report(d, DOCTOR_OK, NULL,
				      "LTTng %s and Babeltrace %s, which were tested together on "
				      "%s (Debian %s)",
				      lttng, babeltrace, t->date, t->place);
			return;
		}
	list(all, sizeof(all));
	snprintf(fix, sizeof(fix), "if something fails, try versions that were: %s", all);
	doctor_report(d, DOCTOR_NOTE, all[0] ? fix : NULL,
		      "LTTng %s and Babeltrace %s, which were not tested together", lttng,
		      babeltrace);
}
