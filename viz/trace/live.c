/*
 * SPDX-License-Identifier: MIT
 *
 * live.c - checks before attaching: which sessions exist, and whether the requested one has no
 * viewer yet.
 */
#include "live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"
#include "relay.h"
#include "sink.h"
#include "text.h"

static void describe(struct doze_live_session *out, char *url, size_t url_size,
		     const struct doze_live_url *u, const struct doze_relay_session *s)
{
	snprintf(url, url_size, "net://%s:%s/host/%s/%s", u->relay, u->port, s->host, s->name);
	*out = (struct doze_live_session){.url = url,
					  .name = s->name,
					  .host = s->host,
					  .streams = s->streams,
					  .clients = s->clients};
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
		struct doze_live_session s;
		char url[700];

		describe(&s, url, sizeof(url), &u, &list[i]);
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
