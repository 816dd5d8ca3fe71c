/*
 * SPDX-License-Identifier: MIT
 *
 * selection.c - see selection.h.
 */
#include "selection.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Parses "3" or "0-3" at *text, and advances *text to the next item of the list. */
static bool read_item(const char **text, unsigned long *first, unsigned long *last)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*first = *last = strtoul(*text, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		*last = strtoul(end + 1, &end, 10);
	if (*end && (*end != ',' || !end[1]))
		return false;
	*text = *end ? end + 1 : end;
	return *first <= *last && *last < DOZE_WORKERS_MAX;
}

bool doze_worker_set_parse(struct doze_worker_set *set, const char *list)
{
	struct doze_worker_set parsed = {.limited = true};
	unsigned long first, last;

	do {
		if (!read_item(&list, &first, &last))
			return false;
		for (unsigned long i = first; i <= last; i++)
			parsed.bits[i / 64] |= UINT64_C(1) << i % 64;
	} while (*list);
	*set = parsed;
	return true;
}

const char *doze_check_worker_list(const char *list, void *selection)
{
	struct doze_selection *s = selection;

	if (!doze_worker_set_parse(&s->workers, list))
		return "worker indices such as 2 or 0-3,6";
	s->list = list;
	return NULL;
}

bool doze_selection_by_time(const struct doze_selection *s)
{
	return s->from > 0 || s->to != INT64_MAX;
}

const char *doze_check_pool(const char *pool, void *selection)
{
	struct doze_selection *s = selection;
	bool number = *pool && !pool[strspn(pool, "0123456789")];
	unsigned long n = number ? strtoul(pool, NULL, 10) : 0;

	if (!*pool || (number && (!n || n > UINT32_MAX)))
		return "a pool's number (from 1) or its name";
	s->pool = (unsigned)n;
	s->pool_name = number ? NULL : pool;
	return NULL;
}

bool doze_selection_by_pool(const struct doze_selection *s)
{
	return s->pool || s->pool_name;
}

struct doze_selection doze_selection_of_pool(const struct doze_selection *s)
{
	struct doze_selection all = DOZE_SELECT_ALL;

	all.pool = s->pool;
	all.pool_name = s->pool_name;
	return all;
}

bool doze_selection_by_worker(const struct doze_selection *s)
{
	return s->workers.limited;
}

int doze_selection_beyond(const struct doze_selection *s, int last)
{
	unsigned long first, end;

	for (const char *rest = s->list; rest && *rest && read_item(&rest, &first, &end);)
		if ((long)first > last)
			return (int)first;
	return -1;
}
