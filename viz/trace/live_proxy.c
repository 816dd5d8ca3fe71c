/*
 * SPDX-License-Identifier: MIT
 *
 * live_proxy.c - see live_proxy.h. All numbers of the protocol are big-endian; all structures are
 * packed. Requests and answers alternate, so it is enough to know the last request.
 */
#include "live_proxy.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "masked_thread.h"
#include "metadata_gate.h"
#include "relay.h"
#include "text.h"

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
