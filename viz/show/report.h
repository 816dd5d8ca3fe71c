/*
 * SPDX-License-Identifier: MIT
 *
 * report.h - the view `report`, which writes one self-contained HTML file, and the data that it
 * collects: the model's intervals, wakes, words, marks, lost events, findings and storms. All of
 * this data is kept in packed form: about 5 bytes per interval and 25 per wake.
 */
#ifndef DOZE_REPORT_H
#define DOZE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "selected.h"
#include "storms.h"

/*
 * ---- Packed numbers ----
 *
 * A growing buffer of numbers in LEB128 (7 bits per byte, lowest first; a set high bit means that
 * more follow), printed in base64.
 */

/** Initialise with zeros. failed: memory ran out, so later bytes are missing. */
struct bytes {
	uint8_t *data; /* owned */
	size_t size, capacity;
	bool failed;
};

/** The maximum size of an encoded number: 64 bits at 7 bits per byte. */
enum { REPORT_BYTES_NUMBER = 10 };

/** Makes room for n more bytes. Returns false, with `failed` set, if out of memory. */
bool report_bytes_more(struct bytes *, size_t n);
static inline bool report_bytes_room(struct bytes *b, size_t n)
{
	return b->capacity - b->size >= n || report_bytes_more(b, n);
}

/* These functions append without checking for space: call report_bytes_room first. They are inline
 * because a page has a dozen numbers per wake. */

static inline void report_bytes_put(struct bytes *b, uint8_t byte)
{
	b->data[b->size++] = byte;
}

/** Appends a number in unsigned LEB128 encoding. */
static inline void report_bytes_put_number(struct bytes *b, uint64_t n)
{
	uint8_t *at = b->data + b->size;

	for (; n >= 0x80; n >>= 7)
		*at++ = (uint8_t)(n & 0x7f) | 0x80;
	*at++ = (uint8_t)n;
	b->size = (size_t)(at - b->data);
}

/** Appends a signed number in zigzag and LEB128 encoding. */
static inline void report_bytes_put_signed(struct bytes *b, int64_t n)
{
	report_bytes_put_number(b, (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

/** Writes the buffer in base64, without line breaks. */
void report_bytes_print_base64(const struct bytes *, FILE *);

/* ---- The data of a page ---- */

#define REPORT_FINDINGS 1000   /* maximum number of findings kept; further ones are only counted */
#define REPORT_DEPTH    64     /* maximum number of jobs in progress per worker */
#define REPORT_JOBS     500000 /* maximum number of jobs kept; further ones are not drawn */
#define REPORT_TEXTS    4000   /* maximum number of marks kept */

struct report_job {
	int64_t from;
	uint64_t id;
};

struct report_lane {
	/* per interval: state + 16 * unknown, reason, duration; the first begins at `first` */
	struct bytes intervals;
	int64_t first, last; /* ns; gaps are stored as intervals of state none */
	size_t count;
	/* Jobs in the order in which they ended: start relative to the start of the previous job,
	 * duration, depth, id. */
	struct bytes jobs;
	int64_t last_job;
	size_t job_count;
	struct report_job open[REPORT_DEPTH]; /* jobs that have started but not ended */
	size_t depth;
};

struct report_words {
	/* per step of the counters word: time since the previous step, numbers of sleeping and idle
	 * workers, JEC (low 32 bits) */
	struct bytes steps;
	int64_t last;
	size_t count;
};

struct report_mark {
	int64_t ts;
	uint32_t pool;
	int32_t worker;
	char text[64];
};

struct report_loss {
	int64_t from, to;
	uint64_t count;
};

struct report {
	struct doze_storm_log log; /* filled by the storm report's listener */
	/* filters the trace: the page shows only the selected part */
	struct doze_selected selected;
	const struct doze_model *model;
	struct report_lane *lane; /* owned; by worker row */
	size_t lanes;
	struct report_words *word; /* owned; by pool row */
	size_t words;
	/* per wake: its time, its target (the worker's row + 1, or 0 and the pool's row), and the
	 * other values that take_verdict packs */
	struct bytes wakes;
	size_t loose_pool; /* row of the pool of the last wake without a target */
	int64_t last_wake;
	size_t wake_count;
	size_t jobs;
	struct report_mark *mark; /* owned */
	size_t marks;
	struct report_loss loss[256];
	size_t losses;
	struct doze_finding *finding; /* owned */
	size_t findings, findings_left_out;
	bool failed; /* memory ran out */
};

extern const struct doze_model_listener report_listener; /* ctx: the struct report */

/** Called with each selected event before the model processes it. */
void report_event(struct report *, const struct doze_event *);
void report_free(struct report *);
/** Returns whether there was enough memory for all data. */
bool report_whole(const struct report *);

struct doze_view;
extern const struct doze_view doze_report_view;

#endif
