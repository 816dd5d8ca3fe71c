/*
 * SPDX-License-Identifier: MIT
 *
 * attach.c - finds the live sessions on this machine.
 *
 * A relay listens on port 5344 unless its command line names another port, as it does for the
 * relays that doze starts. So this searches /proc for running relays, and their command lines for
 * the live ports.
 */
#include "attach.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reader/reader.h"
#include "../text/quote.h"
#include "cmd.h"

#define DEFAULT_LIVE_PORT 5344
#define RELAYS_MAX        64

struct list {
	bool json;
	int sessions;
	unsigned ports[RELAYS_MAX];
	size_t relays;
};

static void print_session(void *ctx, const struct doze_live_session *s)
{
	struct list *l = ctx;
	if (l->json) {
		printf("%s\n  {\"url\":", l->sessions ? "," : "");
		doze_quote_json(stdout, s->url);
		printf(",\"host\":");
		doze_quote_json(stdout, s->host);
		printf(",\"session\":");
		doze_quote_json(stdout, s->name);
		printf(",\"streams\":%" PRIu64 ",\"clients\":%" PRIu64 "}", s->streams, s->clients);
	} else {
		printf("%s%s\n", s->url,
		       s->clients   ? "  (has a viewer; a relay admits one)"
		       : s->streams ? ""
				    : "  (nothing traced yet)");
	}
	l->sessions++;
}

/** Returns the value of the option if the word is -L, -LVALUE, --live-port or --live-port=VALUE,
 * otherwise null. `next` is the word after it. */
static const char *option_value(const char *word, const char *next)
{
	static const char *const names[] = {"--live-port", "-L"};
	for (int i = 0; i < 2; i++) {
		size_t n = strlen(names[i]);
		if (strncmp(word, names[i], n) == 0)
			return word[n] == 0 ? next : word + n;
	}
	return NULL;
}

/** Returns the port of --live-port (tcp://HOST:PORT) in a command line whose words are separated by
 * null bytes. */
static unsigned live_port(const char *words, size_t size)
{
	for (const char *w = words; w < words + size; w += strlen(w) + 1) {
		const char *value = option_value(w, w + strlen(w) + 1);
		const char *colon = value && value < words + size ? strrchr(value, ':') : NULL;
		if (colon)
			return (unsigned)strtoul(colon + 1, NULL, 10);
	}
	return DEFAULT_LIVE_PORT;
}

static size_t read_file(const char *pid, const char *name, char *text, size_t size)
{
	char path[300];
	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = 0;
	return n;
}

static void add_relay(struct list *l, const char *pid)
{
	char text[4096];
	read_file(pid, "comm", text, sizeof(text));
	if (strcmp(text, "lttng-relayd\n") != 0 || l->relays == RELAYS_MAX)
		return;
	unsigned port = live_port(text, read_file(pid, "cmdline", text, sizeof(text)));
	for (size_t i = 0; i < l->relays; i++)
		if (l->ports[i] == port)
			return;
	if (port > 0 && port < 65536)
		l->ports[l->relays++] = port;
}

static void find_relays(struct list *l)
{
	DIR *proc = opendir("/proc");
	for (struct dirent *e; proc && (e = readdir(proc));)
		if (isdigit((unsigned char)e->d_name[0]))
			add_relay(l, e->d_name);
	if (proc)
		closedir(proc);
}

int doze_attach_list(bool json)
{
	struct list l = {.json = json};
	int answered = 0;
	find_relays(&l);
	if (l.relays == 0) {
		doze_complain(
		    "live: no relay is running on this machine: start 'doze live' or a live "
		    "session first, or give a URL");
		return DOZE_EXIT_INPUT;
	}
	if (json)
		printf("{\"sessions\":[");
	for (size_t i = 0; i < l.relays; i++) {
		char relay[64], err[512];
		snprintf(relay, sizeof(relay), "net://127.0.0.1:%u", l.ports[i]);
		if (doze_live_sessions(relay, print_session, &l, err, sizeof(err)) >= 0)
			answered++;
		else /* may belong to another container: list the other relays anyway */
			doze_complain("live: %s", err);
	}
	if (json)
		puts("\n]}");
	else if (l.sessions == 0 && answered)
		puts("no live session");
	return answered ? DOZE_EXIT_OK : DOZE_EXIT_INPUT;
}
