/*
 * SPDX-License-Identifier: MIT
 *
 * check_view.h - collects the findings of the model, each with the events around it.
 */
#ifndef DOZE_VIZ_CHECK_VIEW_H
#define DOZE_VIZ_CHECK_VIEW_H

#include <stdio.h>

#include "../model/model.h"

#define DOZE_FINDING_EVENTS 12 /* maximum number of events around each finding */

struct doze_findings;

/** Returns a log, owned by the caller, that keeps the first `max` findings in full and counts the
 * others by rule; null if out of memory. */
struct doze_findings *doze_findings_new(size_t max);
void doze_findings_free(struct doze_findings *);

/** The listener for creating the model; its ctx is the struct doze_findings. */
extern const struct doze_model_listener doze_findings_listener;
/** Call these two functions with each event, before and after the model processes it. */
void doze_findings_before(struct doze_findings *, const struct doze_event *);
void doze_findings_after(struct doze_findings *, const struct doze_event *);

/** Prints the findings, or states that there are none. */
void doze_findings_print(const struct doze_findings *, const struct doze_model *, FILE *out);

#endif
