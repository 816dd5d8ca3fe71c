/*
 * SPDX-License-Identifier: MIT
 *
 * summary_test.c - viz/show: what was saved of a recording answers as the recording does, and a
 * summary is used only if it is whole, is the user's own and belongs to the recording as it is.
 */
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fixtures/scratch_folder.h"
#include "tests/fixtures/suite.h"
#include "viz/show/load_trace.h"
#include "viz/show/storms.h"
#include "viz/show/summary.h"
#include "viz/show/view.h"
#include "viz/words/complain.h"

/* ---- the same answers ---- */

static const char *const recordings[] = {
    "labs/lessons/recordings/averted",
    "labs/lessons/recordings/lost-wakeup",
    "labs/lessons/recordings/states",
    "labs/lessons/recordings/storm",
    "labs/01-states/trace",
    "tests/fixtures/phases",
    "tests/fixtures/duel/jec",
    "tests/fixtures/duel/tickle",
    "tests/proof/findings/*",
    "tests/fixtures/*",
};

/* A view with its state, and what it prints. */
struct asked {
	const struct doze_view *view;
	struct doze_view_request request;
	void *state;
	struct doze_model *model;
	char *text; /* from open_memstream */
	size_t size;
};

static void ask(struct asked *a, const struct doze_view *v, const char *dir, bool json)
{
	*a = (struct asked){
	    .view = v,
	    .request = {.selection = DOZE_SELECT_ALL, .columns = 80, .trace = dir, .json = json}};
	a->state = doze_view_state(v);
	CU_ASSERT_PTR_NOT_NULL_FATAL(a->state);
	a->model = v->open(a->state, &a->request);
	CU_ASSERT_PTR_NOT_NULL_FATAL(a->model);
}

static void answer(struct asked *a)
{
	a->request.out = open_memstream(&a->text, &a->size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(a->request.out);
	doze_view_print(a->view, a->state, a->model, &a->request);
	fclose(a->request.out);
}

static void dismiss(struct asked *a)
{
	a->view->close(a->state);
	doze_model_free(a->model);
	free(a->state);
	free(a->text);
}

/* Reads the recording, and loads what was read into another view. Returns false if it cannot be
 * read. */
static bool answers_alike(const struct doze_view *v, const char *dir, bool json)
{
	struct doze_saved s = {0};
	struct asked read, loaded;
	int rc;

	ask(&read, v, dir, json);
	rc = doze_load(dir, read.model, v->feed, read.state);
	if (rc == DOZE_EXIT_OK) {
		v->saved(read.state, &s);
		CU_ASSERT_FALSE(s.failed);
		answer(&read);
		ask(&loaded, v, dir, json);
		s.loads = true;
		v->saved(loaded.state, &s);
		CU_ASSERT_FALSE(s.failed);
		CU_ASSERT_EQUAL(s.at, s.size);
		answer(&loaded);
		CU_ASSERT(read.size > 100);
		CU_ASSERT_EQUAL(read.size, loaded.size);
		CU_ASSERT_STRING_EQUAL(read.text, loaded.text);
		if (strcmp(read.text, loaded.text) != 0)
			printf("%s of %s differs\n", v->name, dir);
		dismiss(&loaded);
	}
	doze_saved_free(&s);
	dismiss(&read);
	return rc == DOZE_EXIT_OK;
}

static void all_recordings(const struct doze_view *v)
{
	size_t read = 0;
	glob_t found;

	for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++)
		CU_ASSERT(glob(recordings[i], i ? GLOB_APPEND : 0, NULL, &found) == 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char metadata[300];

		snprintf(metadata, sizeof metadata, "%s/metadata", found.gl_pathv[i]);
		if (access(metadata, R_OK) != 0)
			continue;
		read += answers_alike(v, found.gl_pathv[i], false);
		(void)answers_alike(v, found.gl_pathv[i], true);
	}
	CU_ASSERT(read >= 8);
	globfree(&found);
}

static void storms_from_saved(void)
{
	all_recordings(&doze_storms_view);
}

static void diagnose_from_saved(void)
{
	all_recordings(&doze_diagnose_view);
}

/* Damage that the checksum has let through must not be read beyond the bytes. */
static void shortened(void)
{
	struct doze_saved s = {0}, part;
	struct asked read, loaded;

	ask(&read, &doze_storms_view, "tests/fixtures/phases", false);
	CU_ASSERT_EQUAL_FATAL(doze_load("tests/fixtures/phases", read.model, NULL, read.state), 0);
	doze_storms_view.saved(read.state, &s);
	for (size_t size = 0; size < s.size; size += s.size / 97 + 1) {
		part = (struct doze_saved){.data = s.data, .size = size, .loads = true};
		ask(&loaded, &doze_storms_view, NULL, false);
		doze_storms_view.saved(loaded.state, &part);
		CU_ASSERT(part.failed);
		dismiss(&loaded);
	}
	doze_saved_free(&s);
	dismiss(&read);
}

/* ---- the file ---- */

