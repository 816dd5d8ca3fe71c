/*
 * SPDX-License-Identifier: MIT
 *
 * schedule.c - reads and writes schedule files, and lists steps in words.
 *
 * A schedule file is text: comment lines (#), "bound N" (-1 for no bound), "shared ADDRESS WRITER"
 * lines (share.c), and a line for each action: "run THREAD CHOICE", "flush THREAD FOR" or "spurious
 * THREAD 0". Only the program that wrote it can replay it.
 */
#include "engine.h"

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
				    "continues: all is quiet",
				    "choose"};
static const char *const orders[] = {"rlx", "acq", "rel", "ar", "sc"};
static const char *const rmws[] = {"swap", "add", "sub", "or", "and"};

const char *ex_thread_name(int thread)
{
	static const char *const names[] = {"main", "T1", "T2", "T3", "T4", "T5"};
	return W->t[thread].name ? W->t[thread].name : names[thread];
}

static void describe_memory(FILE *f, const struct ex_op *op, unsigned choice)
{
	const char *what = op->at.what[0] == '&' ? op->at.what + 1 : op->at.what;
	unsigned long v = op->value, r = op->result, e = op->expected;

	switch ((enum ex_kind)op->kind) {
	case EX_OP_LOAD:
		fprintf(f, "load %s -> %#lx (%s)%s", what, r, orders[op->order],
			choice ? " [an old value]" : "");
		break;
	case EX_OP_STORE:
		fprintf(f, "store %s = %#lx (%s)", what, v, orders[op->order]);
		break;
	case EX_OP_RMW:
		fprintf(f, "%s %s, %#lx -> %#lx (%s)", rmws[op->sub], what, v, r,
			orders[op->order]);
		break;
	case EX_OP_CAS:
		fprintf(f, "cas %s: %#lx to %#lx (%s)", what, e, v, orders[op->order]);
		if (!op->ok)
			fprintf(f, " fails, it is %#lx", r);
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
	if (op->kind == EX_OP_YIELD && !E->res->livelock) /* of interest only in an endless loop */
		return;
	fprintf(E->listing, "%-10s ", ex_thread_name(thread));
	if (op->at.func && op->kind != EX_OP_START)
		fprintf(E->listing, "%s: ", op->at.func);
	describe_memory(E->listing, op, choice);
	if (E->lines && op->at.file)
		fprintf(E->listing, "\t%s:%lu", op->at.file, (unsigned long)op->at.line);
	fputc('\n', E->listing);
}

void ex_describe_flush(int thread)
{
	const struct ex_store *s = &W->t[thread].buf[0];
	fprintf(E->listing, "%-10s its store of %#lx reaches memory (%#lx)\n",
		ex_thread_name(thread), (unsigned long)s->value, (unsigned long)s->addr);
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
		fprintf(stderr, "explore: cannot open schedule %s\n", file);
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
