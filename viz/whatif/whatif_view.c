/*
 * SPDX-License-Identifier: MIT
 *
 * whatif_view.c - the view `whatif`: models the posts of a trace under other wake rules.
 */
#include <string.h>

#include "../views/view.h"
#include "whatif.h"

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

static const struct doze_whatif defaults = {.max_shown = 10};

static const struct doze_view_option options[] = {
    {.option = {"policy", 0, "NAME", "the policy whose wake rule to apply, or 'all' (all)",
		check_rule, NULL},
     .offset = offsetof(struct doze_whatif, only)},
    {.option = {"max", 0, "N",
		"with one rule, list the first N posts that differ (10; at most 1000)",
		doze_check_number, NULL},
     .offset = offsetof(struct doze_whatif, max_shown)},
    {.option = {0}},
};

static struct doze_model *whatif_open(void *state, const struct doze_view_request *r)
{
	struct doze_model *m = doze_model_new(NULL, NULL);

	(void)r;
	((struct doze_whatif *)state)->model = m;
	return m;
}

static void whatif_feed(void *state, struct doze_model *m, const struct doze_event *e)
{
	doze_whatif_event(state, e);
	doze_model_feed(m, e);
}

static void whatif_print(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	(void)m;
	doze_whatif_print(state, r->out);
}

static void whatif_json(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	(void)m;
	doze_whatif_json(state, r->trace, r->out);
}

const struct doze_view doze_whatif_view = {
    .name = "whatif",
    .options = options,
    .size = sizeof(struct doze_whatif),
    .defaults = &defaults,
    .open = whatif_open,
    .feed = whatif_feed,
    .print = whatif_print,
    .json = whatif_json,
};
