/*
 * SPDX-License-Identifier: MIT
 *
 * relay.h - live URLs; asks a relay daemon for its live sessions, with deadlines.
 *
 * Babeltrace can ask, too, but without a deadline: a stopped relay, or a firewall that drops
 * packets, would block the program before there is a screen to quit from. The two requests here
 * (connect, list sessions) are those of LTTng's live protocol 2.4 and later.
 */
#ifndef DOZE_VIZ_READER_RELAY_H
#define DOZE_VIZ_READER_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- LTTng live URLs: net://HOST[:PORT][/host/NAME/SESSION] ---- */

#define DOZE_RELAY_PORT 5344 /* default port on which lttng-relayd listens for viewers */

struct doze_live_url {
	char relay[256];   /* name or IPv4 address; Babeltrace 2.0 does not support IPv6 */
	char port[6];      /* decimal number */
	char host[64];     /* traced host; "" if the URL names only the relay */
	char session[256]; /* "" if the URL names only the relay */
};

/** Parses a URL. need_session: reject a URL that names only the relay. Returns false with one line
 * in err if the URL is not valid. */
bool doze_live_url_parse(struct doze_live_url *, const char *url, bool need_session, char *err,
			 size_t err_size);

#define DOZE_RELAY_DEADLINE_MS 3000 /* deadline for the connection and for each answer */

struct doze_relay_session {
	uint64_t id;
	uint32_t timer_us, clients, streams;
	char host[64], name[256];
	bool ctf2; /* the format is CTF 2, otherwise CTF 1.8 */
};

/** Connects to the relay. Returns a non-blocking socket owned by the caller, or -1 with one line in
 * err. Blocks for a few seconds at most. Any thread. */
int doze_relay_connect(const struct doze_live_url *, char *err, size_t err_size);

/** Lists the sessions. Returns their number and stores the list, owned by the caller (free), in
 * *list; or returns -1 with one line in err. Blocks for a few seconds at most. Any thread. */
int doze_relay_list(const struct doze_live_url *, struct doze_relay_session **list, char *err,
		    size_t err_size);

#endif
