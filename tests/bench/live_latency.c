/*
 * SPDX-License-Identifier: MIT
 *
 * live_latency.c - measures the delay between a worker's state change and its appearance in `doze
 * live`.
 *
 * Nothing is simulated: a program that uses libdoze (this file again, with --program) keeps its
 * only worker busy, lets it sleep at random times, and logs these times. `doze live` traces it
 * through LTTng, the relay and Babeltrace and draws on a pseudo-terminal; a small terminal (vt.c)
 * reads the picture. A change counts as shown when the lane's label shows the new state. Both
 * processes read CLOCK_MONOTONIC.
 *
 *	build/tests/bench/live_latency [--changes=N] [--p50=MS] [--p99=MS] [--raw]
 *
 * Exit: 0 within the limits (150 and 300 ms by default), 1 outside them, 2 usage, 3 nothing was
 * measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/doze.h"
#include "vt.h"

enum { MOST = 4096, START_S = 20, END_S = 20, LATE_MS = 2000 };

struct change {
	int64_t at; /* ns, monotonic */
	bool active;
};

struct changes {
	struct change list[MOST];
	size_t n;
};

struct bench {
	unsigned changes;
	double p50, p99;
	bool raw;
	char log[64], doze[4096], provider[4096];
	int pty;
	pid_t pid;
	struct vt vt;
	struct changes made, seen;
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void sleep_ms(unsigned ms)
{
	struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

	while (nanosleep(&ts, &ts) != 0)
		;
}

/* ---- the traced program ---- */

static FILE *program_log;

static void write_change(bool active)
{
	fprintf(program_log, "%c %lld\n", active ? 'A' : 'S', (long long)now_ns());
}

/* Returns a random pause, so that the changes are not synchronised with the live timer. */
static unsigned some_ms(void)
{
	return 150 + (unsigned)rand() % 200;
}

static void keep_busy(void *arg)
{
	(void)arg;
	write_change(true);
	sleep_ms(some_ms());
	write_change(false);
}

static int program(const char *log, unsigned changes)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	doze_pool *pool;

	program_log = fopen(log, "w");
	config.num_threads = 1;
	if (!program_log || doze_pool_create(&pool, &config) != 0)
		return 3;
	sleep_ms(500);
	for (unsigned i = 0; i < changes; i += 2) {
		doze_install(pool, keep_busy, NULL);
		sleep_ms(some_ms());
	}
	fclose(program_log);
	doze_pool_free(pool);
	return 0;
}

/* ---- watching the screen ---- */

/* Returns the state in the label of worker 0: 1 active, 0 sleeping, -1 any other or none. */
static int shown_state(const struct vt *vt)
{
	for (int y = 0; y < VT_H; y++) {
		if (memcmp(&vt->cell[y][1], "w0 ", 3) != 0)
			continue;
		if (memcmp(&vt->cell[y][5], "active ", 7) == 0)
			return 1;
		return memcmp(&vt->cell[y][5], "sleeping", 8) == 0 ? 0 : -1;
	}
	return -1;
}

static void note(struct bench *b, int *last)
{
	int state = shown_state(&b->vt);

	if (state < 0 || state == *last)
		return;
	*last = state;
	if (b->seen.n < MOST)
		b->seen.list[b->seen.n++] = (struct change){.at = now_ns(), .active = state == 1};
}

/* Reads the screen until the text appears or the deadline passes. Returns whether it appeared. */
static bool watch(struct bench *b, const char *until, int seconds)
{
	int64_t end = now_ns() + (int64_t)seconds * 1000000000;
	int last = -1;

	while (now_ns() < end) {
		struct pollfd p = {.fd = b->pty, .events = POLLIN};
		char buf[65536];
		ssize_t n = poll(&p, 1, 100) > 0 ? read(b->pty, buf, sizeof buf) : 0;

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			vt_feed(&b->vt, buf, (size_t)n);
		note(b, &last);
		if (memmem(b->vt.cell, sizeof b->vt.cell, until, strlen(until)))
			return true;
	}
	return false;
}

static void run_viewer(const struct bench *b, const char *self)
{
	char changes[32];

	snprintf(changes, sizeof changes, "%u", b->changes);
	setenv("TERM", "xterm", 1);
	setenv("LC_ALL", "C", 1);
	setenv("NO_COLOR", "1", 1);
	setenv("DOZE_TRACEPOINTS", b->provider, 0);
	execl(b->doze, b->doze, "live", "--", self, "--program", b->log, changes, (char *)NULL);
	perror(b->doze);
	_exit(127);
}

static bool start(struct bench *b, const char *self)
{
	struct winsize size = {.ws_row = VT_H, .ws_col = VT_W};

	vt_reset(&b->vt);
	b->pid = forkpty(&b->pty, NULL, NULL, &size);
	if (b->pid == 0)
		run_viewer(b, self);
	return b->pid > 0;
}

