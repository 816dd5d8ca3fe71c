/*
 * SPDX-License-Identifier: MIT
 *
 * vocab.h - the enum labels of the trace, by vocabulary: label to value.
 *
 * A trace carries its enums with it: each has its own numbers and labels. Only the labels are part
 * of the contract, so a value is translated by its label, once per enum class (see plan.c), never
 * taken over as a number.
 */
#ifndef DOZE_VIZ_READER_VOCAB_H
#define DOZE_VIZ_READER_VOCAB_H

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
	DOZE_VOCAB_COUNT
};

/** Value of a label, or -1 when this version does not know it. Any thread. */
int doze_vocab_value(enum doze_vocab vocab, const char *label);
/** Label of a value, or null past the end of the vocabulary. Any thread. */
const char *doze_vocab_label(enum doze_vocab vocab, int value);

#endif
