/*
 * SPDX-License-Identifier: MIT
 *
 * server.c - a server on a pool of libdoze, and its clients, for by_pid.py.
 *
 *   server SOCKET             serves until SIGTERM: one job for each request
 *   server SOCKET CLIENTS MS  runs this many clients, each of which waits for an answer before its
 *                             next request; prints a line every MS: seconds (CLOCK_MONOTONIC) and
 *                             answers per second. Ends when the server does.
 */
#include "lib/doze.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20000, CLIENTS_MAX = 64 };

static struct sockaddr_un address = {.sun_family = AF_UNIX};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- the server ---- */

static int polled;

/* A job: answers one request, and has the connection polled again. */
static void answer(void *arg)
{
	int fd = (int)(intptr_t)arg;
	struct epoll_event again = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = fd};
	unsigned number;

	if (read(fd, &number, sizeof(number)) != sizeof(number)) {
		close(fd);
		return;
	}
	for (int i = 0; i < ROUNDS; i++)
		number = number * 1664525 + 1013904223;
	if (write(fd, &number, sizeof(number)) != sizeof(number) ||
	    epoll_ctl(polled, EPOLL_CTL_MOD, fd, &again) != 0)
		close(fd);
}

static void accept_one(int listening)
{
	int fd = accept(listening, NULL, NULL);
	struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = fd};

	if (fd >= 0 && epoll_ctl(polled, EPOLL_CTL_ADD, fd, &e) != 0)
		close(fd);
}

static void serve(void)
{
	struct epoll_event e = {.events = EPOLLIN};
	int listening = socket(AF_UNIX, SOCK_STREAM, 0);
	doze_pool *pool;

	polled = epoll_create1(EPOLL_CLOEXEC);
	e.data.fd = listening;
	if (bind(listening, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(listening, CLIENTS_MAX) != 0 ||
	    epoll_ctl(polled, EPOLL_CTL_ADD, listening, &e) != 0)
		fail(address.sun_path);
	if (doze_pool_create(&pool, NULL) != 0)
		fail(doze_last_error());
	while (epoll_wait(polled, &e, 1, -1) == 1) {
		if (e.data.fd == listening)
			accept_one(listening);
		else if (doze_spawn(pool, answer, (void *)(intptr_t)e.data.fd) != 0)
			close(e.data.fd);
	}
	fail("epoll_wait");
}

/* ---- the clients ---- */

static void send_one(int fd)
{
	unsigned number = 1;

	if (write(fd, &number, sizeof(number)) != sizeof(number))
		fail("write");
}

static void connect_all(struct pollfd *client, int clients)
{
	for (int i = 0; i < clients; i++) {
		client[i] =
		    (struct pollfd){.fd = socket(AF_UNIX, SOCK_STREAM, 0), .events = POLLIN};
		if (connect(client[i].fd, (struct sockaddr *)&address, sizeof(address)) != 0)
			fail(address.sun_path);
		send_one(client[i].fd);
	}
}

/* Takes the answers that are there, and sends as many requests. Returns their number. */
static unsigned exchange(struct pollfd *client, int clients)
{
	unsigned number, done = 0;

	if (poll(client, (nfds_t)clients, 1000) < 0)
		fail("poll");
	for (int i = 0; i < clients; i++) {
		if (!client[i].revents)
			continue;
		if (read(client[i].fd, &number, sizeof(number)) != sizeof(number))
			exit(0); /* the server has ended */
		send_one(client[i].fd);
		done++;
	}
	return done;
}

static void request(int clients, double interval)
{
	struct pollfd client[CLIENTS_MAX];
	double began = now();
	unsigned done = 0;

	connect_all(client, clients);
	for (;;) {
		done += exchange(client, clients);
		double t = now();
		if (t - began < interval)
			continue;
		printf("%.6f %.0f\n", t, done / (t - began));
		fflush(stdout);
		began = t;
		done = 0;
	}
}

int main(int argc, char **argv)
{
	int clients = argc == 4 ? atoi(argv[2]) : 0;

	if ((argc != 2 && argc != 4) || clients < 0 || clients > CLIENTS_MAX) {
		fprintf(stderr, "usage: %s SOCKET [CLIENTS MS]\n", argv[0]);
		return 2;
	}
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", argv[1]);
	if (argc == 2)
		serve();
	request(clients, atoi(argv[3]) / 1000.0);
}
