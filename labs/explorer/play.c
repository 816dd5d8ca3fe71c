/*
 * SPDX-License-Identifier: MIT
 *
 * play.c - a player chooses the steps: commands on stdin, the state of the game on stdout.
 *
 *   run THREAD CHOICE   the thread takes its next step, and then its silent steps up to the next
 *                       one that another thread can notice: a move covers the same steps as a
 *                       choice of the search
 *   flush THREAD        the thread's oldest buffered store reaches memory
 *   wake THREAD         the thread wakes spuriously, if the scenario permits it
 *   undo, redo          go back or forward by one move
 *   load FILE           read the moves of a script (script.c), to redo them
 *   save FILE           write the moves made so far as a script
 *   events FILE         write the events of the library, for explore-trace
 *   hint [WORDS], proof, poll   see play_search.c
 *   quit
 *
 * The answer to each command is the state (play_show.c), or one line "error TEXT". labs/lab play
 * draws the state; this file does not depend on a terminal.
 *
 * A game begins after the steps that the player does not choose, which the game takes on its own;
 * or with a schedule whose moves the player can redo. --start contains these steps as lines of a
 * script (script.c). They are part of a saved game, so that it can be replayed from the start of
 * the program, but they do not count as moves.
 *
 * To go back, the game repeats the earlier moves from the start. A game has at most a few hundred
 * steps.
 */
#include "play.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* After more silent steps in a row, a thread is assumed to be looping on a plain variable. */
#define MAX_SILENT 4000

static struct ex_game *G; /* the game; set before the first state is saved, and never changed */

static void complain(const char *text)
{
	printf("error\t%s\n", text);
	fflush(stdout);
}

/** Writes the script line for this action, at most EX_MAX_WORDS characters long. A yield has no
 * line, so the words are empty. */
static void write_words(const struct ex_action *a, char *words)
{
	const char *name = ex_thread_name(a->thread);
	const struct ex_op *op = &W->t[a->thread].op;
	char step[EX_MAX_WORDS];

	words[0] = '\0';
	ex_words(op, step, sizeof(step));
	if (a->kind == EX_FLUSH)
		snprintf(words, EX_MAX_WORDS, "%s flushes", name);
	else if (a->kind == EX_SPURIOUS)
		snprintf(words, EX_MAX_WORDS, "%s wakes", name);
	else if (op->kind != EX_OP_YIELD && a->choice) /* yields are not in the listing */
		snprintf(words, EX_MAX_WORDS, "%.20s: %.80s (choice %u)", name, step, a->choice);
	else if (op->kind != EX_OP_YIELD)
		snprintf(words, EX_MAX_WORDS, "%.20s: %.80s", name, step);
}

/** Adds a step to the path, before it is taken. */
static void record(struct ex_action a)
{
	unsigned n = G->end[G->moves];
	if (n + 1 == EX_MAX_PATH)
		ex_give_up("the game has too many moves");
	write_words(&a, G->words[n]);
	G->path[n] = a;
	G->end[G->moves] = n + 1;
	if (a.kind == EX_RUN)
		ex_objects_touch(G, a.thread);
}

static void act(struct ex_action a)
{
	if (!G->unrecorded)
		record(a);
	ex_apply(a);
}

/** Takes the thread's next silent steps. */
static void run_on(int thread)
{
	for (unsigned i = 0; i < MAX_SILENT && ex_enabled(thread) && ex_is_silent(thread); i++)
		act((struct ex_action){EX_RUN, (uint8_t)thread, 0, 0});
}

/** Runs new threads up to their first step that another thread can notice. */
static void start_threads(void)
{
	for (unsigned i = 0; i < W->nthreads; i++) {
		if (W->t[i].op.kind != EX_OP_START || !ex_enabled((int)i))
			continue;
		act((struct ex_action){EX_RUN, (uint8_t)i, 0, 0});
		run_on((int)i);
	}
}

static void look_for_hang(void)
{
	char who[400];
	struct ex_action a[EX_MAX_ACTIONS];
	unsigned n = ex_enumerate(a, EX_MAX_ACTIONS);
	if (n && a[0].kind != EX_SPURIOUS)
		return;
	if (ex_is_hang(who, sizeof(who)))
		ex_fail("hang: %s", who);
}

static FILE *memory_file(char **text, size_t *size)
{
	free(*text);
	*text = NULL;
	FILE *f = open_memstream(text, size);
	if (!f)
		abort();
	return f;
}

