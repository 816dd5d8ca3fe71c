/*
 * SPDX-License-Identifier: MIT
 *
 * options_policy.c - the names of the sleep policies, from the library. They are in a separate file
 * so that the Babeltrace plug-in need not be linked with the library.
 */
#include <stdio.h>

#include "../../lib/sleep/sleep.h"
#include "options.h"

const char *doze_policy_names(void)
{
	static char names[256];
	size_t used = 0;
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p; p++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 used ? " " : "", (*p)->name);
	return names;
}

const char *doze_check_policy(const char *value, void *target)
{
	static char allowed[280];
	const struct doze_sleep_policy *policy = doze_policy_find(value);
	if (!policy) {
		snprintf(allowed, sizeof(allowed), "one of: %s", doze_policy_names());
		return allowed;
	}
	*(const char **)target = policy->name;
	return NULL;
}
