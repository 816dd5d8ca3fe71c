/*
 * SPDX-License-Identifier: MIT
 *
 * asleep.h - finds out whether all other threads of this process sleep, so that a hang is detected
 * without a time limit: if all of them sleep, none of them can wake another one.
 */
#ifndef DOZE_LAB10_ASLEEP_H
#define DOZE_LAB10_ASLEEP_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/os.h"

/* Adds the thread's voluntary context switches to *switches. Returns false if the thread does not
 * sleep, or if /proc does not show its state and switches. */
static bool thread_sleeps(const char *id, uint64_t *switches)
{
	char path[300], line[200];
	bool sleeps = false, counted = false;
	unsigned long n;

	snprintf(path, sizeof(path), "/proc/self/task/%s/status", id);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return false;
	while (fgets(line, sizeof(line), file) != NULL) {
		if (strncmp(line, "State:\tS", 8) == 0)
			sleeps = true;
		if (sscanf(line, "voluntary_ctxt_switches: %lu", &n) == 1) {
			counted = true;
			*switches += n;
		}
	}
	fclose(file);
	return sleeps && counted;
}

static bool all_sleep_now(uint64_t *switches)
{
	DIR *tasks = opendir("/proc/self/task");
	bool sleep = tasks != NULL;
	uint32_t self = doze_os_thread_id();

	*switches = 0;
	for (struct dirent *entry; sleep && (entry = readdir(tasks)) != NULL;)
		if (entry->d_name[0] != '.' && strtoul(entry->d_name, NULL, 10) != self)
			sleep = thread_sleeps(entry->d_name, switches);
	if (tasks != NULL)
		closedir(tasks);
	return sleep;
}

/** Returns whether all other threads sleep. No thread may sleep with a timeout, because it would
 * count as asleep. If a thread is woken during the first check, then at the second check it runs or
 * has made another context switch. */
static bool all_others_sleep(void)
{
	uint64_t first, second;
	return all_sleep_now(&first) && all_sleep_now(&second) && first == second;
}

#endif
