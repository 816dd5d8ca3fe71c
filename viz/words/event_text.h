/*
 * SPDX-License-Identifier: MIT
 *
 * event_text.h - describes events, for the checker, the viewer and the report: as one line for
 * lists, and the counters as a phrase for explanations. Explains why an event
 * happened.
 */
#ifndef DOZE_VIZ_EVENT_TEXT_H
#define DOZE_VIZ_EVENT_TEXT_H

#include "../model/model.h"

enum { DOZE_EVENT_LINE = 200, DOZE_WHO = 16 };

/** How to describe an event. */
struct doze_wording {
	const struct doze_model *model;    /* supplies the names of latches; null: show their ids */
	const struct doze_pool_view *pool; /* pool of the event; null: unknown */
	bool utf8;                         /* print arrows instead of "->" */
	bool decisions;                    /* print decision ids */
	/* Returns the location of a code address, as doze_symbols_line does; null: omitted. */
	const char *(*place)(const struct doze_model *, const struct doze_pool_view *, uint64_t);
	bool latch_ids; /* print a latch's id after its name */
};

/** Writes "outside" for -1, otherwise a name such as "w3", to out, which has room for DOZE_WHO
 * bytes. Returns out. */
char *doze_who_text(char *out, int32_t worker);

/** Describes the event without its time and worker: "post 1 job, injector queue -> wake 0". Does
 * not read the event's borrowed strings, so the event may be a copy. `note` replaces them: the
 * policy of a pool_start, the text of a mark, the name of a worker; null: omitted. Returns out. */
char *doze_event_text(char *out, size_t size, const struct doze_event *,
		      const struct doze_wording *, const char *note);

/** Writes the counters in a counters word in a short form, for lists: sleeping/inactive/JEC,
 * "6/7/12". Returns out. */
char *doze_word_text(char *out, size_t size, const struct doze_pool_view *, uint64_t word);
/** Writes the counters in a counters word in a long form, for sentences: "JEC 12 (even), inactive
 * 7, sleeping 6". Returns out. */
char *doze_word_sentence(char *out, size_t size, const struct doze_pool_view *, uint64_t word);

/* ---- Explains a step by the rule of the policy that allows or requires it ---- */

/** Writes a sentence from the descriptor of the pool's policy, with the pool's recorded parameters,
 * or "" if there is nothing to explain. The pool may be null if unknown. Returns buf. */
const char *doze_event_why(char *buf, size_t size, const struct doze_pool_view *,
			   const struct doze_event *);

/* ---- the events of programs without libdoze ---- */

/** Returns the words for a state of a crew's thread; otherwise the state's name. */
const char *doze_state_words(bool crew, enum doze_state);
/** Describes the event of a crew as doze_event_text does. Returns false, with `out` unchanged, if
 * the event needs no words of its own. */
bool doze_foreign_text(char *out, size_t size, const struct doze_event *,
		       const struct doze_wording *);

#endif
