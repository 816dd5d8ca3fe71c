/*
 * SPDX-License-Identifier: MIT
 *
 * scope.h - the part of a trace that --from, --to and --worker ask for: for the model, in words,
 * and whether there is such a part at all.
 */
#ifndef DOZE_VIZ_SCOPE_H
#define DOZE_VIZ_SCOPE_H

#include <stdbool.h>

#include "../cli/options.h"
#include "../model/model.h"
#include "../text/json_writer.h"

/** For struct doze_model_options. The options must outlive the model. */
struct doze_scope doze_scope_of(const struct doze_options *);

/** Null, or why there is no such part: the trace ends before --from, or has no worker that an item
 * of --worker names. While it is not complete only the latter is judged, once any worker is known.
 */
const char *doze_scope_objection(const struct doze_options *, const struct doze_model *,
				 bool complete);
/** The same for a trace that was read: 0, or exit code 2 when it has been said on stderr why. */
int doze_scope_check(const struct doze_options *, const char *cmd, const struct doze_model *);

/** In words. o may be null: the whole trace. Buffers of their own. */
/** "in 200 us", or "between 1.78 s and 1.80 s". */
const char *doze_scope_when(const struct doze_options *o, const struct doze_totals *);
/** "worker 2", "workers 0-3,6", or "" for all. */
const char *doze_scope_who(const struct doze_options *o);
/** Fields from, to (ns after the first event, null: the end) and worker (the list, null: all). */
void doze_scope_json(struct doze_json *, const struct doze_options *o);
/** Whether less than the whole is asked for: of the time; of the workers. */
bool doze_scope_by_time(const struct doze_options *o);
bool doze_scope_by_worker(const struct doze_options *o);

#endif
