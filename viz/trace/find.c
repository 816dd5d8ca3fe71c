/*
 * SPDX-License-Identifier: MIT
 *
 * find.c - see find.h. LTTng stores a trace as DIR/ust/uid/0/64-bit/metadata. Users may name any
 * folder on that path, or a folder with several recordings.
 */
#include "find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_line.h"
#include "grow.h"

#define MAX_DEPTH   12     /* LTTng needs a depth of 6 */
#define MAX_ENTRIES 200000 /* stops a search that was started at `/` by mistake */

struct walk {
	struct doze_folders *found;
	size_t entries;
	bool memory, too_many;
	int unreadable; /* errno of the last folder that could not be read */
};

static void folders_add(struct walk *w, const char *path)
{
	struct doze_folders *f = w->found;
	char **p = doze_grow(f->path, &f->room, f->count, sizeof *p);

	f->path = p ? p : f->path;
	if (p && (p[f->count] = strdup(path)))
		f->count++;
	else
		w->memory = true;
}

static bool is_folder(int dirfd_, const char *name)
{
	struct stat st;

	return fstatat(dirfd_, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(int dirfd_, const char *name)
{
	struct stat st;

	return fstatat(dirfd_, name, &st, 0) == 0 && S_ISREG(st.st_mode);
}

static bool walk_done(const struct walk *w)
{
	return w->memory || w->too_many;
}

static void walk(struct walk *w, const char *path, int depth)
{
	DIR *d = opendir(path);
	char sub[PATH_MAX];

	if (!d) {
		w->unreadable = errno;
		return;
	}
	if (is_file(dirfd(d), "metadata"))
		folders_add(w, path);
	for (struct dirent *e; !walk_done(w) && (e = readdir(d));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		w->too_many = ++w->entries > MAX_ENTRIES;
		if (depth < MAX_DEPTH && is_folder(dirfd(d), e->d_name) &&
		    (size_t)snprintf(sub, sizeof(sub), "%s/%s", path, e->d_name) < sizeof(sub))
			walk(w, sub, depth + 1);
	}
	closedir(d);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char advice[] = "give the folder that `doze record -o` or lttng wrote";

static void explain(const struct walk *w, const char *dir, char *err, size_t size)
{
	struct stat st;

	if (stat(dir, &st) != 0)
		doze_line(err, size, "cannot read the trace: %s: %s: %s", dir, strerror(errno),
			  advice);
	else if (!S_ISDIR(st.st_mode))
		doze_line(err, size, "not a trace: %s is not a folder: %s", dir, advice);
	else if (w->memory)
		doze_line(err, size, "out of memory while searching %s: close other programs", dir);
	else if (w->too_many)
		doze_line(err, size, "no trace found: %s contains more than %d files: %s", dir,
			  MAX_ENTRIES, advice);
	else if (w->unreadable)
		doze_line(err, size, "cannot read the trace: %s: %s: give yourself read permission",
			  dir, strerror(w->unreadable));
	else if (w->entries == 0)
		doze_line(err, size, "not a trace: the folder %s is empty: %s", dir, advice);
	else
		doze_line(err, size, "not a trace: no file `metadata` in or below %s: %s", dir,
			  advice);
}

int doze_folders_find(struct doze_folders *f, const char *dir, char *err, size_t err_size)
{
	struct walk w = {.found = f};

	*f = (struct doze_folders){0};
	walk(&w, dir, 0);
	if (f->count == 0 || walk_done(&w)) {
		explain(&w, dir, err, err_size);
		doze_folders_clear(f);
		return -1;
	}
	qsort(f->path, f->count, sizeof(*f->path), by_name);
	return 0;
}

void doze_folders_clear(struct doze_folders *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->path[i]);
	free(f->path);
	*f = (struct doze_folders){0};
}
