/*
 * SPDX-License-Identifier: MIT
 *
 * The memory of a worker's jobs: blocks do not overlap, slabs are reused, and other threads may
 * free blocks, even after the worker has exited.
 */
#include "help.h"
#include "lib/slab.h"
#include "lib/worker.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 1000, SIZE = 72 };

static struct doze_worker *worker;

static void setup(void)
{
	worker = aligned_alloc(DOZE_CACHE_LINE, sizeof *worker);
	if (worker == NULL)
		abort();
	memset(worker, 0, sizeof *worker);
}

struct block {
	unsigned char *bytes;
	struct doze_slab *from;
};
static struct block blocks[BLOCKS];

static void fill(void)
{
	for (int i = 0; i < BLOCKS; i++) {
		blocks[i].bytes = doze_slab_alloc(worker, SIZE, &blocks[i].from);
		CU_ASSERT_PTR_NOT_NULL_FATAL(blocks[i].bytes);
		memset(blocks[i].bytes, i % 251, SIZE);
	}
}

/* Checks the bytes of each block and frees it. Returns the number of bytes that had changed. */
static int empty(struct doze_worker *self)
{
	int wrong = 0;
	for (int i = 0; i < BLOCKS; i++) {
		for (int k = 0; k < SIZE; k++)
			wrong += blocks[i].bytes[k] != i % 251;
		doze_slab_free(blocks[i].bytes, blocks[i].from, self);
	}
	return wrong;
}

static void end(void)
{
	doze_slabs_fini(worker);
	free(worker);
}

static void blocks_are_apart(void)
{
	setup();
	for (int round = 0; round < 3; round++) {
		fill();
		CU_ASSERT_EQUAL(empty(worker), 0);
	}
	CU_ASSERT_PTR_NULL(worker->slabs.full);
	end();
}

static void one_slab_serves_a_chain(void)
{
	struct doze_slab *from, *first;
	setup();
	void *block = doze_slab_alloc(worker, SIZE, &first);
	doze_slab_free(block, first, worker);
	for (int i = 0; i < 100000; i++) {
		block = doze_slab_alloc(worker, SIZE, &from);
		CU_ASSERT_PTR_EQUAL_FATAL(from, first);
		doze_slab_free(block, from, worker);
	}
	end();
}

static void free_all(void *wrong)
{
	*(int *)wrong = empty(NULL);
}

static void others_free(void)
{
	int wrong = 1;
	setup();
	for (int round = 0; round < 20; round++) {
		fill();
		help_thread_join(help_thread_start(free_all, &wrong));
		CU_ASSERT_EQUAL(wrong, 0);
	}
	/* There are slabs for at most three rounds, because later rounds have reused the earlier
	 * slabs. */
	CU_ASSERT_TRUE(worker->slabs.fulls <= 3 * (BLOCKS * 80 / DOZE_SLAB_BYTES + 1));
	end();
}

static void blocks_outlive_the_worker(void)
{
	setup();
	fill();
	for (int i = 0; i < BLOCKS; i += 2) /* the owner frees half of them */
		doze_slab_free(blocks[i].bytes, blocks[i].from, worker);
	end();
	for (int i = 1; i < BLOCKS; i += 2)
		doze_slab_free(blocks[i].bytes, blocks[i].from, NULL);
}

static void free_one(void *block)
{
	doze_slab_free(((struct block *)block)->bytes, ((struct block *)block)->from, NULL);
}

/* Either thread may free the last block, and the other must not touch the slab after it has freed
 * its own block. Only ThreadSanitizer and helgrind can detect a mistake here. */
static void last_blocks_race(void)
{
	for (int round = 0; round < 100; round++) {
		struct help_thread *thread[2];
		setup();
		for (int i = 0; i < 2; i++)
			blocks[i].bytes = doze_slab_alloc(worker, SIZE, &blocks[i].from);
		end();
		for (int i = 0; i < 2; i++)
			thread[i] = help_thread_start(free_one, &blocks[i]);
		for (int i = 0; i < 2; i++)
			help_thread_join(thread[i]);
	}
}

static const struct suite_test tests[] = {
    {"blocks do not overlap, and all slabs are empty in the end", blocks_are_apart},
    {"one slab suffices for 100,000 blocks in succession", one_slab_serves_a_chain},
    {"another thread may free the blocks", others_free},
    {"blocks may be freed after their worker has exited", blocks_outlive_the_worker},
    {"two threads may free the last two blocks at once", last_blocks_race},
};
SUITE_MAIN("slab", tests)
