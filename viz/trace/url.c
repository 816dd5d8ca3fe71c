/*
 * SPDX-License-Identifier: MIT
 *
 * url.c - see url.h. Babeltrace parses the URL again; parsing it here gives readable errors and
 * allows asking the relay first.
 */
#include "url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

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
