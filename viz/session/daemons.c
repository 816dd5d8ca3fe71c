/*
 * SPDX-License-Identifier: MIT
 *
 * daemons.c - checks the session daemon, and looks for leftovers from earlier runs.
 */
#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../words/temp.h"
#include "ctl.h"
#include "doctor.h"
#include "files.h"

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

void doctor_session_daemon(struct doctor *d)
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
static void each_session(const char *name, void *ctx)
{
	struct doctor *d = ctx;
	int pid;
	char fix[160];
	if (sscanf(name, "doze-%d", &pid) != 1 || doze_process_runs(pid))
		return;
	snprintf(fix, sizeof(fix), "'lttng destroy %s'", name);
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

void doctor_leftovers(struct doctor *d)
{
	size_t before = d->count;
	session_ctl_sessions(each_session, d, DEADLINE_MS);
	check_folders(d);
	if (d->count == before)
		doctor_report(d, DOCTOR_OK, NULL, "no leftovers from earlier runs");
}
