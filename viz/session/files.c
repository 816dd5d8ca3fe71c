/*
 * SPDX-License-Identifier: MIT
 *
 * files.c - small helpers of the session code for files, ports and time.
 */
#include "files.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void doze_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

bool doze_readable(int fd, int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN}; /* poll() ignores a negative descriptor */
	return poll(&p, 1, ms) > 0;
}

void doze_last_line(const char *path, char *line, size_t size)
{
	*line = 0;
	FILE *f = fopen(path, "re");
	if (!f)
		return;
	char next[512];
	while (fgets(next, sizeof(next), f)) {
		next[strcspn(next, "\n")] = 0;
		if (next[strspn(next, " \t")])
			snprintf(line, size, "%s", next);
	}
	fclose(f);
}

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){
	    .sin_family = AF_INET,
	    .sin_port = htons(port),
	    .sin_addr = {htonl(INADDR_LOOPBACK)},
	};
}

/** Binds a new socket to a port chosen by the kernel. Returns the socket, or -1. */
static int bind_any(uint16_t *port)
{
	struct sockaddr_in a = loopback(0);
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&a, len) || getsockname(fd, (struct sockaddr *)&a, &len)) {
		close(fd);
		return -1;
	}
	*port = ntohs(a.sin_port);
	return fd;
}

int doze_free_ports(uint16_t *ports, size_t n)
{
	/* Keep every socket open until all ports are chosen, so that no port is chosen twice. */
	int fds[8];
	size_t held = 0;
	while (held < n && held < 8 && (fds[held] = bind_any(&ports[held])) >= 0)
		held++;
	int rc = held < n ? -1 : 0;
	while (held > 0)
		close(fds[--held]);
	return rc;
}

bool doze_port_open(uint16_t port)
{
	struct sockaddr_in a = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	bool open = connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0;
	close(fd);
	return open;
}

int doze_startup_lock(unsigned ms, int interrupt_fd)
{
	/* Use a name in the abstract socket namespace as the lock: only one socket at a time can be
	 * bound to it. */
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int n = snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1, "doze-daemon-%u", geteuid());
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int64_t until = doze_now_ms() + ms;
	while (fd >= 0) {
		if (bind(fd, (struct sockaddr *)&a, len) == 0)
			return fd;
		if (errno != EADDRINUSE || doze_now_ms() > until || doze_readable(interrupt_fd, 10))
			break;
	}
	doze_close(&fd);
	return -1;
}

static int check_executable(const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(path, X_OK) ? errno : 0;
}

int doze_find_program(const char *name, char *found, size_t size)
{
	snprintf(found, size, "%s", name);
	if (!*name)
		return ENOENT;
	if (strchr(name, '/'))
		return check_executable(name);
	const char *path = getenv("PATH");
	if (!path)
		return 0; /* PATH is not set: execvp searches its own default path */
	int best = ENOENT;
	for (const char *p = path; p; p = strchr(p, ':') ? strchr(p, ':') + 1 : NULL) {
		char file[4096];
		int len = (int)strcspn(p, ":");
		snprintf(file, sizeof(file), "%.*s%s%s", len, p, len ? "/" : "", name);
		int rc = check_executable(file);
		if (rc == 0) {
			snprintf(found, size, "%s", file);
			return 0;
		}
		/* Report a file that is not executable, but not a folder that cannot be
		 * searched. */
		if (rc == EISDIR || (rc == EACCES && access(file, F_OK) == 0))
			best = rc;
	}
	return best;
}

#ifndef DOZE_LIBDIR
#define DOZE_LIBDIR "/usr/local/lib"
#endif

bool doze_file_find(const char *name, char *path, size_t size)
{
	/* Relative to this program's folder, then the library folder of the installation, which a
	 * distribution may name after the architecture. */
	static const char *const folders[] = {"", "../lib/", "../lib/doze/", DOZE_LIBDIR "/",
					      DOZE_LIBDIR "/doze/"};
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = 0;
	char *slash = strrchr(self, '/');
	*path = 0;
	if (!slash)
		return false;
	slash[1] = 0;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const char *below = folders[i][0] == '/' ? "" : self;
		int len = snprintf(path, size, "%s%s%s", below, folders[i], name);
		if (len > 0 && (size_t)len < size && access(path, R_OK) == 0)
			return true;
	}
	*path = 0;
	return false;
}

size_t doze_process_read(int pid, const char *name, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = 0;
	return n;
}

const char *doze_process_stat(int pid, char *text, size_t size)
{
	doze_process_read(pid, "stat", text, size);
	const char *name_end = strrchr(text, ')');
	return name_end && strlen(name_end) > 2 ? name_end + 2 : NULL;
}

bool doze_process_runs(int pid)
{
	char text[512];
	const char *state = doze_process_stat(pid, text, sizeof(text));
	return state && !strchr("ZX", *state);
}

pid_t doze_pid_read(const char *path)
{
	int pid = 0;
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%d", &pid) != 1)
		pid = 0;
	fclose(f);
	return pid;
}

void doze_die_with(pid_t parent, int sig)
{
	prctl(PR_SET_PDEATHSIG, sig);
	if (getppid() != parent) /* the parent died before prctl was called, so no signal will
				  * arrive */
		_exit(1);
}

int64_t doze_now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void doze_sleep_ms(unsigned ms)
{
	struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};
	nanosleep(&t, NULL);
}
