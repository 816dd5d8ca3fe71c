/*
 * SPDX-License-Identifier: MIT
 *
 * script.c - runs schedules that people write in words, and random walks.
 *
 * A script is a text file with a line for each series of steps of one thread:
 *
 *   # a comment
 *   THREAD                  THREAD takes one step
 *   THREAD: WORDS           THREAD takes steps up to and including the first one whose line in the
 *                           listing contains WORDS
 *   THREAD: WORDS (choice N)  likewise, with alternative N of the last step: which waiter a notify
 *                           wakes, which value is chosen, which old value is read
 *   THREAD flushes          TSO: THREAD's oldest buffered store reaches memory
 *   THREAD wakes            THREAD wakes spuriously, if the scenario permits it
 *
 * After the last line the threads take turns until none can continue: each runs until it blocks or
 * yields. In a script every step counts, even one that a search takes without a choice, so a script
 * does not depend on the compiler or on which objects are shared.
 */
#include "search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 20000
#define MISMATCH  "the schedule does not match the program"

/* Never restored, because only one execution is made. */
static struct {
	const char *file;
	unsigned line;
	unsigned choice; /* alternative to choose at the script line's last step */
	char text[512];  /* text of the step just taken */
	/* What the script calls a thread that has not set its name yet, and the first such line. */
	struct {
		char word[32];
		unsigned line;
	} called[EX_MAX_THREADS];
	FILE *to;
	void (*before)(struct ex_action); /* called before each step; may be null */
} s;

static _Noreturn void bad_line(const char *why)
{
	ex_fail(MISMATCH ": %s:%u: %s", s.file, s.line, why);
}

static void end_line(char *text)
{
	text[strcspn(text, "\r\n")] = '\0';
}

/** Executes one action and prints its line, which it also leaves in s.text. */
static void act(struct ex_action a)
{
	memset(s.text, 0, sizeof(s.text));
	E->listing = fmemopen(s.text, sizeof(s.text) - 1, "w");
	E->drains = false; /* list only the step itself, not the buffered stores that it drains */
	if (!E->listing)
		abort();
	FILE *listing = E->listing;
	struct ex_result *r = E->res;
	r->steps++;
	if (s.before)
		s.before(a);
	/* Unbuffered, because a failure jumps out of ex_apply. */
	setvbuf(listing, NULL, _IONBF, 0);
	ex_apply(a);
	E->listing = NULL;
	fclose(listing);
	end_line(s.text);
	if (s.text[0] && s.to)
		fprintf(s.to, "%s\n", s.text);
}

static _Noreturn void no_such_thread(const char *word, unsigned line)
{
	char names[160] = "";
	for (int i = 0; i < (int)W->nthreads; i++) {
		size_t at = strlen(names);
		snprintf(names + at, sizeof(names) - at, "%s%s", i ? ", " : "", ex_thread_name(i));
	}
	ex_fail(MISMATCH ": %s:%u: no thread is called '%s'; there are %s", s.file, line, word,
		names);
}

/** Fails if a thread has by now set another name than the script calls it. */
static void check_names(void)
{
	for (int i = 0; i < (int)W->nthreads; i++) {
		const char *word = s.called[i].word;
		if (word[0] && W->t[i].name && strcmp(word, W->t[i].name) != 0)
			no_such_thread(word, s.called[i].line);
	}
}

/** Returns the thread with this name. A thread sets its name only after it has started, so an
 * unknown word stands for the first thread that has not started yet; check_names compares it with
 * the name later. */
static int find_thread(const char *word)
{
	for (int i = 0; i < (int)W->nthreads; i++)
		if (strcmp(ex_thread_name(i), word) == 0)
			return i;
	for (int i = 0; i < (int)W->nthreads; i++)
		if (W->t[i].status == EX_READY && W->t[i].op.kind == EX_OP_START) {
			snprintf(s.called[i].word, sizeof(s.called[i].word), "%s", word);
			s.called[i].line = s.line;
			return i;
		}
	no_such_thread(word, s.line);
}

