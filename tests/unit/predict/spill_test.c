/*
 * SPDX-License-Identifier: MIT
 *
 * spill_test.c - viz/predict: an array that moves to a temporary file keeps its elements, takes no
 * memory while it is not used, and leaves nothing in the temporary folder.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/suite.h"
#include "viz/predict/spill.h"

enum { NUMBERS = 4 << 20 };

static void append(struct sim_spill *s, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		if (!sim_spill_grow(s, (i + 1) * sizeof i))
			CU_FAIL_FATAL("the array cannot grow");
		((uint32_t *)s->at)[i] = i;
	}
}

static uint32_t wrong(const struct sim_spill *s, uint32_t numbers)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < numbers; i++)
		n += ((const uint32_t *)s->at)[i] != i;
	return n;
}

/* Returns the process's memory, in bytes. */
static size_t resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	size_t all = 0, pages = 0;

	if (!f || fscanf(f, "%zu %zu", &all, &pages) != 2)
		CU_FAIL_FATAL("/proc/self/statm cannot be read");
	fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void keeps(void)
{
	struct sim_spill s = {0};

	append(&s, 0, 1000);
	CU_ASSERT_FALSE(s.in_file);
	append(&s, 1000, NUMBERS / 2);
	CU_ASSERT_TRUE(s.in_file);
	sim_spill_rest(&s);
	append(&s, NUMBERS / 2, NUMBERS);
	sim_spill_rest(&s);
	CU_ASSERT_EQUAL(wrong(&s, NUMBERS), 0);
	sim_spill_free(&s);
	CU_ASSERT_PTR_NULL(s.at);
}

static void rests(void)
{
	struct sim_spill s = {0};
	size_t used;

	append(&s, 0, NUMBERS);
	used = resident();
	sim_spill_rest(&s);
	CU_ASSERT_TRUE(resident() + NUMBERS * sizeof(uint32_t) / 2 < used);
	sim_spill_free(&s);
}

static void unnamed(void)
{
	char top[] = "/tmp/spill-test-XXXXXX";
	struct sim_spill s = {0};

	if (!mkdtemp(top))
		CU_FAIL_FATAL("no temporary folder");
	setenv("TMPDIR", top, 1);
	append(&s, 0, NUMBERS);
	unsetenv("TMPDIR");
	CU_ASSERT_TRUE(s.in_file);
	/* Only an empty folder can be removed. */
	CU_ASSERT_EQUAL(rmdir(top), 0);
	CU_ASSERT_EQUAL(wrong(&s, NUMBERS), 0);
	sim_spill_free(&s);
}

static void no_folder(void)
{
	struct sim_spill s = {0};

	setenv("TMPDIR", "/proc/no-such-folder", 1);
	append(&s, 0, NUMBERS);
	unsetenv("TMPDIR");
	CU_ASSERT_FALSE(s.in_file);
	sim_spill_rest(&s);
	CU_ASSERT_EQUAL(wrong(&s, NUMBERS), 0);
	sim_spill_free(&s);
}

static const struct suite_test tests[] = {
    {"a large array keeps its elements in a file", keeps},
    {"an array that rests takes no memory", rests},
    {"the file has no name", unnamed},
    {"without a temporary folder, the array stays in memory", no_folder},
};
SUITE_MAIN("spill", tests)