static void look_for_goal(void)
{
	bool failed = E->goal && G->failed && strstr(E->res->message, E->goal);
	if ((!failed && !E->reached) || G->reached_at)
		return;
	G->reached_at = G->moves;
	snprintf(G->reached, sizeof(G->reached), "%s", failed ? E->res->message : E->reached);
}

/** Takes the first step of a new move and the silent steps around it. */
static void take_move(struct ex_action first)
{
	run_on(first.thread);
	act(first);
	run_on(first.thread);
	start_threads();
}

/** Takes the recorded steps of the current move, starting at number `from`, and then the steps of
 * the new move, if there is one. Must not be inlined, because a failure jumps out of it into
 * make_steps. */
__attribute__((noinline)) static void go_on(unsigned from, const struct ex_action *first)
{
	for (unsigned i = from; i < G->end[G->moves]; i++)
		ex_apply(G->path[i]);
	if (first)
		take_move(*first);
	else if (G->end[0] == 0)
		start_threads();
	look_for_hang();
}

/** Makes a move from the current state without recording it. Returns the outcome. */
enum ex_outcome ex_game_try(struct ex_action first)
{
	E->reached = NULL;
	if (sigsetjmp(E->fail, 0)) {
		E->cur = -1;
		return E->reached || strstr(E->res->message, E->goal) ? EX_REACHED : EX_DEAD;
	}
	take_move(first);
	look_for_hang();
	return E->reached ? EX_REACHED : EX_OPEN;
}

/** Calls go_on, and keeps the lines and events that the steps report. */
static void make_steps(unsigned from, const struct ex_action *first)
{
	FILE *lines = memory_file(&G->lines, &G->lines_size);
	FILE *events = memory_file(&G->events, &G->events_size);
	FILE *met = memory_file(&G->met, &G->met_size);

	E->reached = NULL;
	E->listing = lines;
	E->record = events;
	E->met = met;
	E->lines = E->drains = true;
	if (sigsetjmp(E->fail, 0)) {
		E->cur = -1;
		G->failed = true;
	} else {
		go_on(from, first);
	}
	E->listing = E->record = E->met = NULL;
	fclose(lines);
	fclose(events);
	fclose(met);
	look_for_goal();
}

/** Makes a move and records it. */
void ex_game_move(struct ex_action first)
{
	unsigned n = G->end[G->moves++];
	G->end[G->moves] = n;
	make_steps(n, &first);
	G->known = G->moves;
}

/** Goes to the state after the given number of moves. Shows the last of these moves, which may have
 * failed. */
static void go_to(unsigned moves)
{
	unsigned n = moves ? G->end[moves - 1] : 0;
	G->failed = false;
	E->clock = 0;
	ex_search_rewind();
	for (unsigned i = 0; i < n; i++)
		ex_apply(G->path[i]);
	G->moves = moves;
	if (G->reached_at > moves)
		G->reached_at = 0;
	make_steps(n, NULL);
}

/** Returns whether the player may make this move. */
bool ex_game_permits(const struct ex_action *a)
{
	if (a->thread >= W->nthreads || G->failed)
		return false;
	const struct ex_thread *t = &W->t[a->thread];
	if (a->kind == EX_FLUSH)
		return t->nbuf > 0;
	if (a->kind == EX_SPURIOUS)
		return t->status == EX_WAITING && W->spurious_left;
	if (ex_game_quiet(a->thread))
		return true;
	return ex_enabled(a->thread) && a->choice < ex_choices(a->thread);
}

/* ---- where a game begins ---- */

/** Adds a step of a script. A silent step belongs to the thread's previous move. */
static void take_step(struct ex_action a)
{
	unsigned n = G->end[G->moves];
	bool run = a.kind == EX_RUN, begins = n < G->opening || n == 0;
	bool starts = run && W->t[a.thread].op.kind == EX_OP_START;
	bool goes_on = !begins && run && G->path[n - 1].thread == a.thread;

	if (!begins && !starts && !(goes_on && ex_is_silent(a.thread))) {
		G->moves++;
		G->end[G->moves] = n;
	}
	record(a);
}

/** Takes the steps of the lines, which are separated by semicolons, from the start of the program.
 */
static void take_lines(const char *start)
{
	ex_search_rewind();
	G->end[0] = 0;
	char *text = strdup(start);
	for (char *c = text; c && *c; c++)
		*c = *c == ';' ? '\n' : *c;
	FILE *f = text ? fmemopen(text, strlen(text), "r") : NULL;
	if (!f || !ex_script_take(f, "--start", record)) {
		fprintf(stderr, "explore: %s\n", f ? E->res->message : "out of memory");
		exit(2);
	}
	fclose(f);
	free(text);
}

