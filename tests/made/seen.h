/*
 * SPDX-License-Identifier: MIT
 *
 * seen.h - reads a trace with the reader and keeps what it handed over, for the reader's suites.
 */
#ifndef DOZE_TESTS_SEEN_H
#define DOZE_TESTS_SEEN_H

#include "../../viz/reader/reader.h"
#include "made.h"

#define MAX_SEEN 64

struct seen {
	struct doze_event event[MAX_SEEN];
	char text[MAX_SEEN][32]; /* of a mark; of a pool_start the policy */
	size_t events, losses;
	int64_t loss_from, loss_to;
	uint64_t lost;
	enum doze_reader_status status;
	struct doze_reader_counts counts;
	bool saw_doze;
	char error[512];
};

/** What was read last. */
extern struct seen seen;
/** Keeps an event in `seen`; ctx is not used. */
void keep_event(void *ctx, const struct doze_event *);
/** Reads a folder into `seen`. */
void read_dir(const char *dir);
/** An event of worker `worker` in pool 1, process 42, thread 43, CPU 0. */
struct doze_event at(int64_t ts, enum doze_event_kind kind, int32_t worker);
/** Makes the trace `t` in the scratch folder; fails the test when it cannot. */
void make(const struct made_options *, const struct doze_event *, size_t count);
/** Runs a test in a scratch folder of its own. */
void in_scratch(void (*test)(void));

/** A test of the table that runs in a scratch folder: T(name) makes t_name. */
#define T(name)                                                                                    \
	static void t_##name(void)                                                                 \
	{                                                                                          \
		in_scratch(name);                                                                  \
	}

#endif
