/*
 * SPDX-License-Identifier: MIT
 *
 * play_show.c - prints the state of a game as lines of tab-separated fields, followed by a line
 * ".".
 *
 *   thread NUMBER NAME STATUS FUNCTION STEP PLACE WAITS-FOR CHOICES
 *   choice THREAD NUMBER WORDS        an alternative of the step, if there are several
 *   buffered THREAD VARIABLE VALUE    a buffered store; the oldest comes first
 *   variable NAME BYTES VALUE ADDRESS
 *   freed NAME                        a variable whose memory has been freed
 *   lock NAME OWNER
 *   step TEXT PLACE                   a step of the last move
 *   row LABEL TEXT                    a row that the scenario adds (shown.c)
 *   met TEXT                          an event that the last move met (ex_event)
 *   event TEXT                        an event that the library reported in the last move
 *   game MOVES KNOWN STATE MESSAGE    STATE: playing, reached, failed, ended
 *
 * STATUS: ready, blocked (by a lock or a join), sleeps, waits (until all is quiet), ended.
 */
#include "play.h"

#include <string.h>

/** Returns whether a thread that waits until all is quiet may continue. */
bool ex_game_quiet(int thread)
{
	struct ex_action a[EX_MAX_ACTIONS];
	if (W->t[thread].status != EX_READY || W->t[thread].op.kind != EX_OP_QUIET)
		return false;
	unsigned n = ex_enumerate(a, EX_MAX_ACTIONS);
	return n > 0 && a[0].kind == EX_RUN && W->t[a[0].thread].op.kind == EX_OP_QUIET;
}

static const char *status(int thread)
{
	const struct ex_thread *t = &W->t[thread];
	if (t->status == EX_ENDED)
		return "ended";
	if (t->status == EX_WAITING)
		return "sleeps";
	if (ex_enabled(thread) || ex_game_quiet(thread))
		return "ready";
	return t->op.kind == EX_OP_QUIET ? "waits" : "blocked";
}

/** Prints the thread's next step in words. */
static void show_step(const struct ex_game *g, const struct ex_op *op)
{
	char words[EX_MAX_WORDS];
	ex_words(op, words, sizeof(words));
	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOCK:
	case EX_OP_TRYLOCK:
	case EX_OP_UNLOCK:
	case EX_OP_NOTIFY:
	case EX_OP_WAIT:
		printf("%s %s%s", words, ex_object_name(g, op->addr),
		       op->kind == EX_OP_LOCK && op->sub ? " (woken)" : "");
		break;
	case EX_OP_JOIN:
		printf("join %s", ex_thread_name((int)op->n));
		break;
	case EX_OP_QUIET:
		printf("continue when no other thread can run");
		break;
	case EX_OP_STORE:
		printf("%s = %#lx", words, (unsigned long)op->value);
		break;
	case EX_OP_CAS:
		printf("%s: %#lx -> %#lx", words, (unsigned long)op->expected,
		       (unsigned long)op->value);
		break;
	case EX_OP_CHOOSE:
		printf("an alternative of the scenario, which you choose");
		break;
	default:
		printf("%s", words);
		break;
	}
}

/** Prints the alternatives of the thread's step. */
static void show_choices(int thread)
{
	const struct ex_op *op = &W->t[thread].op;
	unsigned n = ex_enabled(thread) ? ex_choices(thread) : 1, waiter = 0;
	for (unsigned c = 0; n > 1 && c < n; c++) {
		printf("choice\t%d\t%u\t", thread, c);
		if (op->kind == EX_OP_NOTIFY) {
			while (W->t[waiter].status != EX_WAITING || W->t[waiter].cond != op->addr)
				waiter++;
			printf("wake %s\n", ex_thread_name((int)waiter++));
		} else if (op->kind == EX_OP_CHOOSE) {
			printf("alternative %u of %u\n", c + 1, n);
		} else {
			printf(c ? "read an old value (%u)\n" : "read the newest value\n", c);
		}
	}
}

static void show_thread(const struct ex_game *g, int thread)
{
	const struct ex_thread *t = &W->t[thread];
	const struct ex_site *at = &t->op.at;
	bool ended = t->status == EX_ENDED;

	printf("thread\t%d\t%s\t%s\t%s\t", thread, ex_thread_name(thread), status(thread),
	       !ended && at->func ? at->func : "");
	if (!ended)
		show_step(g, &t->op);
	printf("\t");
	if (!ended && at->file)
		printf("%s:%lu", at->file, (unsigned long)at->line);
	printf("\t%s\t%u\n", t->expects ? t->expects : "",
	       W->spurious_left && t->status == EX_WAITING);
	show_choices(thread);
	for (unsigned i = 0; i < t->nbuf; i++)
		printf("buffered\t%d\t%s\t%lu\n", thread, ex_object_name(g, t->buf[i].addr),
		       (unsigned long)t->buf[i].value);
}

/** Prints each line of the text after the given word. */
static void show_lines(const char *word, const char *text)
{
	while (text && *text) {
		int n = (int)strcspn(text, "\n");
		printf("%s\t%.*s\n", word, n, text);
		text += n + (text[n] == '\n');
	}
}

static bool all_ended(void)
{
	for (unsigned i = 0; i < W->nthreads; i++)
		if (W->t[i].status != EX_ENDED)
			return false;
	return true;
}

void ex_game_show(const struct ex_game *g)
{
	const char *state = g->reached_at ? "reached"
			    : g->failed   ? "failed"
			    : all_ended() ? "ended"
					  : "playing";
	for (unsigned i = 0; i < W->nthreads; i++)
		show_thread(g, (int)i);
	ex_objects_show(g);
	show_lines("step", g->lines);
	show_lines("event", g->events);
	show_lines("met", g->met);
	if (E->rows)
		E->rows();
	printf("game\t%u\t%u\t%s\t%s\n.\n", g->moves, g->known, state,
	       g->failed       ? E->res->message
	       : g->reached_at ? g->reached
			       : "");
	fflush(stdout);
}
