/*
 * SPDX-License-Identifier: MIT
 *
 * lesson_file.c - see lesson_file.h. Each entry is "KEY: VALUE". A line that begins with a blank
 * continues the preceding entry. `at` begins a step.
 */
#include "lesson_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../trace/event.h"
#include "../../words/option_values.h"
#include "panes.h"

/* ---- moments of a recording ---- */

static const char moments[] =
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
static bool parse_state(const char *text, struct doze_lesson_place *m)
{
	char name[20], rest;
	unsigned worker;

	m->nth = 1;
	if (sscanf(text, "w%u %19s %u %c", &worker, name, &m->nth, &rest) < 2)
		return false;
	m->kind = DOZE_LESSON_PLACE_state;
	m->worker = (int)worker;
	m->what = state_named(name);
	return m->what >= 0;
}

/* Parses "storm 1" or "post 2". */
static bool parse_event(const char *text, struct doze_lesson_place *m)
{
	char name[20], rest;
	int parts;

	m->nth = 1;
	parts = sscanf(text, "%19s %u %c", name, &m->nth, &rest);
	if (parts < 1 || parts > 2)
		return false;
	m->kind = strcmp(name, "storm") == 0 ? DOZE_LESSON_PLACE_storm : DOZE_LESSON_PLACE_event;
	m->what = event_named(name);
	return m->kind == DOZE_LESSON_PLACE_storm || m->what >= 0;
}

const char *doze_lesson_place_parse(char *text, struct doze_lesson_place *m)
{
	size_t n;

	*m = (struct doze_lesson_place){0};
	if (!cut_offset(text, &m->plus))
		return moments;
	for (n = strlen(text); n > 0 && text[n - 1] == ' ';)
		text[--n] = '\0';
	if (strcmp(text, "end") == 0) {
		m->kind = DOZE_LESSON_PLACE_end;
		return NULL;
	}
	if (text[0] >= '0' && text[0] <= '9') {
		int64_t plus = m->plus;

		if (doze_check_duration(text, &m->plus) != NULL)
			return moments;
		m->plus += plus;
		return NULL;
	}
	if ((text[0] == 'w' && parse_state(text, m)) || parse_event(text, m))
		return m->nth > 0 ? NULL : moments;
	return moments;
}

char *doze_lesson_place_text(const struct doze_lesson_place *m, char *out, size_t size)
{
	switch (m->kind) {
	case DOZE_LESSON_PLACE_time:
		snprintf(out, size, "%.9g s", (double)m->plus / 1e9);
		break;
	case DOZE_LESSON_PLACE_end:
		snprintf(out, size, "end");
		break;
	case DOZE_LESSON_PLACE_storm:
		snprintf(out, size, "storm %u", m->nth);
		break;
	case DOZE_LESSON_PLACE_event:
		snprintf(out, size, "%s %u", doze_event_name((enum doze_event_kind)m->what),
			 m->nth);
		break;
	case DOZE_LESSON_PLACE_state:
		snprintf(out, size, "w%d %s %u", m->worker,
			 doze_state_name((enum doze_state)m->what), m->nth);
		break;
	}
	return out;
}

enum { BYTES_MAX = 1 << 16, WORKER_MAX = 100000 };

/** State of the parser. */
struct parser {
	struct doze_lesson *lesson;
	struct doze_lesson_step *step; /* null before the first step */
	const char *path;
	int line; /* line number of the current entry */
	char *err;
	size_t err_size;
};

static int complain(const struct parser *p, int line, const char *what)
{
	snprintf(p->err, p->err_size, "%s:%d: %s", p->path, line, what);
	return -1;
}

static int complain_value(const struct parser *p, const char *key, const char *value,
			  const char *allowed)
{
	snprintf(p->err, p->err_size, "%s:%d: %s: '%.40s' is not %s", p->path, p->line, key, value,
		 allowed);
	return -1;
}

/* ---- values ---- */

