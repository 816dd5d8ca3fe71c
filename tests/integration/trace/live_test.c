/*
 * SPDX-License-Identifier: MIT
 *
 * live_test.c - the reader with real LTTng daemons: it reads a recording, and from a relay that
 * works, refuses, stalls or dies.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/lttng.h"
#include "tests/fixtures/processes.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/reader.h"

struct run {
	struct doze_reader *reader;
	enum doze_reader_status status;
	_Atomic int attached, events, snapshots, quiet;
	atomic_bool over;
	int wakes;
	struct doze_event wake, post, snapshot, latch;
	char policy[16], error[512];
};

static void keep(void *ctx, const struct doze_event *e)
{
	struct run *r = ctx;

	r->events++;
	if (e->kind == DOZE_EV_wake) {
		r->wakes++;
		r->wake = *e;
	} else if (e->kind == DOZE_EV_post) {
		r->post = *e;
	} else if (e->kind == DOZE_EV_latch) {
		r->latch = *e;
	} else if (e->kind == DOZE_EV_snapshot) {
		r->snapshots++;
		r->snapshot = *e;
		snprintf(r->policy, sizeof(r->policy), "%s", e->u.snapshot.policy);
	}
}

static void attached(void *ctx)
{
	((struct run *)ctx)->attached++;
}

static void quiet(void *ctx, int64_t ts)
{
	((struct run *)ctx)->quiet += ts > 0;
}

static const struct doze_reader_sink sink = {.event = keep, .attached = attached, .quiet = quiet};

static void *run_thread(void *arg)
{
	struct run *r = arg;

	r->status = doze_reader_run(r->reader, &sink, r);
	atomic_store(&r->over, true);
	return NULL;
}

static bool wait_for(_Atomic int *what, int at_least, unsigned ms)
{
	struct patience limit = patience_of(ms);

	for (; *what < at_least; fixture_sleep_ms(5))
		if (patience_is_over(&limit)) {
			suite_unstable("a reader counted %d instead of %d within %u ms", *what,
				       at_least, ms);
			return false;
		}
	return true;
}

static bool wait_over(struct run *r, unsigned ms)
{
	struct patience limit = patience_of(ms);

	for (; !atomic_load(&r->over); fixture_sleep_ms(5))
		if (patience_is_over(&limit)) {
			suite_unstable("a reader did not end within %u ms", ms);
			return false;
		}
	return true;
}

static const char *url(const char *session)
{
	static char text[300];
	char host[64] = "";

	gethostname(host, sizeof(host) - 1);
	snprintf(text, sizeof(text), "%s/host/%s/%s", getenv("RELAY_LIVE"), host, session);
	return text;
}

static bool open_live(struct run *r, const char *session)
{
	memset(r, 0, sizeof(*r));
	r->reader = doze_reader_open_live(url(session), r->error, sizeof(r->error));
	return r->reader != NULL;
}

static bool live_session(const char *name)
{
	return fixture_sh("lttng -n create %s --live=50000 --ctrl-url=$RELAY_CTRL "
			  "--data-url=$RELAY_DATA && "
			  "lttng -n enable-channel -u --subbuf-size=128K --num-subbuf=64 c && "
			  "lttng -n enable-event -u -c c 'doze:*' && "
			  "lttng -n add-context -u -c c -t vpid -t vtid && lttng -n start",
			  name) == 0;
}

static void values_of_a_recording(void)
{
	static struct run r;
	char dir[300];

	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
	CU_ASSERT_TRUE_FATAL(fixture_record("all", "DEBUG"));
	CU_ASSERT_EQUAL(fixture_sh("DOZE_TRACE_WAIT_MS=5000 ./emit once"), 0);
	CU_ASSERT_TRUE(fixture_record_end());
	snprintf(dir, sizeof(dir), "%s/all", fixture_dir());
	r.reader = doze_reader_open_dir(dir, r.error, sizeof(r.error));
	CU_ASSERT_PTR_NOT_NULL_FATAL(r.reader);
	run_thread(&r);
	CU_ASSERT_EQUAL(r.status, DOZE_READER_END);
	CU_ASSERT_EQUAL(doze_reader_counts(r.reader).unknown_events, 0);
	CU_ASSERT_EQUAL(doze_reader_counts(r.reader).unknown_labels, 0);
	doze_reader_free(r.reader);
	/* The values that emit.c emits. */
	CU_ASSERT_EQUAL(r.wakes, 1);
	CU_ASSERT_EQUAL(r.wake.u.wake.decision_id, 11);
	CU_ASSERT_EQUAL(r.wake.u.wake.wake_id, 12);
	CU_ASSERT_EQUAL(r.wake.u.wake.cause, DOZE_CAUSE_inject);
	CU_ASSERT(r.wake.vpid > 0 && r.wake.vtid > 0 && r.wake.cpu >= 0);
	CU_ASSERT_TRUE(r.wake.has_words);
	CU_ASSERT_EQUAL(r.post.new_word, 0x0000000300080008);
	CU_ASSERT_EQUAL(r.post.u.post.idle, -1);
	CU_ASSERT_EQUAL(r.post.u.post.sleeping, 8);
	CU_ASSERT_TRUE(r.post.u.post.was_empty);
	if (r.snapshots < 8)
		suite_unstable("the program exited before its first snapshot");
	CU_ASSERT(r.snapshots >= 8);
	CU_ASSERT_EQUAL(r.snapshot.u.snapshot.state, DOZE_STATE_sleeping);
	CU_ASSERT_EQUAL(r.snapshot.u.snapshot.word.kind, DOZE_WORD_counters);
	CU_ASSERT_EQUAL(r.snapshot.u.snapshot.word.bits_inactive, 16);
	CU_ASSERT_EQUAL(r.snapshot.new_word, 0x0000000200080008);
	CU_ASSERT_EQUAL(r.snapshot.old_word, r.snapshot.new_word);
	CU_ASSERT_STRING_EQUAL(r.policy, "jec");
}

