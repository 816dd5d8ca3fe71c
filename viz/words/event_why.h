/*
 * SPDX-License-Identifier: MIT
 *
 * event_why.h - explains a step by the rule of the policy that allows or requires it.
 */
#ifndef DOZE_VIZ_EVENT_WHY_H
#define DOZE_VIZ_EVENT_WHY_H

#include "../model/model.h"

/** Writes a sentence from the descriptor of the pool's policy, with the pool's recorded parameters,
 * or "" if there is nothing to explain. The pool may be null if unknown. Returns buf. */
const char *doze_event_why(char *buf, size_t size, const struct doze_pool_view *,
			   const struct doze_event *);

#endif
