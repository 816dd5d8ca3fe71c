/*
 * SPDX-License-Identifier: MIT
 *
 * relay.c - see relay.h. All numbers of the protocol are big-endian; all structures are packed.
 */
#include "relay.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "error_line.h"

/*
 * ---- LTTng live URLs.
 * Babeltrace parses the URL again; parsing it here gives readable errors and
 * allows asking the relay first.
 */

/* Copies `from` up to the first character that is in `stops`. Returns null if the result is empty
 * or too long. */
static const char *take(char *to, size_t size, const char *from, const char *stops)
{
	size_t n = strcspn(from, stops);

	if (n == 0 || n >= size)
		return NULL;
	memcpy(to, from, n);
	to[n] = '\0';
	return from + n;
}

static const char *take_port(struct doze_live_url *u, const char *from)
{
	const char *after;

	if (*from != ':') {
		snprintf(u->port, sizeof(u->port), "%d", DOZE_RELAY_PORT);
		return from;
	}
	after = take(u->port, sizeof(u->port), from + 1, "/");
	if (!after || strspn(u->port, "0123456789") != strlen(u->port) || atoi(u->port) < 1 ||
	    atoi(u->port) > 65535)
		return NULL;
	return after;
}

static bool take_all(struct doze_live_url *u, const char *p, bool need_session)
{
	if (strncmp(p, "net://", 6) == 0)
		p += 6;
	else if (strncmp(p, "net4://", 7) == 0)
		p += 7;
	else
		return false;
	p = take(u->relay, sizeof(u->relay), p, ":/");
	p = p ? take_port(u, p) : NULL;
	if (p && !need_session && (*p == '\0' || strcmp(p, "/") == 0))
		return true;
	if (!p || strncmp(p, "/host/", 6) != 0)
		return false;
	p = take(u->host, sizeof(u->host), p + 6, "/");
	p = p && *p == '/' ? take(u->session, sizeof(u->session), p + 1, "/?") : NULL;
	return p && *p == '\0';
}

bool doze_live_url_parse(struct doze_live_url *u, const char *url, bool need_session, char *err,
			 size_t err_size)
{
	memset(u, 0, sizeof(*u));
	if (take_all(u, url, need_session))
		return true;
	doze_line(err, err_size, "not a live URL: `%s`: write it as net://HOST[:PORT]%s", url,
		  need_session ? "/host/NAME/SESSION" : "");
	return false;
}

enum { CMD_CONNECT = 1, CMD_LIST = 2 };
enum { CLIENT_COMMAND = 1 };
/* Both sides use the lower of their minor versions. Since 15, a session has a format, and its names
 * have a length; a relay hides sessions in CTF 2 from viewers of earlier versions. */
enum { PROTOCOL_MAJOR = 2, PROTOCOL_MINOR = 15, WITH_FORMAT = 15 };
enum { FORMAT_CTF_2 = 1 };
#define MAX_SESSIONS 4096 /* a longer list is damaged */

struct wire_command {
	uint64_t data_size;
	uint32_t command, version;
} __attribute__((packed));

struct wire_connect {
	uint64_t viewer_session;
	uint32_t major, minor, type;
} __attribute__((packed));

struct wire_session {
	uint64_t id;
	uint32_t timer, clients, streams;
} __attribute__((packed));

struct wire_names {
	char host[64], name[255];
} __attribute__((packed));

struct wire_lengths {
	uint32_t host, name, format;
} __attribute__((packed));

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits until the socket is ready for `events`. Returns 0, or an errno value. */
static int wait_for(int fd, short events, int64_t deadline)
{
	struct pollfd p = {.fd = fd, .events = events};

	for (;;) {
		int64_t left = deadline - now_ms();
		int n = left > 0 ? poll(&p, 1, (int)left) : 0;

		if (n > 0)
			return 0;
		if (n == 0)
			return ETIMEDOUT;
		if (errno != EINTR)
			return errno;
	}
}