static void stop(struct bench *b)
{
	int status;

	/* Waits for a text that never appears, so that the viewer can draw its last screen. */
	if (write(b->pty, "q", 1) == 1)
		watch(b, "\1", 1);
	for (int i = 0; i < END_S * 20 && waitpid(b->pid, &status, WNOHANG) == 0; i++)
		sleep_ms(50);
	close(b->pty);
}

/* ---- the result ---- */

static void read_log(struct bench *b)
{
	FILE *f = fopen(b->log, "r");
	char what;
	long long at;

	while (f && b->made.n < MOST && fscanf(f, " %c %lld", &what, &at) == 2)
		b->made.list[b->made.n++] = (struct change){.at = at, .active = what == 'A'};
	if (f)
		fclose(f);
}

/* Matches each change with the first change on the screen that is shown after it, has the same
 * direction, and precedes the change after next. A change that was never shown counts as missed. */
static size_t match(const struct bench *b, double *ms)
{
	size_t n = 0, s = 0;

	for (size_t i = 0; i < b->made.n; i++) {
		const struct change *m = &b->made.list[i];
		int64_t end =
		    i + 2 < b->made.n ? b->made.list[i + 2].at : m->at + LATE_MS * 1000000LL;

		while (s < b->seen.n && b->seen.list[s].at < m->at)
			s++;
		for (size_t k = s; k < b->seen.n && b->seen.list[k].at < end; k++)
			if (b->seen.list[k].active == m->active) {
				ms[n++] = (double)(b->seen.list[k].at - m->at) / 1e6;
				break;
			}
	}
	return n;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double percentile(const double *sorted, size_t n, double p)
{
	size_t i = (size_t)((double)n * p / 100.0 + 0.999999);

	return sorted[i ? i - 1 : 0];
}

static int report(const struct bench *b)
{
	static double ms[MOST];
	size_t n = match(b, ms);
	double p50, p99;

	for (size_t i = 0; b->raw && i < n; i++)
		printf("%.1f\n", ms[i]);
	if (n == 0) {
		fprintf(stderr,
			"live_latency: no change was seen on the screen: try 'doze doctor'\n");
		return 3;
	}
	qsort(ms, n, sizeof *ms, ascending);
	p50 = percentile(ms, n, 50);
	p99 = percentile(ms, n, 99);
	printf("state change to screen: %zu of %zu seen, p50 %.0f ms, p90 %.0f ms, p99 %.0f ms, "
	       "max %.0f ms\n",
	       n, b->made.n, p50, percentile(ms, n, 90), p99, ms[n - 1]);
	printf("limits: p50 %.0f ms, p99 %.0f ms: %s\n", b->p50, b->p99,
	       p50 <= b->p50 && p99 <= b->p99 && n == b->made.n ? "kept" : "MISSED");
	if (b->vt.unknown)
		printf("(%u escape sequences were not understood)\n", b->vt.unknown);
	return p50 <= b->p50 && p99 <= b->p99 && n == b->made.n ? 0 : 1;
}

static bool options(struct bench *b, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--raw") == 0)
			b->raw = true;
		else if (sscanf(argv[i], "--changes=%u", &b->changes) != 1 &&
			 sscanf(argv[i], "--p50=%lf", &b->p50) != 1 &&
			 sscanf(argv[i], "--p99=%lf", &b->p99) != 1)
			return false;
	}
	return b->changes >= 2 && b->changes <= MOST;
}

int main(int argc, char **argv)
{
	static struct bench b = {.changes = 200, .p50 = 150, .p99 = 300};
	const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
	char self[4096], *cwd;
	int log, code = 3;

	if (argc == 4 && strcmp(argv[1], "--program") == 0)
		return program(argv[2], (unsigned)atoi(argv[3]));
	if (!options(&b, argc, argv)) {
		fprintf(stderr,
			"usage: live_latency [--changes=N] [--p50=MS] [--p99=MS] [--raw]\n");
		return 2;
	}
	cwd = realpath(build, NULL);
	if (!cwd || !realpath(argv[0], self)) {
		fprintf(stderr, "live_latency: %s: not found: run it from the root of the tree\n",
			build);
		return 2;
	}
	snprintf(b.doze, sizeof b.doze, "%.4000s/doze", cwd);
	snprintf(b.provider, sizeof b.provider, "%.4000s/libdoze-tracepoints.so", cwd);
	free(cwd);
	snprintf(b.log, sizeof b.log, "/tmp/live_latency.XXXXXX");
	log = mkstemp(b.log);
	if (log < 0 || !start(&b, self)) {
		perror("live_latency");
		return 3;
	}
	if (watch(&b, " ended ", START_S + (int)b.changes * 350 / 1000)) {
		read_log(&b);
		code = report(&b);
	} else {
		fprintf(
		    stderr,
		    "live_latency: the viewer did not show the end of the program; its screen:\n");
		for (int y = 0; y < VT_H; y++)
			fprintf(stderr, "| %.*s\n", VT_W, b.vt.cell[y]);
	}
	stop(&b);
	close(log);
	unlink(b.log);
	return code;
}
