/*
 * SPDX-License-Identifier: MIT
 *
 * options_check.c - the checks of single option values; each returns null or what is allowed.
 *
 * strtoull and friends take " -3", "0x", "" and trailing rubbish, and wrap or saturate: every check
 * here goes through read_number or read_decimal, which take digits only and say when it is too
 * much.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/config.h"
#include "options.h"

#define NS_PER_S 1000000000LL

static bool read_number(const char *text, unsigned long min, unsigned long max, unsigned long *out)
{
	if (!isdigit((unsigned char)*text))
		return false;
	char *end;
	errno = 0;
	unsigned long n = strtoul(text, &end, 10);
	if (errno || *end || n < min || n > max)
		return false;
	*out = n;
	return true;
}

static bool read_decimal(const char *text, double *out, const char **rest)
{
	if (strspn(text, "0123456789.") == 0 || !strpbrk(text, "0123456789"))
		return false;
	char *end;
	errno = 0;
	*out = strtod(text, &end);
	*rest = end;
	return !errno && strspn(text, "0123456789.") == (size_t)(end - text);
}

const char *doze_check_flag(const char *value, void *target)
{
	(void)value;
	*(bool *)target = true;
	return NULL;
}

const char *doze_check_string(const char *value, void *target)
{
	if (!*value)
		return "a text that is not empty";
	*(const char **)target = value;
	return NULL;
}

const char *doze_check_count(const char *value, void *target)
{
	unsigned long n;
	if (!read_number(value, 1, 1000000, &n))
		return "a number from 1 to 1000000";
	*(unsigned *)target = (unsigned)n;
	return NULL;
}

const char *doze_check_number(const char *value, void *target)
{
	unsigned long n;
	if (!read_number(value, 0, 1000000000, &n))
		return "a number from 0 to 1000000000";
	*(unsigned *)target = (unsigned)n;
	return NULL;
}

const char *doze_check_workers(const char *value, void *target)
{
	unsigned long n;
	static char allowed[64];
	if (!read_number(value, 1, DOZE_WORKERS_MAX, &n)) {
		snprintf(allowed, sizeof(allowed), "a number from 1 to %d", DOZE_WORKERS_MAX);
		return allowed;
	}
	*(unsigned *)target = (unsigned)n;
	return NULL;
}

const char *doze_check_ratio(const char *value, void *target)
{
	double d;
	const char *rest;
	if (!read_decimal(value, &d, &rest) || *rest || d > 1)
		return "a ratio from 0 to 1";
	*(double *)target = d;
	return NULL;
}

const char *doze_check_duration(const char *value, void *target)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
	static const char allowed[] = "a time such as 1.5, 20ms, 300us or 7ns (seconds if bare)";
	double d;
	const char *rest;
	if (!read_decimal(value, &d, &rest))
		return allowed;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(rest, units[i].name) != 0 || d * units[i].ns > 9e18)
			continue;
		*(int64_t *)target = (int64_t)(d * units[i].ns + 0.5);
		return NULL;
	}
	return allowed;
}

/** Reads "3" or "0-3" at *text and steps over it and a comma that more must follow. */
static bool read_range(const char **text, unsigned long *first, unsigned long *last)
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

const char *doze_check_worker_list(const char *value, void *target)
{
	const char *rest = value;
	unsigned long first, last;
	do {
		if (!read_range(&rest, &first, &last))
			return "worker indices such as 2 or 0-3,6";
	} while (*rest);
	*(const char **)target = value;
	return NULL;
}

bool doze_options_shows(const struct doze_options *o, int worker)
{
	unsigned long first, last;
	if (!o->only)
		return true;
	for (const char *rest = o->only; *rest && read_range(&rest, &first, &last);)
		if (worker >= 0 && (unsigned long)worker >= first && (unsigned long)worker <= last)
			return true;
	return false;
}

int doze_options_beyond(const struct doze_options *o, int last)
{
	unsigned long first, end;
	for (const char *rest = o->only; rest && *rest && read_range(&rest, &first, &end);)
		if ((long)first > last)
			return (int)first;
	return -1;
}
