/*
 * SPDX-License-Identifier: MIT
 *
 * read_ahead.h - reads a recorded trace on a second thread, so that Babeltrace decodes the next
 * events while the caller examines the previous ones.
 */
#ifndef DOZE_VIZ_READ_AHEAD_H
#define DOZE_VIZ_READ_AHEAD_H

#include "reader.h"

/** Runs a reader of a recorded trace like doze_reader_run, with the same callbacks in the same
 * order on the calling thread, while another thread reads ahead, by at most about 4000 events.
 * After doze_reader_stop, delivers the events that have already been read. If no thread can be
 * created, reads on the calling thread. */
enum doze_reader_status doze_reader_run_ahead(struct doze_reader *, const struct doze_reader_sink *,
					      void *ctx);

#endif
