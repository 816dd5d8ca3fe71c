/*
 * SPDX-License-Identifier: MIT
 *
 * reader_live_test.c - live metadata reaches Babeltrace only when Babeltrace can use it;
 * viz/trace/live.h explains why.
 *
 * The test plays both the relay and the viewer; live.c runs between them.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/fixtures/suite.h"
#include "viz/trace/live.h"

enum { NEXT_INDEX = 4, GET_METADATA = 6, NEW_STREAMS = 7 };
enum { OK = 1, NOTHING_NEW = 2, GONE = 3, HUP = 4 };

static int relay, viewer;
static struct doze_live_proxy *between;

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){
	    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

/* Sets a time-out on the socket so that the test cannot hang. */
static int with_patience(int fd)
{
	struct timeval t = {10, 0};

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	return fd;
}

static void open_all(void)
{
	struct doze_live_url u = {.relay = "127.0.0.1"};
	struct sockaddr_in a = loopback(0);
	socklen_t size = sizeof(a);
	char err[512] = "";
	uint16_t port;
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	CU_ASSERT_EQUAL_FATAL(bind(listener, (struct sockaddr *)&a, size), 0);
	listen(listener, 1);
	getsockname(listener, (struct sockaddr *)&a, &size);
	snprintf(u.port, sizeof(u.port), "%u", ntohs(a.sin_port));
	between = doze_live_proxy_start(&u, &port, err, sizeof(err));
	CU_ASSERT_PTR_NOT_NULL_FATAL(between);
	relay = with_patience(accept(listener, NULL, NULL));
	close(listener);
	viewer = with_patience(socket(AF_INET, SOCK_STREAM, 0));
	a = loopback(port);
	CU_ASSERT_EQUAL_FATAL(connect(viewer, (struct sockaddr *)&a, size), 0);
}

static void close_all(void)
{
	doze_live_proxy_stop(between);
	close(relay);
	close(viewer);
}

/* Checks that the viewer's request reaches the relay unchanged. */
static void request(uint32_t command, uint64_t argument)
{
	struct {
		uint64_t size;
		uint32_t command, version;
		uint64_t argument;
	} __attribute__((packed)) r = {htobe64(8), htobe32(command), 0, htobe64(argument)}, heard;

	CU_ASSERT_EQUAL(send(viewer, &r, sizeof(r), 0), sizeof(r));
	CU_ASSERT_EQUAL(recv(relay, &heard, sizeof(heard), MSG_WAITALL), sizeof(heard));
	CU_ASSERT_EQUAL(memcmp(&r, &heard, sizeof(r)), 0);
}

static void send_metadata(uint32_t status, const char *text)
{
	char answer[512];
	uint64_t size = htobe64(strlen(text));

	status = htobe32(status);
	memcpy(answer, &size, 8);
	memcpy(answer + 8, &status, 4);
	snprintf(answer + 12, sizeof(answer) - 12, "%s", text);
	send(relay, answer, 12 + strlen(text), 0);
}

/* Sends a reply in the role of the relay, and checks what the viewer receives. */
static void exchange(uint64_t stream, uint32_t status, const char *text, uint32_t want_status,
		     const char *want)
{
	char head[12], got[512] = "";
	uint64_t size = 0;
	uint32_t got_status = 0;

	request(GET_METADATA, stream);
	send_metadata(status, text);
	CU_ASSERT_EQUAL(recv(viewer, head, sizeof(head), MSG_WAITALL), sizeof(head));
	memcpy(&size, head, 8);
	memcpy(&got_status, head + 8, 4);
	CU_ASSERT_EQUAL(be32toh(got_status), want_status);
	CU_ASSERT_EQUAL_FATAL(be64toh(size), strlen(want));
	if (*want)
		recv(viewer, got, strlen(want), MSG_WAITALL);
	CU_ASSERT_STRING_EQUAL(got, want);
}

