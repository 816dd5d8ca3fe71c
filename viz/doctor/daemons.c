/*
 * SPDX-License-Identifier: MIT
 *
 * daemons.c - the session daemon: does it run, does it answer; and what earlier runs left behind.
 */
#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../session/ctl.h"
#include "../session/files.h"
#include "doctor.h"

#define DEADLINE_MS 3000

/** A daemon of the system that this user may not talk to is a frequent surprise. */
static void check_group(struct doctor *d)
{
	static const char socket[] = "/run/lttng/client-lttng-sessiond";
	const struct group *g = getgrnam("tracing");
	if (geteuid() == 0 || access(socket, F_OK) || access(socket, W_OK) == 0)
		return;
	doctor_say(d, DOCTOR_NOTE,
		   g ? "to use it, join the group: 'sudo usermod -aG tracing $USER', log in again"
		     : NULL,
		   "the system's session daemon is not for this user; doze uses one of its own");
}

void doctor_session_daemon(struct doctor *d)
{
	char mend[128];
	struct ctl_reply r = session_ctl_ask(NULL, DEADLINE_MS);
	pid_t pid = session_ctl_daemon_pid();
	check_group(d);
	switch (r.status) {
	case CTL_OK:
		doctor_say(d, DOCTOR_OK, NULL, "one runs (pid %d) and answers; %llu sessions",
			   (int)pid, (unsigned long long)r.count);
		break;
	case CTL_ABSENT:
		doctor_say(d, DOCTOR_OK, NULL, "none runs; doze starts one when it needs it");
		break;
	case CTL_TIMEOUT:
		snprintf(mend, sizeof(mend), "if it was stopped: 'kill -CONT %d'; else restart it",
			 (int)pid);
		doctor_say(d, DOCTOR_BAD, mend, "the one that runs (pid %d) does not answer",
			   (int)pid);
		break;
	default:
		doctor_say(d, DOCTOR_BAD, "restart it", "%s", r.text);
		break;
	}
}

/** A session doze-PID whose doze is gone: it was killed together with its supervisor. */
static void each_session(const char *name, void *ctx)
{
	struct doctor *d = ctx;
	int pid;
	char mend[160];
	if (sscanf(name, "doze-%d", &pid) != 1 || doze_process_runs(pid))
		return;
	snprintf(mend, sizeof(mend), "'lttng destroy %s'", name);
	doctor_say(d, DOCTOR_BAD, mend, "session %s: its doze is gone", name);
}

/** A folder doze-XXXXXX that nobody has open as the place of its logs, and is not new. */
static bool is_stale_folder(const char *dir, const char *name)
{
	char path[4096];
	struct stat st;
	if (strncmp(name, "doze-", 5) != 0 || strlen(name) != 11)
		return false;
	snprintf(path, sizeof(path), "%s/%s/supervisor.pid", dir, name);
	FILE *f = fopen(path, "re");
	int pid = 0;
	bool known = f && fscanf(f, "%d", &pid) == 1;
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return known && lstat(path, &st) == 0 && st.st_uid == geteuid() && !doze_process_runs(pid);
}

static void check_folders(struct doctor *d)
{
	const char *tmp = doze_temp_base();
	DIR *dir = opendir(tmp);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		char mend[400];
		if (!is_stale_folder(tmp, e->d_name))
			continue;
		snprintf(mend, sizeof(mend), "'rm -r %s/%.20s'", tmp, e->d_name);
		doctor_say(d, DOCTOR_BAD, mend, "%s/%.20s: its doze is gone", tmp, e->d_name);
	}
	if (dir)
		closedir(dir);
}

void doctor_leftovers(struct doctor *d)
{
	size_t before = d->count;
	session_ctl_sessions(each_session, d, DEADLINE_MS);
	check_folders(d);
	if (d->count == before)
		doctor_say(d, DOCTOR_OK, NULL, "nothing of an earlier run is left");
}
