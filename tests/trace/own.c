/*
 * SPDX-License-Identifier: MIT
 *
 * own.c - see own.h.
 */
#include "own.h"

#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

bool own_mounts(void)
{
	mkdir("/run/lttng", 0755);
	return unshare(CLONE_NEWNS) == 0 && mount("none", "/", 0, MS_REC | MS_PRIVATE, 0) == 0 &&
	       mount("rig", "/run/lttng", "tmpfs", 0, "mode=755") == 0 &&
	       mount("rig", "/dev/shm", "tmpfs", 0, "mode=1777,size=512m") == 0;
}

void own_network(void)
{
	struct ifreq lo = {.ifr_flags = IFF_UP | IFF_RUNNING};
	if (unshare(CLONE_NEWNET) != 0)
		return;
	strcpy(lo.ifr_name, "lo");
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	(void)ioctl(s, SIOCSIFFLAGS, &lo);
	close(s);
}
