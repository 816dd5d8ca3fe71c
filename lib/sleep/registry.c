/*
 * SPDX-License-Identifier: MIT
 *
 * registry.c - the table of sleep policies. To add one, see README.md.
 */
#include <stddef.h>
#include <string.h>

#include "sleep.h"

extern const struct doze_sleep_policy doze_policy_jec, doze_policy_rfc, doze_policy_local,
    doze_policy_block, doze_policy_spare, doze_policy_chain, doze_policy_go, doze_policy_demand,
    doze_policy_tickle, doze_policy_forkjoin, doze_policy_spin, doze_policy_condvar;

static const struct doze_sleep_policy *const policies[] = {
    &doze_policy_jec,   /* the default: the policy of current Rayon */
    &doze_policy_rfc,   /* the policy of RFC 5 */
    &doze_policy_local, /* this and the next two: variants from RFC 5 */
    &doze_policy_block,    &doze_policy_spare,
    &doze_policy_chain,    /* rfc, changed so that no job waits while others sleep */
    &doze_policy_go,       /* the rule of Go's scheduler */
    &doze_policy_demand,   /* jec, but wakes only for jobs that wait */
    &doze_policy_tickle,   /* the policy of rayon-core up to 1.7 */
    &doze_policy_forkjoin, /* a preset with its own queues */
    &doze_policy_spin,     /* this and the next one: baselines for comparisons */
    &doze_policy_condvar,  NULL,
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
