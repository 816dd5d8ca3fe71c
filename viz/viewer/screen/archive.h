/*
 * SPDX-License-Identifier: MIT
 *
 * archive.h - reads from disk the part of a trace that is older than the history in memory. The
 * archive is the recording's folder, or the folder to which the relay of a live session writes.
 *
 * When the window shows a time that is not (or not yet) in memory, the archive copies the packets
 * around that time into a temporary folder, reads them on a separate thread into a second history,
 * and switches the scene to that history. Thanks to the index of packets, the cost depends on the
 * length of the window, not of the trace. The model continues from a checkpoint of the first
 * history, taken before the window. If there is no such checkpoint, it starts as it does for a
 * viewer that attaches late: workers are unknown until their first event.
 *
 * Memory is bounded: at most one window of TUI_ARCHIVE_BYTES, and TUI_CHECKPOINTS checkpoints. Main
 * thread only.
 */
#ifndef DOZE_TUI_ARCHIVE_H
#define DOZE_TUI_ARCHIVE_H

#include <limits.h>

#include "../../trace/packets.h"
#include "../store/feed.h"
#include "scene.h"

/** TUI_ARCHIVE_BYTES: maximum size of one read. TUI_ARCHIVE_LARGE: a recording larger than this
 * takes so long to load that the viewer shows its end before loading is complete. */
enum {
	TUI_ARCHIVE_BYTES = 12 << 20,
	TUI_ARCHIVE_LARGE = 32 << 20,
	/* minimum margin of a read; reading this many bytes causes no visible delay */
	TUI_ARCHIVE_LITTLE = 2 << 20,
};

/** Reads a part of the trace. */
struct tui_disk_read {
	char folder[PATH_MAX]; /* temporary folder; "": none */
	struct doze_reader *reader;
	struct tui_feed *feed; /* null: no read is running */
	struct tui_history *into;
	int64_t from, to; /* the requested part */
	int fd;           /* readable when events are queued; -1: none */
};

struct tui_archive {
	const char *folder; /* not owned; null: no archive */
	struct doze_packet_index index;
	struct tui_history *newest;     /* not owned; the history that the trace's reader fills */
	struct tui_history *past;       /* owned; the history read from disk, or null */
	int64_t from, to;               /* the part that `past` covers */
	int64_t failed_from, failed_to; /* a part that could not be read and is not tried again */
	int64_t indexed_at; /* when the index was last updated, by the viewer's own clock */
	struct tui_disk_read load;
};

/** Prepares the archive of a trace and, for a recording, builds its index. folder: null if there is
 * no archive. */
void tui_archive_open(struct tui_archive *, const char *folder, struct tui_history *newest);
/** Returns the end time of a large recording, or INT64_MIN for any other trace. */
int64_t tui_archive_end(const struct tui_archive *);
/** Starts, continues and ends reads, and switches the scene to the history that covers its window.
 * Normally takes a few milliseconds; when a read begins, takes longer, depending on the size of the
 * window. Returns whether the screen changes. */
bool tui_archive_step(struct tui_archive *, struct tui_scene *);
/** Completes all reads for the scene's window. */
void tui_archive_wait(struct tui_archive *, struct tui_scene *);
/** Updates the index of a growing trace, at most twice a second. Returns whether there is an
 * index. */
bool tui_archive_index(struct tui_archive *, const struct tui_scene *);
void tui_archive_close(struct tui_archive *, struct tui_scene *);

/* ---- one read, also for a search on disk ---- */

/** Starts reading the events in [from, to] (ns, trace time). The model starts from the latest
 * checkpoint of `newest` before that part. On failure, returns false and writes one line to err. */
bool tui_disk_read_begin(struct tui_disk_read *, const struct doze_packet_index *,
			 const struct tui_history *newest, int64_t from, int64_t to, char *err,
			 size_t err_size);
/** Processes events that have arrived, for at most about budget_ms. Returns whether the part is
 * complete. */
bool tui_disk_read_drain(struct tui_disk_read *, int budget_ms);
/** Ends the running read, if any, and removes its temporary folder. */
void tui_disk_read_end(struct tui_disk_read *);

#endif
