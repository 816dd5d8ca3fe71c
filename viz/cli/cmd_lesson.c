/*
 * SPDX-License-Identifier: MIT
 *
 * cmd_lesson.c - `doze lesson [NAME]`: lists the lessons, or runs one in the viewer.
 *
 * A lesson is a file NAME.lesson, in labs/lessons of the source tree or in share/doze/lessons of an
 * installation. Both are found from the location of the program.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../viewer/panes/lesson_file.h"
#include "cmd.h"
#include "options.h"

#define SUFFIX ".lesson"

enum { LESSONS_MAX = 200, NAME_MAX_LENGTH = 64 };

struct entry {
	char name[NAME_MAX_LENGTH];
	struct doze_lesson *lesson;
};

/* All lessons; kept until the process exits. */
static struct {
	char folder[PATH_MAX];
	struct entry entry[LESSONS_MAX];
	size_t count;
} course;

/* ---- finding lessons ---- */

/* Finds course.folder, the folder of lessons, relative to the folder of the program, which is
 * TREE/build or PREFIX/bin. */
static int find_folder(void)
{
	static const char *const places[] = {"../labs/lessons", "../share/doze/lessons"};
	char program[PATH_MAX / 2];
	struct stat st;
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	char *slash;

	program[n > 0 ? n : 0] = '\0';
	slash = strrchr(program, '/');
	if (slash)
		*slash = '\0';
	for (int i = 0; slash && i < 2; i++)
		if ((size_t)snprintf(course.folder, sizeof course.folder, "%s/%s", program,
				     places[i]) < sizeof course.folder &&
		    stat(course.folder, &st) == 0 && S_ISDIR(st.st_mode))
			return 0;
	doze_complain("lesson: no lessons found in %s/%s or %s/%s: give the path of a lesson file",
		      program, places[0], program, places[1]);
	return -1;
}

/* Writes "folder/name.lesson" into path. */
static bool path_of(const char *name, char *path, size_t size)
{
	return (size_t)snprintf(path, size, "%s/%s" SUFFIX, course.folder, name) < size;
}

static int by_number(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;

	if (a->lesson->number != b->lesson->number)
		return a->lesson->number < b->lesson->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Reads one lesson from the folder. Returns -1, after an error message, if it is malformed. */
static int add_entry(const char *file)
{
	size_t len = strlen(file), suffix = strlen(SUFFIX);
	struct entry *e = &course.entry[course.count];
	char path[PATH_MAX], err[512];

	if (len <= suffix || len - suffix >= sizeof e->name ||
	    strcmp(file + len - suffix, SUFFIX) != 0 || course.count == LESSONS_MAX)
		return 0;
	snprintf(e->name, sizeof e->name, "%.*s", (int)(len - suffix), file);
	if (!path_of(e->name, path, sizeof path))
		return 0;
	e->lesson = doze_lesson_read(path, err, sizeof err);
	if (!e->lesson) {
		doze_complain("lesson: %s", err);
		return -1;
	}
	course.count++;
	return 0;
}

static int read_course(void)
{
	DIR *dir;
	int bad = 0;

	if (find_folder() != 0)
		return DOZE_EXIT_INPUT;
	dir = opendir(course.folder);
	for (struct dirent *d; dir && (d = readdir(dir));)
		bad |= add_entry(d->d_name);
	if (dir)
		closedir(dir);
	qsort(course.entry, course.count, sizeof *course.entry, by_number);
	return bad ? DOZE_EXIT_INPUT : DOZE_EXIT_OK;
}

static int list_lessons(void)
{
	int code = read_course();

	for (size_t i = 0; i < course.count; i++) {
		const struct doze_lesson *l = course.entry[i].lesson;

		printf("%-14s %s%s%s\n", course.entry[i].name, l->title, l->about ? ": " : "",
		       l->about ? l->about : "");
	}
	return code;
}

/* ---- running a lesson ---- */

/* Prints an error: the lesson does not exist. Suggests the closest name. */
static int complain_unknown(const char *name)
{
	struct cmd_suggestion s = cmd_suggest(name, strlen(name));

	if (read_course() == DOZE_EXIT_OK)
		for (size_t i = 0; i < course.count; i++)
			cmd_suggest_from(&s, course.entry[i].name);
	if (s.best)
		doze_complain("lesson: no lesson '%s': did you mean '%s'? see 'doze lesson'", name,
			      s.best);
	else
		doze_complain("lesson: no lesson '%s': see 'doze lesson'", name);
	return DOZE_EXIT_USAGE;
}

/* Writes the path of a lesson that is given by its name or its path. */
static int find_lesson(const char *name, char *path, size_t size)
{
	if (strchr(name, '/') || strstr(name, SUFFIX)) {
		snprintf(path, size, "%s", name);
		return DOZE_EXIT_OK;
	}
	if (find_folder() != 0)
		return DOZE_EXIT_INPUT;
	if (path_of(name, path, size) && access(path, F_OK) == 0)
		return DOZE_EXIT_OK;
	return complain_unknown(name);
}

/* Opens the lesson's recording, whose path is relative to the lesson's file. */
static struct doze_reader *open_recording(const struct doze_lesson *l, const char *path)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX], err[512];
	struct doze_reader *r;

	if (slash && l->recording[0] != '/')
		snprintf(dir, sizeof dir, "%.*s/%s", (int)(slash - path), path, l->recording);
	else
		snprintf(dir, sizeof dir, "%s", l->recording);
	r = doze_reader_open_dir(dir, err, sizeof err);
	if (!r)
		doze_complain("lesson: %s: %s", path, err);
	return r;
}

/* Runs the lesson. Sets *go_on if the user wants to continue with the next lesson. */
static int run_lesson(const struct doze_options *o, const struct doze_lesson *l, const char *path,
		      bool *go_on)
{
	struct doze_tui_options view = doze_tui_from(o);
	struct doze_tui_result result;
	char name[PATH_MAX + 10];
	int code = doze_tui_check(&view);

	if (code)
		return code;
	view.reader = open_recording(l, path);
	if (!view.reader)
		return DOZE_EXIT_INPUT;
	snprintf(name, sizeof name, "lesson: %s", path);
	view.title = l->title;
	view.lesson = l;
	view.lesson_name = name;
	code = doze_tui_run(&view, &result);
	*go_on = code == DOZE_EXIT_OK && result.next_lesson && !view.once;
	if (!result.abandoned)
		doze_reader_free(view.reader);
	return code;
}

/* Replaces a lesson's path with the path of its `next`, a lesson in the same folder. */
static void next_path(char *path, size_t size, const char *next)
{
	char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - path) : 0;

	snprintf(path + folder, size - folder, "%s" SUFFIX, next);
}

int cmd_lesson(const struct doze_cmd *cmd, int argc, char **argv)
{
	struct doze_options o;
	char path[PATH_MAX], err[512];
	bool go_on = true;
	int code = doze_options_parse(cmd, &o, argc, argv);

	if (code >= 0)
		return code;
	if (o.count == 0)
		return list_lessons();
	code = find_lesson(o.operands[0], path, sizeof path);
	while (code == DOZE_EXIT_OK && go_on) {
		struct doze_lesson *l = doze_lesson_read(path, err, sizeof err);

		if (!l)
			return cmd_fail(DOZE_EXIT_INPUT, "lesson: %s", err);
		code = run_lesson(&o, l, path, &go_on);
		if (go_on)
			next_path(path, sizeof path, l->next);
		doze_lesson_free(l);
	}
	return code;
}
