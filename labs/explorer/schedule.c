/*
 * SPDX-License-Identifier: MIT
 *
 * schedule.c - reads and writes schedule files, and lists steps in words.
 *
 * A schedule file is text: comment lines (#), "bound N" (-1 for no bound), "shared ADDRESS WRITER"
 * lines (share.c), and a line for each action: "run THREAD CHOICE", "flush THREAD FOR" or "spurious
 * THREAD 0". Only the program that wrote it can replay it.
 */
#include "search.h"

#include <errno.h>
#include <string.h>

static const char *const kinds[] = {"",
				    "starts",
				    "load",
				    "store",
				    "rmw",
				    "cas",
				    "fence",
				    "heavy fence",
				    "lock",
				    "trylock",
				    "unlock",
				    "wait",
				    "notify",
				    "yield",
				    "create",
				    "join",
				    "continues: no other thread can run",
				    "choose"};
static const char *const orders[] = {"rlx", "acq", "rel", "ar", "sc"};
static const char *const rmws[] = {"swap", "add", "sub", "or", "and"};

/* Returns the argument as written in the code, but without a leading &. */
static const char *object_of(const char *what)
{
	return what[0] == '&' ? what + 1 : what;
}

/* Returns whether the store that the thread has just made is in its buffer. Remembers the object's
 * name for the moment when the store reaches memory. */
static bool is_buffered(int thread, const struct ex_op *op)
{
	const struct ex_thread *t = &W->t[thread];
	if (t->nbuf == 0 || t->buf[t->nbuf - 1].addr != op->addr)
		return false;
	unsigned i = 0;
	while (i + 1 < EX_MAX_STORED && E->stored_at[i] && E->stored_at[i] != op->addr)
		i++;
	E->stored_at[i] = op->addr;
	E->stored_as[i] = op->at.what;
	return true;
}

static void describe_notify(FILE *f)
{
	const char *comma = "";
	fprintf(f, "notify: wakes ");
	for (unsigned i = 0; i < W->nthreads; i++)
		if (E->woken >> i & 1) {
			fprintf(f, "%s%s", comma, ex_thread_name((int)i));
			comma = ", ";
		}
	fprintf(f, "%s", E->woken ? "" : "nobody");
}

static void describe_memory(FILE *f, int thread, unsigned choice)
{
	const struct ex_op *op = &W->t[thread].op;
	const char *what = object_of(op->at.what);
	unsigned long v = op->value, r = op->result, e = op->expected;

	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOAD:
		fprintf(f, "load %s -> %#lx (%s)%s", what, r, orders[op->order],
			choice ? " [an old value]" : "");
		break;
	case EX_OP_STORE:
		fprintf(f, "store %s = %#lx (%s)%s", what, v, orders[op->order],
			is_buffered(thread, op) ? " [into its store buffer]" : "");
		break;
	case EX_OP_RMW:
		fprintf(f, "%s %s: %#lx -> %#lx (%s)", rmws[op->sub], what, r,
			(unsigned long)ex_rmw_value((enum ex_rmw)op->sub, r, v, op->size),
			orders[op->order]);
		break;
	case EX_OP_CAS:
		fprintf(f, "cas %s: %#lx -> %#lx (%s)", what, e, v, orders[op->order]);
		if (!op->ok)
			fprintf(f, " fails, it is %#lx", r);
		break;
	case EX_OP_NOTIFY:
		describe_notify(f);
		break;
	default:
		fprintf(f, "%s %s", kinds[op->kind],
			op->kind == EX_OP_FENCE ? orders[op->order] : "");
		break;
	}
}

/** Describes the step without its values: "load pool->jobs". */
void ex_words(const struct ex_op *op, char *words, size_t size)
{
	const char *what = op->at.what ? op->at.what : "";
	bool object = op->kind >= EX_OP_LOAD && op->kind <= EX_OP_CAS;
	snprintf(words, size, "%s%s%s", op->kind == EX_OP_RMW ? rmws[op->sub] : kinds[op->kind],
		 object ? " " : "",
		 !object          ? ""
		 : what[0] == '&' ? what + 1
				  : what);
}

void ex_next_step(unsigned thread, char *words, size_t size)
{
	const struct ex_op *op = &W->t[thread].op;
	if (op->kind == EX_OP_LOCK && op->sub)
		snprintf(words, size, "wake");
	else
		ex_words(op, words, size);
}