static void waits_for_a_stream(void)
{
	open_all();
	exchange(1, OK, "trace {};", NOTHING_NEW, "");
	exchange(1, NOTHING_NEW, "", NOTHING_NEW, "");
	exchange(1, OK, "clock {};", NOTHING_NEW, "");
	exchange(1, OK, "stream {};", OK, "trace {};clock {};stream {};");
	exchange(1, OK, "env {};", OK, "env {};");
	exchange(1, NOTHING_NEW, "", NOTHING_NEW, "");
	close_all();
}

static void waits_for_a_stream_of_ctf2(void)
{
	open_all();
	exchange(1, OK, "\x1e{\"type\":\"trace-class\"}", NOTHING_NEW, "");
	exchange(1, OK, "\x1e{\"type\":\"data-stream-class\"}", OK,
		 "\x1e{\"type\":\"trace-class\"}\x1e{\"type\":\"data-stream-class\"}");
	close_all();
}

static void waits_for_the_end_of_a_declaration(void)
{
	static const char *const pieces[] = {"stream {", "};event { name = \"}", ";\"; /* };",
					     "*/ fields := struct { int a; } x; }", ";"};
	static const char *const rest[] = {" typealias integer { size = 8; }", " := byte", ";\n"};
	char all[256] = "";

	open_all();
	for (size_t i = 0; i + 1 < sizeof pieces / sizeof *pieces; i++)
		exchange(1, OK, pieces[i], NOTHING_NEW, "");
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		strcat(all, pieces[i]);
	exchange(1, NOTHING_NEW, "", NOTHING_NEW, "");
	exchange(1, OK, pieces[4], OK, all);
	exchange(1, OK, rest[0], NOTHING_NEW, "");
	exchange(1, OK, rest[1], NOTHING_NEW, "");
	exchange(1, OK, rest[2], OK, " typealias integer { size = 8; } := byte;\n");
	exchange(2, OK, "\x1e{\"type\":\"data-stream-class\"", NOTHING_NEW, "");
	exchange(2, OK, ",\"name\":\"\\\"}\"", NOTHING_NEW, "");
	exchange(2, OK, "}", OK, "\x1e{\"type\":\"data-stream-class\",\"name\":\"\\\"}\"}");
	close_all();
}

/* A packet of metadata has a header, and padding after its content. */
static size_t put_packet(char *to, const char *text)
{
	const uint32_t content = 37 + (uint32_t)strlen(text), packet = content + 3;
	const uint32_t word[] = {0x75d11d57, 0x7b7b7b7b, 0x7b7b7b7b,  0x7b7b7b7b,
				 0x7b7b7b7b, 0,          content * 8, packet * 8};

	memset(to, '{', packet);
	memcpy(to, word, sizeof word);
	memcpy(to + 37, text, content - 37);
	return packet;
}

/* Sends packets with these texts as one piece. Returns the number of bytes that the viewer gets. */
static uint64_t exchange_packets(const char *first, const char *second)
{
	char answer[512] = "", got[512];
	size_t n = put_packet(answer + 12, first);
	uint64_t size;
	uint32_t status = htobe32(OK);

	n += second ? put_packet(answer + 12 + n, second) : 0;
	size = htobe64(n);
	memcpy(answer, &size, 8);
	memcpy(answer + 8, &status, 4);
	request(GET_METADATA, 1);
	send(relay, answer, 12 + n, 0);
	CU_ASSERT_EQUAL(recv(viewer, got, 12, MSG_WAITALL), 12);
	memcpy(&size, got, 8);
	memcpy(&status, got + 8, 4);
	CU_ASSERT_EQUAL(be32toh(status), size == 0 ? NOTHING_NEW : OK);
	if (size)
		recv(viewer, got, be64toh(size), MSG_WAITALL);
	return be64toh(size);
}

static void a_declaration_can_span_packets(void)
{
	open_all();
	CU_ASSERT_EQUAL(exchange_packets("stream { };", "event { name = "), 0);
	CU_ASSERT_EQUAL(exchange_packets("\"x\"; };", NULL), 11 + 15 + 7 + 3 * 40);
	CU_ASSERT_EQUAL(exchange_packets("event { name = \"y\"; };", NULL), 22 + 40);
	close_all();
}

