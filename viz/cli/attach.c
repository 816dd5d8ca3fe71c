/*
 * SPDX-License-Identifier: MIT
 *
 * attach.c - finds the live sessions on this machine or at a given relay, and lets the user choose
 * one.
 *
 * A relay listens on port 5344 unless its command line names another port, as it does for the
 * relays that doze starts. This file therefore searches /proc for running relays, and reads the
 * ports from their command lines.
 */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../model/model.h"
#include "../session/files.h"
#include "../trace/reader.h"
#include "../trace/utf8.h"
#include "../words/quote.h"
#include "../words/units.h"
#include "cmd.h"
#include "options.h"

struct cmd_peek {
	bool known;       /* false: no event arrived; the other members are not set */
	char program[48]; /* command of the first process, or "process N on HOST" */
	char policy[24];  /* name of the first pool's policy */
	unsigned processes, pools, workers; /* workers: total over all pools */
	int64_t age_s;                      /* age of the first process; -1: unknown */
};

/* ---- which program, policy and workers a live session has ---- */

enum { LOOK_MS = 1000 };

static struct doze_reader *volatile peeked;

static void stop_reader(int signal_number)
{
	(void)signal_number;
	if (peeked)
		doze_reader_stop(peeked);
}

static void set_timer(int ms)
{
	const struct itimerval t = {.it_value = {ms / 1000, ms % 1000 * 1000}};

	(void)setitimer(ITIMER_REAL, &t, NULL);
}

static void feed(void *ctx, const struct doze_event *e)
{
	doze_model_feed(ctx, e);
}

static void run(struct doze_reader *r, struct doze_model *m)
{
	static const struct doze_reader_sink sink = {.event = feed};
	/* SA_RESTART: an interrupted read can make Babeltrace abort (../trace/live.h). */
	struct sigaction old, mine = {.sa_handler = stop_reader, .sa_flags = SA_RESTART};

	peeked = r;
	(void)sigaction(SIGALRM, &mine, &old);
	set_timer(LOOK_MS);
	(void)doze_reader_run(r, &sink, m);
	set_timer(0);
	peeked = NULL;
	(void)sigaction(SIGALRM, &old, NULL);
}

/* ---- information about the traced process ---- */

/* Writes the command, without the program's folder and shortened if necessary. Returns false if it
 * cannot be read. */
static bool command_of(int32_t pid, char *out, size_t size)
{
	char words[512];
	size_t n = doze_process_read(pid, "cmdline", words, sizeof words);
	const char *slash = strrchr(words, '/'); /* last slash in the first word */
	const char *name = slash && slash[1] ? slash + 1 : words;

	for (size_t i = 0; i + 1 < n; i++)
		if (!words[i])
			words[i] = ' ';
	doze_text_clean(out, size, name);
	return n > 0;
}

/* Returns the age of the process in seconds, or -1 if it does not run on this machine. */
static int64_t age_of(int32_t pid)
{
	char stat[1024];
	const char *p = doze_process_stat(pid, stat, sizeof stat);
	struct timespec up;

	for (int field = 3; field < 22 && p; field++)
		p = strchr(p + 1, ' ');
	if (!p || clock_gettime(CLOCK_BOOTTIME, &up) != 0)
		return -1;
	return (int64_t)((double)up.tv_sec + (double)up.tv_nsec / 1e9 -
			 strtod(p + 1, NULL) / (double)sysconf(_SC_CLK_TCK));
}

static void describe(const struct doze_model *m, const char *host, struct cmd_peek *p)
{
	const struct doze_pool_view *first = doze_model_pool(m, 0);
	char here[65] = "";
	bool local = gethostname(here, sizeof here - 1) == 0 && strcmp(here, host) == 0;

	p->known = true;
	p->pools = (unsigned)doze_model_pools(m);
	snprintf(p->policy, sizeof p->policy, "%s", first->policy);
	for (size_t i = 0; i < p->pools; i++) {
		const struct doze_pool_view *v = doze_model_pool(m, i);
		bool seen = false;

		p->workers += v->workers;
		for (size_t k = 0; k < i; k++)
			seen |= doze_model_pool(m, k)->vpid == v->vpid;
		p->processes += !seen;
	}
	p->age_s = local ? age_of(first->vpid) : -1;
	if (!local || !command_of(first->vpid, p->program, sizeof p->program))
		snprintf(p->program, sizeof p->program, "process %d on %.20s", (int)first->vpid,
			 host);
}

/* Attaches to the session for about a second, during which each pool reports itself twice, then
 * detaches. A relay admits one viewer per session, so this must not be called for a session that
 * has a viewer. Blocks; uses SIGALRM. Main thread only. */
static void cmd_peek(const char *url, const char *host, struct cmd_peek *p)
{
	char err[512];
	struct doze_reader *r = doze_reader_open_live(url, err, sizeof err);
	struct doze_model *m = r ? doze_model_new(NULL, NULL) : NULL;

	*p = (struct cmd_peek){.age_s = -1};
	if (m) {
		run(r, m);
		if (doze_model_pools(m))
			describe(m, host, p);
	}
	doze_model_free(m);
	doze_reader_free(r);
}

#define DEFAULT_LIVE_PORT 5344
enum { RELAYS_MAX = 64, SESSIONS_MAX = 64, PEEKS_MAX = 8 };

struct session {
	char url[700], host[64], name[256];
	uint64_t streams, clients;
	struct cmd_peek peek;
};

struct list {
	struct session session[SESSIONS_MAX];
	size_t sessions;
	unsigned ports[RELAYS_MAX];
	size_t relays;
};

