/*
 * SPDX-License-Identifier: MIT
 *
 * clock.c - see clock.h.
 */
#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int64_t tui_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int64_t tui_wall_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

char *tui_duration(char *out, size_t size, int64_t ns, const char *micro)
{
	double v = (double)(ns < 0 ? -ns : ns);
	const char *sign = ns < 0 ? "-" : "", *unit;

	if (v < 999.5) {
		snprintf(out, size, "%s%.0f ns", sign, v);
		return out;
	}
	if (v < 999.5e3) {
		v /= 1e3;
		unit = micro;
	} else if (v < 999.5e6) {
		v /= 1e6;
		unit = "m";
	} else {
		v /= 1e9;
		unit = "";
	}
	snprintf(out, size, "%s%.*f %ss", sign, v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, unit);
	return out;
}

char *tui_count(char *out, size_t size, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;

	for (int i = 0; i < len && (size_t)at + 2 < size; i++) {
		if (i && (len - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}
