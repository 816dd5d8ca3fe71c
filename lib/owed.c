/*
 * SPDX-License-Identifier: MIT
 *
 * owed.c - the blocks of jobs; see owed.h.
 */
#include "owed.h"

#include <stdlib.h>

void doze_owed_add_copy(struct doze_owed *owed, struct doze_job_block *block)
{
	if (owed->block != block)
		doze_owed_release_block(owed);
	owed->block = block;
	owed->copied++;
}

void doze_owed_release_block(struct doze_owed *owed)
{
	struct doze_job_block *block = owed->block;
	uint32_t copied = owed->copied;

	if (copied == 0)
		return;
	owed->block = NULL;
	owed->copied = 0;
	/* Acquire-release: orders all jobs' reads before the free. */
	da_edge_out(&block->left);
	if (da_sub(&block->left, copied, AR) == copied) {
		da_edge_in(&block->left);
		free(block);
	}
}
