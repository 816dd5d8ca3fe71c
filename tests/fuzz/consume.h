/*
 * SPDX-License-Identifier: MIT
 *
 * consume.h - feeds events to the views that read a trace: diagnose, timeline, storms, check, why,
 * what-if, report and export. The number of an input selects a few views, because all of them
 * together take 80 ms with sanitizers.
 */
#ifndef DOZE_TESTS_FUZZ_CONSUME_H
#define DOZE_TESTS_FUZZ_CONSUME_H

#include "viz/trace/event.h"

struct consumer;

/** Opens the views for an input. `choice` may be any number; it selects the views. */
struct consumer *consume_begin(uint64_t choice);
void consume_event(struct consumer *, const struct doze_event *);
void consume_loss(struct consumer *, int64_t from, int64_t to, uint64_t count);
/** Finishes the models, writes the output of all views to /dev/null, and frees everything. After an
 * odd number of events, views that support JSON write JSON. */
void consume_end(struct consumer *);

#endif
