/*
 * SPDX-License-Identifier: MIT
 *
 * foreign_program.h - what can be said about a program without libdoze: how many of its wakes were
 * in vain, which calls woke nobody, and which places in the program made them.
 *
 * doze_diagnose, `doze storms` and `doze compare` use this instead of the causes of lost time,
 * which need to know the program's work. Every count of wakes in vain is a lower bound, so the
 * texts say "at least"; if no thread has waited again, nothing is known, and no count is printed.
 */
#ifndef DOZE_VIZ_FOREIGN_PROGRAM_H
#define DOZE_VIZ_FOREIGN_PROGRAM_H

#include <stdio.h>

#include "../model/model.h"
#include "../words/quote.h"

struct doze_foreign {
	bool known;   /* a thread has waited again, so wakes in vain can be seen */
	bool counted; /* the next two were counted in the program: events were lost, or sampled */
	bool sampled; /* the program waits too often for an event for each wait */
	uint64_t woken, futile; /* threads woken; how many of them, at least, in vain */
	uint64_t calls,
	    nobody; /* calls that wake; how many found no thread that waits; 0: unknown */
	struct doze_herd_measures herd;
	/* The place with the most wakes in vain, and its number of them; "": unknown. */
	char most[400];
	uint64_t most_futile, recorded; /* recorded: wakes in vain in the events, of all places */
	/* The place with the most calls that found no thread, and their number. */
	char most_nobody[160];
	uint64_t most_calls;
};

/** Takes the numbers from a model. Those of the calls are for the whole recording, whatever the
 * model's selection. */
void doze_foreign_take(const struct doze_model *, struct doze_foreign *);
/** Writes the most important statement: one line, without a newline. */
void doze_foreign_verdict(const struct doze_foreign *, char *out, size_t size);

/** Print what follows the verdict: the other sentences; the crews; the places that wake. */
void doze_foreign_sentences(const struct doze_model *, FILE *out);
void doze_foreign_crews(const struct doze_model *, FILE *out);
void doze_foreign_sites(const struct doze_model *, FILE *out);
/** Writes all of it as an object with this name. */
void doze_foreign_json(struct doze_json *, const char *name, const struct doze_model *);

#endif
