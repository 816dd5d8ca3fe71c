/*
 * SPDX-License-Identifier: MIT
 *
 * dies_at_notify.c - a traced program that is killed at the worst moment: it has filled a
 * sub-buffer and is about to notify the consumer daemon, for which liblttng-ust writes a byte to a
 * pipe. The program's own write() overrides the C library's, so that the program can die within
 * that call.
 */
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/doze.h"

static bool notifies_of_a_buffer(int fd, const void *bytes, size_t n)
{
	struct stat s;
	return n == 1 && *(const char *)bytes == 0 && fstat(fd, &s) == 0 && S_ISFIFO(s.st_mode);
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *bytes, size_t n)
{
	if (notifies_of_a_buffer(fd, bytes, n))
		raise(SIGKILL);
	return syscall(SYS_write, fd, bytes, n);
}

static void work(void *ctx)
{
	(void)ctx;
}

int main(void)
{
	doze_pool *pool;
	if (doze_pool_create(&pool, 0) != 0)
		return 3;
	for (;;)
		doze_install(pool, work, NULL);
}
