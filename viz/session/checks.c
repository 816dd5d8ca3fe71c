/*
 * SPDX-License-Identifier: MIT
 *
 * checks.c - checks programs, libraries, permissions, shared memory, disk and network.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dlfcn.h>

#include "../words/temp.h"
#include "any.h"
#include "doctor.h"
#include "files.h"
#include "free_space.h"
#include "preload.h"

#define MIB      (1024 * 1024ULL)
#define DISK_LOW (64 * MIB)

void doctor_report(struct doctor *d, enum doctor_verdict verdict, const char *fix, const char *fmt,
		   ...)
{
	if (d->count == DOCTOR_FINDINGS_MAX)
		return;
	struct doctor_finding *f = &d->findings[d->count++];
	f->check = d->check;
	f->verdict = verdict;
	snprintf(f->fix, sizeof(f->fix), "%s", fix ? fix : "");
	va_list args;
	va_start(args, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, args);
	va_end(args);
}

static void check_programs(struct doctor *d)
{
	static const char *const names[] = {"lttng-sessiond", "lttng-relayd"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[PATH_MAX];
		int err = doze_find_program(names[i], path, sizeof(path));
		if (err)
			doctor_report(d, DOCTOR_BAD, "install lttng-tools ('make setup')", "%s: %s",
				      names[i], strerror(err));
		else
			doctor_report(d, DOCTOR_OK, NULL, "%s is installed", names[i]);
	}
}

/** Loads a library in a child process, because LTTng-UST starts threads when it is loaded. */
static bool loads(const char *library, char *why, size_t size)
{
	int fds[2], status = 0;
	if (pipe(fds))
		return false;
	pid_t pid = fork();
	if (pid == 0) {
		setenv("LTTNG_UST_REGISTER_TIMEOUT", "0", 1);
		const char *error = dlopen(library, RTLD_NOW) ? NULL : dlerror();
		if (error && write(fds[1], error, strlen(error)) < 0)
			_exit(2);
		_exit(error != NULL);
	}
	close(fds[1]);
	ssize_t n = read(fds[0], why, size - 1);
	why[n > 0 ? n : 0] = 0;
	close(fds[0]);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void provider_path(char *path, size_t size)
{
	const char *given = getenv("DOZE_TRACEPOINTS");
	if (given)
		snprintf(path, size, "%s", given);
	else if (!doze_provider_find(path, size))
		/* Without a folder, so that dlopen searches for the file. */
		snprintf(path, size, "libdoze-tracepoints.so");
}

static void check_any(struct doctor *d)
{
	char path[PATH_MAX];

	if (doze_file_find(SESSION_ANY_LIBRARY, path, sizeof(path)))
		doctor_report(d, DOCTOR_OK, NULL, "the library of --any is installed: %s", path);
	else
		doctor_report(d, DOCTOR_NOTE,
			      "build it ('make'), or install it in the folder of the tracepoint "
			      "provider",
			      "%s is missing: --any, for programs without libdoze, does not work",
			      SESSION_ANY_LIBRARY);
}

static void check_libraries(struct doctor *d)
{
	char why[256], provider[PATH_MAX];
	if (loads("liblttng-ust.so.1", why, sizeof(why)))
		doctor_report(d, DOCTOR_OK, NULL, "liblttng-ust loads");
	else
		doctor_report(d, DOCTOR_BAD, "install liblttng-ust ('make setup')", "%s", why);
	provider_path(provider, sizeof(provider));
	if (loads(provider, why, sizeof(why)))
		doctor_report(d, DOCTOR_OK, NULL, "the tracepoint provider loads: %s", provider);
	else
		doctor_report(d, DOCTOR_BAD,
			      "build it ('make'), or set DOZE_TRACEPOINTS to its path", "%s", why);
	check_any(d);
}

/** Reports preloaded libraries, which change every program. */
static void check_preload(struct doctor *d)
{
	const char *list = doze_preload_given();

	if (list && strstr(list, "liblttng-ust"))
		doctor_report(
		    d, DOCTOR_OK, NULL,
		    "LD_PRELOAD is %s: recorded programs get it, doze itself runs without "
		    "LTTng's wrappers",
		    list);
	else if (list && *list)
		doctor_report(d, DOCTOR_NOTE, "unset LD_PRELOAD if recordings fail",
			      "LD_PRELOAD is %s: it changes doze and the programs that it records",
			      list);
}

/** Checks the folders in which the user's daemons store their files. */
static void check_permissions(struct doctor *d)
{
	const char *lttng_home = getenv("LTTNG_HOME"),
		   *home = lttng_home ? lttng_home : getenv("HOME");
	const char *tmp = doze_temp_base();
	if (geteuid() == 0)
		home = access("/run/lttng", F_OK) ? "/run" : "/run/lttng";
	if (home && access(home, W_OK | X_OK) == 0)
		doctor_report(d, DOCTOR_OK, NULL, "LTTng's daemons can write to %s", home);
	else
		doctor_report(d, DOCTOR_BAD, "set LTTNG_HOME to a folder that you can write to",
			      "%s: %s", home ? home : "HOME is not set",
			      home ? strerror(errno) : "");
	if (access(tmp, W_OK | X_OK) == 0)
		doctor_report(d, DOCTOR_OK, NULL, "temporary files can be created in %s", tmp);
	else
		doctor_report(d, DOCTOR_BAD, "set TMPDIR to a folder that you can write to",
			      "%s: %s", tmp, strerror(errno));
}

static void check_shared_memory(struct doctor *d)
{
	struct session_space r = session_space_shared_memory(NULL);
	unsigned long long free_mib = r.free / MIB, need_mib = r.needed / MIB;
	if (r.error || access("/dev/shm", W_OK | X_OK))
		doctor_report(d, DOCTOR_BAD, "mount a tmpfs there, mode 1777", "/dev/shm: %s",
			      strerror(r.error ? r.error : errno));
	else if (session_space_lacks(r))
		doctor_report(d, DOCTOR_BAD,
			      "remove files from it, or run 'mount -o remount,size=50% /dev/shm'",
			      "/dev/shm has %llu MiB left, but the buffers need %llu", free_mib,
			      need_mib);
	else
		doctor_report(d, DOCTOR_OK, NULL,
			      "/dev/shm has %llu MiB left, and the buffers need %llu", free_mib,
			      need_mib);
}

static void check_disk(struct doctor *d)
{
	const char *const dirs[] = {doze_temp_base(), "."};
	for (int i = 0; i < 2; i++) {
		struct session_space r = session_space_disk(dirs[i]);
		bool low = r.free < DISK_LOW;
		if (r.error)
			doctor_report(d, DOCTOR_BAD, NULL, "%s: %s", dirs[i], strerror(r.error));
		else
			doctor_report(d, low ? DOCTOR_BAD : DOCTOR_OK,
				      low ? "free some space: a full disk truncates traces" : NULL,
				      "%s has %llu MiB left for traces", dirs[i],
				      (unsigned long long)r.free / MIB);
	}
}

static void check_network(struct doctor *d)
{
	uint16_t port;
	if (doze_free_ports(&port, 1))
		doctor_report(d, DOCTOR_BAD, "bring the loopback interface up: 'ip link set lo up'",
			      "no free port on 127.0.0.1: %s", strerror(errno));
	else
		doctor_report(d, DOCTOR_OK, NULL, "ports on 127.0.0.1 are available");
}

static void check_limits(struct doctor *d)
{
	struct rlimit files;
	getrlimit(RLIMIT_NOFILE, &files);
	/* The consumer daemon needs several descriptors per CPU and channel. */
	if (files.rlim_cur < 256)
		doctor_report(d, DOCTOR_BAD, "'ulimit -n 1024'", "only %llu open files are allowed",
			      (unsigned long long)files.rlim_cur);
	else
		doctor_report(d, DOCTOR_OK, NULL, "%llu open files are allowed",
			      (unsigned long long)files.rlim_cur);
}

const struct doctor_check doctor_checks[] = {
    {"programs", check_programs},
    {"libraries", check_libraries},
    {"preloaded", check_preload},
    {"versions", doctor_versions},
    {"permissions", check_permissions},
    {"shared memory", check_shared_memory},
    {"disk", check_disk},
    {"network", check_network},
    {"limits", check_limits},
    {"session daemon", doctor_session_daemon},
    {"leftovers", doctor_leftovers},
    {NULL, NULL},
};
