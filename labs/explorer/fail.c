/*
 * SPDX-License-Identifier: MIT
 *
 * fail.c - how a search ends: the execution fails, the explorer reaches a limit, or an event that a
 * scenario requires never happens.
 *
 * All other files may call this one, and it calls none of them. A failure stores its message and
 * jumps to E->fail, which the search or the replay has set.
 *
 * Notes are events that a search counts. ex_must_note requires a note, and ex_note counts it. A
 * search that never makes a required note fails, but has no schedule to show.
 */
#include "world.h"

#include <stdarg.h>
#include <string.h>

const char *ex_thread_name(int thread)
{
	static const char *const names[] = {"main", "T1", "T2", "T3", "T4", "T5"};
	return W->t[thread].name ? W->t[thread].name : names[thread];
}

const char *ex_policy(void)
{
	return E->opt.policy;
}

void ex_fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(E->res->message, sizeof(E->res->message), format, args);
	va_end(args);
	siglongjmp(E->fail, 1);
}

void ex_give_up(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(E->res->message, sizeof(E->res->message), format, args);
	va_end(args);
	E->res->verdict = EX_GAVE_UP;
	siglongjmp(E->fail, 1);
}

void ex_breach(const char *format, ...)
{
	char text[200];
	va_list args;
	if (E->breaches_permitted)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ex_fail("%s", text);
}

void ex_permit_breaches(void)
{
	E->breaches_permitted = true;
}

/* ---- notes ---- */

static unsigned note_of(const char *what)
{
	for (unsigned i = 0; i < EX_MAX_NOTES; i++) {
		if (!E->res->note[i])
			E->res->note[i] = what;
		if (strcmp(E->res->note[i], what) == 0)
			return i;
	}
	ex_give_up("gave up: more than %d notes", EX_MAX_NOTES);
}

void ex_note(const char *what)
{
	E->res->note_count[note_of(what)]++;
	ex_event(what);
}

/** Reports an event that a player or a search for a goal may want to reach. Does not count it. */
void ex_event(const char *what)
{
	if (E->met)
		fprintf(E->met, "%s\n", what);
	if (!E->goal || !strstr(what, E->goal))
		return;
	E->reached = what;
	if (E->goal_only)
		ex_fail("the goal: %s", what);
}

void ex_must_note(const char *what)
{
	E->res->note_due[note_of(what)] = true;
}

/** Requires a note for each cell that the scenario declares. Does so only under sc, because
 * searches in other memory modes may permit fewer preemptions. */
static void demand_cells(void)
{
	static char cells[1024]; /* static, because notes are kept by reference */
	char *rest = cells;

	if (E->opt.memory != EX_MEM_SC)
		return;
	snprintf(cells, sizeof(cells), "%s", E->scenario->cells ? E->scenario->cells : "");
	for (char *cell; (cell = strtok_r(rest, " ", &rest)) != NULL;)
		ex_must_note(cell);
}

void ex_judge_notes(void)
{
	struct ex_result *r = E->res;

	demand_cells();
	for (unsigned i = 0; i < EX_MAX_NOTES && r->verdict == EX_PASSED; i++) {
		if (!r->note_due[i] || r->note_count[i])
			continue;
		r->verdict = EX_FAILED;
		r->length = 0;
		r->at_execution = r->executions;
		snprintf(r->message, sizeof(r->message), "no execution reached: %s", r->note[i]);
	}
}
