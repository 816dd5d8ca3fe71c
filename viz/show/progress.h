/*
 * SPDX-License-Identifier: MIT
 *
 * progress.h - how far a recording has been checked or read, and how long the rest will take:
 * "34 %, about 35 s left". Nothing is shown before two seconds have passed, because most recordings
 * are read by then.
 *
 * The caller passes the time, in ns of a monotonic clock, so that the tests need not wait. Main
 * thread only.
 */
#ifndef DOZE_VIZ_PROGRESS_H
#define DOZE_VIZ_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../trace/packets.h"
#include "../trace/reader.h"

/** Returns the monotonic time in ns. */
int64_t doze_progress_now(void);

/*
 * ---- The arithmetic: the time left follows from the speed so far. The last few seconds weigh
 * most, because the speed changes, for example when another program starts.
 */

struct doze_pace {
	int64_t begun, noted; /* time of the beginning, and of the last note */
	uint64_t done, total; /* bytes; total 0: unknown */
	double speed;         /* bytes per second */
};

/** Size of the text of a progress, with its terminating 0. */
enum { DOZE_PROGRESS_TEXT = 64 };

void doze_pace_begin(struct doze_pace *, int64_t now);
/** Notes how many of how many bytes have been read. */
void doze_pace_note(struct doze_pace *, int64_t now, uint64_t done, uint64_t total);
/** Returns whether reading has taken long enough for its progress to be of interest. */
bool doze_pace_due(const struct doze_pace *, int64_t now);
/** Writes "34 %, about 35 s left"; or, if the total is unknown, "1,234,567 events in 12 s"; or ""
 * before doze_pace_due. Returns the text. */
const char *doze_pace_text(const struct doze_pace *, int64_t now, uint64_t events, char *text);

/* A line on stderr that replaces its predecessor; none if stderr is not a terminal. */
struct doze_progress_line {
	int64_t shown_at; /* when the line was last written; 0: never */
	int width;        /* of that line, in columns */
	bool terminal;
};

/** Opens a recording with doze_reader_open_dir, which checks its files first, and shows the
 * progress of that on stderr: "checking: 34 %, about 5 s left". */
struct doze_reader *doze_progress_open(const char *dir, char *err, size_t err_size);

/*
 * ---- The progress of reading a recording or, in a duel, two of them.
 *
 * Bytes, not times, measure the progress: a second of a storm takes longer to read than one of
 * silence. The index of the packets (packets.h) is built only when the progress is due. By then,
 * the reader has checked the headers of all packets, which are therefore in the page cache.
 */

struct doze_progress {
	struct doze_pace pace;
	struct doze_progress_part {
		const char *dir; /* not owned; null: there is no such recording */
		const struct doze_packet_index *given; /* not owned; null: use `own` */
		/* empty: not built yet, or impossible to build */
		struct doze_packet_index own;
	} part[2];
	/* only this much of the recordings will be read, in ns; INT64_MAX: everything */
	int64_t length;
	struct doze_progress_line line;
	bool indexed;
};

/** How far the reader is: the time of the last event of each recording (ns since the epoch; 0: none
 * yet), and the number of events of both. */
struct doze_reached {
	int64_t ts[2];
	uint64_t events;
};

/** Begins to measure. dir and second (or null) must stay valid until doze_progress_end. */
void doze_progress_begin(struct doze_progress *, int64_t now, const char *dir, const char *second);
/** Makes the first recording use an index that the caller has and updates. */
void doze_progress_use(struct doze_progress *, const struct doze_packet_index *);
/** Writes the progress as doze_pace_text does. */
const char *doze_progress_text(struct doze_progress *, int64_t now, const struct doze_reached *,
			       char *text);
/** Writes the progress to stderr as a line that replaces its predecessor: "reading: 34 %, about
 * 35 s left". Does nothing if stderr is not a terminal. Costs next to nothing if the last line is
 * recent. what: what is being done ("reading"). */
void doze_progress_show(struct doze_progress *, int64_t now, const char *what,
			const struct doze_reached *);
/** Clears the line, and frees the index. */
void doze_progress_end(struct doze_progress *);

#endif