/** Takes the steps on which the player has no influence, and then each thread's silent steps. */
static void open_game(const char *start)
{
	take_lines(start);
	if (sigsetjmp(E->fail, 0)) {
		fprintf(stderr, "explore: --start: %s\n", E->res->message);
		exit(2);
	}
	start_threads();
	for (unsigned i = 0; i < W->nthreads; i++)
		run_on((int)i);
	G->opening = G->end[0];
	ex_search_learn_here();
	go_to(0);
}

/** Reads a script. The player can then redo its moves one by one. */
static void load(const char *file)
{
	G->moves = G->known = G->end[0] = 0;
	ex_search_rewind();
	bool fits = ex_script_load(file, take_step);
	G->known = fits ? G->moves : 0;
	if (!fits)
		G->end[0] = 0;
	go_to(0);
	if (fits)
		ex_game_show(G);
	else
		complain(E->res->message);
}

/* ---- the commands ---- */

static void try_move(enum ex_act kind, unsigned thread, unsigned choice)
{
	struct ex_action a = {(uint8_t)kind, (uint8_t)thread, (uint8_t)choice, 0};
	if (kind == EX_FLUSH)
		a.choice = a.thread;
	if (thread > 255 || choice > 255 || !ex_game_permits(&a)) {
		complain("this step is not possible now");
		return;
	}
	ex_game_move(a);
	ex_game_show(G);
}

static void cannot_write(const char *file)
{
	char text[512];

	snprintf(text, sizeof(text), "cannot write %s: %s", file, strerror(errno));
	complain(text);
}

static void save(const char *file)
{
	if (ex_game_write(G, file))
		ex_game_show(G);
	else
		cannot_write(file);
}

static void save_events(const char *file)
{
	E->record = fopen(file, "w");
	if (!E->record) {
		cannot_write(file);
		return;
	}
	FILE *f = E->record;
	(void)ex_replay(G->path, G->end[G->moves], E->res);
	fprintf(f, "end %s\n", G->failed ? E->res->message : "end of the schedule");
	E->record = NULL;
	fclose(f);
	go_to(G->moves);
	ex_game_show(G);
}

static void step_back_or_forth(const char *command)
{
	if (!strcmp(command, "undo") && G->moves > 0)
		go_to(G->moves - 1);
	else if (!strcmp(command, "redo") && G->moves < G->known)
		go_to(G->moves + 1);
	ex_game_show(G);
}

/** Executes a command. Returns false if it ends the game. */
static bool obey(char *line)
{
	unsigned thread, choice = 0;
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "run %u %u", &thread, &choice) >= 1)
		try_move(EX_RUN, thread, choice);
	else if (sscanf(line, "flush %u", &thread) == 1)
		try_move(EX_FLUSH, thread, 0);
	else if (sscanf(line, "wake %u", &thread) == 1)
		try_move(EX_SPURIOUS, thread, 0);
	else if (!strcmp(line, "undo") || !strcmp(line, "redo") || !strcmp(line, "show"))
		step_back_or_forth(line);
	else if (!strncmp(line, "save ", 5))
		save(line + 5);
	else if (!strncmp(line, "load ", 5))
		load(line + 5);
	else if (!strncmp(line, "events ", 7))
		save_events(line + 7);
	else if (!strcmp(line, "hint") || !strcmp(line, "proof"))
		ex_quest_start(G, line[0] == 'h' ? EX_HINT : EX_PROOF, NULL);
	else if (!strncmp(line, "hint ", 5))
		ex_quest_aim(G, line + 5);
	else if (!strncmp(line, "solution ", 9))
		ex_quest_start(G, EX_HINT, line + 9);
	else if (!strcmp(line, "poll"))
		ex_quest_poll(G);
	else if (!strcmp(line, "quit"))
		return false;
	else
		complain("no such command");
	return true;
}

int ex_play(const struct ex_options *opt, struct ex_result *r, const char *start)
{
	char *line = NULL;
	size_t size = 0;

	G = calloc(1, sizeof(*G));
	if (!G)
		return 2;
	G->search = -1;
	E->every_step = true;
	ex_search_prepare(opt, r);
	ex_search_learn();
	ex_objects_learn(G);
	go_to(0);
	if (start)
		open_game(start);
	G->opening = G->end[0];
	ex_game_show(G);
	while (getline(&line, &size, stdin) > 0) {
		if (strcmp(line, "poll\n") != 0)
			ex_quest_stop(G);
		if (!obey(line))
			break;
	}
	free(line);
	free(G->lines);
	free(G->events);
	free(G->met);
	free(G);
	return 0;
}
