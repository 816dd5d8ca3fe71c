/*
 * SPDX-License-Identifier: MIT
 *
 * reader_test.c - viz/trace delivers the events of a trace. The traces are synthetic
 * (tests/fixtures); tests/integration/trace reads real recordings.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fixtures/collected_events.h"
#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/fields.h"

static void reads_all_kinds(void)
{
	struct doze_event e[DOZE_EV_COUNT];

	for (int k = 0; k < DOZE_EV_COUNT; k++)
		e[k] = at(1000 + k, (enum doze_event_kind)k, k % 3 - 1);
	make(NULL, e, DOZE_EV_COUNT);
	read_dir(scratch("t"));
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_END);
	CU_ASSERT_EQUAL_FATAL(collected.events, DOZE_EV_COUNT);
	for (int k = 0; k < DOZE_EV_COUNT; k++) {
		CU_ASSERT_EQUAL((int)collected.event[k].kind, k);
		CU_ASSERT_EQUAL(collected.event[k].ts, 1000 + k);
		CU_ASSERT_EQUAL(collected.event[k].worker, k % 3 - 1);
		CU_ASSERT_EQUAL(collected.event[k].vpid, 42);
		CU_ASSERT_EQUAL(collected.event[k].vtid, 43);
		CU_ASSERT_EQUAL(collected.event[k].cpu, 0);
		CU_ASSERT_FALSE(collected.event[k].unknown_label);
	}
	CU_ASSERT_EQUAL(collected.counts.unknown_events, 1);
	CU_ASSERT_TRUE(collected.saw_doze);
}

static void reads_values(void)
{
	struct doze_event e[4] = {at(1, DOZE_EV_worker_state, 2), at(2, DOZE_EV_wake, -1),
				  at(3, DOZE_EV_post, 0), at(4, DOZE_EV_pool_start, -1)};

	e[0].old_word = UINT64_C(0xfedcba9876543210);
	e[0].new_word = UINT64_C(0xffffffffffffffff);
	e[0].u.state.from = DOZE_STATE_sleeping;
	e[0].u.state.to = DOZE_STATE_idle;
	e[0].u.state.reason = DOZE_REASON_woken;
	e[0].u.state.jobs_run = UINT64_MAX - 1;
	e[1].u.wake.target = 7;
	e[1].u.wake.wake_id = UINT64_C(1) << 63;
	e[1].u.wake.cause = DOZE_CAUSE_latch;
	e[1].u.wake.scope = DOZE_SCOPE_all;
	e[2].u.post.was_empty = true;
	e[2].u.post.idle = -1;
	e[2].u.post.sleeping = 5;
	e[3].u.pool_start.policy = "tickle";
	e[3].u.pool_start.schema_major = DOZE_SCHEMA_MAJOR;
	e[3].u.pool_start.word.kind = DOZE_WORD_tickle;
	e[3].u.pool_start.word.bits_jec = 48;
	make(NULL, e, 4);
	read_dir(scratch("t"));
	CU_ASSERT_EQUAL_FATAL(collected.events, 4);
	CU_ASSERT_EQUAL(collected.event[0].old_word, e[0].old_word);
	CU_ASSERT_EQUAL(collected.event[0].new_word, e[0].new_word);
	CU_ASSERT_TRUE(collected.event[0].has_words);
	CU_ASSERT_EQUAL(memcmp(&collected.event[0].u.state, &e[0].u.state, sizeof(e[0].u.state)),
			0);
	CU_ASSERT_EQUAL(memcmp(&collected.event[1].u.wake, &e[1].u.wake, sizeof(e[1].u.wake)), 0);
	CU_ASSERT_EQUAL(memcmp(&collected.event[2].u.post, &e[2].u.post, sizeof(e[2].u.post)), 0);
	CU_ASSERT_STRING_EQUAL(collected.text[3], "tickle");
	CU_ASSERT_FALSE(collected.event[3].has_words);
	CU_ASSERT_EQUAL(collected.event[3].u.pool_start.word.kind, DOZE_WORD_tickle);
	CU_ASSERT_EQUAL(collected.event[3].u.pool_start.word.bits_jec, 48);
}

/* Reads a trace in which the event lacks `field`; a pool of the given minor version starts after
 * the event. */
static void read_without(const char *field, enum doze_event_kind kind, uint32_t minor)
{
	struct trace_writer_options o = {.without = field};
	struct doze_event e[2] = {at(1, kind, 3), at(2, DOZE_EV_pool_start, -1)};
	static int made;
	char name[16];

	e[1].u.pool_start.schema_major = DOZE_SCHEMA_MAJOR;
	e[1].u.pool_start.schema_minor = minor;
	snprintf(name, sizeof(name), "t%d", made++);
	CU_ASSERT_EQUAL_FATAL(trace_writer_write_array(scratch(name), &o, e, 2), 0);
	read_dir(scratch(name));
}

