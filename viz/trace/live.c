/*
 * SPDX-License-Identifier: MIT
 *
 * live.c - see live.h.
 */
#include "live.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "error_line.h"
#include "masked_thread.h"
#include "metadata.h"
#include "reader.h"
#include "sink.h"

/*
 * ---- A proxy between Babeltrace and the relay that forwards metadata only when Babeltrace can use
 * it. All numbers of the protocol are big-endian; all structures are packed. Requests and answers
 * alternate, so it is enough to know the last request.
 */

enum { CMD_GET_METADATA = 6, CMD_NEW_STREAMS = 7 };
enum { NEW_STREAMS_HUP = 4 };
#define REQUEST_MAX  8192       /* the protocol's longest request has a few hundred bytes */
#define METADATA_MAX (64 << 20) /* anything larger is not metadata */

struct wire_request {
	uint64_t size;
	uint32_t command, version;
} __attribute__((packed));

struct doze_live_proxy {
	pthread_t thread;
	int listener, client, relay, stop; /* stop: an eventfd, which stays readable once set */
	uint32_t command; /* command of the last request; 0: its answer has begun */
	struct doze_metagate gate;
	char buffer[1 << 16];
};

/* Waits until the socket is ready. Returns false if the proxy must stop. */
static bool await(const struct doze_live_proxy *b, int fd, short events)
{
	struct pollfd p[] = {{.fd = fd, .events = events}, {.fd = b->stop, .events = POLLIN}};

	while (poll(p, 2, -1) < 0)
		if (errno != EINTR)
			return false;
	return p[1].revents == 0;
}

/* Sends or receives a whole buffer. Returns false if the peer has closed the connection or the
 * proxy must stop. */
static bool transfer(const struct doze_live_proxy *b, int fd, void *buffer, size_t size,
		     short events)
{
	for (char *p = buffer; size > 0;) {
		ssize_t n;

		if (!await(b, fd, events))
			return false;
		n = events == POLLOUT ? send(fd, p, size, MSG_NOSIGNAL | MSG_DONTWAIT)
				      : recv(fd, p, size, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return false;
		if (n > 0) {
			p += n;
			size -= (size_t)n;
		}
	}
	return true;
}

/* Reads the relay's answer, passes it through the metadata gate, and sends the result to the
 * client. */
static bool answer_metadata(struct doze_live_proxy *b, uint64_t stream)
{
	struct doze_metagate_head head;
	void *piece = NULL;
	uint64_t size;
	bool ok;

	if (!transfer(b, b->relay, &head, sizeof(head), POLLIN))
		return false;
	size = be32toh(head.status) == DOZE_METADATA_OK ? be64toh(head.size) : 0;
	if (size > METADATA_MAX || (size > 0 && !(piece = malloc(size))))
		return false;
	ok = transfer(b, b->relay, piece, size, POLLIN) &&
	     doze_metagate_pass(&b->gate, stream, &head, &piece);
	if (ok && be32toh(head.status) == DOZE_METADATA_OK)
		size = be64toh(head.size);
	else
		size = 0;
	ok = ok && transfer(b, b->client, &head, sizeof(head), POLLOUT) &&
	     transfer(b, b->client, piece, size, POLLOUT);
	free(piece);
	return ok;
}

static bool pass_request(struct doze_live_proxy *b)
{
	struct wire_request head;
	uint64_t size, stream = 0;

	if (!transfer(b, b->client, &head, sizeof(head), POLLIN))
		return false;
	size = be64toh(head.size);
	b->command = be32toh(head.command);
	if (size > REQUEST_MAX)
		return false;
	/* Write everything at once. Otherwise the relay's delayed acknowledgement would delay the
	 * second part. */
	memcpy(b->buffer, &head, sizeof(head));
	if (!transfer(b, b->client, b->buffer + sizeof(head), size, POLLIN) ||
	    !transfer(b, b->relay, b->buffer, sizeof(head) + size, POLLOUT))
		return false;
	if (b->command != CMD_GET_METADATA || size < sizeof(stream))
		return true;
	memcpy(&stream, b->buffer + sizeof(head), sizeof(stream));
	return answer_metadata(b, stream);
}

static bool pass_answer(struct doze_live_proxy *b)
{
	ssize_t n = recv(b->relay, b->buffer, sizeof(b->buffer), MSG_DONTWAIT);
	uint32_t status;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n <= 0)
		return false;
	if (b->command == CMD_NEW_STREAMS && n >= (ssize_t)sizeof(status)) {
		memcpy(&status, b->buffer, sizeof(status));
		/* The session has ended, so no more metadata will arrive: hold nothing back. */
		b->gate.open |= be32toh(status) == NEW_STREAMS_HUP;
	}
	b->command = 0;
	return transfer(b, b->client, b->buffer, (size_t)n, POLLOUT);
}

static bool pass(struct doze_live_proxy *b)
{
	struct pollfd p[] = {{.fd = b->client, .events = POLLIN},
			     {.fd = b->relay, .events = POLLIN},
			     {.fd = b->stop, .events = POLLIN}};

	if (poll(p, 3, -1) < 0)
		return errno == EINTR;
	if (p[2].revents)
		return false;
	if (p[1].revents && !pass_answer(b))
		return false;
	return !p[0].revents || pass_request(b);
}

