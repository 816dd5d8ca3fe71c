/*
 * SPDX-License-Identifier: MIT
 *
 * url.h - LTTng live URLs: net://HOST[:PORT][/host/NAME/SESSION].
 */
#ifndef DOZE_VIZ_READER_URL_H
#define DOZE_VIZ_READER_URL_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
