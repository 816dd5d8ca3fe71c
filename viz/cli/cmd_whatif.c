/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_whatif.c - `doze whatif DIR`: the publishes of a trace under other wake rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../views/load.h"
#include "../whatif/whatif.h"
#include "cmd.h"
#include "cmd_offline.h"

static const struct doze_policy_descriptor *only; /* null: all */
static unsigned max_shown = 10;

static const char *check_rule(const char *value, void *target)
{
	static char allowed[32 + DOZE_POLICY_COUNT * 24];
	const struct doze_policy_descriptor **rule = target, *d = doze_policy_descriptor(value);
	size_t used;

	if (d != &doze_policy_unknown || !strcmp(value, "all")) {
		*rule = d == &doze_policy_unknown ? NULL : d;
		return NULL;
	}
	used = (size_t)snprintf(allowed, sizeof allowed, "one of: all");
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		used += (size_t)snprintf(allowed + used, sizeof allowed - used, " %s",
					 doze_policy_at(i)->name);
	return allowed;
}

const struct doze_option cmd_whatif_options[] = {
    {"policy", 0, "NAME", "the wake rule to replay, or 'all' (all)", check_rule, &only},
    {"max", 0, "N", "with one rule, show the first N posts that differ (10; up to 1000)",
     doze_check_number, &max_shown},
    {0},
};

static void before(void *ctx, const struct doze_event *e)
{
	doze_whatif_event(ctx, e);
}

static int replay(const struct doze_options *o, struct doze_whatif *w, struct doze_model *m)
{
	struct doze_load_hooks hooks = {.before = before, .ctx = w};
	const char *dir = o->operands[0];
	int rc;

	w->model = m;
	w->only = only;
	w->max_shown = max_shown;
	rc = doze_load(dir, m, &hooks);
	if (rc)
		return rc;
	if (o->json)
		doze_whatif_json(w, dir, stdout);
	else
		doze_whatif_print(w, stdout);
	fflush(stdout);
	return doze_load_doubts(dir, m);
}

int cmd_whatif(int argc, char **argv)
{
	struct doze_whatif *w;
	struct doze_model *m;
	struct doze_options o;
	int rc = doze_options_parse(&o, argc, argv);

	if (rc >= 0)
		return rc;
	w = calloc(1, sizeof *w);
	m = w ? doze_model_new(NULL, NULL) : NULL;
	if (m) {
		rc = replay(&o, w, m);
	} else {
		doze_complain("not enough memory: whatif: close other programs");
		rc = DOZE_EXIT_INPUT;
	}
	doze_model_free(m);
	free(w);
	return rc;
}
