/*
 * SPDX-License-Identifier: MIT
 *
 * question.c - parses a question.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../words/option_values.h"
#include "why_int.h"

static bool number(const char *s, int base, uint64_t most, uint64_t *out)
{
	char *end;

	if (!strchr("0123456789abcdefABCDEF", *s) || !*s)
		return false;
	errno = 0;
	*out = strtoull(s, &end, base);
	return !errno && !*end && end != s && *out <= most;
}

const char *doze_check_why(const char *value, void *target)
{
	struct doze_why_question *q = target;
	uint64_t n;

	if (!strncmp(value, "0x", 2) && number(value + 2, 16, UINT64_MAX, &n) && n) {
		q->kind = DOZE_WHY_job;
		q->job = n;
	} else if (*value == 'w' && number(value + 1, 10, DOZE_WORKERS_MAX - 1, &n)) {
		q->kind = DOZE_WHY_worker;
		q->worker = (int32_t)n;
	} else if (!doze_check_duration(value, &q->time)) {
		q->kind = DOZE_WHY_time;
	} else {
		return "a time (20ms), a job (0x2a) or a worker (w3)";
	}
	q->text = value;
	return NULL;
}