/** Fails with the reason why the thread cannot take a step. */
static _Noreturn void stuck(int thread)
{
	const struct ex_thread *t = &W->t[thread];
	char why[256];
	const char *how = t->status == EX_ENDED     ? "has ended"
			  : t->status == EX_WAITING ? "sleeps"
						    : "blocks";
	snprintf(why, sizeof(why), "%s cannot make a step: it %s%s%s", ex_thread_name(thread), how,
		 t->status == EX_ENDED ? "" : " in ", t->status == EX_ENDED ? "" : t->op.at.func);
	bad_line(why);
}

static bool is_quiet_for(int thread)
{
	struct ex_action a[EX_MAX_ACTIONS];
	return W->t[thread].op.kind == EX_OP_QUIET && ex_enumerate(a, EX_MAX_ACTIONS) > 0 &&
	       a[0].kind == EX_RUN && a[0].thread == thread;
}

static void step(int thread)
{
	if (!ex_enabled(thread) && !is_quiet_for(thread))
		stuck(thread);
	unsigned choice = s.choice < ex_choices(thread) ? s.choice : 0;
	act((struct ex_action){EX_RUN, (uint8_t)thread, (uint8_t)choice, 0});
}

static void step_to(int thread, const char *words)
{
	for (unsigned i = 0; i < MAX_STEPS; i++) {
		step(thread);
		if (strstr(s.text, words))
			return;
	}
	bad_line("no step of this thread contains these words");
}

static void flush(int thread)
{
	if (W->t[thread].nbuf == 0)
		bad_line("this thread has no buffered store (`flushes` needs --memory=tso)");
	act((struct ex_action){EX_FLUSH, (uint8_t)thread, (uint8_t)thread, 0});
}

static void wake(int thread)
{
	if (W->t[thread].status != EX_WAITING || !W->spurious_left)
		bad_line("this thread is not asleep, or the scenario allows no spurious wakes");
	act((struct ex_action){EX_SPURIOUS, (uint8_t)thread, 0, 0});
}

/** Removes the word from the end of the line. Returns false if the line does not end with it. */
static bool ends_with(char *line, const char *word)
{
	size_t n = strlen(line), w = strlen(word);
	if (n <= w || strcmp(line + n - w, word) != 0)
		return false;
	line[n - w] = '\0';
	return true;
}

static void obey_stretch(int thread, char *words)
{
	char *choice = strstr(words, " (choice ");
	if (choice) {
		s.choice = (unsigned)strtoul(choice + 9, NULL, 10);
		*choice = '\0';
	}
	step_to(thread, words);
}

static void obey(char *line)
{
	char *words = strchr(line, ':');

	if (words) {
		*words++ = '\0';
		words += strspn(words, " \t");
	}
	bool flushed = !words && ends_with(line, " flushes");
	bool woken = !words && !flushed && ends_with(line, " wakes");
	int thread = find_thread(line);
	s.choice = 0;
	if (flushed)
		flush(thread);
	else if (woken)
		wake(thread);
	else if (words && *words)
		obey_stretch(thread, words);
	else
		step(thread);
	s.choice = 0;
	check_names();
}

/** Returns the next thread after `last` that can take a step, or -1 if none can. */
static int next_able(int last)
{
	for (unsigned i = 1; i <= W->nthreads; i++) {
		int thread = (int)(((unsigned)last + i) % W->nthreads);
		if (ex_enabled(thread))
			return thread;
	}
	return -1;
}

/** Flushes a remaining store, or lets a thread that waits for quiet continue. Returns false if
 * neither is possible. */
static bool settle(void)
{
	struct ex_action a[8];
	unsigned n = ex_enumerate(a, 8);
	if (n == 0 || a[0].kind == EX_SPURIOUS)
		return false;
	act(a[0]);
	return true;
}

/** Lets the threads take turns until none can continue; each runs until it blocks or yields. */
static void take_turns(void)
{
	int thread = (int)W->nthreads - 1;
	bool goes_on = false;
	for (unsigned i = 0; i < MAX_STEPS; i++) {
		int next = goes_on && ex_enabled(thread) ? thread : next_able(thread);
		if (next < 0 && !settle())
			return;
		if (next < 0)
			continue;
		thread = next;
		goes_on = W->t[thread].op.kind != EX_OP_YIELD;
		step(thread);
	}
	ex_fail(MISMATCH ": after its last line, the threads did not "
			 "finish within %d steps",
		MAX_STEPS);
}