static void refused(void)
{
	struct run r;

	setenv("RELAY_LIVE", "net://127.0.0.1:1", 1);
	CU_ASSERT_FALSE(open_live(&r, "x"));
	CU_ASSERT_PTR_NOT_NULL(strstr(r.error, "refused"));
	CU_ASSERT_TRUE_FATAL(fixture_relayd());
	CU_ASSERT_FALSE(open_live(&r, "x"));
	CU_ASSERT_PTR_NOT_NULL(strstr(r.error, "has no live session"));
}

static void count_session(void *ctx, const struct doze_live_session *s)
{
	if (strcmp(s->name, "first") == 0 && s->clients == 1 && strcmp(s->url, url("first")) == 0)
		++*(int *)ctx;
}

/* Covers a whole session: attaches before the program starts, sees every event, and ends with the
 * session. */
static void whole_life(void)
{
	static struct run r;
	struct run second;
	pthread_t thread;
	int listed = 0;
	char err[300];

	CU_ASSERT_TRUE_FATAL(live_session("first"));
	CU_ASSERT_FALSE(open_live(&second, "other"));
	CU_ASSERT_PTR_NOT_NULL(strstr(second.error, "/first"));
	CU_ASSERT_TRUE_FATAL(open_live(&r, "first"));
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, run_thread, &r), 0);
	CU_ASSERT_TRUE(wait_for(&r.attached, 1, 3000));
	CU_ASSERT_FALSE(open_live(&second, "first"));
	CU_ASSERT_PTR_NOT_NULL(strstr(second.error, "already has a viewer"));
	CU_ASSERT_EQUAL(
	    doze_live_sessions(getenv("RELAY_LIVE"), count_session, &listed, err, sizeof(err)), 1);
	CU_ASSERT_EQUAL(listed, 1);
	CU_ASSERT_EQUAL(fixture_sh("DOZE_TRACE_WAIT_MS=5000 ./emit once"), 0);
	CU_ASSERT_EQUAL(fixture_sh("lttng -n destroy first"), 0);
	CU_ASSERT_TRUE_FATAL(wait_over(&r, 10000));
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(r.status, DOZE_READER_END);
	CU_ASSERT_EQUAL(r.attached, 1);
	CU_ASSERT_EQUAL(r.wakes, 1);
	doze_reader_free(r.reader);
}

