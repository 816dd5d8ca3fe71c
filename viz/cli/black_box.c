/*
 * SPDX-License-Identifier: MIT
 *
 * black_box.c - see black_box.h.
 */
#include "black_box.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "last_recording.h"

enum { DEPTH = 16, CHUNK = 1 << 20 };

/* nftw has no argument for its callback; one copy at a time, on the main thread. */
static const char *source, *target;

/* Returns 0, or -1 with errno. */
static int copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	ssize_t n = out < 0 ? -1 : 1;
	int err;

	while (n > 0)
		n = sendfile(out, in, NULL, CHUNK);
	err = errno;
	if (out >= 0 && close(out) != 0 && n == 0) {
		err = errno;
		n = -1;
	}
	if (in >= 0)
		close(in);
	errno = err;
	return n < 0 ? -1 : 0;
}

static int copy_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	char to[PATH_MAX];

	(void)st, (void)ftw;
	if ((size_t)snprintf(to, sizeof to, "%s%s", target, path + strlen(source)) >= sizeof to) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (type == FTW_D)
		return mkdir(to, 0755) != 0 && errno != EEXIST ? -1 : 0;
	return type == FTW_F ? copy_file(path, to) : 0;
}

int cmd_black_box_save(const char *from, const char *program, char *folder, size_t size, char *err,
		       size_t err_size)
{
	if (!cmd_recording_name(folder, size, program)) {
		snprintf(err, err_size, "no folder for recordings: set HOME or DOZE_TRACES");
		return -1;
	}
	source = from;
	target = folder;
	if (nftw(from, copy_entry, DEPTH, FTW_PHYS) != 0) {
		snprintf(err, err_size, "%.60s: %s", folder, strerror(errno));
		return -1;
	}
	cmd_recording_remember(folder);
	return 0;
}
