/*
 * SPDX-License-Identifier: MIT
 *
 * registry.c - the table of sleep policies. To add one: its table of functions in a file of its
 * own, a declaration and a line here, the file's name in lib/module.mk.
 */
#include <stddef.h>
#include <string.h>

#include "sleep.h"

extern const struct doze_sleep_policy doze_policy_jec;

static const struct doze_sleep_policy *const policies[] = {
    &doze_policy_jec, /* the default: Rayon's, today */
    NULL,
};

const struct doze_sleep_policy *const *doze_policy_all(void)
{
	return policies;
}

const struct doze_sleep_policy *doze_policy_find(const char *name)
{
	for (size_t i = 0; policies[i] != NULL; i++)
		if (strcmp(policies[i]->name, name) == 0)
			return policies[i];
	return NULL;
}