/** Prints one line to E->listing for the step just taken. */
void ex_describe(int thread, unsigned choice)
{
	const struct ex_op *op = &W->t[thread].op;
	if (op->kind == EX_OP_YIELD && !E->res->livelock) /* list yields only in an endless loop */
		return;
	fprintf(E->listing, "%-10s ", ex_thread_name(thread));
	if (op->at.func && op->kind != EX_OP_START)
		fprintf(E->listing, "%s: ", op->at.func);
	describe_memory(E->listing, thread, choice);
	if (E->lines && op->at.file) {
		fprintf(E->listing, "\t%s:%lu", op->at.file, (unsigned long)op->at.line);
		ex_calls_show(E->listing, thread);
	}
	fputc('\n', E->listing);
}

static void describe_buffered(int thread, const struct ex_store *s, const char *how)
{
	fprintf(E->listing, "%-10s its store ", ex_thread_name(thread));
	unsigned i = 0;
	while (i < EX_MAX_STORED && E->stored_at[i] != s->addr)
		i++;
	if (i < EX_MAX_STORED)
		fprintf(E->listing, "%s", object_of(E->stored_as[i]));
	else
		fprintf(E->listing, "at %#lx", (unsigned long)s->addr);
	fprintf(E->listing, " = %#lx %s\n", (unsigned long)s->value, how);
}

void ex_describe_flush(int thread)
{
	describe_buffered(thread, &W->t[thread].buf[0], "reaches memory");
}

/** Lists the stores that are still in buffers and, after a hang, the threads that have ended. */
void ex_describe_rest(bool failed)
{
	for (unsigned i = 0; i < W->nthreads; i++) {
		for (unsigned k = 0; k < W->t[i].nbuf; k++)
			describe_buffered((int)i, &W->t[i].buf[k], "has not reached memory");
		if (failed && W->t[i].status == EX_ENDED && !strncmp(E->res->message, "hang", 4))
			fprintf(E->listing, "%-10s has ended\n", ex_thread_name((int)i));
	}
}

bool ex_schedule_write(const char *file, const struct ex_result *res, const char *header)
{
	FILE *f = fopen(file, "w");
	if (!f)
		return false;
	fprintf(f, "# %s\n# %s\n", header, res->message);
	/* Only in a bounded search is a yield a choice point, so the file includes the bound. */
	fprintf(f, "bound %d\n", E->opt.bound);
	ex_share_write(f);
	for (unsigned i = 0; i < res->length; i++) {
		const struct ex_action *a = &res->path[i];
		if (a->kind == EX_RUN)
			fprintf(f, "run %u %u\n", a->thread, a->choice);
		else
			fprintf(f, "%s %u %u\n", a->kind == EX_FLUSH ? "flush" : "spurious",
				a->thread, a->choice);
	}
	return fclose(f) == 0;
}

static bool parse(const char *line, struct ex_action *a)
{
	unsigned t, c = 0;
	if (sscanf(line, "run %u %u", &t, &c) == 2)
		a->kind = EX_RUN;
	else if (sscanf(line, "flush %u %u", &t, &c) == 2)
		a->kind = EX_FLUSH;
	else if (sscanf(line, "spurious %u %u", &t, &c) == 2)
		a->kind = EX_SPURIOUS;
	else
		return false;
	if (t >= EX_MAX_THREADS || c > 255)
		return false;
	a->thread = (uint8_t)t;
	a->choice = (uint8_t)c;
	a->preempts = 0;
	return true;
}

/** Reads a schedule file. Returns the number of actions, or -1 with a message on stderr. */
int ex_schedule_read(const char *file, struct ex_action *path, unsigned max)
{
	char line[256];
	unsigned n = 0, number = 0;
	FILE *f = fopen(file, "r");

	if (!f) {
		fprintf(stderr, "explore: cannot open schedule %s: %s\n", file, strerror(errno));
		return -1;
	}
	while (fgets(line, sizeof(line), f)) {
		number++;
		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (sscanf(line, "bound %d", &E->opt.bound) == 1 || ex_share_read(line))
			continue;
		if (n == max || !parse(line, &path[n++])) {
			fprintf(stderr, "explore: %s:%u: not a line of a schedule: %s", file,
				number, line);
			fclose(f);
			return -1;
		}
	}
	fclose(f);
	return (int)n;
}
