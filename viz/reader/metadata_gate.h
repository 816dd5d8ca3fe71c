/*
 * SPDX-License-Identifier: MIT
 *
 * metagate.h - which pieces of live metadata may pass to Babeltrace, and when. Why: between.h.
 */
#ifndef DOZE_VIZ_READER_METAGATE_H
#define DOZE_VIZ_READER_METAGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DOZE_METADATA_OK = 1, DOZE_METADATA_NOTHING_NEW = 2, DOZE_METADATA_ERROR = 3 };

/** The head of an answer to GET_METADATA, big-endian; then come `size` bytes if status is OK. */
struct doze_metagate_head {
	uint64_t size;
	uint32_t status;
} __attribute__((packed));

/** What is kept back of one metadata stream. */
struct doze_metagate_stream {
	uint64_t id;
	bool whole; /* has had its first stream layout: all that follows passes */
	char *kept; /* owned */
	size_t size;
};

struct doze_metagate {
	bool open; /* the session has ended: everything passes */
	struct doze_metagate_stream *streams;
	size_t count;
};

/** Takes an answer of the relay, head and piece (of malloc; null when empty), and turns both into
 * the one for the client. The piece is owned by the gate meanwhile and the caller's after. False:
 * out of memory; then the piece is the caller's, too. One thread. */
bool doze_metagate_pass(struct doze_metagate *, uint64_t stream, struct doze_metagate_head *head,
			void **piece);
/** Frees what it keeps. */
void doze_metagate_clear(struct doze_metagate *);

#endif