enum { RECORDING = 1 << 20, LEAST = 1000 };
static char dir[200];

static void write_file(const char *name, long size, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs(text, f);
	CU_ASSERT_EQUAL(ftruncate(fileno(f), size), 0);
	fclose(f);
}

/* Makes a folder that looks like a recording to a summary. */
static void new_recording(void)
{
	static int number;

	snprintf(dir, sizeof dir, "%s", scratch(number++ % 2 ? "odd" : "even"));
	remove_folder(dir);
	CU_ASSERT_EQUAL(mkdir(dir, 0755), 0);
	write_file("stream", RECORDING, "events");
}

static char *summary_path(void)
{
	static char path[300];

	snprintf(path, sizeof path, "%s/.doze-summary", dir);
	return path;
}

/* Returns byte i of the test data. They can be compressed, but each byte matters. */
static unsigned char byte_at(size_t i, unsigned char fill)
{
	return (unsigned char)(fill + i * i % 13);
}

/* fill 0: random bytes, which cannot be compressed. */
static bool put(enum doze_summary_part part, size_t size, unsigned char fill)
{
	static struct doze_summary y;
	struct doze_saved s = {.size = size, .data = malloc(size)};
	bool fits;

	CU_ASSERT_PTR_NOT_NULL_FATAL(s.data);
	for (size_t i = 0; i < size; i++)
		s.data[i] = fill ? byte_at(i, fill) : (unsigned char)rand();
	CU_ASSERT(doze_summary_open(&y, dir, LEAST));
	fits = doze_summary_write(&y, part, &s);
	doze_saved_free(&s);
	return fits;
}

/* Returns whether the part can be read, and has the bytes that `put` wrote. */
static bool has(enum doze_summary_part part, size_t size, unsigned char fill)
{
	static struct doze_summary y;
	struct doze_saved s;
	bool same;

	if (!doze_summary_open(&y, dir, LEAST) || !doze_summary_read(&y, part, &s))
		return false;
	same = s.loads && s.size == size;
	for (size_t i = 0; i < s.size; i++)
		same = same && s.data[i] == byte_at(i, fill);
	doze_saved_free(&s);
	CU_ASSERT(same);
	return true;
}

static void two_parts(void)
{
	struct stat st;

	new_recording();
	CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 5000, 1));
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 5000, 1));
	CU_ASSERT(has(DOZE_SUMMARY_analysis, 5000, 1));
	CU_ASSERT_FALSE(has(DOZE_SUMMARY_viewer, 7000, 2));
	CU_ASSERT(put(DOZE_SUMMARY_viewer, 7000, 2));
	CU_ASSERT(has(DOZE_SUMMARY_analysis, 5000, 1));
	CU_ASSERT(has(DOZE_SUMMARY_viewer, 7000, 2));
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 6000, 3));
	CU_ASSERT(has(DOZE_SUMMARY_analysis, 6000, 3));
	CU_ASSERT(has(DOZE_SUMMARY_viewer, 7000, 2));
	CU_ASSERT_EQUAL(stat(summary_path(), &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 0777, 0600);
}

static void at_most_a_hundredth(void)
{
	struct stat st;

	new_recording();
	CU_ASSERT_FALSE(put(DOZE_SUMMARY_viewer, RECORDING / 100, 0));
	CU_ASSERT_NOT_EQUAL(stat(summary_path(), &st), 0);
	CU_ASSERT(put(DOZE_SUMMARY_viewer, RECORDING / 200, 0));
	CU_ASSERT_EQUAL(stat(summary_path(), &st), 0);
	CU_ASSERT(st.st_size <= RECORDING / 100);
	CU_ASSERT_FALSE(put(DOZE_SUMMARY_analysis, RECORDING / 190, 0));
}

static void of_an_unchanged_recording(void)
{
	static struct doze_summary y;
	struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = 12345}};
	char path[300];

	new_recording();
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 100, 1));
	write_file("another", 10, "");
	CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 100, 1));
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 100, 2));
	write_file("stream", RECORDING + 1, "events");
	CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 100, 2));
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 100, 3));
	snprintf(path, sizeof path, "%s/stream", dir);
	CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, now, 0), 0);
	CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 100, 3));
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 100, 4));
	CU_ASSERT(has(DOZE_SUMMARY_analysis, 100, 4));
	CU_ASSERT_FALSE(doze_summary_open(&y, dir, 100 * RECORDING));
	CU_ASSERT_FALSE(doze_summary_open(&y, "/nonexistent", 0));
}

/* A recording that changes while it is read has no summary. */
static void that_changes_meanwhile(void)
{
	static struct doze_summary y;
	struct doze_saved s = {.size = 3, .data = malloc(3)};

	new_recording();
	CU_ASSERT(doze_summary_open(&y, dir, LEAST));
	write_file("stream", RECORDING + 1, "events");
	memset(s.data, 1, 3);
	CU_ASSERT(doze_summary_write(&y, DOZE_SUMMARY_analysis, &s));
	CU_ASSERT_NOT_EQUAL(access(summary_path(), F_OK), 0);
	doze_saved_free(&s);
}

