/*
 * SPDX-License-Identifier: MIT
 *
 * doctor.c - the checks of `doze doctor`: versions, daemons, programs, libraries, permissions,
 * shared memory, disk, network, and a test recording.
 */
#include "doctor.h"

#include <babeltrace2/babeltrace.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../trace/reader.h"
#include "../words/temp.h"
#include "ctl.h"
#include "files.h"
#include "free_space.h"
#include "outcome.h"
#include "preload.h"
#include "running.h"
#include "session.h"

/* Adds a finding to the current check; fix may be null. Ignores the finding if the array is
 * full. */
__attribute__((format(printf, 4, 5))) static void
doctor_report(struct doctor *d, enum doctor_verdict verdict, const char *fix, const char *fmt, ...)
{
	if (d->count == DOCTOR_FINDINGS_MAX)
		return;
	struct doctor_finding *f = &d->findings[d->count++];
	f->check = d->check;
	f->verdict = verdict;
	d->bad += verdict == DOCTOR_BAD;
	snprintf(f->fix, sizeof(f->fix), "%s", fix ? fix : "");
	va_list args;
	va_start(args, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, args);
	va_end(args);
}

/* ---- versions ---- */

/* A row of tested.tsv in which no test failed. */
struct tested {
	const char *place, *date, *lttng, *babeltrace;
};

static const struct tested tested[] = {
#include "tested.h" /* made from tested.tsv; see module.mk */
    {0},
};

static bool lttng_version(char *text, size_t size)
{
	FILE *f = popen("lttng-sessiond --version 2>&1", "re");
	bool ok = f && fgets(text, (int)size, f);

	if (f)
		pclose(f);
	if (!ok)
		return false;
	text[strcspn(text, " \n")] = '\0';
	return *text != '\0';
}

/* Writes "LTTng X with Babeltrace Y" of each row. */
static void list(char *text, size_t size)
{
	size_t n = 0;

	*text = '\0';
	for (const struct tested *t = tested; t->place && n < size; t++)
		n += (size_t)snprintf(text + n, size - n, "%sLTTng %s with Babeltrace %s",
				      n ? ", " : "", t->lttng, t->babeltrace);
}

/* The versions of LTTng and Babeltrace. */
static void doctor_versions(struct doctor *d)
{
	char lttng[64], babeltrace[64], all[256], fix[400];

	if (!lttng_version(lttng, sizeof(lttng)))
		return; /* the check of programs reports this */
	snprintf(babeltrace, sizeof(babeltrace), "%u.%u.%u", bt_version_get_major(),
		 bt_version_get_minor(), bt_version_get_patch());
	for (const struct tested *t = tested; t->place; t++)
		if (!strcmp(t->lttng, lttng) && !strcmp(t->babeltrace, babeltrace)) {
			doctor_report(d, DOCTOR_OK, NULL,
				      "LTTng %s and Babeltrace %s, which were tested together on "
				      "%s (Debian %s)",
				      lttng, babeltrace, t->date, t->place);
			return;
		}
	list(all, sizeof(all));
	snprintf(fix, sizeof(fix), "if something fails, try versions that were: %s", all);
	doctor_report(d, DOCTOR_NOTE, all[0] ? fix : NULL,
		      "LTTng %s and Babeltrace %s, which were not tested together", lttng,
		      babeltrace);
}

/* ---- the session daemon, and leftovers from earlier runs ---- */

#define DEADLINE_MS 3000

/** Reports a system-wide session daemon that this user may not connect to: its presence surprises
 * many users. */
static void check_group(struct doctor *d)
{
	static const char socket[] = "/run/lttng/client-lttng-sessiond";
	const struct group *g = getgrnam("tracing");
	if (geteuid() == 0 || access(socket, F_OK) || access(socket, W_OK) == 0)
		return;
	doctor_report(
	    d, DOCTOR_NOTE,
	    g ? "to use it, join its group: 'sudo usermod -aG tracing $USER', and log in again"
	      : NULL,
	    "this user may not use the system's session daemon; doze starts its own");
}

