/*
 * SPDX-License-Identifier: MIT
 *
 * vocab.c - see vocab.h; the lists are in lib/trace_enums.h. A linear search is fast enough,
 * because it runs once per label of an enum class, not per event.
 */
#include "vocab.h"

#include <stddef.h>
#include <string.h>

#include "../../lib/trace_enums.h"

#define LABEL(n) #n,
#define LABELS(LIST)                                                                               \
	(const char *const[])                                                                      \
	{                                                                                          \
		LIST(LABEL) NULL                                                                   \
	}

static const char *const *const vocabs[DOZE_VOCAB_COUNT] = {
    [DOZE_VOCAB_state] = LABELS(DOZE_STATES),
    [DOZE_VOCAB_reason] = LABELS(DOZE_REASONS),
    [DOZE_VOCAB_cause] = LABELS(DOZE_CAUSES),
    [DOZE_VOCAB_scope] = LABELS(DOZE_SCOPES),
    [DOZE_VOCAB_queue] = LABELS(DOZE_QUEUES),
    [DOZE_VOCAB_source] = LABELS(DOZE_SOURCES),
    [DOZE_VOCAB_steal] = LABELS(DOZE_STEALS),
    [DOZE_VOCAB_abort] = LABELS(DOZE_ABORTS),
    [DOZE_VOCAB_jec_cause] = LABELS(DOZE_JEC_CAUSES),
    [DOZE_VOCAB_latch_state] = LABELS(DOZE_LATCH_STATES),
    [DOZE_VOCAB_latch_kind] = LABELS(DOZE_LATCH_KINDS),
    [DOZE_VOCAB_lock] = LABELS(DOZE_LOCKS),
    [DOZE_VOCAB_word] = LABELS(DOZE_WORDS),
    [DOZE_VOCAB_level] = LABELS(DOZE_LEVELS),
    [DOZE_VOCAB_wait_kind] = LABELS(DOZE_WAIT_KINDS),
};

int doze_vocab_value(enum doze_vocab vocab, const char *label)
{
	const char *const *l = vocabs[vocab];

	for (int i = 0; l[i]; i++)
		if (strcmp(l[i], label) == 0)
			return i;
	return -1;
}

const char *doze_vocab_label(enum doze_vocab vocab, int value)
{
	for (int i = 0; i < value; i++)
		if (!vocabs[vocab][i])
			return NULL;
	return vocabs[vocab][value];
}