static void defaults_of_later_fields(void)
{
	read_without("cpu_ns", DOZE_EV_woken, 0);
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_END);
	CU_ASSERT_EQUAL_FATAL(collected.events, 2);
	CU_ASSERT_EQUAL(collected.event[0].u.woken.cpu_ns, 0);
	read_without("cpu_ns", DOZE_EV_woken, 1);
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_ERROR);
	CU_ASSERT_PTR_NOT_NULL(strstr(collected.error, "woken has no field cpu_ns"));
}

static void names_missing_fields(void)
{
	read_without("decision_id", DOZE_EV_wake, 0);
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_ERROR);
	CU_ASSERT_PTR_NOT_NULL(strstr(collected.error, "wake has no field decision_id"));
	for (int k = DOZE_EV_unknown + 1; k < DOZE_EV_COUNT; k++) {
		const struct doze_field_spec *f = doze_event_fields((enum doze_event_kind)k);

		for (; f->name; f++) {
			read_without(f->name, (enum doze_event_kind)k, DOZE_SCHEMA_MINOR);
			CU_ASSERT_EQUAL(collected.status, DOZE_READER_ERROR);
			CU_ASSERT_PTR_NOT_NULL(strstr(collected.error, f->name));
		}
	}
	read_without("new", DOZE_EV_post, 0);
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_ERROR);
}

static void cleans_text(void)
{
	struct doze_event e[2] = {at(1, DOZE_EV_mark, 3), at(2, DOZE_EV_worker_start, 3)};

	e[0].u.mark.text = "\x1b[2J\xe2\x80\xae"
			   "ab";
	e[1].u.worker_start.name = "\xc2\x9bw";
	make(NULL, e, 2);
	read_dir(scratch("t"));
	CU_ASSERT_STRING_EQUAL(collected.text[0], "?[2J?ab");
	CU_ASSERT_STRING_EQUAL(collected.text[1], "?w");
}

static void ignores_later_fields(void)
{
	struct trace_writer_options o = {.extra = true};
	struct doze_event e = at(1, DOZE_EV_woken, 3);

	e.u.woken.wake_id = 12;
	make(&o, &e, 1);
	read_dir(scratch("t"));
	CU_ASSERT_EQUAL_FATAL(collected.events, 1);
	CU_ASSERT_EQUAL(collected.event[0].u.woken.wake_id, 12);
}

static void counts_unknown_labels(void)
{
	struct trace_writer_options o = {.strange = "sleepy"};
	struct doze_event e[2] = {at(1, DOZE_EV_worker_state, 0), at(2, DOZE_EV_worker_state, 1)};

	e[0].u.state.from = DOZE_STATE_idle;
	e[0].u.state.to = DOZE_STATE_sleepy;
	e[1].u.state.from = DOZE_STATE_idle;
	e[1].u.state.to = DOZE_STATE_active;
	make(&o, e, 2);
	read_dir(scratch("t"));
	CU_ASSERT_EQUAL_FATAL(collected.events, 2);
	CU_ASSERT_TRUE(collected.event[0].unknown_label);
	CU_ASSERT_EQUAL(collected.event[0].u.state.from, DOZE_STATE_idle);
	CU_ASSERT_EQUAL(collected.event[0].u.state.to, 0);
	CU_ASSERT_FALSE(collected.event[1].unknown_label);
	CU_ASSERT_EQUAL(collected.counts.unknown_labels, 1);
}

static void recognizes_foreign(void)
{
	struct trace_writer_options o = {.provider = "other"};
	struct doze_event e[2] = {at(1, DOZE_EV_woken, 0), at(2, DOZE_EV_woken, 1)};

	make(&o, e, 2);
	read_dir(scratch("t"));
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_END);
	CU_ASSERT_EQUAL(collected.events, 0);
	CU_ASSERT_EQUAL(collected.counts.foreign, 2);
	CU_ASSERT_FALSE(collected.saw_doze);
}

static void refuses_newer(void)
{
	struct doze_event e[2] = {at(1, DOZE_EV_pool_start, -1), at(2, DOZE_EV_woken, 1)};

	e[0].u.pool_start.schema_major = DOZE_SCHEMA_MAJOR + 1;
	e[0].u.pool_start.version = "99.1";
	make(NULL, e, 2);
	read_dir(scratch("t"));
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_ERROR);
	CU_ASSERT_EQUAL(collected.events, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(collected.error, "99.1"));
	CU_ASSERT_PTR_NOT_NULL(strstr(collected.error, "update doze"));
}

