/*
 * SPDX-License-Identifier: MIT
 *
 * reader_bad_test.c - viz/trace explains in one line why it cannot read a trace, and names the
 * input.
 */
#include <babeltrace2/babeltrace.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fixtures/collected_events.h"
#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"
#include "viz/trace/packets.h"

static void expect_error(const char *dir, const char *what)
{
	read_dir(dir);
	CU_ASSERT_EQUAL(collected.status, DOZE_READER_ERROR);
	CU_ASSERT_PTR_NOT_NULL(strstr(collected.error, what));
	CU_ASSERT_PTR_NOT_NULL(strstr(collected.error, dir));
	CU_ASSERT_PTR_NULL(strchr(collected.error, '\n'));
	if (!strstr(collected.error, what))
		printf("got: %s\n", collected.error);
}

static void explains_folders_without_a_trace(void)
{
	FILE *f;

	expect_error(scratch("missing"), "No such file");
	CU_ASSERT_EQUAL(mkdir(scratch("t"), 0700), 0);
	expect_error(scratch("t"), "is empty");
	CU_ASSERT_EQUAL(mkdir(scratch("t/sub"), 0700), 0);
	expect_error(scratch("t"), "no file `metadata`");
	f = fopen(scratch("t/sub/file"), "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fclose(f);
	expect_error(scratch("t/sub/file"), "not a folder");
}

static void overwrite(const char *path, long offset, const char *bytes)
{
	FILE *f = fopen(path, "r+");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fseek(f, offset, SEEK_SET), 0);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, strlen(bytes), f), strlen(bytes));
	fclose(f);
}

static void make_small(void)
{
	struct doze_event e[3] = {at(1, DOZE_EV_pool_start, -1), at(2, DOZE_EV_woken, 1),
				  at(3, DOZE_EV_mark, 1)};

	e[0].u.pool_start.name = e[0].u.pool_start.version = "";
	e[0].u.pool_start.policy = "jec";
	e[2].u.mark.text = "here";
	make(NULL, e, 3);
}

/* Babeltrace's metadata parser leaks 32 bytes on a syntax error, which is not doze's fault.
 * LeakSanitizer can name the plug-in only while it is loaded, so the test keeps it loaded. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:babeltrace-plugin-ctf\n";
}

static void keep_plugin_loaded(void)
{
	const bt_plugin *plugin = NULL;

	(void)bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin);
	CU_ASSERT_PTR_NOT_NULL_FATAL(plugin);
	CU_ASSERT_PTR_NOT_NULL(dlopen(bt_plugin_get_path(plugin), RTLD_NOW));
	bt_plugin_put_ref(plugin);
}

static void explains_corruption(void)
{
	struct stat st;

	keep_plugin_loaded();
	make_small();
	CU_ASSERT_EQUAL_FATAL(stat(scratch("t/metadata"), &st), 0);
	overwrite(scratch("t/metadata"), st.st_size / 2, "}}}}}}}} broken {{{{");
	expect_error(scratch("t"), "corrupted or truncated");
}

static void explains_empty_metadata(void)
{
	make_small();
	CU_ASSERT_EQUAL(truncate(scratch("t/metadata"), 0), 0);
	expect_error(scratch("t"), "corrupted or truncated");
}

static void explains_truncation(void)
{
	struct stat st;

	make_small();
	CU_ASSERT_EQUAL_FATAL(stat(scratch("t/stream"), &st), 0);
	CU_ASSERT_EQUAL(truncate(scratch("t/stream"), st.st_size - 3), 0);
	expect_error(scratch("t"), "(byte 0: the packet there is truncated)");
}

/* Overwrites content_size and packet_size of the first packet; sink.ctf.fs puts them at bytes 36
 * and 44. */
static void impossible_packet(const char *sizes, const char *what)
{
	FILE *f;

	make_small();
	f = fopen(scratch("t/stream"), "r+");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fseek(f, 36, SEEK_SET), 0);
	CU_ASSERT_EQUAL(fwrite(sizes, 1, 16, f), 16);
	fclose(f);
	expect_error(scratch("t"), what);
	scratch_end();
	scratch_begin();
}

static void explains_impossible_packets(void)
{
	impossible_packet("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "has invalid lengths");
	impossible_packet("\0\0\0\0\0\0\0\200\0\0\0\0\0\0\0\200", "is truncated");
	impossible_packet("\0\2\0\0\0\0\0\0\0\4\0\0\0\0\0\0", "has invalid lengths");
}

static bool layout_is(const char *text, uint32_t content, uint32_t packet)
{
	struct doze_layout l;

	return doze_layout_find(&l, text) && l.content_at == content && l.packet_at == packet &&
	       l.end == (content > packet ? content : packet) + 8;
}

/* Metadata that describes the packet layout, as LTTng and as Babeltrace write it. */
static void knows_layouts(void)
{
	static const char lttng[] =
	    "trace { packet.header := struct { uint32_t magic; uint8_t  uuid[16]; uint32_t "
	    "stream_id;\n uint64_t stream_instance_id; }; };\n struct packet_context {\n "
	    "uint64_clock_monotonic_t timestamp_begin; uint64_clock_monotonic_t timestamp_end;\n "
	    "uint64_t content_size; uint64_t packet_size; unsigned long events_discarded; };\n "
	    "stream { packet.context := struct packet_context; };\n"
	    "stream { packet.context := struct packet_context; };\n";
	static const char ours[] =
	    "packet.header := struct { integer { size = 32; align = 8; base = x; } magic;\n "
	    "integer "
	    "{ size = 8; align = 8; } uuid[16]; } align(8);\n packet.context := struct {\n integer "
	    "{ size = 64; } packet_size;\n integer { size = 64; } content_size; } align(8);\n";
	static const char two[] =
	    "packet.header := struct { uint32_t magic; };\n packet.context := struct { uint64_t "
	    "content_size; uint64_t packet_size; };\n packet.context := struct { uint64_t "
	    "packet_size; "
	    "};\n";
	static const char odd[] =
	    "packet.header := struct { uint32_t magic; floating_point { exp_dig = 8; } x; };\n "
	    "packet.context := struct { uint64_t content_size; uint64_t packet_size; };\n";
	struct doze_layout l;

	CU_ASSERT_TRUE(layout_is(lttng, 48, 56));
	CU_ASSERT_TRUE(layout_is(ours, 28, 20));
	CU_ASSERT_FALSE(doze_layout_find(&l, two));
	CU_ASSERT_FALSE(doze_layout_find(&l, odd));
	CU_ASSERT_FALSE(doze_layout_find(&l, ""));
}

T(explains_folders_without_a_trace)
T(explains_corruption)
T(explains_empty_metadata)
T(explains_truncation)
T(explains_impossible_packets)

static const struct suite_test tests[] = {
    {"each kind of folder that is not a trace gets its own explanation",
     t_explains_folders_without_a_trace},
    {"the error for broken metadata names the folder", t_explains_corruption},
    {"empty metadata is an error", t_explains_empty_metadata},
    {"a truncated stream file is an error", t_explains_truncation},
    {"only supported packet layouts are accepted", knows_layouts},
    {"packets of impossible length are rejected", t_explains_impossible_packets},
};

SUITE_MAIN("reader_bad", tests)
