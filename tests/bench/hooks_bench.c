/*
 * SPDX-License-Identifier: MIT
 *
 * hooks_bench.c - the cost of a hook: absent, disabled, enabled. `make bench` runs it.
 *
 *   hooks_bench        prints the table; records with a session daemon of its own
 *   hooks_bench loop   one measurement in this process, "ns ns ns" (how it calls itself)
 */
#include "lib/trace.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/trace_load.h"
#include "tests/fixtures/lttng.h"

#define ROUNDS 2000000
#define REPEAT 7

void doze_trace_for_each_worker(void (*fn)(void *ctx, uint32_t pool, int32_t worker,
					   const struct doze_trace_snapshot_info *info),
				void *ctx)
{
	(void)fn;
	(void)ctx;
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define TIMES_4(x)  x x x x
#define TIMES_16(x) TIMES_4(TIMES_4(x))

/* Sixteen in a row, so that the loop itself does not hide them; the empty assembly keeps the
 * compiler from seeing through it. */
#define MEASURE(name, statement)                                                                   \
	static double name(void)                                                                   \
	{                                                                                          \
		double began = now_ns();                                                           \
                                                                                                   \
		for (uint64_t i = 0; i < ROUNDS; i += 16) {                                        \
			TIMES_16(statement; __asm__ volatile("" ::: "memory");)                    \
		}                                                                                  \
		return (now_ns() - began) / ROUNDS;                                                \
	}

MEASURE(measure_nothing, (void)i)
static const struct doze_trace_state_info state_info = {
    .from = DOZE_STATE_active, .to = DOZE_STATE_idle, .reason = DOZE_REASON_no_work};

MEASURE(measure_state, doze_trace_worker_state(1, 2, &state_info))
MEASURE(measure_job, doze_trace_job_end(1, 2, i))

static double least(double (*measure)(void))
{
	double best = measure();

	for (int i = 1; i < REPEAT; i++) {
		double ns = measure();

		best = ns < best ? ns : best;
	}
	return best;
}

static int loop(void)
{
	doze_trace_boot();
	printf("%.2f %.2f %.2f\n", least(measure_nothing), least(measure_state),
	       least(measure_job));
	return 0;
}

static bool row(const char *name, const char *command)
{
	double nothing, state, job;

	if (sscanf(fixture_out("%s", command), "%lf %lf %lf", &nothing, &state, &job) != 3)
		return false;
	printf("%-28s %13.2f %13.2f %13.2f\n", name, nothing, state, job);
	return true;
}

static bool table(void)
{
	printf("%-28s %13s %13s %13s\n", "ns a call, least of 7", "nothing", "worker_state",
	       "job_end");
	return row("no provider", "DOZE_TRACE=0 ./hooks_bench loop") &&
	       row("provider, nobody records", "DOZE_TRACE_WAIT_MS=5000 ./hooks_bench loop") &&
	       fixture_record("trace", "INFO") &&
	       row("recorded at level states", "DOZE_TRACE_WAIT_MS=5000 ./hooks_bench loop") &&
	       fixture_record_end() && fixture_sh("rm -r trace") == 0 &&
	       fixture_record("trace", "DEBUG") &&
	       row("recorded at level all", "DOZE_TRACE_WAIT_MS=5000 ./hooks_bench loop") &&
	       fixture_record_end();
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
