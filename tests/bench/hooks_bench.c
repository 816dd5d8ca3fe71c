/*
 * SPDX-License-Identifier: MIT
 *
 * hooks_bench.c - measures the cost of each event without a provider, without a recording, and
 * recorded, and compares it with an empty LTTng event.
 *
 *   hooks_bench        prints the table; records with its own session daemon
 *   hooks_bench loop   measures in this process and prints a number per line; the program runs
 *                      itself in this way
 */
#include "lib/trace.h"

#include <stdio.h>
#include <string.h>

#include "burst_of.h"
#include "floor.h"
#include "lib/trace_load.h"
#include "tests/fixtures/lttng.h"

void doze_trace_for_each_worker(void (*fn)(void *ctx, uint32_t pool, int32_t worker,
					   const struct doze_trace_snapshot_info *info),
				void *ctx)
{
	(void)fn;
	(void)ctx;
}

static const struct doze_trace_state_info state = {
    .from = DOZE_STATE_active, .to = DOZE_STATE_idle, .reason = DOZE_REASON_no_work};
static const struct doze_trace_post_info post = {.queue = DOZE_QUEUE_local, .jobs = 1};
static const struct doze_trace_wake_info wake = {.target = 1, .cause = DOZE_CAUSE_push};
static const struct doze_trace_taken_info taken = {.source = DOZE_SOURCE_stolen};

BURST_OF(nothing, (void)i)
BURST_OF(of_state, doze_trace_worker_state(1, 2, &state))
BURST_OF(of_latch,
	 doze_trace_latch(1, 2, i, DOZE_LATCH_KIND_spin, 1, DOZE_LATCH_unset, DOZE_LATCH_set))
BURST_OF(of_post, doze_trace_post(1, 2, &post))
BURST_OF(of_wake, doze_trace_wake(1, 2, &wake))
BURST_OF(of_woken, doze_trace_woken(1, 2, i))
BURST_OF(of_taken, doze_trace_job_taken(1, 2, &taken))
BURST_OF(of_start, doze_trace_job_start(1, 2, i, DOZE_SOURCE_stolen))
BURST_OF(of_end, doze_trace_job_end(1, 2, i))
BURST_OF(of_steal, doze_trace_steal(1, 2, 3, DOZE_STEAL_success, i))
BURST_OF(of_search, doze_trace_search(1, 2, 3))

static const struct {
	const char *name, *level;
	double (*burst)(void);
} events[] = {
    {"(no hook)", "", nothing},        {"worker_state", "states", of_state},
    {"latch", "states", of_latch},     {"post", "states", of_post},
    {"wake", "states", of_wake},       {"woken, with CPU time", "states", of_woken},
    {"job_taken", "states", of_taken}, {"job_start", "jobs", of_start},
    {"job_end", "jobs", of_end},       {"steal", "jobs", of_steal},
    {"search", "all", of_search},
};
#define EVENTS (sizeof events / sizeof *events)

#define ONE(name, words) +1
enum { PARTS = 0 FLOOR_PARTS(ONE) };

static int loop(void)
{
	doze_trace_boot();
	for (size_t i = 0; i < EVENTS; i++)
		printf("%.2f\n", burst_least(events[i].burst));
	return 0;
}

/* Reads the numbers that a command prints, one per line. */
static bool read_all(const char *command, double *ns, size_t count)
{
	const char *text = fixture_out("%s", command);
	int used;

	for (size_t i = 0; i < count; i++, text += used)
		if (sscanf(text, "%lf%n", &ns[i], &used) != 1)
			return false;
	return true;
}

static void print_parts(const double *ns)
{
#define NAME(name, words) words,
	static const char *const parts[] = {FLOOR_PARTS(NAME)};

	printf("\n| what an event consists of | ns |\n|---|---|\n");
	for (size_t i = 0; i < PARTS; i++)
		printf("| %s | %.0f |\n", parts[i], ns[i]);
}

static bool table(void)
{
	double none[EVENTS], idle[EVENTS], recorded[EVENTS], part[PARTS];

	if (!read_all("DOZE_TRACE=0 ./hooks_bench loop", none, EVENTS) ||
	    !read_all("DOZE_TRACE_WAIT_MS=5000 ./hooks_bench loop", idle, EVENTS) ||
	    !fixture_record("trace", "DEBUG") || !read_all("./floor_bench", part, PARTS) ||
	    !read_all("DOZE_TRACE_WAIT_MS=5000 ./hooks_bench loop", recorded, EVENTS) ||
	    !fixture_record_end())
		return false;
	printf(
	    "| ns per event, smallest of %d bursts | level | no provider | no session | recorded "
	    "| / empty event |\n|---|---|---|---|---|---|\n",
	    BURSTS);
	printf("| an empty LTTng event, the floor | | | | %.0f | 1.00 |\n", part[0]);
	for (size_t i = 0; i < EVENTS; i++)
		printf("| %s | %s | %.2f | %.2f | %.*f | %.2f |\n", events[i].name, events[i].level,
		       none[i], idle[i], i ? 0 : 2, recorded[i], recorded[i] / part[0]);
	print_parts(part);
	return true;
}

int main(int argc, char **argv)
{
	bool ok;

	if (argc > 1 && strcmp(argv[1], "loop") == 0)
		return loop();
	if (!fixture_open(fixture_usual_mode()) && !fixture_open(FIXTURE_USER))
		return 77;
	ok = fixture_sessiond() && table();
	fixture_close();
	return ok ? 0 : 1;
}
