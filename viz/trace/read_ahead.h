/*
 * SPDX-License-Identifier: MIT
 *
 * read_ahead.h - reads a recorded trace on other threads, so that Babeltrace decodes the next
 * events while the caller examines the previous ones.
 */
#ifndef DOZE_VIZ_READ_AHEAD_H
#define DOZE_VIZ_READ_AHEAD_H

#include "reader.h"

/** Runs a reader of a recorded trace like doze_reader_run, with the same callbacks in the same
 * order on the calling thread, while another thread reads ahead, by at most about 16,000 events. If
 * the manifest shows that the files of a trace in one folder are as they were recorded, its streams
 * are divided among as many threads as there are CPUs, at most eight, and a part that fails or is
 * stopped stops the others. After doze_reader_stop, delivers the events that have already been
 * read. If no thread can be created, reads on the calling thread. */
enum doze_reader_status doze_reader_run_ahead(struct doze_reader *, const struct doze_reader_sink *,
					      void *ctx);

#endif
