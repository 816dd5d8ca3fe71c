/*
 * SPDX-License-Identifier: MIT
 *
 * decode.h - converts Babeltrace messages to struct doze_event. Used by the reader's sink and by
 * the plug-in's components, so that both see the same events.
 *
 * One thread at a time per decoder. No call blocks.
 */
#ifndef DOZE_VIZ_READER_DECODE_H
#define DOZE_VIZ_READER_DECODE_H

#include <babeltrace2/babeltrace.h>

#include "binary.h"
#include "event.h"

struct doze_decoder;

enum doze_decoded {
	DOZE_DECODED_NOTHING, /* neither an event of doze nor a loss: continue */
	DOZE_DECODED_EVENT,   /* *event is filled in */
	DOZE_DECODED_LOSS,    /* *loss is filled in */
	DOZE_DECODED_QUIET,   /* there is no event, but the trace's clock has reached loss->to */
	DOZE_DECODED_BINARY,  /* doze_decoder_binary returns the description of a binary */
	DOZE_DECODED_NEWER,   /* a pool_start with a newer major schema: cannot continue */
	DOZE_DECODED_LACKS,   /* the trace lacks a field of its schema: cannot continue */
	DOZE_DECODED_MEMORY,  /* out of memory: cannot continue */
};

/** Events lost between from and to, ns since the epoch. A count of 0 means an unknown number. */
struct doze_loss {
	int64_t from, to;
	uint64_t count;
};

struct doze_decode_counts {
	uint64_t events, foreign, unknown_events, unknown_labels;
	char unknown[48]; /* name of the first event that this version does not know, or "" */
	bool announced;   /* the metadata of a stream that has started declares doze events */
};

/** Returns a decoder owned by the caller, or null if out of memory. */
struct doze_decoder *doze_decoder_new(void);
void doze_decoder_free(struct doze_decoder *);

/** Decodes one message of any type. The event's strings are clean (utf8.h) and live as
 * long as the message. After DOZE_DECODED_NEWER, the event contains the pool_start with the
 * versions. */
enum doze_decoded doze_decode(struct doze_decoder *, const bt_message *, struct doze_event *event,
			      struct doze_loss *loss);

/** After DOZE_DECODED_LACKS, returns a sentence that names the event and the field, in a buffer
 * that the decoder owns. */
const char *doze_decoder_lacks(struct doze_decoder *);

/** After DOZE_DECODED_BINARY, returns the event's description of a binary, borrowed until the next
 * message. Its path is clean (utf8.h). */
const struct doze_binary *doze_decoder_binary(const struct doze_decoder *);

const struct doze_decode_counts *doze_decoder_counts(const struct doze_decoder *);

#endif
