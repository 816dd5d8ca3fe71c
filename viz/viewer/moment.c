/*
 * SPDX-License-Identifier: MIT
 *
 * moment.c - parses and writes moments of a recording: see lesson_file.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../trace/event.h"
#include "../words/option_values.h"
#include "lesson_file.h"

static const char allowed[] =
    "a time such as 12ms, 'end', 'storm 1', an event such as 'post 2', or "
    "a state such as 'w1 sleeping 3', optionally followed by '+ 5us' or '- 5us'";

/* Cuts "+ 5us" or "- 5us" off the end of the text. Returns false if that is not a duration. */
static bool cut_offset(char *text, int64_t *plus)
{
	char *sign = strpbrk(text, "+-"), *value;

	*plus = 0;
	if (!sign)
		return true;
	value = sign + 1 + strspn(sign + 1, " ");
	if (doze_check_duration(value, plus) != NULL)
		return false;
	if (*sign == '-')
		*plus = -*plus;
	*sign = '\0';
	return true;
}

static int state_named(const char *name)
{
	for (int st = DOZE_STATE_active; st < DOZE_STATE_COUNT; st++)
		if (strcmp(name, doze_state_name((enum doze_state)st)) == 0)
			return st;
	return -1;
}

static int event_named(const char *name)
{
	for (int kind = DOZE_EV_unknown + 1; kind < DOZE_EV_COUNT; kind++)
		if (strcmp(name, doze_event_name((enum doze_event_kind)kind)) == 0)
			return kind;
	return -1;
}

/* Parses "w1 sleeping 3". */
static bool parse_state(const char *text, struct doze_moment *m)
{
	char name[20], rest;
	unsigned worker;

	m->nth = 1;
	if (sscanf(text, "w%u %19s %u %c", &worker, name, &m->nth, &rest) < 2)
		return false;
	m->kind = DOZE_MOMENT_state;
	m->worker = (int)worker;
	m->what = state_named(name);
	return m->what >= 0;
}

/* Parses "storm 1" or "post 2". */
static bool parse_event(const char *text, struct doze_moment *m)
{
	char name[20], rest;
	int parts;

	m->nth = 1;
	parts = sscanf(text, "%19s %u %c", name, &m->nth, &rest);
	if (parts < 1 || parts > 2)
		return false;
	m->kind = strcmp(name, "storm") == 0 ? DOZE_MOMENT_storm : DOZE_MOMENT_event;
	m->what = event_named(name);
	return m->kind == DOZE_MOMENT_storm || m->what >= 0;
}

const char *doze_moment_parse(char *text, struct doze_moment *m)
{
	size_t n;

	*m = (struct doze_moment){0};
	if (!cut_offset(text, &m->plus))
		return allowed;
	for (n = strlen(text); n > 0 && text[n - 1] == ' ';)
		text[--n] = '\0';
	if (strcmp(text, "end") == 0) {
		m->kind = DOZE_MOMENT_end;
		return NULL;
	}
	if (text[0] >= '0' && text[0] <= '9') {
		int64_t plus = m->plus;

		if (doze_check_duration(text, &m->plus) != NULL)
			return allowed;
		m->plus += plus;
		return NULL;
	}
	if ((text[0] == 'w' && parse_state(text, m)) || parse_event(text, m))
		return m->nth > 0 ? NULL : allowed;
	return allowed;
}

char *doze_moment_text(const struct doze_moment *m, char *out, size_t size)
{
	switch (m->kind) {
	case DOZE_MOMENT_time:
		snprintf(out, size, "%.9g s", (double)m->plus / 1e9);
		break;
	case DOZE_MOMENT_end:
		snprintf(out, size, "end");
		break;
	case DOZE_MOMENT_storm:
		snprintf(out, size, "storm %u", m->nth);
		break;
	case DOZE_MOMENT_event:
		snprintf(out, size, "%s %u", doze_event_name((enum doze_event_kind)m->what),
			 m->nth);
		break;
	case DOZE_MOMENT_state:
		snprintf(out, size, "w%d %s %u", m->worker,
			 doze_state_name((enum doze_state)m->what), m->nth);
		break;
	}
	return out;
}
