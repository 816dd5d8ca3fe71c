/*
 * SPDX-License-Identifier: MIT
 *
 * consume.h - feeds events to the model with all its checks, the timeline and the storm report.
 */
#ifndef DOZE_TESTS_FUZZ_CONSUME_H
#define DOZE_TESTS_FUZZ_CONSUME_H

#include "viz/event/event.h"

struct consumer;

struct consumer *consume_begin(void);
void consume_event(struct consumer *, const struct doze_event *);
void consume_loss(struct consumer *, int64_t from, int64_t to, uint64_t count);
/** Finishes the models, prints all views to /dev/null, and frees everything. */
void consume_end(struct consumer *);

#endif
