/*
 * SPDX-License-Identifier: MIT
 *
 * units.c - see units.h.
 */
#include "units.h"

#include <inttypes.h>
#include <stdio.h>

#define RING 8
#define SIZE 48

static char *next_buffer(void)
{
	static char ring[RING][SIZE];
	static unsigned n;

	return ring[n++ % RING];
}

const char *doze_duration(int64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	char *s = next_buffer();
	double v = (double)ns, a = ns < 0 ? -v : v;
	unsigned u = 0;

	while (a >= 999.5 && u < 3) {
		a /= 1000;
		v /= 1000;
		u++;
	}
	snprintf(s, SIZE, "%.*f %s", u == 0 || a >= 99.95 ? 0 : a >= 9.995 ? 1 : 2, v, units[u]);
	return s;
}

const char *doze_position(int64_t ns, int64_t step)
{
	char *s = next_buffer();
	int64_t second = 1000000000, unit = second;
	int decimals = 0, len;

	/* Count the decimals with integers: a double might be rounded up. */
	while (step ? unit > step : ns % unit) {
		unit /= 10;
		decimals++;
	}
	ns -= (ns % unit + unit) % unit;
	len = snprintf(s, SIZE, "%s%" PRId64, ns < 0 ? "-" : "",
		       ns < 0 ? -(ns / second) : ns / second);
	ns = ns % second < 0 ? -(ns % second) : ns % second;
	if (decimals)
		len += snprintf(s + len, SIZE - (size_t)len, ".%0*" PRId64, decimals, ns / unit);
	snprintf(s + len, SIZE - (size_t)len, "s");
	return s;
}

int64_t doze_tick_step(int64_t least)
{
	int64_t step = 1;

	for (int i = 0; step < least && step < INT64_MAX / 4; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

const char *doze_count(uint64_t n)
{
	char digits[24], *s = next_buffer(), *to = s;
	int len = snprintf(digits, sizeof digits, "%" PRIu64, n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = 0;
	return s;
}

const char *doze_short_count(uint64_t n)
{
	static const char units[] = " kMGTPE";
	char *s = next_buffer();
	unsigned u = 0;
	uint64_t tenths = 0;

	if (n < 10000) {
		snprintf(s, SIZE, "%" PRIu64, n);
		return s;
	}
	for (; n >= 1000; n /= 1000, u++)
		tenths = n % 1000 / 100;
	if (n < 10)
		snprintf(s, SIZE, "%" PRIu64 ".%" PRIu64 "%c", n, tenths, units[u]);
	else
		snprintf(s, SIZE, "%" PRIu64 "%c", n, units[u]);
	return s;
}

const char *doze_share(double part, double whole)
{
	char *s = next_buffer();

	if (whole > 0)
		snprintf(s, SIZE, "%.1f %%", 100 * part / whole);
	else
		snprintf(s, SIZE, "-");
	return s;
}

const char *doze_plural(uint64_t n, const char *noun)
{
	char *s = next_buffer();

	snprintf(s, SIZE, "%s %s%s", doze_count(n), noun, n == 1 ? "" : "s");
	return s;
}
