/*
 * SPDX-License-Identifier: MIT
 *
 * consume.h - feeds events to views that read a trace: diagnose, timeline, storms, check, why,
 * what-if, report and export. Each input goes to a few of them, chosen by its number: all of them
 * take 80 ms with sanitizers.
 */
#ifndef DOZE_TESTS_FUZZ_CONSUME_H
#define DOZE_TESTS_FUZZ_CONSUME_H

#include "viz/event/event.h"

struct consumer;

/** Opens the views for an input; `choice`: any number; it selects the views. */
struct consumer *consume_begin(uint64_t choice);
void consume_event(struct consumer *, const struct doze_event *);
void consume_loss(struct consumer *, int64_t from, int64_t to, uint64_t count);
/** Finishes the models, writes what all views show to /dev/null, and frees everything. An odd
 * number of events selects JSON for the views that have it. */
void consume_end(struct consumer *);

#endif
