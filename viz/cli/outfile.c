/*
 * SPDX-License-Identifier: MIT
 *
 * outfile.c - see outfile.h.
 */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

enum { MAX_LINKS = 40 };

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define ENDING (sizeof ending / sizeof ending[0])
/* The temporary file that the signal handler removes. The path changes only while no handler is
 * installed. */
static char doomed[PATH_MAX];
static struct sigaction earlier[ENDING], earlier_size;

static const char *advice(int error)
{
	switch (error) {
	case EISDIR:
		return "give the name of a file in it";
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return "free some space, or give another path with -o";
	case ENOENT:
	case ENOTDIR:
		return "create the folder, or give another path with -o";
	default:
		return "give another path with -o";
	}
}

static int cannot_write(const struct doze_out *o, int error)
{
	doze_complain("cannot write %s: %s: %s", o->name,
		      error == EISDIR ? "is a folder" : strerror(error), advice(error));
	return DOZE_EXIT_INPUT;
}

/* ---- removing the temporary file on a signal ---- */

static void on_end(int sig)
{
	(void)unlink(doomed);
	/* SA_RESETHAND has restored the default action, so this terminates the program. */
	(void)raise(sig);
}

static void guard(const char *part)
{
	struct sigaction remove = {.sa_handler = on_end, .sa_flags = (int)SA_RESETHAND};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	memcpy(doomed, part, sizeof doomed);
	sigemptyset(&remove.sa_mask);
	sigemptyset(&ignore.sa_mask);
	for (size_t i = 0; i < ENDING; i++) {
		(void)sigaction(ending[i], NULL, &earlier[i]);
		if (earlier[i].sa_handler == SIG_DFL)
			(void)sigaction(ending[i], &remove, NULL);
	}
	/* Make a write beyond the file size limit fail instead of killing the program. */
	(void)sigaction(SIGXFSZ, &ignore, &earlier_size);
}

static void unguard(void)
{
	for (size_t i = 0; i < ENDING; i++)
		(void)sigaction(ending[i], &earlier[i], NULL);
	(void)sigaction(SIGXFSZ, &earlier_size, NULL);
}

/* Creates and opens the temporary file. Signals are blocked until the handler has its name, so that
 * no signal can leave the file behind. */
static int make_guarded(char *part)
{
	sigset_t end, before;
	int fd, error;

	sigemptyset(&end);
	for (size_t i = 0; i < ENDING; i++)
		sigaddset(&end, ending[i]);
	sigprocmask(SIG_BLOCK, &end, &before);
	fd = mkostemp(part, O_CLOEXEC);
	error = errno;
	if (fd >= 0)
		guard(part);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return fd;
}

/* ---- opening the file ---- */

/* Replaces the path of a link by the link's target. Returns 0 or an errno value. */
static int follow(char *path, size_t size)
{
	char to[PATH_MAX], whole[2 * PATH_MAX];
	const char *slash = strrchr(path, '/');
	ssize_t n = readlink(path, to, sizeof to - 1);
	int folder = slash ? (int)(slash + 1 - path) : 0;

	if (n < 0)
		return errno;
	to[n] = 0;
	snprintf(whole, sizeof whole, "%.*s%s", to[0] == '/' ? 0 : folder, path, to);
	if (strlen(whole) >= size)
		return ENAMETOOLONG;
	strcpy(path, whole);
	return 0;
}

/* Resolves the target. Follows links itself, because realpath() fails for a link whose target does
 * not exist. Returns 0 or an errno value. */
static int resolve(char *path, size_t size)
{
	struct stat st;

	for (int i = 0; i < MAX_LINKS; i++) {
		int error;

		if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
			return 0;
		error = follow(path, size);
		if (error)
			return error;
	}
	return ELOOP;
}

static int open_directly(struct doze_out *o)
{
	/* The target is a device or a pipe, so do not create or truncate it. */
	int fd = open(o->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	o->target[0] = 0;
	if (fd >= 0)
		o->file = fdopen(fd, "w");
	if (o->file)
		return 0;
	return cannot_write(o, errno);
}

static mode_t fresh_mode(void)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	return 0666 & ~mask;
}

/* Opens the temporary file in the target's folder, so that it can be renamed to the target. */
static int open_part(struct doze_out *o, mode_t mode)
{
	int fd, length = snprintf(o->part, sizeof o->part, "%s.XXXXXX", o->target);

	if (length < 0 || (size_t)length >= sizeof o->part)
		return cannot_write(o, ENAMETOOLONG);
	fd = make_guarded(o->part);
	if (fd < 0)
		return cannot_write(o, errno);
	if (fchmod(fd, mode) == 0)
		o->file = fdopen(fd, "w");
	if (o->file)
		return 0;
	(void)cannot_write(o, errno);
	(void)close(fd);
	(void)unlink(o->part);
	unguard();
	return DOZE_EXIT_INPUT;
}

int doze_out_open(struct doze_out *o, const char *name)
{
	struct stat st;
	int error;

	*o = (struct doze_out){.name = name};
	if (!name || !strcmp(name, "-")) {
		o->name = "standard output";
		o->file = stdout;
		return 0;
	}
	if (strlen(name) >= sizeof o->target)
		return cannot_write(o, ENAMETOOLONG);
	strcpy(o->target, name);
	error = resolve(o->target, sizeof o->target);
	if (error)
		return cannot_write(o, error);
	if (stat(o->target, &st) != 0)
		return errno == ENOENT ? open_part(o, fresh_mode()) : cannot_write(o, errno);
	if (S_ISDIR(st.st_mode))
		return cannot_write(o, EISDIR);
	if (!S_ISREG(st.st_mode))
		return open_directly(o);
	/* rename() does not check whether the file itself is writable. */
	if (access(o->target, W_OK) != 0)
		return cannot_write(o, errno);
	return open_part(o, st.st_mode & 07777);
}

/* ---- closing the file ---- */

/* Flushes and closes the file. Returns 0 or an errno value. */
static int end_file(FILE *file)
{
	int error = 0;

	errno = 0;
	if (fflush(file) != 0 || ferror(file))
		error = errno ? errno : EIO;
	if (file != stdout && fclose(file) != 0 && !error)
		error = errno;
	/* The caller reports the error, so main must not report it again. */
	if (file == stdout && error) {
		__fpurge(file);
		clearerr(file);
	}
	return error;
}

int doze_out_close(struct doze_out *o, int rc)
{
	int error = end_file(o->file);

	if (!error && o->target[0] && rc != DOZE_EXIT_INPUT && rename(o->part, o->target) != 0)
		error = errno;
	if (o->target[0] && (error || rc == DOZE_EXIT_INPUT))
		(void)unlink(o->part);
	if (o->target[0])
		unguard();
	/* If the writer failed, it has already reported its error. */
	return error && rc != DOZE_EXIT_INPUT ? cannot_write(o, error) : rc;
}
