/*
 * SPDX-License-Identifier: MIT
 *
 * The explorer leaves this file out: keep the steps of protocols out of it.
 *
 * quota.c - reads the CPU quota of this process, and how long it was throttled, from its control
 * groups, versions 1 and 2. Also part of the trace provider, which records both.
 *
 * /proc/self/cgroup names the process's group in each hierarchy; /proc/self/mountinfo names the
 * mount point of each hierarchy. A group's limit also applies to its descendants, so every group
 * from the process's own up to the mount point is read: cpu.max in version 2, cpu.cfs_quota_us and
 * cpu.cfs_period_us in version 1, and cpu.stat in both (Linux,
 * Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst).
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"

#define MILLI 1000

/* One cgroup hierarchy. The directory of the process's group is "<root><mount><group>". */
struct hierarchy {
	const char *root; /* prefix of every path; "" except in tests */
	bool v2;
	char mount[PATH_MAX];
	char group[PATH_MAX];
};

static FILE *open_in(const char *root, const char *path)
{
	char full[PATH_MAX];
	int n = snprintf(full, sizeof full, "%s%s", root, path);
	return n > 0 && (size_t)n < sizeof full ? fopen(full, "re") : NULL;
}

/* Returns whether the comma-separated list contains the word. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
		if ((at == list || at[-1] == ',') && strchr(",\n", at[length]) != NULL)
			return true;
	return false;
}

/* Fills h->group from /proc/self/cgroup, whose lines are "number:controllers:group". */
static bool find_group(struct hierarchy *h)
{
	char line[PATH_MAX + 256];
	bool found = false;
	FILE *f = open_in(h->root, "/proc/self/cgroup");

	while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
		char *controllers = strchr(line, ':');
		char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
		if (group == NULL)
			continue;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		found = h->v2 ? controllers[1] == '\0' : has_word(controllers + 1, "cpu");
		if (found)
			(void)snprintf(h->group, sizeof h->group, "%.*s", PATH_MAX - 1, group);
	}
	if (f != NULL)
		(void)fclose(f);
	return found;
}

/* Parses a line of mountinfo, "id parent device root mount options… - type source options". Returns
 * true if it mounts this hierarchy; *top is then the group at the root of the mount. */
static bool is_mount(struct hierarchy *h, char *line, char *top)
{
	char type[64], options[1024];
	const char *second = strstr(line, " - ");
	if (second == NULL || sscanf(second, " - %63s %*s %1023s", type, options) != 2)
		return false;
	bool right = h->v2 ? strcmp(type, "cgroup2") == 0
			   : strcmp(type, "cgroup") == 0 && has_word(options, "cpu");
	return right && sscanf(line, "%*s %*s %*s %4095s %4095s", top, h->mount) == 2;
}

/* Fills h->mount and makes h->group relative to it. */
static bool find_mount(struct hierarchy *h)
{
	char line[3 * PATH_MAX], top[PATH_MAX];
	bool found = false;
	FILE *f = open_in(h->root, "/proc/self/mountinfo");

	while (f != NULL && !found && fgets(line, sizeof line, f) != NULL)
		found = is_mount(h, line, top);
	if (f != NULL)
		(void)fclose(f);
	size_t length = found ? strlen(top) : 0;
	if (length > 1 && strncmp(h->group, top, length) == 0)
		memmove(h->group, h->group + length, strlen(h->group + length) + 1);
	/* In a container, the parents of the group may be invisible, so use the limit at the mount
	 * point. */
	if (strncmp(h->group, "/..", 3) == 0 || strcmp(h->group, "/") == 0)
		h->group[0] = '\0';
	return found;
}

static FILE *open_group_file(const struct hierarchy *h, const char *name)
{
	char path[3 * PATH_MAX];
	(void)snprintf(path, sizeof path, "%s%s/%s", h->mount, h->group, name);
	return open_in(h->root, path);
}

/* Reads the first line of a file in the group's directory. Returns false if it cannot be read. */
static bool read_limit(const struct hierarchy *h, const char *name, char *line, int size)
{
	FILE *f = open_group_file(h, name);
	bool read = f != NULL && fgets(line, size, f) != NULL;
	if (f != NULL)
		(void)fclose(f);
	return read;
}

/* Returns the limit of h->group itself in thousandths of a CPU, at least 1, or 0 if it has none. */
static uint64_t limit_here(const struct hierarchy *h)
{
	char line[64];
	long long quota = 0, period = 0;

	if (h->v2) {
		if (!read_limit(h, "cpu.max", line, sizeof line) ||
		    sscanf(line, "%lld %lld", &quota, &period) != 2)
			return 0; /* "max …": no limit */
	} else if (!read_limit(h, "cpu.cfs_quota_us", line, sizeof line) ||
		   sscanf(line, "%lld", &quota) != 1 ||
		   !read_limit(h, "cpu.cfs_period_us", line, sizeof line) ||
		   sscanf(line, "%lld", &period) != 1) {
		return 0;
	}
	if (quota <= 0 || period <= 0 || quota > LLONG_MAX / MILLI)
		return 0;
	return quota * MILLI < period ? 1 : (uint64_t)(quota * MILLI / period);
}

/* Returns how long h->group itself has been throttled in total, in ns; 0 if it is unknown. */
static uint64_t throttled_here(const struct hierarchy *h)
{
	char line[128];
	unsigned long long total = 0;
	const char *name = h->v2 ? "throttled_usec " : "throttled_time ";
	FILE *f = open_group_file(h, "cpu.stat");

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			total = strtoull(line + strlen(name), NULL, 10);
	if (f != NULL)
		(void)fclose(f);
	return h->v2 ? total * 1000 : total;
}

/* Adds the group and its parents to *limit. */
static void add_hierarchy(struct hierarchy *h, struct doze_cpu_limit *limit)
{
	if (!find_group(h) || !find_mount(h))
		return;
	for (;;) {
		uint64_t here = limit_here(h);
		uint64_t throttled = here != 0 ? throttled_here(h) : 0;
		if (here != 0 && (limit->quota_milli == 0 || here < limit->quota_milli))
			limit->quota_milli = here;
		if (throttled > limit->throttled_ns)
			limit->throttled_ns = throttled;
		char *last = strrchr(h->group, '/');
		if (last == NULL)
			return;
		*last = '\0';
	}
}

struct doze_cpu_limit doze_os_cpu_limit(const char *root)
{
	struct doze_cpu_limit limit = {0, 0};
	struct hierarchy h = {.root = root, .v2 = true};

	add_hierarchy(&h, &limit);
	h.v2 = false;
	add_hierarchy(&h, &limit);
	return limit;
}
