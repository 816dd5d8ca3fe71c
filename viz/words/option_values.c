/*
 * SPDX-License-Identifier: MIT
 *
 * option_values.c - see option_values.h.
 *
 * strtoul and strtod accept " -3", "0x", "" and trailing garbage, and wrap or saturate. Every check
 * here therefore uses read_number or read_decimal, which accept digits only and detect overflow.
 */
#include "option_values.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/config.h"

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
		return "a non-empty text";
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

const char *doze_check_pid(const char *value, void *target)
{
	unsigned long n;
	if (!read_number(value, 2, INT_MAX, &n))
		return "the number of a process, as in 'ps -e'";
	*(pid_t *)target = (pid_t)n;
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
	static const char allowed[] =
	    "a time such as 1.5, 20ms, 300us or 7ns (seconds without a unit)";
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