static bool stop_until_over(struct run *r, pthread_t thread)
{
	for (int i = 0; i < 40 && !atomic_load(&r->over); i++) {
		doze_reader_stop(r->reader);
		fixture_sleep_ms(50);
	}
	if (!atomic_load(&r->over))
		return false;
	pthread_join(thread, NULL);
	return true;
}

/* Between the snapshots of a sleeping pool, only the relay's beacons advance a viewer's clock. */
static void clock_goes_on(void)
{
	static struct run r;
	pthread_t thread;

	CU_ASSERT_TRUE_FATAL(live_session("second"));
	CU_ASSERT_TRUE_FATAL(open_live(&r, "second"));
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, run_thread, &r), 0);
	CU_ASSERT_TRUE(wait_for(&r.attached, 1, 3000));
	fixture_start("DOZE_TRACE_WAIT_MS=5000 ./emit asleep 10");
	CU_ASSERT_TRUE(wait_for(&r.snapshots, 8, 8000));
	CU_ASSERT_TRUE(wait_for(&r.quiet, 2, 3000));
	CU_ASSERT_TRUE_FATAL(stop_until_over(&r, thread));
	CU_ASSERT_EQUAL(r.status, DOZE_READER_STOPPED);
	doze_reader_free(r.reader);
}

static void stalled_relay(void)
{
	static struct run r;
	struct run late;
	pthread_t thread;
	struct stopwatch before;

	CU_ASSERT_TRUE_FATAL(open_live(&r, "second"));
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, run_thread, &r), 0);
	CU_ASSERT_TRUE(wait_for(&r.attached, 1, 3000));
	fixture_kill(fixture_relayd_pid(), SIGSTOP);
	fixture_sleep_ms(300);
	CU_ASSERT_FALSE(atomic_load(&r.over));
	before = stopwatch_start();
	CU_ASSERT_TRUE_FATAL(stop_until_over(&r, thread));
	printf("%lld ms, ", stopwatch_stop(&before));
	CU_ASSERT(stopwatch_kept(&before, "a stop while the relay hangs", 1000));
	CU_ASSERT_EQUAL(r.status, DOZE_READER_STOPPED);
	doze_reader_free(r.reader);
	before = stopwatch_start();
	CU_ASSERT_FALSE(open_live(&late, "second"));
	CU_ASSERT(stopwatch_kept(&before, "refusing a relay that hangs", 5000));
	CU_ASSERT_PTR_NOT_NULL(strstr(late.error, "does not answer"));
	fixture_kill(fixture_relayd_pid(), SIGCONT);
}

static void killed_relay(void)
{
	static struct run r;
	pthread_t thread;

	CU_ASSERT_TRUE_FATAL(open_live(&r, "second"));
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, run_thread, &r), 0);
	CU_ASSERT_TRUE(wait_for(&r.attached, 1, 3000));
	fixture_kill(fixture_relayd_pid(), SIGKILL);
	CU_ASSERT_TRUE_FATAL(wait_over(&r, 5000));
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(r.status, DOZE_READER_ERROR);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_reader_error(r.reader), "lost the relay"));
	doze_reader_free(r.reader);
}

static void finish(void)
{
	fixture_close();
	CU_ASSERT_TRUE(true);
}

static const struct suite_test tests[] = {
    {"the reader delivers the values that the program emitted", values_of_a_recording},
    {"the error states whether the relay refused the connection or has no such session", refused},
    {"a viewer that attaches before the program starts misses no event, and exits when the session "
     "ends",
     whole_life},
    {"the viewer's clock advances while no events arrive", clock_goes_on},
    {"a viewer can detach from a stopped relay, and the next viewer reports that the relay does "
     "not respond",
     stalled_relay},
    {"a relay's death is reported as an error, not as the end of the trace", killed_relay},
    {"the fixture shuts down cleanly", finish},
};
SUITE_MAIN("live", tests)