static int set_at(struct parser *p, char *value)
{
	struct doze_lesson *l = p->lesson;
	const char *allowed;
	char given[64];

	if (l->steps == DOZE_LESSON_STEPS)
		return complain(p, p->line, "too many steps: a lesson has at most 40");
	p->step = &l->step[l->steps++];
	*p->step =
	    (struct doze_lesson_step){.line = p->line, .worker = -1, .pane = -1, .right = -1};
	snprintf(given, sizeof given, "%s", value);
	allowed = doze_lesson_place_parse(value, &p->step->at);
	return allowed ? complain_value(p, "at", given, allowed) : 0;
}

static int set_window(struct parser *p, char *value)
{
	const char *allowed = doze_check_duration(value, &p->step->window);

	return allowed ? complain_value(p, "window", value, allowed) : 0;
}

static int set_worker(struct parser *p, char *value)
{
	unsigned n;
	char rest;

	if (sscanf(value, "w%u%c", &n, &rest) != 1 || n > WORKER_MAX)
		return complain_value(p, "worker", value, "a worker such as w1");
	p->step->worker = (int)n;
	return 0;
}

static int set_pane(struct parser *p, char *value)
{
	for (int i = 0; i < TUI_PANE_COUNT; i++)
		if (i != TUI_PANE_lesson && strcmp(value, tui_pane_at(i)->name) == 0) {
			p->step->pane = i;
			return 0;
		}
	return complain_value(p, "pane", value, "a pane: 'doze replay' shows their names");
}

static int set_choice(struct parser *p, char *value, bool right)
{
	struct doze_lesson_step *s = p->step;

	if (!s->ask)
		return complain(p, p->line, "an answer without a question: put 'ask' before it");
	if (s->choices == DOZE_LESSON_CHOICES)
		return complain(p, p->line, "too many answers: a question has at most 4");
	if (right && s->right >= 0)
		return complain(p, p->line, "a second right answer: a question has only one");
	if (right)
		s->right = s->choices;
	s->choice[s->choices++] = value;
	return 0;
}

static int set_right(struct parser *p, char *value)
{
	return set_choice(p, value, true);
}

static int set_wrong(struct parser *p, char *value)
{
	return set_choice(p, value, false);
}

static int set_number(struct parser *p, char *value)
{
	const char *allowed = doze_check_number(value, &p->lesson->number);

	return allowed ? complain_value(p, "number", value, allowed) : 0;
}

/* ---- entries ---- */

#define HEAD(field) offsetof(struct doze_lesson, field)
#define STEP(field) offsetof(struct doze_lesson_step, field)

static const struct {
	const char *key;
	bool of_step;
	size_t text;                         /* offset of the member that stores a string */
	int (*set)(struct parser *, char *); /* or a function that parses and stores the value */
} entries[] = {
    {"number", false, 0, set_number},    {"title", false, HEAD(title), NULL},
    {"about", false, HEAD(about), NULL}, {"recording", false, HEAD(recording), NULL},
    {"next", false, HEAD(next), NULL},   {"at", false, 0, set_at},
    {"window", true, 0, set_window},     {"worker", true, 0, set_worker},
    {"pane", true, 0, set_pane},         {"text", true, STEP(text), NULL},
    {"ask", true, STEP(ask), NULL},      {"right", true, 0, set_right},
    {"wrong", true, 0, set_wrong},       {"because", true, STEP(because), NULL},
};

static int set_text(struct parser *p, size_t i, char *value)
{
	char *base = entries[i].of_step ? (char *)p->step : (char *)p->lesson;
	const char **field = (const char **)(void *)(base + entries[i].text);

	if (*field) {
		snprintf(p->err, p->err_size, "%s:%d: %s is given twice", p->path, p->line,
			 entries[i].key);
		return -1;
	}
	*field = value;
	return 0;
}

