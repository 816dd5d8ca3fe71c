/*
 * SPDX-License-Identifier: MIT
 *
 * metadata.h - metadata, recorded and live: reads the text of a metadata file, and checks its
 * packets before Babeltrace does.
 */
#ifndef DOZE_VIZ_READER_METADATA_H
#define DOZE_VIZ_READER_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Returns the text of DIR/metadata, owned by the caller (free). LTTng writes this file in packets
 * whose headers contain their sizes; impossible sizes would send Babeltrace 2.0 into an endless
 * loop. Returns null with one line in err if the file is empty, unreadable, huge, or contains
 * impossible sizes. */
char *doze_metadata_read(const char *dir, char *err, size_t err_size);

/** Returns whether the text of a metadata file is whole but does not declare the event with which
 * each trace of doze begins. Such a trace is of another program. Any thread. */
bool doze_metadata_is_foreign(const char *text);

/*
 * ---- Decides which pieces of live metadata may pass to Babeltrace, and when. See
 * live.h for the reason.
 */

enum { DOZE_METADATA_OK = 1, DOZE_METADATA_NOTHING_NEW = 2, DOZE_METADATA_ERROR = 3 };

/** The head of an answer to GET_METADATA, big-endian. If the status is OK, `size` bytes follow. */
struct doze_metagate_head {
	uint64_t size;
	uint32_t status;
} __attribute__((packed));

/** The metadata held back for one stream. */
struct doze_metagate_stream {
	uint64_t id;
	bool whole; /* its first stream layout has been passed on, so all complete declarations
		     * after it are passed on, too */
	char *kept; /* owned */
	size_t size;
};

struct doze_metagate {
	bool open; /* the session has ended, so everything is passed on */
	struct doze_metagate_stream *streams;
	size_t count;
};

/** Turns an answer of the relay into the answer for the client: the head, and the piece (from
 * malloc; null if empty). The caller owns the resulting piece. Returns false if out of memory; the
 * caller then still owns the original piece. One thread at a time. */
bool doze_metagate_pass(struct doze_metagate *, uint64_t stream, struct doze_metagate_head *head,
			void **piece);
/** Frees the metadata that the gate holds back. */
void doze_metagate_clear(struct doze_metagate *);

#endif
