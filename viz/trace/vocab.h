/*
 * SPDX-License-Identifier: MIT
 *
 * vocab.h - translates the enum labels of a trace to values. There is one vocabulary per enum.
 *
 * A trace defines the numbers and labels of its enums. Only the labels are part of the contract, so
 * the reader translates values by label, once per enum class (see plan.c).
 */
#ifndef DOZE_VIZ_VOCAB_H
#define DOZE_VIZ_VOCAB_H

enum doze_vocab {
	DOZE_VOCAB_state,
	DOZE_VOCAB_reason,
	DOZE_VOCAB_cause,
	DOZE_VOCAB_scope,
	DOZE_VOCAB_queue,
	DOZE_VOCAB_source,
	DOZE_VOCAB_steal,
	DOZE_VOCAB_abort,
	DOZE_VOCAB_jec_cause,
	DOZE_VOCAB_latch_state,
	DOZE_VOCAB_latch_kind,
	DOZE_VOCAB_lock,
	DOZE_VOCAB_word,
	DOZE_VOCAB_level,
	DOZE_VOCAB_wait_kind,
	DOZE_VOCAB_COUNT
};

/** Returns the value of a label, or -1 if this version does not know it. Any thread. */
int doze_vocab_value(enum doze_vocab vocab, const char *label);
/** Returns the label of a value, or null past the end of the vocabulary. Any thread. */
const char *doze_vocab_label(enum doze_vocab vocab, int value);

#endif
