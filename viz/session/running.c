/*
 * SPDX-License-Identifier: MIT
 *
 * running.c - see running.h. Everything is read from /proc, so the process does not notice.
 */
#include "running.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "preload.h"

enum { ARGS_MAX = 64, STATUS_MAX = 8192 };

static int refuse(char *err, size_t size, pid_t pid, const char *what, const char *todo)
{
	(void)snprintf(err, size, "process %d %s: %s", (int)pid, what, todo);
	return -1;
}

/* Returns the number after a name such as "\nTgid:" in a process's status, or -1. */
static long field_of(const char *status, const char *name)
{
	const char *at = strstr(status, name);
	long n = -1;

	return at && sscanf(at + strlen(name), "%ld", &n) == 1 ? n : -1;
}

/* Checks that the number is that of a process, not of a thread or a zombie. */
static int check_process(pid_t pid, const char *status, char *err, size_t size)
{
	long group = field_of(status, "\nTgid:");
	char todo[64];

	if (group > 0 && group != pid) {
		(void)snprintf(todo, sizeof(todo), "give the number of the process, %ld", group);
		return refuse(err, size, pid, "is a thread", todo);
	}
	return strstr(status, "\nState:\tZ") || strstr(status, "\nState:\tX")
		   ? refuse(err, size, pid, "has exited", "start it again")
		   : 0;
}

static int check_owner(pid_t pid, const char *status, char *err, size_t size)
{
	long owner = field_of(status, "\nUid:");
	const struct passwd *user = getpwuid((uid_t)owner);
	char what[96];

	if (geteuid() == 0 || owner == (long)geteuid())
		return 0;
	(void)snprintf(what, sizeof(what), "belongs to %.64s",
		       user ? user->pw_name : "another user");
	return refuse(err, size, pid, what, "trace it as that user or as root");
}

/* Returns whether doze and the process see the same world. LTTng identifies processes by the
 * numbers that they have in their own namespace, and a process finds the session daemon and the
 * shared memory by paths. */
static bool shares_namespace(pid_t pid, const char *kind)
{
	char path[64], own[64], other[64];
	ssize_t n, m;

	(void)snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	n = readlink(path, own, sizeof(own));
	(void)snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, kind);
	m = readlink(path, other, sizeof(other));
	return n < 0 || (n == m && memcmp(own, other, (size_t)n) == 0);
}

/* What a process has loaded. */
struct loaded {
	bool provider, libdoze, any;
};

/* Returns 0, or an errno value. */
static int read_loaded(pid_t pid, struct loaded *l)
{
	char path[64], line[PATH_MAX + 128];
	FILE *f;

	*l = (struct loaded){false, false, false};
	(void)snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return errno;
	while (fgets(line, sizeof(line), f)) {
		l->provider |= strstr(line, "/" DOZE_PROVIDER) != NULL;
		l->libdoze |= strstr(line, "/libdoze.so") != NULL;
		l->any |= strstr(line, "/" SESSION_ANY_LIBRARY) != NULL;
	}
	(void)fclose(f);
	return 0;
}

static int check_loaded(pid_t pid, bool any, char *err, size_t size)
{
	struct loaded l;
	int code = read_loaded(pid, &l);

	if (code)
		return refuse(err, size, pid, "cannot be examined", strerror(code));
	if (any && !l.any)
		return refuse(err, size, pid, "was not started with the library of --any",
			      "start it with 'doze run --any -- PROG'");
	if (l.provider)
		return 0;
	return refuse(err, size, pid, "has not loaded the tracepoints of libdoze",
		      l.libdoze || l.any
			  ? "see whether DOZE_TRACE=0 is set for it, and try 'doze doctor'"
			  : "start it with 'doze run -- PROG', or with 'doze run --any -- PROG' if "
			    "it does not use libdoze");
}

int session_running_check(pid_t pid, bool any, char *err, size_t size)
{
	char status[STATUS_MAX];

	if (!doze_process_read((int)pid, "status", status, sizeof(status)))
		return refuse(err, size, pid, "does not exist", "look for its number with 'ps -e'");
	if (check_process(pid, status, err, size) || check_owner(pid, status, err, size))
		return -1;
	if (!shares_namespace(pid, "pid") || !shares_namespace(pid, "mnt"))
		return refuse(err, size, pid, "runs in a container", "run doze in that container");
	return check_loaded(pid, any, err, size);
}

bool session_running_has_pool(pid_t pid)
{
	struct loaded l;

	return read_loaded(pid, &l) == 0 && (l.provider || l.libdoze || l.any);
}

char *const *doze_running_argv(pid_t pid)
{
	static char text[4096];
	static char *argv[ARGS_MAX + 1];
	size_t length = doze_process_read((int)pid, "cmdline", text, sizeof(text)), n = 0;

	if (!length)
		(void)snprintf(text, sizeof(text), "?");
	for (char *at = text; n == 0 || (n < ARGS_MAX && at < text + length); at += strlen(at) + 1)
		argv[n++] = at;
	argv[n] = NULL;
	return argv;
}
