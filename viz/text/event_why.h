/*
 * SPDX-License-Identifier: MIT
 *
 * event_why.h - why a step happened: the rule of the policy that made it legal or necessary.
 */
#ifndef DOZE_VIZ_EVENT_WHY_H
#define DOZE_VIZ_EVENT_WHY_H

#include "../model/model.h"

/** Writes one sentence, taken from the descriptor of the pool's policy and completed with the
 * pool's recorded parameters; "" when there is nothing to explain. The pool may be null: not known.
 * Returns buf. */
const char *doze_event_why(char *buf, size_t size, const struct doze_pool_view *,
			   const struct doze_event *);

#endif
