/*
 * SPDX-License-Identifier: MIT
 *
 * test_recording.c - the most important check: records a small built-in workload and reads the
 * trace.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../trace/reader.h"
#include "doctor.h"
#include "files.h"
#include "outcome.h"
#include "session.h"

#define TRIAL_MS 20000

static void count(void *ctx, const struct doze_event *e)
{
	unsigned *pools = ctx;
	*pools += e->kind == DOZE_EV_pool_start;
}

static void ignore_loss(void *ctx, int64_t from, int64_t to, uint64_t lost)
{
	(void)ctx, (void)from, (void)to, (void)lost;
}

static void read_trace(struct doctor *d, const char *dir)
{
	static const struct doze_reader_sink sink = {.event = count, .discarded = ignore_loss};
	char err[400];
	unsigned pools = 0;
	if (!doze_report_has_streams(dir)) {
		doctor_report(d, DOCTOR_BAD, "fix the problems reported above",
			      "the trial program was not traced at all");
		return;
	}
	struct doze_reader *r = doze_reader_open_dir(dir, err, sizeof(err));
	if (!r) {
		doctor_report(d, DOCTOR_BAD, NULL, "the trial recording cannot be read: %s", err);
		return;
	}
	enum doze_reader_status status = doze_reader_run(r, &sink, &pools);
	unsigned long long events = doze_reader_counts(r).events;
	if (status != DOZE_READER_END)
		doctor_report(d, DOCTOR_BAD, NULL, "the trial recording cannot be read: %s",
			      doze_reader_error(r));
	else if (!pools)
		doctor_report(d, DOCTOR_BAD, "fix the problems reported above",
			      "the trial recording contains no pool");
	else
		doctor_report(d, DOCTOR_OK, NULL, "the trial recording works: %llu events", events);
	doze_reader_free(r);
}

static void wait_end(struct doze_session *s)
{
	int64_t until = doze_now_ms() + TRIAL_MS;
	while (!doze_session_poll(s)->ended && doze_now_ms() < until)
		doze_sleep_ms(10);
}

static void report_status(struct doctor *d, const struct doze_session_state *s)
{
	char status[128];
	doze_report_status(s, status, sizeof(status));
	doctor_report(d, DOCTOR_BAD, NULL, "the trial program %s; %s", status, s->problem);
}

void doctor_trial(struct doctor *d)
{
	char err[512];
	d->check = "trial";
	struct doze_session_options o = {
	    .argv = doze_demo_program("burst", NULL),
	    .workers = 2,
	    .interrupt_fd = -1,
	};
	struct doze_session *s = doze_session_start(&o, err, sizeof(err));
	if (!s) {
		doctor_report(d, DOCTOR_BAD, NULL, "the trial recording failed: %s", err);
		return;
	}
	doze_session_go(s);
	wait_end(s);
	doze_session_finish(s);
	struct doze_session_state last = *doze_session_poll(s);
	bool bad = last.problem[0] || last.exec_errno || last.status;
	if (bad)
		report_status(d, &last);
	read_trace(d, doze_session_output(s));
	/* This removes the session's folder. If doctor were killed, the supervisor would remove
	 * it. */
	doze_session_stop(s, &last);
	if (!bad && last.problem[0])
		report_status(d, &last);
}
