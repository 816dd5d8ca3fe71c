/*
 * SPDX-License-Identifier: MIT
 *
 * burst_test.c - a trace contains everything that the pool does, without contradictions.
 *
 * Records the demo with real daemons and feeds the recording to the model with every rule enabled.
 * The test also pairs the wakes itself, without the model.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/lttng.h"
#include "tests/fixtures/suite.h"
#include "tracepoints/channel.h"
#include "viz/model/checker.h"
#include "viz/model/model.h"
#include "viz/trace/reader.h"

#define RECORDINGS 10 /* per test; two tests run at the same time */
#define WORKERS    8
#define WAKE_IDS   (1 << 20)

static struct {
	struct doze_model *model;
	uint64_t lost, bursts, wakes, woken, unpaired;
	unsigned char waked[WAKE_IDS]; /* wake ids seen */
	/* the wake ids among them that a `woken` event refers to */
	unsigned char slept[WAKE_IDS];
	int complaints;
} collected;

/* ---- reading a recording ---- */

static void on_event(void *ctx, const struct doze_event *e)
{
	(void)ctx;
	doze_model_feed(collected.model, e);
	if (e->kind == DOZE_EV_post && e->worker == -1 && e->u.post.queue == DOZE_QUEUE_injector)
		collected.bursts++;
	if (e->kind == DOZE_EV_wake && e->u.wake.wake_id < WAKE_IDS)
		collected.waked[e->u.wake.wake_id]++, collected.wakes++;
	if (e->kind == DOZE_EV_woken && e->u.woken.wake_id && e->u.woken.wake_id < WAKE_IDS)
		collected.slept[e->u.woken.wake_id]++, collected.woken++;
}

static void on_discarded(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	(void)ctx;
	collected.lost += count ? count : 1;
	doze_model_discarded(collected.model, from, to, count);
}

static void on_finding(void *ctx, const struct doze_finding *f)
{
	(void)ctx;
	if (!f->ambiguous && collected.complaints++ < 5)
		printf("\n    %s: worker %d: %s\n", f->rule, f->who.index, f->text);
}