static int take_entry(struct parser *p, char *entry)
{
	char *value = strchr(entry, ':');

	if (!value)
		return complain_value(p, "entry", entry, "KEY: VALUE");
	*value++ = '\0';
	value += strspn(value, " \t");
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		if (strcmp(entries[i].key, entry) != 0)
			continue;
		if (!*value)
			return complain_value(p, entry, value, "a value");
		if (entries[i].of_step && !p->step)
			return complain(p, p->line, "a step begins with 'at': put it first");
		return entries[i].set ? entries[i].set(p, value) : set_text(p, i, value);
	}
	return complain_value(
	    p, "key", entry,
	    "one of: number title about recording next at window worker pane text "
	    "ask right wrong because");
}

/* Joins an entry with its continuation lines, in place, and null-terminates it. Returns the
 * remaining text. */
static char *join(char *entry, int *lines)
{
	char *out = entry, *in = entry;

	*lines = 0;
	for (;;) {
		while (*in && *in != '\n')
			*out++ = *in++;
		*lines += 1;
		while (out > entry && (out[-1] == ' ' || out[-1] == '\t' || out[-1] == '\r'))
			out--;
		if (!*in || (in[1] != ' ' && in[1] != '\t'))
			break;
		in += 1 + strspn(in + 1, " \t");
		*out++ = ' ';
	}
	in += *in == '\n';
	*out = '\0';
	return in;
}

/* Reports an error if the text contains control characters, which could disturb a terminal. */
static int check_bytes(const struct parser *p, const char *text)
{
	int line = 1;

	for (; *text; line += *text++ == '\n')
		if ((unsigned char)*text < ' ' && !strchr("\n\t\r", *text))
			return complain(p, line, "a control character: a lesson is plain text");
	return 0;
}

static int parse(struct parser *p, char *text)
{
	int line = 1, lines;

	if (check_bytes(p, text) != 0)
		return -1;
	for (char *rest; *text; text = rest, line += lines) {
		p->line = line;
		rest = join(text, &lines);
		if (*text && *text != '#' && take_entry(p, text) != 0)
			return -1;
	}
	return 0;
}

/* ---- the whole lesson ---- */

static int check_step(const struct parser *p, const struct doze_lesson_step *s)
{
	if (!s->text)
		return complain(p, s->line, "the step has no 'text'");
	if (s->ask && (s->choices < 2 || s->right < 0))
		return complain(p, s->line,
				"the question needs one 'right' and at least one 'wrong' answer");
	return 0;
}

static int check(const struct parser *p)
{
	const struct doze_lesson *l = p->lesson;

	if (!l->title || !l->recording || l->steps == 0)
		return complain(p, 1,
				!l->title       ? "the lesson has no 'title'"
				: !l->recording ? "the lesson has no 'recording'"
						: "the lesson has no step: begin one with 'at'");
	for (size_t i = 0; i < l->steps; i++)
		if (check_step(p, &l->step[i]) != 0)
			return -1;
	return 0;
}

static char *read_bytes(const char *path, char *err, size_t err_size)
{
	char *bytes = calloc(1, BYTES_MAX + 1);
	FILE *f = bytes ? fopen(path, "re") : NULL;
	size_t n = f ? fread(bytes, 1, BYTES_MAX, f) : 0;

	if (f && !ferror(f) && n < BYTES_MAX) {
		fclose(f);
		return bytes;
	}
	snprintf(err, err_size, "%s: %s", path,
		 f && n == BYTES_MAX ? "too large for a lesson: at most 64 KiB" : strerror(errno));
	if (f)
		fclose(f);
	free(bytes);
	return NULL;
}

struct doze_lesson *doze_lesson_read(const char *path, char *err, size_t err_size)
{
	struct doze_lesson *l = calloc(1, sizeof *l);
	struct parser p = {.lesson = l, .path = path, .line = 1, .err = err, .err_size = err_size};

	if (!l) {
		snprintf(err, err_size, "%s: out of memory", path);
		return NULL;
	}
	l->bytes = read_bytes(path, err, err_size);
	if (l->bytes && parse(&p, l->bytes) == 0 && check(&p) == 0)
		return l;
	doze_lesson_free(l);
	return NULL;
}

void doze_lesson_free(struct doze_lesson *l)
{
	if (l)
		free(l->bytes);
	free(l);
}
