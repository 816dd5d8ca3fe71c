/*
 * SPDX-License-Identifier: MIT
 *
 * rig_processes.c - see rig_processes.h.
 */
#include "rig_processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rig.h"

static bool file_has(const char *path, const char *word)
{
	char text[1 << 14];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text));

	if (fd >= 0)
		close(fd);
	return n > 0 && memmem(text, (size_t)n, word, strlen(word));
}

int rig_each_process(const char *comm, void (*act)(pid_t, int), int arg)
{
	char home[128], path[64];
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	int count = 0;

	snprintf(home, sizeof(home), "LTTNG_HOME=%s", rig_dir());
	while (proc && (entry = readdir(proc))) {
		pid_t pid = (pid_t)atol(entry->d_name);

		snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
		if (pid <= 0 || pid == getpid() || !file_has(path, home))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
		if (comm && !file_has(path, comm))
			continue;
		count++;
		if (act)
			act(pid, arg);
	}
	if (proc)
		closedir(proc);
	return count;
}

void rig_print_process(pid_t pid, int arg)
{
	char path[64], comm[32] = "";
	int fd;

	(void)arg;
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, comm, sizeof(comm) - 1) > 0)
		printf("\n    left behind: %d %s", (int)pid, comm);
	if (fd >= 0)
		close(fd);
}

static pid_t found;

static void remember(pid_t pid, int arg)
{
	(void)arg;
	found = pid;
}

long rig_cpu_time(const char *comm)
{
	long user = 0, system = 0;

	if (rig_each_process(comm, remember, 0) != 1 ||
	    sscanf(rig_out("cut -d ' ' -f 14,15 /proc/%d/stat", (int)found), "%ld %ld", &user,
		   &system) != 2)
		return -1;
	return user + system;
}
