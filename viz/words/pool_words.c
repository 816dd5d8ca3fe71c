/*
 * SPDX-License-Identifier: MIT
 *
 * pool_words.c - see pool_words.h.
 */
#include "pool_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum company { ALONE, SAME_PROCESS, PROCESSES, HOSTS };

/* Returns what distinguishes the pools of this trace from each other. */
static enum company company_of(const struct doze_model *m)
{
	const struct doze_pool_view *first = doze_model_pool(m, 0);
	enum company c = ALONE;

	for (size_t i = 1; i < doze_model_pools(m); i++) {
		const struct doze_pool_view *p = doze_model_pool(m, i);

		if (p->host != first->host)
			return HOSTS;
		if (p->vpid != first->vpid)
			c = PROCESSES;
		else if (c == ALONE)
			c = SAME_PROCESS;
	}
	return c;
}

const char *doze_pool_name(const struct doze_model *m, uint32_t row)
{
	const struct doze_pool_view *p = doze_model_pool(m, row);

	for (size_t i = 0; p && i < doze_model_pools(m); i++)
		if (*p->name && strcmp(doze_model_pool(m, i)->name, p->name) != 0)
			return p->name;
	return "";
}

const char *doze_pool_words(const struct doze_model *m, uint32_t row)
{
	static char text[128];
	const struct doze_pool_view *p = doze_model_pool(m, row);
	enum company c = company_of(m);
	int n = 0;

	*text = 0;
	if (p && c > ALONE)
		n = snprintf(text, sizeof text, "%s %" PRIu32,
			     doze_pool_is_crew(p) ? "crew" : "pool", p->pool);
	if (p && c > ALONE && *doze_pool_name(m, row))
		n += snprintf(text + n, sizeof text - (size_t)n, " '%s'", p->name);
	if (p && c > SAME_PROCESS)
		n += snprintf(text + n, sizeof text - (size_t)n, " of process %" PRId32, p->vpid);
	if (p && c == HOSTS)
		snprintf(text + n, sizeof text - (size_t)n, " on host %" PRIu32, p->host);
	return text;
}

const char *doze_pool_prefix(const struct doze_model *m, uint32_t row)
{
	static char text[48];
	const struct doze_pool_view *p = doze_model_pool(m, row);
	enum company c = company_of(m);

	*text = 0;
	if (p && c == HOSTS)
		snprintf(text, sizeof text, "%" PRIu32 ":%" PRId32 ":%" PRIu32 "/", p->host,
			 p->vpid, p->pool);
	else if (p && c == PROCESSES)
		snprintf(text, sizeof text, "%" PRId32 ":%" PRIu32 "/", p->vpid, p->pool);
	else if (p && c == SAME_PROCESS)
		snprintf(text, sizeof text, "%" PRIu32 "/", p->pool);
	return text;
}
