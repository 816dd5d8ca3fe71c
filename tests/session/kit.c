/*
 * SPDX-License-Identifier: MIT
 *
 * kit.c - see kit.h.
 */
#include "kit.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool as_user(void)
{
	static const char suffix[] = "_as_user";
	size_t n = strlen(program_invocation_short_name), m = sizeof(suffix) - 1;
	return n >= m && strcmp(program_invocation_short_name + n - m, suffix) == 0;
}

void kit_skip_if_same(void)
{
	if (!as_user() || geteuid() == 0)
		return;
	puts("not root: the other run of this suite is the same");
	exit(77);
}

static unsigned failures; /* when the rig was opened */

void kit_open(enum kit_daemon daemon)
{
	failures = CU_get_number_of_failures();
	suite_allow_seconds(150);
	enum rig_mode mode = as_user() ? RIG_USER : rig_usual_mode();
	/* A container may forbid mount namespaces: then there is only the user's own daemon. */
	CU_ASSERT_TRUE_FATAL(rig_open(mode) || rig_open(RIG_USER));
	setenv("TMPDIR", rig_dir(), 1);
	if (daemon == KIT_DAEMON)
		CU_ASSERT_TRUE_FATAL(rig_sessiond());
}

/* ---- what is left ---- */

/** Whether the process was started in the rig: its environment says so. */
static bool of_rig(const char *pid)
{
	char path[300], wanted[128];
	static char text[1 << 16];
	snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	snprintf(wanted, sizeof(wanted), "LTTNG_HOME=%s", rig_dir());
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = 0;
	for (char *word = text; word < text + n; word += strlen(word) + 1)
		if (strcmp(word, wanted) == 0)
			return true;
	return false;
}

static void name_of(const char *pid, char *name, size_t size)
{
	char path[300];
	*name = 0;
	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	FILE *f = fopen(path, "re");
	if (f && fgets(name, (int)size, f))
		name[strcspn(name, "\n")] = 0;
	if (f)
		fclose(f);
}

/** Calls each for the rig's processes, its own daemons (their process groups) left out. */
static void each_process(void (*each)(pid_t pid, const char *comm, void *ctx), void *ctx)
{
	DIR *proc = opendir("/proc");
	for (struct dirent *e; proc && (e = readdir(proc));) {
		pid_t pid = (pid_t)atoi(e->d_name), group = pid > 0 ? getpgid(pid) : -1;
		if (pid <= 0 || group == rig_sessiond_pid() || group == rig_relayd_pid() ||
		    !of_rig(e->d_name))
			continue;
		char comm[64];
		name_of(e->d_name, comm, sizeof(comm));
		each(pid, comm, ctx);
	}
	if (proc)
		closedir(proc);
}

struct found {
	const char *comm;
	pid_t pid;
};

static void compare(pid_t pid, const char *comm, void *ctx)
{
	struct found *f = ctx;
	if (strcmp(comm, f->comm) == 0)
		f->pid = pid;
}

pid_t kit_find(const char *comm)
{
	struct found f = {.comm = comm};
	each_process(compare, &f);
	return f.pid;
}

void kit_kill(const char *comm, int sig)
{
	pid_t pid = kit_find(comm);
	CU_ASSERT_TRUE_FATAL(pid > 0); /* kill(0) would be our own end */
	kill(pid, sig);
}

struct left {
	int count;
	bool show;
};

static void one_left(struct left *l, const char *what, const char *which)
{
	l->count++;
	if (l->show)
		printf("\n    left behind: %s %s", what, which);
}

static void left_process(pid_t pid, const char *comm, void *ctx)
{
	char text[96];
	snprintf(text, sizeof(text), "%s (%d)", comm, (int)pid);
	one_left(ctx, "process", text);
}

/** Temporary folders, and shared memory other than what LTTng keeps for ever by design. */
static void left_files(struct left *l, const char *dir, const char *prefix, const char *except)
{
	DIR *d = opendir(dir);
	for (struct dirent *e; d && (e = readdir(d));) {
		char path[512];
		struct stat rig, st;
		snprintf(path, sizeof(path), "%s/%.200s", dir, e->d_name);
		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 || e->d_name[0] == '.' ||
		    (*except && strncmp(e->d_name, except, strlen(except)) == 0))
			continue;
		if (stat(rig_dir(), &rig) == 0 && lstat(path, &st) == 0 && st.st_uid == rig.st_uid)
			one_left(l, "file", path);
	}
	if (d)
		closedir(d);
}

static int look(bool show)
{
	struct left l = {.show = show};
	each_process(left_process, &l);
	left_files(&l, rig_dir(), "doze-", "");
	/* The machine's /dev/shm has other people's files; the rig's user may have some there, too.
	 */
	left_files(&l, "/dev/shm", "shm-ust-consumer", "");
	left_files(&l, "/dev/shm", "shm-event-notifier", "");
	left_files(&l, "/dev/shm", "lttng", "lttng-ust-wait");
	if (rig_sessiond_pid() > 0 && kill(rig_sessiond_pid(), 0) == 0 &&
	    strstr(rig_out("timeout 5 lttng -n list"), "doze-"))
		one_left(&l, "session", "doze-…");
	return l.count;
}

void kit_clean(unsigned ms)
{
	long long until = rig_now_ms() + ms;
	while (look(false) > 0 && rig_now_ms() < until)
		rig_sleep_ms(50);
	CU_ASSERT_EQUAL(look(true), 0);
}

/** What only the rig's folder knows, and is gone with it. */
static void show_rig(void)
{
	printf("\n    the rig at the end: %s",
	       rig_out("for f in err t/program.log log; do echo \"== $f\"; tail -n 15 $f; done;"
		       "echo == files; find . -newer doze -type f; echo == processes; ps x"));
}

void kit_close(unsigned ms)
{
	kit_clean(ms);
	if (CU_get_number_of_failures() > failures)
		show_rig();
	rig_close();
}

/* ---- commands and files ---- */

pid_t kit_start(const char *command)
{
	return rig_start("exec 2>err; %s", command);
}

int kit_run(const char *command)
{
	return rig_sh("exec 2>err; %s", command);
}

void kit_ok(const char *command)
{
	int status = kit_run(command);
	CU_ASSERT_EQUAL(status, 0);
	if (status != 0)
		printf("\n    %s: exit %d: %s", command, status, rig_out("cat err"));
}

bool kit_says(const char *file, const char *text)
{
	char path[256];
	static char content[1 << 16];
	snprintf(path, sizeof(path), "%s/%s", rig_dir(), file);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(content, 1, sizeof(content) - 1, f) : 0;
	if (f)
		fclose(f);
	content[n] = 0;
	if (strstr(content, text))
		return true;
	printf("\n    %s does not say '%s', but: %s", file, text, content);
	return false;
}

bool kit_await_file(const char *file)
{
	char path[256];
	struct stat st;
	snprintf(path, sizeof(path), "%s/%s", rig_dir(), file);
	for (long long until = rig_now_ms() + (long long)RIG_AWAIT_MS * suite_slow();
	     rig_now_ms() < until; rig_sleep_ms(10))
		if (stat(path, &st) == 0 && st.st_size > 0)
			return true;
	return false;
}

bool kit_await_pool(const char *dir)
{
	char log[256];
	snprintf(log, sizeof(log), "%s/program.log", dir);
	if (rig_await_line(log, "at work"))
		return true;
	printf("\n    doze says: %s", rig_out("cat err"));
	return false;
}