static int connect_one(const struct addrinfo *a, int *fd)
{
	int64_t deadline = now_ms() + DOZE_RELAY_DEADLINE_MS;
	int error = 0;
	socklen_t size = sizeof(error);

	*fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
	if (*fd < 0)
		return errno;
	if (connect(*fd, a->ai_addr, a->ai_addrlen) == 0)
		return 0;
	error = errno == EINPROGRESS ? wait_for(*fd, POLLOUT, deadline) : errno;
	if (error == 0 && getsockopt(*fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
		error = errno;
	if (error != 0)
		close(*fd);
	return error;
}

int doze_relay_connect(const struct doze_live_url *u, char *err, size_t err_size)
{
	struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
	struct addrinfo *list;
	int fd = -1, error = EHOSTUNREACH;
	int gai = getaddrinfo(u->relay, u->port, &hints, &list);

	if (gai != 0) {
		doze_line(err, err_size, "cannot reach the relay: %s: %s: check the name", u->relay,
			  gai_strerror(gai));
		return -1;
	}
	for (struct addrinfo *a = list; a && error != 0; a = a->ai_next)
		error = connect_one(a, &fd);
	freeaddrinfo(list);
	if (error == 0)
		return fd;
	doze_line(err, err_size,
		  "cannot reach the relay: %s:%s: %s: is lttng-relayd running there, and is this "
		  "its live port?",
		  u->relay, u->port, strerror(error));
	return -1;
}

/* Sends or receives a whole buffer. Returns 0, or an errno value (ECONNRESET if the peer closed the
 * connection). */
static int transfer(int fd, void *buffer, size_t size, short direction)
{
	int64_t deadline = now_ms() + DOZE_RELAY_DEADLINE_MS;

	for (char *p = buffer; size > 0;) {
		int error = wait_for(fd, direction, deadline);
		ssize_t n;

		if (error != 0)
			return error;
		n = direction == POLLOUT ? send(fd, p, size, MSG_NOSIGNAL) : recv(fd, p, size, 0);
		if (n == 0)
			return ECONNRESET;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return errno;
		if (n > 0) {
			p += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

/* Stores the minor version of the protocol that both sides use. */
static int greet(int fd, uint32_t *minor)
{
	struct {
		struct wire_command command;
		struct wire_connect connect;
	} __attribute__((packed)) hello = {
	    {htobe64(sizeof(struct wire_connect)), htobe32(CMD_CONNECT), 0},
	    {UINT64_MAX, htobe32(PROTOCOL_MAJOR), htobe32(PROTOCOL_MINOR), htobe32(CLIENT_COMMAND)},
	};
	int error = transfer(fd, &hello, sizeof(hello), POLLOUT);

	if (error == 0)
		error = transfer(fd, &hello.connect, sizeof(hello.connect), POLLIN);
	if (error == 0 && be32toh(hello.connect.major) != PROTOCOL_MAJOR)
		error = EPROTO;
	*minor = be32toh(hello.connect.minor);
	if (*minor > PROTOCOL_MINOR)
		*minor = PROTOCOL_MINOR;
	return error;
}

static int receive_fixed_names(int fd, struct doze_relay_session *s)
{
	struct wire_names w;
	int error = transfer(fd, &w, sizeof(w), POLLIN);

	if (error == 0) {
		memcpy(s->host, w.host, sizeof(w.host) - 1);
		memcpy(s->name, w.name, sizeof(w.name));
	}
	return error;
}

static int receive_names(int fd, struct doze_relay_session *s)
{
	struct wire_lengths w;
	int error = transfer(fd, &w, sizeof(w), POLLIN);

	if (error != 0)
		return error;
	if (be32toh(w.host) >= sizeof(s->host) || be32toh(w.name) >= sizeof(s->name))
		return EPROTO;
	s->ctf2 = be32toh(w.format) == FORMAT_CTF_2;
	error = transfer(fd, s->host, be32toh(w.host), POLLIN);
	return error ? error : transfer(fd, s->name, be32toh(w.name), POLLIN);
}

static int receive_session(int fd, uint32_t minor, struct doze_relay_session *s)
{
	struct wire_session w;
	int error = transfer(fd, &w, sizeof(w), POLLIN);

	if (error != 0)
		return error;
	*s = (struct doze_relay_session){.id = be64toh(w.id),
					 .timer_us = be32toh(w.timer),
					 .clients = be32toh(w.clients),
					 .streams = be32toh(w.streams)};
	return minor < WITH_FORMAT ? receive_fixed_names(fd, s) : receive_names(fd, s);
}

static int list_sessions(int fd, uint32_t minor, struct doze_relay_session **list, int *count)
{
	struct wire_command command = {0, htobe32(CMD_LIST), 0};
	uint32_t n = 0;
	int error = transfer(fd, &command, sizeof(command), POLLOUT);

	if (error == 0)
		error = transfer(fd, &n, sizeof(n), POLLIN);
	n = be32toh(n);
	if (error == 0 && n > MAX_SESSIONS)
		error = EPROTO;
	if (error != 0)
		return error;
	*list = calloc(n + 1, sizeof(**list));
	if (!*list)
		return ENOMEM;
	*count = (int)n;
	for (uint32_t i = 0; error == 0 && i < n; i++)
		error = receive_session(fd, minor, &(*list)[i]);
	if (error != 0)
		free(*list);
	return error;
}

static const char *meaning(int error)
{
	switch (error) {
	case ETIMEDOUT:
		return "it does not answer: is it stopped, or does another program use this port?";
	case EPROTO:
	case ECONNRESET:
		return "it does not speak LTTng's live protocol: give the relay's live port "
		       "(lttng-relayd --live-port)";
	default:
		return strerror(error);
	}
}

int doze_relay_list(const struct doze_live_url *u, struct doze_relay_session **list, char *err,
		    size_t err_size)
{
	int fd = doze_relay_connect(u, err, err_size);
	int error, count = -1;
	uint32_t minor;

	if (fd < 0)
		return -1;
	error = greet(fd, &minor);
	if (error == 0)
		error = list_sessions(fd, minor, list, &count);
	close(fd);
	if (error == 0)
		return count;
	doze_line(err, err_size, "cannot query the relay: %s:%s: %s", u->relay, u->port,
		  meaning(error));
	return -1;
}
