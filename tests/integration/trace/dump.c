/*
 * SPDX-License-Identifier: MIT
 *
 * dump.c - prints each event that the reader delivers as a line, for test scripts and for
 * debugging.
 *
 *	dump [--stop-after-ms=N] [--quiet] FOLDER | net://HOST[:PORT]/host/NAME/SESSION
 *
 * Exit: 0 end of the trace; 1 stopped; 3 an error, printed on stderr.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "viz/trace/reader.h"

static bool quiet;

static void print_event(void *ctx, const struct doze_event *e)
{
	(void)ctx;
	if (quiet)
		return;
	printf("%" PRId64 " %s host=%u vpid=%d vtid=%d cpu=%d pool=%u worker=%d", e->ts,
	       doze_event_name(e->kind), e->host, e->vpid, e->vtid, e->cpu, e->pool, e->worker);
	if (e->has_words)
		printf(" old=%" PRIx64 " new=%" PRIx64, e->old_word, e->new_word);
	if (e->kind == DOZE_EV_worker_state)
		printf(" %s->%s %s", doze_state_name(e->u.state.from),
		       doze_state_name(e->u.state.to), doze_reason_name(e->u.state.reason));
	if (e->kind == DOZE_EV_pool_start)
		printf(" %s %u", e->u.pool_start.policy, e->u.pool_start.workers);
	putchar('\n');
}

static void print_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	(void)ctx;
	printf("lost from=%" PRId64 " to=%" PRId64 " count=%" PRIu64 "\n", from, to, count);
}

static void print_attached(void *ctx)
{
	(void)ctx;
	puts("attached");
	fflush(stdout);
}

static void print_quiet(void *ctx, int64_t ts)
{
	(void)ctx;
	if (!quiet)
		printf("quiet %" PRId64 "\n", ts);
}

static const struct doze_reader_sink printer = {
    .event = print_event,
    .discarded = print_loss,
    .attached = print_attached,
    .quiet = print_quiet,
};

struct stopper {
	struct doze_reader *reader;
	long after_ms;
};

/* Repeats the stop, as reader.h advises, until the run has ended and the program exits. */
static void *stop_later(void *arg)
{
	struct stopper *s = arg;

	usleep((useconds_t)s->after_ms * 1000);
	for (;;) {
		doze_reader_stop(s->reader);
		usleep(50000);
	}
	return NULL;
}

static int finish(struct doze_reader *r, enum doze_reader_status status)
{
	struct doze_reader_counts c = doze_reader_counts(r);

	printf("end events=%" PRIu64 " foreign=%" PRIu64 " unknown=%" PRIu64 " labels=%" PRIu64
	       " lost=%" PRIu64 " in=%" PRIu64 " doze=%d\n",
	       c.events, c.foreign, c.unknown_events, c.unknown_labels, c.discarded, c.losses,
	       doze_reader_saw_doze(r));
	if (status == DOZE_READER_ERROR)
		fprintf(stderr, "dump: %s\n", doze_reader_error(r));
	return status == DOZE_READER_END ? 0 : status == DOZE_READER_STOPPED ? 1 : 3;
}

int main(int argc, char **argv)
{
	struct stopper stopper = {.after_ms = -1};
	const char *what = NULL;
	char err[512];
	pthread_t thread;

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--stop-after-ms=", 16) == 0)
			stopper.after_ms = atol(argv[i] + 16);
		else if (strcmp(argv[i], "--quiet") == 0)
			quiet = true;
		else
			what = argv[i];
	}
	if (!what)
		return 2;
	stopper.reader = strncmp(what, "net", 3) == 0
			     ? doze_reader_open_live(what, err, sizeof(err))
			     : doze_reader_open_dir(what, err, sizeof(err));
	if (!stopper.reader) {
		fprintf(stderr, "dump: %s\n", err);
		return 3;
	}
	if (stopper.after_ms >= 0 && pthread_create(&thread, NULL, stop_later, &stopper) != 0)
		return 3;
	return finish(stopper.reader, doze_reader_run(stopper.reader, &printer, NULL));
}