struct lossy {
	int at;
};

static enum trace_writer_step next_lossy(void *ctx, struct doze_event *e, uint64_t *lost)
{
	struct lossy *l = ctx;

	*e = at(1000 * (l->at + 1), DOZE_EV_woken, l->at);
	*lost = 17;
	if (l->at == 4)
		return TRACE_WRITER_END;
	return l->at++ == 2 ? TRACE_WRITER_LOSS : TRACE_WRITER_EVENT;
}

static void reports_losses(void)
{
	struct lossy l = {0};

	CU_ASSERT_EQUAL_FATAL(trace_writer_write(scratch("t"), NULL, next_lossy, &l), 0);
	read_dir(scratch("t"));
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_END);
	CU_ASSERT_EQUAL(collected.events, 3);
	CU_ASSERT_EQUAL(collected.losses, 1);
	CU_ASSERT_EQUAL(collected.lost, 17);
	CU_ASSERT_EQUAL(collected.loss_from, 2000);
	CU_ASSERT_EQUAL(collected.loss_to, 3000);
	CU_ASSERT_EQUAL(collected.counts.discarded, 17);
}

static void merges_folders(void)
{
	struct trace_writer_options o = {.hostname = "h2"};
	struct doze_event a[2] = {at(10, DOZE_EV_woken, 0), at(30, DOZE_EV_woken, 2)};
	struct doze_event b[2] = {at(20, DOZE_EV_woken, 1), at(40, DOZE_EV_woken, 3)};

	CU_ASSERT_EQUAL_FATAL(mkdir(scratch("t"), 0700), 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_write_array(scratch("t/a"), NULL, a, 2), 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_write_array(scratch("t/b"), &o, b, 2), 0);
	read_dir(scratch("t"));
	CU_ASSERT_EQUAL_FATAL(collected.events, 4);
	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(collected.event[i].worker, i);
	CU_ASSERT_EQUAL(collected.event[0].host, collected.event[2].host);
	CU_ASSERT_EQUAL(collected.event[1].host, collected.event[3].host);
	CU_ASSERT_NOT_EQUAL(collected.event[0].host, collected.event[1].host);
}

static void stop_after_first(void *ctx, const struct doze_event *e)
{
	keep_event(&collected, e);
	doze_reader_stop(*(struct doze_reader **)ctx);
}

static enum trace_writer_step next_of_many(void *ctx, struct doze_event *e, uint64_t *lost)
{
	int *left = ctx;

	(void)lost;
	*e = at(100000 - *left, DOZE_EV_woken, 0);
	return (*left)-- > 0 ? TRACE_WRITER_EVENT : TRACE_WRITER_END;
}

static void stops_early(void)
{
	static const struct doze_reader_sink sink = {.event = stop_after_first};
	int left = 10000;
	struct doze_reader *r;
	char err[256];

	memset(&collected, 0, sizeof(collected));
	CU_ASSERT_EQUAL_FATAL(trace_writer_write(scratch("t"), NULL, next_of_many, &left), 0);
	r = doze_reader_open_dir(scratch("t"), err, sizeof(err));
	CU_ASSERT_PTR_NOT_NULL_FATAL(r);
	CU_ASSERT_EQUAL(doze_reader_run(r, &sink, &r), DOZE_READER_STOPPED);
	CU_ASSERT(collected.events >= 1 && collected.events < 64);
	doze_reader_free(r);
}

T(reads_all_kinds)
T(reads_values)
T(defaults_of_later_fields)
T(names_missing_fields)
T(cleans_text)
T(ignores_later_fields)
T(counts_unknown_labels)
T(recognizes_foreign)
T(refuses_newer)
T(reports_losses)
T(merges_folders)
T(stops_early)

static const struct suite_test tests[] = {
    {"an event of each kind arrives, in order, with its context", t_reads_all_kinds},
    {"numbers, enums, words, flags and strings are read as they were written", t_reads_values},
    {"a field that an older schema lacks gets its default", t_defaults_of_later_fields},
    {"the error for a missing field names the field", t_names_missing_fields},
    {"text arrives without characters that control the terminal", t_cleans_text},
    {"a field of a later schema is ignored", t_ignores_later_fields},
    {"an unknown label is counted, and the event is still read", t_counts_unknown_labels},
    {"a trace of another program is recognized", t_recognizes_foreign},
    {"the error for a newer major schema names both versions", t_refuses_newer},
    {"lost events are reported with their span and number", t_reports_losses},
    {"several folders are merged by time, and their hosts are distinguished", t_merges_folders},
    {"stopping the reader ends its run early", t_stops_early},
};

SUITE_MAIN("reader", tests)