static void add_session(void *ctx, const struct doze_live_session *s)
{
	struct list *l = ctx;
	struct session *to = &l->session[l->sessions];
	if (l->sessions == SESSIONS_MAX)
		return;
	l->sessions++;
	snprintf(to->url, sizeof(to->url), "%s", s->url);
	snprintf(to->host, sizeof(to->host), "%s", s->host);
	snprintf(to->name, sizeof(to->name), "%s", s->name);
	to->streams = s->streams;
	to->clients = s->clients;
	if (s->streams && !s->clients && l->sessions <= PEEKS_MAX)
		cmd_peek(s->url, s->host, &to->peek);
}

/* ---- printing the sessions ---- */

static void print_peek(const struct session *s)
{
	const struct cmd_peek *p = &s->peek;
	if (s->clients)
		fputs("  (already has a viewer; a relay admits only one)", stdout);
	else if (!s->streams)
		fputs("  (nothing traced yet)", stdout);
	else if (!p->known)
		fputs("  (no doze pool)", stdout);
	if (!p->known)
		return;
	printf("  %s, %s, %s", p->program, p->policy, doze_plural(p->workers, "worker"));
	if (p->pools > 1)
		printf(" in %u pools of %s", p->pools,
		       p->processes == 1 ? "one process" : "several processes");
	if (p->age_s >= 0)
		printf(", %s old", doze_duration(p->age_s * 1000000000));
}

static void print_text(const struct list *l, bool numbered)
{
	for (size_t i = 0; i < l->sessions; i++) {
		if (numbered)
			printf("%zu) ", i + 1);
		fputs(l->session[i].url, stdout);
		print_peek(&l->session[i]);
		putchar('\n');
	}
	if (l->sessions == 0)
		puts("no live session");
}

static void json_session(struct doze_json *j, const struct session *s)
{
	doze_json_open(j, NULL, '{');
	doze_json_string(j, "url", s->url);
	doze_json_string(j, "host", s->host);
	doze_json_string(j, "session", s->name);
	doze_json_uint(j, "streams", s->streams);
	doze_json_uint(j, "clients", s->clients);
	if (s->peek.known) {
		doze_json_string(j, "program", s->peek.program);
		doze_json_string(j, "policy", s->peek.policy);
		doze_json_uint(j, "processes", s->peek.processes);
		doze_json_uint(j, "pools", s->peek.pools);
		doze_json_uint(j, "workers", s->peek.workers);
		if (s->peek.age_s >= 0)
			doze_json_int(j, "age_s", s->peek.age_s);
	}
	doze_json_close(j, '}');
}

static void print_json(const struct list *l)
{
	struct doze_json j = {.out = stdout};

	doze_json_open(&j, NULL, '{');
	doze_json_open(&j, "sessions", '[');
	for (size_t i = 0; i < l->sessions; i++)
		json_session(&j, &l->session[i]);
	doze_json_close(&j, ']');
	doze_json_close(&j, '}');
}

/* ---- finding the relays on this machine ---- */

/** If the word is -L, -LVALUE, --live-port or --live-port=VALUE, returns the value; otherwise null.
 * `next` is the word after it: the value of a bare -L or --live-port. */
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

/** Finds --live-port=tcp://HOST:PORT in a command line (words separated by null bytes) and returns
 * the port, or the default port if the option is missing. */
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

static void add_relay(struct list *l, int pid)
{
	char text[4096];
	doze_process_read(pid, "comm", text, sizeof(text));
	if (strcmp(text, "lttng-relayd\n") != 0 || l->relays == RELAYS_MAX)
		return;
	unsigned port = live_port(text, doze_process_read(pid, "cmdline", text, sizeof(text)));
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
			add_relay(l, atoi(e->d_name));
	if (proc)
		closedir(proc);
}

/* ---- choosing a session ---- */

/** Lists the sessions of one relay. Returns whether the relay answered. */
static bool list_relay(struct list *l, const char *relay)
{
	char err[512];
	if (doze_live_sessions(relay, add_session, l, err, sizeof(err)) >= 0)
		return true;
	doze_complain("live: %s", err);
	return false;
}

/** Lists the sessions of all relays on this machine. A relay that does not answer may belong to
 * another container, so the other relays' sessions are listed anyway. */
static bool list_here(struct list *l)
{
	bool answered = false;
	find_relays(l);
	if (l->relays == 0)
		doze_complain(
		    "live: no relay is running on this machine: start 'doze live' or a live "
		    "session first, or give a URL");
	for (size_t i = 0; i < l->relays; i++) {
		char relay[64];
		snprintf(relay, sizeof(relay), "net://127.0.0.1:%u", l->ports[i]);
		answered |= list_relay(l, relay);
	}
	return answered;
}

/** Asks for the number of a session. Returns the session, or null if the input is empty. */
static const struct session *ask(const struct list *l)
{
	char line[32];
	unsigned long n;
	printf("watch which one? 1-%zu, or Enter for none: ", l->sessions);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return NULL;
	n = strtoul(line, NULL, 10);
	return n >= 1 && n <= l->sessions ? &l->session[n - 1] : NULL;
}

int cmd_attach_list(const char *relay, bool json, char *url, size_t size)
{
	static struct list l;
	bool choose = !json && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	const struct session *chosen = NULL;
	bool answered;

	url[0] = '\0';
	answered = (relay ? list_relay(&l, relay) : list_here(&l));
	if (answered && json)
		print_json(&l);
	else if (answered)
		print_text(&l, choose);
	if (answered && choose && l.sessions)
		chosen = ask(&l);
	if (chosen)
		snprintf(url, size, "%s", chosen->url);
	return answered ? DOZE_EXIT_OK : DOZE_EXIT_INPUT;
}
