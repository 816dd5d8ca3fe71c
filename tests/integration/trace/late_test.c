/*
 * SPDX-License-Identifier: MIT
 *
 * late_test.c - a viewer that attaches late to a live session knows every worker within a second.
 * All workers have long been asleep and emit no events, so only the snapshots show them.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/lttng.h"
#include "tests/fixtures/processes.h"
#include "tests/fixtures/suite.h"
#include "viz/model/model.h"
#include "viz/trace/reader.h"

#define WORKERS   8
#define WITHIN_MS 1000
#define VIEWERS   5 /* several, because a single attempt may coincide with a stall of the machine */

static struct {
	pthread_mutex_t lock; /* protects the model */
	struct doze_model *model;
	struct doze_reader *reader;
	char url[256];
} view = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void on_event(void *ctx, const struct doze_event *e)
{
	(void)ctx;
	pthread_mutex_lock(&view.lock);
	doze_model_feed(view.model, e);
	pthread_mutex_unlock(&view.lock);
}

static void *run_reader(void *arg)
{
	static const struct doze_reader_sink sink = {.event = on_event};

	(void)arg;
	doze_reader_run(view.reader, &sink, 0);
	return 0;
}

static size_t known_asleep(void)
{
	size_t asleep = 0;

	pthread_mutex_lock(&view.lock);
	for (size_t i = 0; i < doze_model_workers(view.model); i++)
		asleep += doze_model_worker(view.model, i)->state == DOZE_STATE_sleeping;
	pthread_mutex_unlock(&view.lock);
	return asleep;
}

static void remember_url(void *ctx, const struct doze_live_session *s)
{
	(void)ctx;
	snprintf(view.url, sizeof(view.url), "%s", s->url);
}

static bool find_session(void)
{
	char err[256] = "";

	for (int i = 0; i < 50; i++) {
		if (doze_live_sessions(getenv("RELAY_LIVE"), remember_url, 0, err, sizeof(err)) > 0)
			return true;
		fixture_sleep_ms(50);
	}
	printf("\n    no live session: %s\n", err);
	return false;
}

/* Attaches, and waits until all workers are known to be asleep. Returns false after 5 s. The
 * stopwatch measures it. */
static bool attach_and_measure(struct stopwatch *watch)
{
	struct patience limit = patience_of(5000);
	bool asleep = false;
	char err[256] = "";
	pthread_t thread;

	*watch = stopwatch_start();

	view.model = doze_model_new(0, 0);
	view.reader = doze_reader_open_live(view.url, err, sizeof(err));
	if (!view.model || !view.reader || pthread_create(&thread, 0, run_reader, 0) != 0) {
		printf("\n    %s\n", err);
		return false;
	}
	while (!asleep && !patience_is_over(&limit)) {
		fixture_sleep_ms(5);
		asleep = known_asleep() == WORKERS;
	}
	printf("%lld ms, ", stopwatch_stop(watch));
	doze_reader_stop(view.reader);
	pthread_join(thread, 0);
	doze_reader_free(view.reader);
	doze_model_free(view.model);
	return asleep;
}

static bool start_live_session(void)
{
	return fixture_sh(
		   "set -e; lttng -n -q create doze-live --live=50000 -C $RELAY_CTRL -D "
		   "$RELAY_DATA; lttng -n -q enable-channel -u c; lttng -n -q enable-event -u -c c "
		   "'doze:*' --loglevel=INFO; lttng -n -q add-context -u -c c -t vpid -t vtid; "
		   "lttng -n -q start") == 0;
}

static void late_viewers(void)
{
	pid_t program;
	int in_time = 0;

	suite_allow_seconds(60);
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	CU_ASSERT_TRUE_FATAL(fixture_sessiond() && fixture_relayd() && start_live_session());
	program =
	    fixture_start("DOZE_NUM_THREADS=%d DOZE_TRACE_WAIT_MS=5000 exec ./pool asleep 60000 "
			  ">out",
			  WORKERS);
	/* The program registers before it prints this line. */
	CU_ASSERT_TRUE_FATAL(fixture_await_line("out", "asleep"));
	CU_ASSERT_TRUE_FATAL(find_session());
	for (int i = 0; i < VIEWERS; i++) {
		struct stopwatch watch;

		CU_ASSERT_TRUE(attach_and_measure(&watch));
		in_time += stopwatch_kept(&watch, "all sleepers are known", WITHIN_MS);
		fixture_sleep_ms(130); /* attaches at another time between two snapshots */
	}
	CU_ASSERT_TRUE(in_time >= VIEWERS - 1);
	fixture_kill(program, SIGTERM);
	fixture_close();
}

static const struct suite_test tests[] = {
    {"a viewer that attaches late shows eight sleepers within a second", late_viewers},
};
SUITE_MAIN("late", tests)