static void doctor_session_daemon(struct doctor *d)
{
	char fix[128];
	struct ctl_reply r = session_ctl_ask(NULL, DEADLINE_MS);
	pid_t pid = session_ctl_daemon_pid();
	check_group(d);
	switch (r.status) {
	case CTL_OK:
		doctor_report(d, DOCTOR_OK, NULL, "running (pid %d) and answering; sessions: %llu",
			      (int)pid, (unsigned long long)r.count);
		break;
	case CTL_ABSENT:
		doctor_report(d, DOCTOR_OK, NULL, "not running; doze starts one when it needs one");
		break;
	case CTL_TIMEOUT:
		snprintf(fix, sizeof(fix),
			 "if it is stopped, run 'kill -CONT %d'; otherwise restart it", (int)pid);
		doctor_report(d, DOCTOR_BAD, fix, "running (pid %d), but it does not answer",
			      (int)pid);
		break;
	default:
		doctor_report(d, DOCTOR_BAD, "restart it", "%s", r.text);
		break;
	}
}

/** Reports a session named doze-PID whose doze process no longer runs: it was killed together with
 * its supervisor. */
static void check_session(struct doctor *d, const char *name)
{
	int pid;
	char fix[160];
	if (sscanf(name, "doze-%d", &pid) != 1 || doze_process_runs(pid))
		return;
	snprintf(fix, sizeof(fix), "'" SESSION_CTL_DESTROY_COMMAND "'", name);
	doctor_report(d, DOCTOR_BAD, fix,
		      "session %s was left behind by a doze process that is no longer running",
		      name);
}

/** Returns whether a folder doze-XXXXXX belongs to this user and its supervisor has exited. */
static bool is_stale_folder(const char *dir, const char *name)
{
	char path[4096];
	struct stat st;
	if (strncmp(name, "doze-", 5) != 0 || strlen(name) != 11)
		return false;
	snprintf(path, sizeof(path), "%s/%s/supervisor.pid", dir, name);
	pid_t pid = doze_pid_read(path);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return pid && lstat(path, &st) == 0 && st.st_uid == geteuid() && !doze_process_runs(pid);
}

static void check_folders(struct doctor *d)
{
	const char *tmp = doze_temp_base();
	DIR *dir = opendir(tmp);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		char fix[400];
		if (!is_stale_folder(tmp, e->d_name))
			continue;
		snprintf(fix, sizeof(fix), "'rm -r %s/%.20s'", tmp, e->d_name);
		doctor_report(
		    d, DOCTOR_BAD, fix,
		    "%s/%.20s was left behind by a doze process that is no longer running", tmp,
		    e->d_name);
	}
	if (dir)
		closedir(dir);
}

static void doctor_leftovers(struct doctor *d)
{
	size_t before = d->count;
	struct ctl_reply r = session_ctl_ask(NULL, DEADLINE_MS);
	for (char *rest, *name = strtok_r(r.names, " ", &rest); name;
	     name = strtok_r(NULL, " ", &rest))
		check_session(d, name);
	check_folders(d);
	if (d->count == before)
		doctor_report(d, DOCTOR_OK, NULL, "no leftovers from earlier runs");
}

/* ---- programs that already run ---- */

/* Adds a program with libdoze to the list, or reports why it cannot be recorded. Returns whether
 * the program has libdoze. */
static bool add_running(struct doctor *d, pid_t pid, char *list, size_t size)
{
	char why[256];
	size_t used = strlen(list);

	if (!session_running_has_pool(pid))
		return false;
	if (session_running_check(pid, false, why, sizeof(why)))
		doctor_report(d, DOCTOR_NOTE, NULL, "%s", why);
	else
		(void)snprintf(list + used, size - used, "%s%d (%.20s)", used ? ", " : "", (int)pid,
			       basename(doze_running_argv(pid)[0]));
	return true;
}