static void *run(void *arg)
{
	struct doze_live_proxy *b = arg;

	if (await(b, b->listener, POLLIN))
		b->client = accept4(b->listener, NULL, NULL, SOCK_CLOEXEC);
	/* Refuse further connections. */
	close(b->listener);
	b->listener = -1;
	while (b->client >= 0 && pass(b))
		;
	/* When one connection ends, close the other. */
	if (b->client >= 0)
		shutdown(b->client, SHUT_RDWR);
	shutdown(b->relay, SHUT_RDWR);
	return NULL;
}

static int listen_somewhere(uint16_t *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&a, size) == 0 && listen(fd, 1) == 0 &&
	    getsockname(fd, (struct sockaddr *)&a, &size) == 0) {
		*port = ntohs(a.sin_port);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

static void release(struct doze_live_proxy *b)
{
	const int fds[] = {b->listener, b->client, b->relay, b->stop};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	doze_metagate_clear(&b->gate);
	free(b);
}

struct doze_live_proxy *doze_live_proxy_start(const struct doze_live_url *u, uint16_t *port,
					      char *err, size_t err_size)
{
	struct doze_live_proxy *b = calloc(1, sizeof(*b));
	bool reached;

	if (!b) {
		doze_line(err, err_size, "out of memory while attaching: close other programs");
		return NULL;
	}
	b->client = -1;
	b->stop = eventfd(0, EFD_CLOEXEC);
	b->listener = listen_somewhere(port);
	b->relay = doze_relay_connect(u, err, err_size);
	reached = b->relay >= 0;
	if (reached && b->stop >= 0 && b->listener >= 0 &&
	    doze_masked_thread(&b->thread, run, b) == 0)
		return b;
	if (reached)
		doze_line(err, err_size,
			  "cannot attach: no socket or thread could be created: %s: close other "
			  "programs and try again",
			  u->relay);
	release(b);
	return NULL;
}

void doze_live_proxy_hang_up(struct doze_live_proxy *b)
{
	(void)eventfd_write(b->stop, 1); /* never blocks: a few calls cannot overflow the counter */
}

void doze_live_proxy_stop(struct doze_live_proxy *b)
{
	if (!b)
		return;
	eventfd_write(b->stop, 1);
	pthread_join(b->thread, NULL);
	release(b);
}

int doze_live_sessions(const char *relay, void (*each)(void *ctx, const struct doze_live_session *),
		       void *ctx, char *err, size_t err_size)
{
	struct doze_relay_session *list;
	struct doze_live_url u;
	int n;

	if (!doze_live_url_parse(&u, relay, false, err, err_size))
		return -1;
	n = doze_relay_list(&u, &list, err, err_size);
	if (n < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		char url[700];
		struct doze_live_session s = {.url = url,
					      .name = list[i].name,
					      .host = list[i].host,
					      .streams = list[i].streams,
					      .clients = list[i].clients};

		snprintf(url, sizeof(url), "net://%s:%s/host/%s/%s", u.relay, u.port, s.host,
			 s.name);
		each(ctx, &s);
	}
	free(list);
	return n;
}

static bool matches(const struct doze_relay_session *s, const struct doze_live_url *u)
{
	return strcmp(s->host, u->host) == 0 && strcmp(s->name, u->session) == 0;
}

/* Reports an unknown session. Mentions the first other session, in case the name was mistyped. */
static void say_unknown(const struct doze_live_url *u, const struct doze_relay_session *list, int n,
			char *err, size_t err_size)
{
	if (n == 0)
		doze_line(err, err_size,
			  "no such session: relay %s:%s has no live session: start one with `doze "
			  "live` or `lttng create --live`",
			  u->relay, u->port);
	else
		doze_line(err, err_size,
			  "no such session: relay %s:%s has no /host/%s/%s: it has %d live "
			  "session%s, for example /host/%s/%s",
			  u->relay, u->port, u->host, u->session, n, n == 1 ? "" : "s",
			  list[0].host, list[0].name);
}

bool doze_live_check(const char *url, char *err, size_t err_size)
{
	struct doze_relay_session *list;
	struct doze_live_url u;
	int n, found = 0, taken = 0, unreadable = 0;

	if (!doze_live_url_parse(&u, url, true, err, err_size))
		return false;
	n = doze_relay_list(&u, &list, err, err_size);
	if (n < 0)
		return false;
	for (int i = 0; i < n; i++) {
		found += matches(&list[i], &u);
		taken += matches(&list[i], &u) && list[i].clients > 0;
		unreadable += matches(&list[i], &u) && list[i].ctf2 && doze_mip_newest() == 0;
	}
	if (found == 0)
		say_unknown(&u, list, n, err, err_size);
	else if (taken > 0)
		doze_line(err, err_size,
			  "cannot attach: session %s already has a viewer attached, and the relay "
			  "allows only one: quit the other viewer first",
			  u.session);
	else if (unreadable > 0)
		doze_line(err, err_size,
			  "cannot attach: the format of session %s is CTF 2, which Babeltrace "
			  "%u.%u does not "
			  "read: install Babeltrace 2.1 or later, or create the session with "
			  "--trace-format=ctf-1.8",
			  u.session, bt_version_get_major(), bt_version_get_minor());
	free(list);
	return found > 0 && taken == 0 && unreadable == 0;
}
