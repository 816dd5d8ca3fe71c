/*
 * SPDX-License-Identifier: MIT
 *
 * suggest.c - see suggest.h. The distance is the number of letters to insert, delete, replace or
 * swap with their neighbour (optimal string alignment).
 */
#include "suggest.h"

#include <string.h>

enum { LONGEST = 32 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned d[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= n; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			unsigned other = a[i - 1] != b[j - 1];

			d[i][j] =
			    least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + other);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

struct cmd_suggestion cmd_suggest(const char *word, size_t length)
{
	/* Allow errors in at most a third of the letters; with more, unrelated names would
	 * match. */
	return (struct cmd_suggestion){word, length, NULL, (unsigned)(length + 4) / 3};
}

void cmd_suggest_from(struct cmd_suggestion *s, const char *candidate)
{
	size_t n = strlen(candidate);
	unsigned d;

	if (n > LONGEST || s->length > LONGEST)
		return;
	d = distance(s->word, s->length, candidate, n);
	if (d >= s->distance)
		return;
	s->best = candidate;
	s->distance = d;
}