static void fold(const char *name)
{
	static const struct doze_reader_sink sink = {.event = on_event, .discarded = on_discarded};
	static const struct doze_model_listener listener = {.on_finding = on_finding};
	struct doze_model_options options = DOZE_MODEL_DEFAULTS;
	struct doze_reader *reader;
	char dir[256], err[256] = "";

	memset(&collected, 0, sizeof(collected));
	collected.model = doze_with_checker(doze_model_new_with(&options, &listener, 0));
	snprintf(dir, sizeof(dir), "%s/%s", fixture_dir(), name);
	reader = doze_reader_open_dir(dir, err, sizeof(err));
	if (!reader)
		printf("\n    %s\n", err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(collected.model);
	CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
	CU_ASSERT_EQUAL(doze_reader_run(reader, &sink, 0), DOZE_READER_END);
	doze_model_finish(collected.model, doze_model_totals(collected.model)->last_ts);
	doze_reader_free(reader);
	for (int i = 0; i < WAKE_IDS; i++)
		collected.unpaired += collected.slept[i] > collected.waked[i];
}

static void done(const char *name)
{
	doze_model_free(collected.model);
	CU_ASSERT_EQUAL(fixture_sh("rm -r %s", name), 0);
}

static bool record(const char *name, const char *level, const char *demo)
{
	return fixture_record(name, level) &&
	       fixture_sh("DOZE_NUM_THREADS=%d DOZE_TRACE_WAIT_MS=5000 ./doze demo %s", WORKERS,
			  demo) == 0 &&
	       fixture_record_end();
}

/* ---- tests ---- */

static void start(void)
{
	CU_ASSERT_TRUE_FATAL(fixture_open_usual());
	CU_ASSERT_TRUE_FATAL(fixture_sessiond());
}

/* Returns the largest number of packets that a CPU wrote. An index file of LTTng has a header of 16
 * bytes, whose last 4 are the size of an entry, and an entry per packet. */
static long packets(void)
{
	return atol(fixture_out("for f in $(find trace/ust -name '*.idx'); do "
				"entry=$(od -An -j12 -N4 -tu4 --endian=big $f); "
				"echo $((($(stat -c %%s $f) - 16) / entry)); "
				"done | sort -n | tail -n 1"));
}

/* Returns whether the whole run fits into the buffers. Then nothing may be lost, however late the
 * consumer daemon runs. Counts sub-buffers, each of which becomes a packet, rather than bytes,
 * because LTTng 2.15 and later may leave most of a sub-buffer empty; see channel.h. */
static bool fits(void)
{
	long used = packets();

	CU_ASSERT_TRUE(used > 0);
	return used < (long)DOZE_CHANNEL_SUBBUF_COUNT;
}

static void check_nothing_wrong(void)
{
	const struct doze_totals *t = doze_model_totals(collected.model);

	if (collected.lost && !fits())
		suite_unstable("%llu events were lost", (unsigned long long)collected.lost);
	CU_ASSERT_EQUAL(collected.lost, 0);
	CU_ASSERT_EQUAL(collected.unpaired, 0);
	CU_ASSERT_EQUAL(t->findings, 0);
	CU_ASSERT_FALSE(t->truncated);
	CU_ASSERT_EQUAL(t->unknown_events, 0);
	CU_ASSERT_EQUAL(doze_model_workers(collected.model), WORKERS);
}

/* Returns what the recording lacks, or null. The scheduler decides which states each worker enters.
 */
static const char *lacks(void)
{
	if (collected.woken < WORKERS)
		return "fewer workers were woken than the pool has";
	for (size_t i = 0; i < doze_model_workers(collected.model); i++)
		for (int s = DOZE_STATE_active; s <= DOZE_STATE_sleeping; s++)
			if (!doze_model_worker(collected.model, i)->entered[s])
				return "a worker has not been in every state";
	return NULL;
}

/* Makes a recording of more and more bursts until it contains enough. */
static void record_bursts(void)
{
	const char *missing = NULL;
	int bursts = 12;

	do {
		char demo[32];

		if (missing)
			done("trace");
		snprintf(demo, sizeof(demo), "burst --bursts=%d", bursts);
		CU_ASSERT_TRUE_FATAL(record("trace", "INFO", demo));
		fold("trace");
		check_nothing_wrong();
		CU_ASSERT_TRUE(collected.bursts >= (uint64_t)bursts);
		missing = lacks();
		bursts *= 2;
	} while (missing && bursts < 100);
	if (missing)
		suite_unstable("%s", missing);
	CU_ASSERT_PTR_NULL(missing);
}

static void bursts(void)
{
	uint64_t wakes = 0, ambiguous = 0;

	suite_allow_seconds(240);
	start();
	for (int i = 0; i < RECORDINGS; i++) {
		record_bursts();
		wakes += collected.wakes;
		ambiguous += doze_model_totals(collected.model)->ambiguous;
		done("trace");
	}
	printf("%d recordings, %llu wakes, %llu ambiguous ... ", RECORDINGS,
	       (unsigned long long)wakes, (unsigned long long)ambiguous);
	fixture_close();
}

static void all_demos(void)
{
	static const char *const demos[] = {"burst", "fib --n=37 --repeat=2", "trickle --jobs=100",
					    "phases", "latch"};

	suite_allow_seconds(120);
	start();
	for (size_t i = 0; i < sizeof(demos) / sizeof(demos[0]); i++) {
		CU_ASSERT_TRUE_FATAL(record("trace", "DEBUG", demos[i]));
		fold("trace");
		if (collected.complaints || collected.lost)
			printf("\n    in the recording of %s\n", demos[i]);
		check_nothing_wrong();
		done("trace");
	}
	fixture_close();
}

static const struct suite_test tests[] = {
    {"ten recordings of the demo burst are complete and have no findings", bursts},
    {"ten more recordings of the demo burst are complete and have no findings", bursts},
    {"recordings of all demos at the finest level are complete and have no findings", all_demos},
};
SUITE_MAIN("burst", tests)