static void forwards_complete_metadata(void)
{
	open_all();
	exchange(1, OK, "trace {};stream {};", OK, "trace {};stream {};");
	close_all();
}

static void empty_is_no_new_metadata(void)
{
	open_all();
	exchange(1, OK, "", NOTHING_NEW, "");
	exchange(1, OK, "stream {};", OK, "stream {};");
	exchange(1, OK, "", NOTHING_NEW, "");
	close_all();
}

static void each_stream_by_itself(void)
{
	open_all();
	exchange(1, OK, "trace {};", NOTHING_NEW, "");
	exchange(2, OK, "stream {};", OK, "stream {};");
	exchange(1, OK, "clock {};", NOTHING_NEW, "");
	exchange(1, GONE, "", OK, "trace {};clock {};");
	exchange(1, GONE, "", GONE, "");
	exchange(3, OK, "trace {};", NOTHING_NEW, "");
	close_all();
}

static void holds_nothing_back_at_the_end(void)
{
	uint32_t answer[2] = {htobe32(HUP), 0}, got[2];

	open_all();
	exchange(1, OK, "trace {};", NOTHING_NEW, "");
	request(NEW_STREAMS, 7);
	send(relay, answer, sizeof(answer), 0);
	CU_ASSERT_EQUAL(recv(viewer, got, sizeof(got), MSG_WAITALL), sizeof(got));
	CU_ASSERT_EQUAL(memcmp(got, answer, sizeof(got)), 0);
	exchange(1, NOTHING_NEW, "", OK, "trace {};");
	close_all();
}

static void the_rest_is_untouched(void)
{
	static char sent[300000], got[sizeof(sent)];
	size_t at = 0;

	open_all();
	for (size_t i = 0; i < sizeof(sent); i++)
		sent[i] = (char)(i * 7);
	request(NEXT_INDEX, 3);
	while (at < sizeof(got)) {
		ssize_t n = send(relay, sent + at, 50000, 0);

		CU_ASSERT_EQUAL_FATAL(n, 50000);
		CU_ASSERT_EQUAL_FATAL(recv(viewer, got + at, 50000, MSG_WAITALL), 50000);
		at += 50000;
	}
	CU_ASSERT_EQUAL(memcmp(sent, got, sizeof(got)), 0);
	close_all();
}

static void an_end_is_the_end_of_both(void)
{
	char byte;

	open_all();
	close(relay);
	CU_ASSERT_EQUAL(recv(viewer, &byte, 1, 0), 0);
	close_all();
	open_all();
	close(viewer);
	CU_ASSERT_EQUAL(recv(relay, &byte, 1, 0), 0);
	close_all();
}

/* The proxy stops even while the relay has not replied. */
static void stops_at_once(void)
{
	open_all();
	request(GET_METADATA, 1);
	close_all();
}

static const struct suite_test tests[] = {
    {"metadata is held back until it describes a stream", waits_for_a_stream},
    {"metadata in CTF 2 is held back until it describes a stream", waits_for_a_stream_of_ctf2},
    {"metadata is held back until its last declaration is complete",
     waits_for_the_end_of_a_declaration},
    {"a declaration can span packets of metadata", a_declaration_can_span_packets},
    {"metadata that describes a stream is forwarded at once", forwards_complete_metadata},
    {"an empty piece of metadata is reported as no new metadata", empty_is_no_new_metadata},
    {"each metadata stream is handled separately", each_stream_by_itself},
    {"no metadata is held back after the session has ended", holds_nothing_back_at_the_end},
    {"all other data is forwarded unchanged", the_rest_is_untouched},
    {"closing one connection closes the other", an_end_is_the_end_of_both},
    {"the proxy stops even if the relay has not replied", stops_at_once},
};

SUITE_MAIN("reader-live", tests)