static void copied_with_its_recording(void)
{
	char command[600];

	new_recording();
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 100, 1));
	snprintf(command, sizeof command, "cp -a %s %s.copy", dir, dir);
	CU_ASSERT_EQUAL(system(command), 0);
	strcat(dir, ".copy");
	CU_ASSERT_EQUAL(access(summary_path(), F_OK), 0);
	CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 100, 1));
}

static void damaged(void)
{
	struct stat st;
	int fd, unnoticed = 0;

	new_recording();
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 5000, 1));
	CU_ASSERT(put(DOZE_SUMMARY_viewer, 5000, 2));
	fd = open(summary_path(), O_RDWR);
	CU_ASSERT_FATAL(fd >= 0 && fstat(fd, &st) == 0);
	for (off_t at = 0; at < st.st_size; at++) {
		unsigned char byte, other;

		CU_ASSERT_EQUAL(pread(fd, &byte, 1, at), 1);
		other = (unsigned char)(byte ^ (1 << at % 8));
		CU_ASSERT_EQUAL(pwrite(fd, &other, 1, at), 1);
		/* `has` checks that what can be read is unchanged. The last bits of compressed
		 * data mean nothing. */
		unnoticed +=
		    has(DOZE_SUMMARY_analysis, 5000, 1) && has(DOZE_SUMMARY_viewer, 5000, 2);
		CU_ASSERT_EQUAL(pwrite(fd, &byte, 1, at), 1);
	}
	CU_ASSERT(unnoticed <= DOZE_SUMMARY_PARTS);
	CU_ASSERT(has(DOZE_SUMMARY_analysis, 5000, 1));
	for (off_t size = st.st_size - 1; size >= 0; size -= 7) {
		CU_ASSERT_EQUAL(ftruncate(fd, size), 0);
		CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 5000, 1));
	}
	close(fd);
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 5000, 1)); /* it is made again */
	CU_ASSERT(has(DOZE_SUMMARY_analysis, 5000, 1));
}

static void of_the_user(void)
{
	char target[300];

	new_recording();
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 100, 1));
	CU_ASSERT_EQUAL(chmod(summary_path(), 0620), 0);
	CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 100, 1));
	CU_ASSERT_EQUAL(chmod(summary_path(), 0600), 0);
	CU_ASSERT(has(DOZE_SUMMARY_analysis, 100, 1));
	if (geteuid() == 0) {
		CU_ASSERT_EQUAL(chown(summary_path(), 1, 1), 0);
		CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 100, 1));
		CU_ASSERT_EQUAL(chown(summary_path(), 0, 0), 0);
	}
	snprintf(target, sizeof target, "%s", scratch("elsewhere"));
	CU_ASSERT_EQUAL(rename(summary_path(), target), 0);
	CU_ASSERT_EQUAL(symlink(target, summary_path()), 0);
	CU_ASSERT_FALSE(has(DOZE_SUMMARY_analysis, 100, 1));
}

/* Root may write everywhere, but leaves no files in another user's folder. */
static void in_the_cache(void)
{
	char cache[200];
	glob_t found;

	new_recording();
	snprintf(cache, sizeof cache, "%s", scratch("cache"));
	setenv("XDG_CACHE_HOME", cache, 1);
	CU_ASSERT_EQUAL(geteuid() == 0 ? chown(dir, 1, 1) : chmod(dir, 0500), 0);
	CU_ASSERT(put(DOZE_SUMMARY_analysis, 100, 1));
	CU_ASSERT_NOT_EQUAL(access(summary_path(), F_OK), 0);
	CU_ASSERT(has(DOZE_SUMMARY_analysis, 100, 1));
	strcat(cache, "/doze/summary-*");
	CU_ASSERT_EQUAL(glob(cache, 0, NULL, &found), 0);
	CU_ASSERT_EQUAL(found.gl_pathc, 1);
	globfree(&found);
	CU_ASSERT_EQUAL(chmod(dir, 0700), 0);
	unsetenv("XDG_CACHE_HOME");
}

/* ---- */

static const struct suite_test tests[] = {
    {"storms answers from what was saved as from the recording", storms_from_saved},
    {"diagnose answers from what was saved as from the recording", diagnose_from_saved},
    {"too few bytes are refused", shortened},
    {"the parts are written and read separately", two_parts},
    {"a summary takes at most a hundredth of its recording", at_most_a_hundredth},
    {"a summary belongs to an unchanged recording", of_an_unchanged_recording},
    {"a recording that changes while it is read gets no summary", that_changes_meanwhile},
    {"a copy of a recording has no summary", copied_with_its_recording},
    {"a damaged summary is not used, and is made again", damaged},
    {"a summary that another user could have written is not used", of_the_user},
    {"the summary of a read-only recording is in the cache", in_the_cache},
};

int main(int argc, char **argv)
{
	int code;

	scratch_begin();
	code = suite_main("summary", tests, sizeof tests / sizeof tests[0], argc, argv);
	scratch_end();
	return code;
}
