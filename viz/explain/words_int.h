/*
 * SPDX-License-Identifier: MIT
 *
 * words_int.h - declarations shared by the files that put causes into words.
 *
 *	words.c      most kinds
 *	words_cpu.c  workers without a CPU: crowded, offcpu
 */
#ifndef DOZE_VIZ_WORDS_INT_H
#define DOZE_VIZ_WORDS_INT_H

#include "diagnose_int.h"

struct words {
	const struct diagnosis *d;
	const struct doze_diagnosis *part;
	const struct diag_pool *p;
	struct diag_part sums;    /* facts about the pool in the part */
	const struct instance *i; /* the worst instance; null: none is known in the part */
	struct doze_cause_entry *e;
};

#define SAY(field, ...) (void)snprintf(w->e->field, sizeof w->e->field, __VA_ARGS__)

/* Return, in static buffers, a position in the trace and the cause's share of all worker time. */
const char *diag_words_at(const struct words *, int64_t ts);
const char *diag_words_share(const struct words *);
/* Sets the command line that shows the worst instance. */
void diag_words_show(const struct words *, const char *command);

void diag_words_standstill(struct words *);
void diag_words_pinned(struct words *);
void diag_words_throttled(struct words *);
void diag_words_crowded(struct words *);
void diag_words_off_cpu(struct words *);

#endif