static void judge(struct ex_result *r)
{
	char who[400];
	if (!ex_is_hang(who, sizeof(who)))
		return;
	r->verdict = EX_FAILED;
	snprintf(r->message, sizeof(r->message), "hang: %s", who);
}

static void play_lines(FILE *f)
{
	char line[256];
	while (f && fgets(line, sizeof(line), f)) {
		s.line++;
		end_line(line);
		char *text = line + strspn(line, " \t");
		for (size_t n = strlen(text); n && strchr(" \t", text[n - 1]); n--)
			text[n - 1] = '\0';
		if (*text && *text != '#')
			obey(text);
	}
}

static void play(FILE *f)
{
	play_lines(f);
	if (s.to)
		fprintf(s.to, "-- end of the schedule; the threads now take turns\n");
	take_turns();
	check_names();
}

/** Runs a random schedule to its end, mostly continuing with the same thread. */
static void stroll(uint64_t random)
{
	struct ex_action a[48];
	for (unsigned i = 0; i < MAX_STEPS; i++) {
		unsigned n = ex_enumerate(a, 48);
		if (n == 0)
			return;
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		act(a[(random >> 32) % 4 ? 0 : (random >> 40) % n]);
	}
}

static int run(const struct ex_options *opt, struct ex_result *r, FILE *f, uint64_t seed)
{
	FILE *record = E->record;
	ex_search_prepare(opt, r);
	E->every_step = true;
	E->record = record;
	E->clock = 0;
	s.to = stdout;
	if (sigsetjmp(E->fail, 0)) {
		E->cur = -1;
		E->listing = NULL;
		end_line(s.text);
		if (s.text[0])
			printf("%s\n", s.text);
		r->verdict = EX_FAILED;
	} else {
		f ? play(f) : stroll(seed * 0x9e3779b97f4a7c15u + 1);
		judge(r);
	}
	E->every_step = false;
	printf("=> %s\n", r->verdict == EX_FAILED ? r->message : "no failure");
	return r->verdict == EX_FAILED ? 1 : 0;
}

/** Runs the script. Returns 0 if all threads finish, 1 after a failure, 2 if the file cannot be
 * read, or 3 if the script requests a step that is not possible. */
int ex_script(const struct ex_options *opt, struct ex_result *r, const char *file)
{
	FILE *f = fopen(file, "r");
	if (!f) {
		fprintf(stderr, "explore: cannot open schedule %s: %s\n", file, strerror(errno));
		return 2;
	}
	s.file = file;
	s.line = 0;
	memset(s.called, 0, sizeof(s.called));
	int rc = run(opt, r, f, 0);
	fclose(f);
	return strncmp(r->message, MISMATCH, sizeof(MISMATCH) - 1) == 0 ? 3 : rc;
}

int ex_walk(const struct ex_options *opt, struct ex_result *r, uint64_t seed)
{
	return run(opt, r, NULL, seed);
}

/** Takes the steps of a script from the current state, and calls `before` before each step. If the
 * script does not match the program, returns false with the reason in the result's message. */
bool ex_script_take(FILE *f, const char *name, void (*before)(struct ex_action))
{
	struct ex_result *r = E->res;
	s.file = name;
	s.line = 0;
	memset(s.called, 0, sizeof(s.called));
	s.before = before;
	r->message[0] = '\0';
	if (sigsetjmp(E->fail, 0)) {
		E->cur = -1;
		E->listing = NULL;
	} else {
		play_lines(f);
	}
	s.before = NULL;
	return strncmp(r->message, MISMATCH, sizeof(MISMATCH) - 1) != 0;
}

/** Takes the steps of the script in a file. Returns false if the file cannot be read or the script
 * does not match the program. */
bool ex_script_load(const char *file, void (*before)(struct ex_action))
{
	FILE *f = fopen(file, "r");
	if (!f) {
		snprintf(E->res->message, sizeof(E->res->message), "cannot open schedule %s: %s",
			 file, strerror(errno));
		return false;
	}
	bool fits = ex_script_take(f, file, before);
	fclose(f);
	return fits;
}
