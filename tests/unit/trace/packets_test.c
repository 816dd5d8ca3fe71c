/*
 * SPDX-License-Identifier: MIT
 *
 * packets_test.c - viz/trace: the index of a trace whose stream files appear, grow, are
 * replaced and disappear, as with a rotating relay.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/synthetic_pool.h"
#include "viz/trace/packets.h"

enum { CPUS = 4 };

static char dir[200];

/* Copies the first `bytes` bytes of stream `from` to the file named `to`, or all of them if `bytes`
 * is 0. */
static void copy(const char *from, const char *to, size_t bytes)
{
	char path[300];
	static char data[1 << 20];
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "%s/%s", dir, from);
	f = fopen(path, "re");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	n = fread(data, 1, sizeof data, f);
	fclose(f);
	snprintf(path, sizeof path, "%s/%s", dir, to);
	unlink(path);
	f = fopen(path, "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fwrite(data, 1, bytes ? bytes : n, f), bytes ? bytes : n);
	fclose(f);
}

static void update(struct doze_packet_index *x)
{
	char err[200];

	CU_ASSERT_EQUAL_FATAL(doze_packet_index_update(x, dir, err, sizeof err), 0);
}

static const struct doze_indexed_file *named(const struct doze_packet_index *x, const char *name)
{
	for (size_t i = 0; i < x->files; i++)
		if (strcmp(x->file[i].name, name) == 0)
			return &x->file[i];
	return NULL;
}

static bool is_sorted(const struct doze_packet_index *x)
{
	for (size_t i = 1; i < x->files; i++)
		if (strcmp(x->file[i - 1].name, x->file[i].name) >= 0)
			return false;
	return true;
}

/* Adds more files than one table holds, so that it grows. */
static void keeps_each_file_once(void)
{
	struct doze_packet_index x = {0};
	const struct doze_indexed_packet *known;
	char name[40];
	size_t packets;

	update(&x);
	CU_ASSERT_EQUAL_FATAL(x.files, CPUS);
	packets = x.file[0].packets;
	CU_ASSERT(packets > 1);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 50; i++) {
			snprintf(name, sizeof name, "extra_%d_%d", i, round);
			copy(x.file[0].name, name, 0);
		}
		update(&x);
		CU_ASSERT_EQUAL(x.files, CPUS + 50 * (size_t)(round + 1));
		CU_ASSERT(is_sorted(&x));
	}
	known = named(&x, "extra_7_0")->packet;
	update(&x);
	CU_ASSERT_EQUAL(x.files, CPUS + 150);
	CU_ASSERT_PTR_EQUAL(named(&x, "extra_7_0")->packet, known); /* not read again */
	for (size_t i = 0; i < x.files; i++)
		CU_ASSERT(x.file[i].packets > 1);
	CU_ASSERT_EQUAL(named(&x, "extra_7_2")->packets, named(&x, "extra_7_0")->packets);
	doze_packet_index_free(&x);
}

static void drops_deleted_and_rereads_replaced_files(void)
{
	struct doze_packet_index x = {0};
	char path[300];
	size_t packets;

	update(&x);
	packets = named(&x, "extra_3_0")->packets;
	snprintf(path, sizeof path, "%s/extra_2_0", dir);
	CU_ASSERT_EQUAL(unlink(path), 0);
	/* The replaced file has only its first packet. */
	copy("extra_4_0", "extra_3_0", named(&x, "extra_4_0")->packet[0].size);
	update(&x);
	CU_ASSERT_EQUAL(x.files, CPUS + 149);
	CU_ASSERT_PTR_NULL(named(&x, "extra_2_0"));
	CU_ASSERT_EQUAL(named(&x, "extra_3_0")->packets, 1);
	copy("extra_4_0", "extra_3_0", 0);
	update(&x);
	CU_ASSERT_EQUAL(named(&x, "extra_3_0")->packets, packets);
	CU_ASSERT(is_sorted(&x));
	doze_packet_index_free(&x);
}

/* Returns what doze_packet_index_done counts for one packet of a size of 1000 bytes. */
static uint64_t done_of_one(int64_t from, int64_t to, int64_t ts)
{
	struct doze_indexed_packet packet = {.from = from, .to = to, .size = 1000};
	struct doze_indexed_file file = {.packet = &packet, .packets = 1};

	return doze_packet_index_done(&(struct doze_packet_index){.file = &file, .files = 1}, ts);
}

static void counts_what_precedes_a_time(void)
{
	struct doze_packet_index x = {0};
	uint64_t size, before = 0;

	CU_ASSERT_EQUAL(done_of_one(100, 200, 99), 0);
	CU_ASSERT_EQUAL(done_of_one(100, 200, 100), 0);
	CU_ASSERT_EQUAL(done_of_one(100, 200, 125), 250);
	CU_ASSERT_EQUAL(done_of_one(100, 200, 200), 1000);
	CU_ASSERT_EQUAL(done_of_one(100, 100, 100), 1000); /* a packet with one event */
	update(&x);
	size = doze_packet_index_size(&x);
	CU_ASSERT_EQUAL(size, doze_packet_index_bytes(&x, x.from, x.to));
	CU_ASSERT_EQUAL(doze_packet_index_done(&x, x.from), 0);
	CU_ASSERT_EQUAL(doze_packet_index_done(&x, x.to), size);
	for (int64_t i = 1; i <= 20; i++) {
		uint64_t done = doze_packet_index_done(&x, x.from + (x.to - x.from) / 20 * i);

		CU_ASSERT(done > before);
		before = done;
	}
	doze_packet_index_free(&x);
}

static void unknown_times_have_no_size(void)
{
	struct doze_packet_index x = {0};

	CU_ASSERT_EQUAL(doze_packet_index_size(&x), 0);
	update(&x);
	CU_ASSERT(doze_packet_index_size(&x) > 0);
	x.from = INT64_MIN; /* as scan does for a packet without times */
	CU_ASSERT_EQUAL(doze_packet_index_size(&x), 0);
	doze_packet_index_free(&x);
}

static const struct suite_test tests[] = {
    {"each stream file is indexed once, however many there are", keeps_each_file_once},
    {"a deleted file is dropped, and a replaced one is read again",
     drops_deleted_and_rereads_replaced_files},
    {"the part of the trace before a time is counted", counts_what_precedes_a_time},
    {"a trace without the packets' times has no size", unknown_times_have_no_size},
};

int main(int argc, char **argv)
{
	static struct synthetic_pool pool = {
	    .events = 4000, .workers = 4, .woken = 2, .useful = 1, .cpus = CPUS};
	const struct trace_writer_options options = {.per_packet = 200};
	int code;

	scratch_begin();
	snprintf(dir, sizeof dir, "%s", scratch("trace"));
	if (trace_writer_write(dir, &options, synthetic_pool_next, &pool) != 0)
		return 1;
	code =
	    suite_main("reader: packet index", tests, sizeof tests / sizeof tests[0], argc, argv);
	scratch_end();
	return code;
}
