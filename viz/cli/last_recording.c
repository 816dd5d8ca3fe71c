/*
 * SPDX-License-Identifier: MIT
 *
 * last_recording.c - see last_recording.h.
 */
#include "last_recording.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Writes $NAME or, if that is not set, $HOME/otherwise. Returns false if the result is not an
 * absolute path. */
static bool folder_of(char *path, size_t size, const char *name, const char *otherwise)
{
	const char *own = getenv(name), *home = getenv("HOME");

	if (own && *own == '/')
		return (size_t)snprintf(path, size, "%s", own) < size;
	return home && *home == '/' &&
	       (size_t)snprintf(path, size, "%s/%s", home, otherwise) < size;
}

/* Creates every folder on an absolute path. */
static bool make_folders(char *path)
{
	for (char *c = path + 1; (c = strchr(c, '/')); c++) {
		*c = '\0';
		/* mkdir also fails for folders that exist; only the last call must succeed */
		(void)mkdir(path, 0755);
		*c = '/';
	}
	return mkdir(path, 0755) == 0 || errno == EEXIST;
}

bool cmd_recording_name(char *path, size_t size, const char *program)
{
	const char *name = strrchr(program, '/');
	char base[PATH_MAX / 2], date[32];
	time_t now = time(NULL);
	struct tm tm;

	if (!folder_of(base, sizeof base, "DOZE_TRACES", "doze-traces") || !make_folders(base) ||
	    !localtime_r(&now, &tm))
		return false;
	(void)strftime(date, sizeof date, "%Y%m%d-%H%M%S", &tm);
	for (int i = 1; i < 100; i++) {
		char more[8] = "";

		if (i > 1)
			snprintf(more, sizeof more, "-%d", i);
		if ((size_t)snprintf(path, size, "%s/%.64s-%s%s", base, name ? name + 1 : program,
				     date, more) >= size)
			return false;
		if (access(path, F_OK) != 0)
			return true;
	}
	return false;
}

int cmd_recording_make(char *path, size_t size, const char *program, char *err, size_t err_size)
{
	if (!cmd_recording_name(path, size, program))
		snprintf(err, err_size, "no folder for recordings: set HOME or DOZE_TRACES");
	else if (mkdir(path, 0755) != 0)
		snprintf(err, err_size, "%.60s: %s", path, strerror(errno));
	else
		return 0;
	return -1;
}

static bool state_file(char *path, size_t size, bool make)
{
	char folder[PATH_MAX / 2];

	if (!folder_of(folder, sizeof folder - 8, "XDG_STATE_HOME", ".local/state"))
		return false;
	strcat(folder, "/doze");
	if (make && !make_folders(folder))
		return false;
	return (size_t)snprintf(path, size, "%s/last", folder) < size;
}

void cmd_recording_remember(const char *dir)
{
	char path[PATH_MAX], temporary[PATH_MAX + 16];
	FILE *out;

	if (!state_file(path, sizeof path, true))
		return;
	snprintf(temporary, sizeof temporary, "%s.%d", path, (int)getpid());
	out = fopen(temporary, "we");
	if (!out)
		return;
	fprintf(out, "%s\n", dir);
	if (fclose(out) != 0 || rename(temporary, path) != 0)
		(void)unlink(temporary);
}

const char *cmd_recording_last(void)
{
	static char dir[PATH_MAX];
	char path[PATH_MAX];
	FILE *in = state_file(path, sizeof path, false) ? fopen(path, "re") : NULL;
	struct stat st;
	bool found = in && fgets(dir, sizeof dir, in);

	if (in)
		fclose(in);
	if (!found)
		return NULL;
	dir[strcspn(dir, "\n")] = '\0';
	return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) ? dir : NULL;
}
