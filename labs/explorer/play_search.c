/*
 * SPDX-License-Identifier: MIT
 *
 * play_search.c - searches on behalf of the player: for a hint, or for a proof that a goal cannot
 * be reached.
 *
 * A forked copy of the process searches, so that the game can go on, and writes its result to a
 * pipe. When the player makes a move, the game closes its end of the pipe, and the copy exits at
 * its next report.
 *
 *   progress EXECUTIONS
 *   found MOVES KIND THREAD CHOICE     the goal needs about MOVES moves, of which this is the first
 *   none EXECUTIONS                    no execution reaches the goal
 *   gave up EXECUTIONS                 the limit of states was reached
 */
#include "play.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HINT_STATES 200000

#define OUT STDOUT_FILENO /* in the copy; not a variable, which would be part of the state */

static void report_progress(uint64_t executions)
{
	dprintf(OUT, "progress %lu\n", (unsigned long)executions);
}

static FILE *solution; /* constant during the replay */

static void write_step(int thread, unsigned choice)
{
	char words[EX_MAX_WORDS];
	struct ex_action a = {EX_RUN, (uint8_t)thread, (uint8_t)choice, 0};
	ex_game_words(&a, words);
	if (words[0])
		fprintf(solution, "%s\n", words);
}

/** Takes the steps of the path that the search has found, and writes them as a script if `solution`
 * is open. Returns the number of moves, not counting starts of threads. */
static unsigned write_solution(const struct ex_result *r)
{
	char words[EX_MAX_WORDS];
	volatile unsigned n = 0;
	E->made = solution ? write_step : NULL;
	if (sigsetjmp(E->fail, 0))
		return n;
	for (unsigned i = 0; i < r->length; i++) {
		const struct ex_action *a = &r->path[i];
		n += a->kind != EX_RUN || W->t[a->thread].op.kind != EX_OP_START;
		if (a->kind != EX_RUN && solution) {
			ex_game_words(a, words);
			fprintf(solution, "%s\n", words);
		}
		ex_apply(*a);
	}
	return n;
}

static void report_found(const struct ex_game *g, const struct ex_result *r, const char *file)
{
	static const char *const kinds[] = {"run", "flush", "wake"};
	FILE *f = file ? fopen(file, "w") : NULL;
	for (unsigned i = 0; f && i < g->end[g->moves]; i++)
		if (g->words[i][0])
			fprintf(f, "%s\n", g->words[i]);
	ex_search_rewind();
	solution = f;
	unsigned n = write_solution(r);
	if (f)
		fclose(f);
	dprintf(OUT, "found %u %s %u %u\n", n, kinds[r->path[0].kind], r->path[0].thread,
		r->path[0].choice);
}

static void report(const struct ex_game *g, const struct ex_result *r, const char *file)
{
	unsigned long executions = (unsigned long)r->executions;

	if (r->verdict == EX_GAVE_UP)
		dprintf(OUT, "gave up %lu\n", executions);
	else if (r->verdict == EX_PASSED || r->length == 0)
		dprintf(OUT, "none %lu\n", executions);
	else
		report_found(g, r, file);
}

static _Noreturn void search(const struct ex_game *g, enum ex_quest what, const char *file)
{
	struct ex_result *r = calloc(1, sizeof(*r));
	struct ex_options opt = E->opt;
	if (!r)
		_exit(2);
	E->every_step = false;
	E->goal_only = true;
	E->progress = report_progress;
	if (what == EX_PROOF) {
		ex_search_rewind();
		ex_search(&opt, r);
	} else {
		/* The search must count only its own preemptions. */
		W->preemptions = 0;
		E->from_here = true;
		opt.max_states = HINT_STATES;
		ex_shorten(opt, r);
	}
	report(g, r, file);
	_exit(0);
}

/** Starts a search, for a hint from the current state or for a proof from the beginning. If `file`
 * is not null, the search writes the solution to that file, as a script. */
void ex_quest_start(struct ex_game *g, enum ex_quest what, const char *file)
{
	int ends[2];
	fflush(stdout);
	if (!E->goal || (what == EX_HINT && g->failed)) {
		printf("error\t%s\n",
		       E->goal ? "the game is over: undo first" : "this game has no goal");
		fflush(stdout);
		return;
	}
	if (pipe(ends) != 0)
		return;
	signal(SIGCHLD, SIG_IGN); /* the copy's exit status is not needed */
	if (fork() == 0) {
		signal(SIGPIPE, SIG_DFL);
		close(ends[0]);
		close(STDIN_FILENO);
		dup2(ends[1], OUT);
		close(ends[1]);
		search(g, what, file);
	}
	close(ends[1]);
	g->search = ends[0];
	ex_quest_poll(g);
}

/** Prints the search's next report, if there is one. */
void ex_quest_poll(struct ex_game *g)
{
	struct pollfd p = {.fd = g->search, .events = POLLIN};
	char c = '\n';

	printf("quest\t");
	if (g->search >= 0 && poll(&p, 1, 0) > 0) {
		/* The search writes whole lines, so these reads do not block. */
		while (read(g->search, &c, 1) == 1 && c != '\n')
			putchar(c);
		if (c != '\n')
			ex_quest_stop(g);
	}
	printf("\n");
	fflush(stdout);
}

void ex_quest_stop(struct ex_game *g)
{
	if (g->search >= 0)
		close(g->search);
	g->search = -1;
}
