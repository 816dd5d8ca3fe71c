/*
 * SPDX-License-Identifier: MIT
 *
 * The number of CPUs: control groups of both versions, in a file system that the test creates; the
 * affinity mask; and the default number of workers.
 */
#include "help.h"
#include "lib/os.h"
#include "tests/fixtures/suite.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

static void make_folders(const char *path)
{
	char part[512];
	for (const char *slash = strchr(path + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		(void)snprintf(part, sizeof part, "%s%.*s", root, (int)(slash - path), path);
		(void)mkdir(part, 0755);
	}
}

static void write_file(const char *path, const char *text)
{
	char full[512];
	make_folders(path);
	(void)snprintf(full, sizeof full, "%s%s", root, path);
	FILE *f = fopen(full, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	(void)fputs(text, f);
	(void)fclose(f);
}

static void new_root(const char *cgroup, const char *mountinfo)
{
	(void)strcpy(root, "/tmp/doze-quota-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
	write_file("/proc/self/cgroup", cgroup);
	write_file("/proc/self/mountinfo", mountinfo);
}

static void remove_root(void)
{
	char command[128];
	(void)snprintf(command, sizeof command, "rm -rf '%s'", root);
	CU_ASSERT_EQUAL(system(command), 0);
}

/* Returns the quota in CPUs, rounded down, at least 1; 0 means no limit. */
static uint64_t quota(const char *at)
{
	uint64_t milli = doze_os_cpu_limit(at).quota_milli;
	return milli != 0 && milli < 1000 ? 1 : milli / 1000;
}

#define MOUNTS_2 "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNTS_1                                                                                   \
	"31 30 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"                        \
	"32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"

static void no_groups(void)
{
	CU_ASSERT_EQUAL(quota("/nowhere"), 0);
	new_root("0::/\n", "25 1 8:1 / / rw - ext4 /dev/sda rw\n");
	CU_ASSERT_EQUAL(quota(root), 0);
	remove_root();
}

static void version_2(void)
{
	new_root("0::/user/job\n", MOUNTS_2);
	CU_ASSERT_EQUAL(quota(root), 0); /* cpu.max does not exist */
	write_file("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
	CU_ASSERT_EQUAL(quota(root), 0);
	write_file("/sys/fs/cgroup/user/job/cpu.max", "350000 100000\n");
	CU_ASSERT_EQUAL(quota(root), 3);
	/* The parent group's limit is lower. */
	write_file("/sys/fs/cgroup/user/cpu.max", "200000 100000\n");
	CU_ASSERT_EQUAL(quota(root), 2);
	write_file("/sys/fs/cgroup/user/job/cpu.max", "50000 100000\n");
	CU_ASSERT_EQUAL(quota(root), 1);
	remove_root();
}

static void version_1(void)
{
	new_root("5:cpuset:/\n4:cpu,cpuacct:/job\n", MOUNTS_1);
	write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
	write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	CU_ASSERT_EQUAL(quota(root), 0);
	write_file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "500000\n");
	write_file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
	CU_ASSERT_EQUAL(quota(root), 5);
	write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "20000\n");
	CU_ASSERT_EQUAL(quota(root), 1);
	remove_root();
}

/* The view from inside a container: the container's own group is the root of the mount, but the
 * process's path still begins above it. */
static void in_a_container(void)
{
	new_root("4:cpu,cpuacct:/docker/abc\n0::/../outside\n",
		 "32 30 0:28 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup "
		 "rw,cpu\n" MOUNTS_2);
	write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "400000\n");
	write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	CU_ASSERT_EQUAL(quota(root), 4);
	write_file("/sys/fs/cgroup/cpu.max", "300000 100000\n");
	CU_ASSERT_EQUAL(quota(root), 3); /* the smaller of two quotas */
	remove_root();
}

static void throttled(void)
{
	new_root("0::/user/job\n", MOUNTS_2);
	write_file("/sys/fs/cgroup/user/job/cpu.stat",
		   "usage_usec 9\nnr_periods 19\nnr_throttled 16\nthrottled_usec 1500\n");
	CU_ASSERT_EQUAL(doze_os_cpu_limit(root).throttled_ns, 0); /* no quota: an old figure */
	write_file("/sys/fs/cgroup/user/job/cpu.max", "50000 100000\n");
	CU_ASSERT_EQUAL(doze_os_cpu_limit(root).quota_milli, 500);
	CU_ASSERT_EQUAL(doze_os_cpu_limit(root).throttled_ns, 1500000);
	write_file("/sys/fs/cgroup/user/cpu.max", "200000 100000\n");
	write_file("/sys/fs/cgroup/user/cpu.stat", "throttled_usec 2500\n");
	CU_ASSERT_EQUAL(doze_os_cpu_limit(root).throttled_ns, 2500000);
	remove_root();
	new_root("5:cpu,cpuacct:/job\n", MOUNTS_1);
	write_file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "150000\n");
	write_file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
	write_file("/sys/fs/cgroup/cpu,cpuacct/job/cpu.stat",
		   "nr_periods 19\nnr_throttled 16\nthrottled_time 700\n");
	CU_ASSERT_EQUAL(doze_os_cpu_limit(root).quota_milli, 1500);
	CU_ASSERT_EQUAL(doze_os_cpu_limit(root).throttled_ns, 700);
	remove_root();
}

static void nonsense_is_no_limit(void)
{
	new_root("garbage\n0::/job\n", "nothing\n" MOUNTS_2);
	write_file("/sys/fs/cgroup/job/cpu.max", "many few\n");
	CU_ASSERT_EQUAL(quota(root), 0);
	write_file("/sys/fs/cgroup/job/cpu.max", "100000 0\n");
	CU_ASSERT_EQUAL(quota(root), 0);
	remove_root();
}

static void mask_counts(void)
{
	cpu_set_t before, one;
	size_t cpu = 0;
	CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof before, &before), 0);
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	CU_ASSERT_TRUE(doze_os_cpu_count() <= (uint32_t)CPU_COUNT(&before));
	CU_ASSERT_EQUAL_FATAL(sched_setaffinity(0, sizeof one, &one), 0);
	unsetenv("DOZE_NUM_THREADS");
	doze_pool *pool = help_pool(0, NULL);
	CU_ASSERT_EQUAL(doze_num_threads(pool), 1);
	doze_pool_free(pool);
	CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof before, &before), 0);
}

static const struct suite_test tests[] = {
    {"on a system without control groups, there is no CPU limit", no_groups},
    {"cpu.max limits the default number of workers, even if a parent group sets it", version_2},
    {"a quota of control groups v1 limits the default number of workers", version_1},
    {"a container's quota applies, and the smaller of two quotas wins", in_a_container},
    {"the throttled time is read in both versions, for groups with a quota", throttled},
    {"a malformed control-group file sets no limit", nonsense_is_no_limit},
    {"the affinity mask limits the default number of workers", mask_counts},
};
SUITE_MAIN("quota", tests)
