/*
 * SPDX-License-Identifier: MIT
 *
 * peek.c - see peek.h.
 */
#include "peek.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../model/model.h"
#include "../trace/reader.h"
#include "../trace/utf8.h"

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

static void ignore_loss(void *ctx, int64_t from, int64_t to, uint64_t count)
{
	(void)ctx, (void)from, (void)to, (void)count;
}

static void run(struct doze_reader *r, struct doze_model *m)
{
	static const struct doze_reader_sink sink = {.event = feed, .discarded = ignore_loss};
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

static size_t read_proc(int32_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	f = fopen(path, "re");
	n = f ? fread(text, 1, size - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	return n;
}

/* Writes the command, without the program's folder and shortened if necessary. Returns false if it
 * cannot be read. */
static bool command_of(int32_t pid, char *out, size_t size)
{
	char words[512];
	size_t n = read_proc(pid, "cmdline", words, sizeof words);
	const char *slash = strrchr(words, '/'); /* last slash in the first word */
	const char *name = slash && slash[1] ? slash + 1 : words;

	for (size_t i = 0; i + 1 < n; i++)
		if (!words[i])
			words[i] = ' ';
	doze_text_clean(out, size, name);
	return n > 0;
}

static double uptime(void)
{
	FILE *f = fopen("/proc/uptime", "re");
	double s = 0;

	if (f && fscanf(f, "%lf", &s) != 1)
		s = 0;
	if (f)
		fclose(f);
	return s;
}

/* Returns the age of the process in seconds, or -1 if it does not run on this machine. */
static int64_t age_of(int32_t pid)
{
	char stat[1024];
	const char *p = read_proc(pid, "stat", stat, sizeof stat) ? strrchr(stat, ')') : NULL;
	double up = uptime();

	for (int field = 2; field < 22 && p; field++)
		p = strchr(p + 1, ' ');
	if (!p || up <= 0)
		return -1;
	return (int64_t)(up - strtod(p + 1, NULL) / (double)sysconf(_SC_CLK_TCK));
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

void cmd_peek(const char *url, const char *host, struct cmd_peek *p)
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
