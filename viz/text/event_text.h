/*
 * SPDX-License-Identifier: MIT
 *
 * event_text.h - events in words, the same for checker, viewer and report: one line for lists, and
 * the counters as a sentence for explanations. Why an event happened: event_why.h.
 */
#ifndef DOZE_VIZ_EVENT_TEXT_H
#define DOZE_VIZ_EVENT_TEXT_H

#include "../model/model.h"

enum { DOZE_EVENT_LINE = 200, DOZE_WHO = 16 };

/** Who reads the words. */
struct doze_wording {
	const struct doze_model *model;    /* names latches; null: they go by their ids */
	const struct doze_pool_view *pool; /* of the event; null: not known */
	bool utf8;                         /* arrows; else "->" */
	bool decisions;                    /* add the numbers of decisions */
	bool latch_ids;                    /* add a latch's id to its name */
};

/** Writes "outside" for -1, else "w3", into out, which has room for DOZE_WHO bytes. Returns out. */
char *doze_who_text(char *out, int32_t worker);

/** Writes what happened, without time and worker: "post 1 job, injector queue -> wake 0". The
 * strings that the event borrows are not read, so it may be a copy; `note` stands for them: the
 * policy of a pool_start, the text of a mark, the name of a worker; null: left out. Returns out. */
char *doze_event_text(char *out, size_t size, const struct doze_event *,
		      const struct doze_wording *, const char *note);

/** Writes a word's counters as in lists: sleeping/inactive/JEC, "6/7/12". Returns out. */
char *doze_word_text(char *out, size_t size, const struct doze_pool_view *, uint64_t word);
/** Writes them as a sentence has them: "JEC 12 (even), inactive 7, sleeping 6". Returns out. */
char *doze_word_sentence(char *out, size_t size, const struct doze_pool_view *, uint64_t word);

#endif
