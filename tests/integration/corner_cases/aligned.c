/* SPDX-License-Identifier: MIT
 *
 * aligned.c - accumulators of a type that requires 64-byte alignment, in stack frames at different
 * offsets.
 */
#include "corner_cases.h"

#include <stdalign.h>
#include <stdint.h>

struct wide {
	alignas(64) double sum;
	double rest[7];
};

static int misaligned, made;

static void zero(void *acc, void *arg)
{
	(void)arg;
	corner_count(&made);
	if ((uintptr_t)acc % alignof(struct wide) != 0)
		corner_count(&misaligned);
	memset(acc, 0, sizeof(struct wide));
}

static void add(size_t begin, size_t end, void *acc, void *arg)
{
	(void)arg;
	((struct wide *)acc)->sum += (double)(end - begin);
}

static void combine(void *left, const void *right, void *arg)
{
	(void)arg;
	((struct wide *)left)->sum += ((const struct wide *)right)->sum;
}

static void reduce(void *arg)
{
	static const doze_reducer reducer = {sizeof(struct wide), zero, add, combine};
	int shift = *(int *)arg;
	volatile char *pad = __builtin_alloca((size_t)shift * 8 + 8);
	struct wide out;
	pad[0] = 0;
	if (doze_reduce(NULL, 0, 100000, 1, &reducer, &out, NULL) != 0 || out.sum != 100000)
		corner_count(&misaligned);
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	config.policy = argc > 1 ? argv[1] : NULL;
	config.num_threads = 4;
	doze_pool *pool = corner_pool(&config);
	for (int shift = 0; shift < 16; shift++)
		doze_install(pool, reduce, &shift);
	doze_pool_free(pool);
	return corner_verdict(made > 16 && misaligned == 0, "an accumulator is misaligned");
}