/* Reports what 'doze record --pid' can record now. */
static void check_running(struct doctor *d)
{
	char list[200] = "";
	DIR *dir = opendir("/proc");
	bool some = false;

	for (struct dirent *e; dir && (e = readdir(dir));) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);

		some |= pid > 0 && pid != getpid() && add_running(d, pid, list, sizeof(list));
	}
	if (dir)
		closedir(dir);
	if (*list)
		doctor_report(d, DOCTOR_OK, NULL, "'doze record --pid' can record %s", list);
	else if (!some)
		doctor_report(d, DOCTOR_OK, NULL, "no program with libdoze runs now");
}

/* ---- programs, libraries, permissions, shared memory, disk and network ---- */

#define MIB      (1024 * 1024ULL)
#define DISK_LOW (64 * MIB)

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
	else if (!doze_file_find(DOZE_PROVIDER, path, size))
		/* Without a folder, so that dlopen searches for the file. */
		snprintf(path, size, DOZE_PROVIDER);
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

/* ---- the most important check: records a small built-in workload and reads the trace ---- */

#define TRIAL_MS 20000

static void count(void *ctx, const struct doze_event *e)
{
	unsigned *pools = ctx;
	*pools += e->kind == DOZE_EV_pool_start;
}

static void read_trace(struct doctor *d, const char *dir)
{
	static const struct doze_reader_sink sink = {.event = count};
	char err[400];
	unsigned pools = 0;
	if (!doze_report_has_streams(dir)) {
		doctor_report(d, DOCTOR_BAD, "fix the problems reported above",
			      "the trial program was not traced at all");
		return;
	}
	struct doze_reader *r = doze_reader_open_dir(dir, err, sizeof(err));
	if (!r) {
		doctor_report(d, DOCTOR_BAD, NULL, "the trial recording cannot be read: %s", err);
		return;
	}
	enum doze_reader_status status = doze_reader_run(r, &sink, &pools);
	unsigned long long events = doze_reader_counts(r).events;
	if (status != DOZE_READER_END)
		doctor_report(d, DOCTOR_BAD, NULL, "the trial recording cannot be read: %s",
			      doze_reader_error(r));
	else if (!pools)
		doctor_report(d, DOCTOR_BAD, "fix the problems reported above",
			      "the trial recording contains no pool");
	else
		doctor_report(d, DOCTOR_OK, NULL, "the trial recording works: %llu events", events);
	doze_reader_free(r);
}

static void report_status(struct doctor *d, const struct doze_session_state *s)
{
	char status[128];
	doze_report_status(s, status, sizeof(status));
	doctor_report(d, DOCTOR_BAD, NULL, "the trial program %s; %s", status, s->problem);
}

static void check_trial(struct doctor *d)
{
	char err[512];
	struct doze_session_options o = {
	    .argv = doze_demo_program("burst", NULL),
	    .workers = 2,
	    .interrupt_fd = -1,
	};
	struct doze_session *s = doze_session_start(&o, err, sizeof(err));
	if (!s) {
		doctor_report(d, DOCTOR_BAD, NULL, "the trial recording failed: %s", err);
		return;
	}
	doze_session_go(s);
	for (int64_t until = doze_now_ms() + TRIAL_MS;
	     !doze_session_poll(s)->ended && doze_now_ms() < until;)
		doze_sleep_ms(10);
	doze_session_finish(s);
	struct doze_session_state last = *doze_session_poll(s);
	bool bad = last.problem[0] || last.exec_errno || last.status;
	if (bad)
		report_status(d, &last);
	read_trace(d, doze_session_places(s)->output);
	/* This removes the session's folder. If doctor were killed, the supervisor would remove
	 * it. */
	doze_session_stop(s, &last);
	if (!bad && last.problem[0])
		report_status(d, &last);
}

static const struct {
	const char *name;
	void (*run)(struct doctor *);
} checks[] = {
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
    {"running", check_running},
    {"leftovers", doctor_leftovers},
    {"trial", check_trial},
};

void doctor_run(struct doctor *d, bool trial)
{
	size_t n = sizeof(checks) / sizeof(checks[0]);

	for (size_t i = 0; i < (trial ? n : n - 1); i++) {
		d->check = checks[i].name;
		checks[i].run(d);
	}
}
