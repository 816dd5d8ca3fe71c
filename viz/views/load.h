/*
 * SPDX-License-Identifier: MIT
 *
 * load.h - runs a recorded trace through a model: what every offline command begins with.
 */
#ifndef DOZE_VIZ_LOAD_H
#define DOZE_VIZ_LOAD_H

#include "../model/model.h"

/** What the caller wants to see of each event, beside what the model's listener tells. */
struct doze_load_hooks {
	/* Before / after the model has folded the event in; may be null. */
	void (*before)(void *ctx, const struct doze_event *);
	void (*after)(void *ctx, const struct doze_event *);
	void *ctx;
};

/**
 * Reads the trace in `dir` to its end, feeds the model and finishes it. Returns 0, or exit code 3
 * when the trace cannot be read, is no trace of doze, or is of a newer schema; that has been said
 * on stderr then, in one line. Shows progress on stderr while it is a terminal. hooks may be null.
 */
int doze_load(const char *dir, struct doze_model *, const struct doze_load_hooks *hooks);

/**
 * Whether what the model says is conclusive: 0, or exit code 4 when events were lost or a pool did
 * not stop; that is said on stderr, in one line.
 */
int doze_load_doubts(const char *dir, const struct doze_model *);

/** Whether the trace has the selected part: 0, or exit code 2 after a complaint on stderr that
 * begins with the command's name. */
int doze_load_check(const char *cmd, const struct doze_selection *, const struct doze_model *);

#endif
