/*
 * SPDX-License-Identifier: MIT
 *
 * future_graphs.c - runs many random graphs of futures (tests/fixtures/future_graph.h).
 *
 *	future_graphs [--graphs N] [--seed N] [--from N] [--policy NAME] [--workers N] [--cycles]
 *
 * Each graph runs under every policy with 1, 2, 3, 4 and 8 workers, or under the named policy with
 * the given number of workers. With --cycles each graph also has a cycle and runs in a child
 * process, which must abort with the message that names the cycle.
 *
 * A graph hangs if none of its threads has run for 20 seconds, or if it has used 30 seconds of CPU
 * time, since under `spin` a hanging pool keeps its workers busy. In either case, the program
 * prints the options that run the graph again, and aborts. A limit on wall time alone would also
 * report graphs that a busy machine does not schedule. Exit 0: all graphs finished with the right
 * results.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/sleep/sleep.h"
#include "tests/fixtures/future_graph.h"

enum { LOOK_S = 20, HANG_CPU_S = 30 };

static struct {
	unsigned long graphs, from;
	uint64_t seed;
	const char *policy;
	unsigned workers;
	bool cycles;
} opt = {.graphs = 20, .seed = 1};

static char running[200];

static double began_cpu, last_cpu; /* CPU time of the process at the start, and at the last check */

static double cpu_seconds(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Calls only functions that are allowed in a signal handler. */
static void on_alarm(int number)
{
	double now = cpu_seconds();
	(void)number;
	if (now - last_cpu > 0.001 && now - began_cpu < HANG_CPU_S) {
		last_cpu = now;
		(void)alarm(LOOK_S);
		return;
	}
	if (write(STDERR_FILENO, running, strlen(running)) < 0)
		_exit(3);
	abort();
}

static void watch(void)
{
	began_cpu = last_cpu = cpu_seconds();
	(void)alarm(LOOK_S);
}

/* Checks the stderr of a child process whose graph has a cycle. */
static bool reports_cycle(const struct future_graph *graph)
{
	char text[4096];
	size_t used = 0;
	ssize_t n;
	int ends[2], status = 0;

	if (pipe(ends) != 0)
		return false;
	pid_t child = fork();
	if (child == 0) {
		(void)dup2(ends[1], STDERR_FILENO);
		watch(); /* so that a child that hangs aborts, but without the message */
		(void)future_graph_run(graph);
		_exit(0);
	}
	(void)close(ends[1]);
	while ((n = read(ends[0], text + used, sizeof text - 1 - used)) > 0)
		used += (size_t)n;
	text[used] = '\0';
	(void)close(ends[0]);
	(void)waitpid(child, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
	       strstr(text, "which closes the cycle") != NULL;
}

/* Returns 0, or 1 after printing a line to stderr. */
static int run_graph(unsigned long number, const char *policy, unsigned workers)
{
	struct future_graph graph = {.seed = opt.seed * 1000003 + number,
				     .policy = policy,
				     .workers = workers,
				     .nodes = 50 + (unsigned)((number * 7919) % 951)};
	graph.cycle = opt.cycles ? 1 + (unsigned)(number % 5) : 0;
	(void)snprintf(running, sizeof running,
		       "hangs: future_graphs --seed %llu --from %lu --graphs 1 --policy %s "
		       "--workers %u%s\n",
		       (unsigned long long)opt.seed, number, policy, workers,
		       opt.cycles ? " --cycles" : "");
	if (!opt.cycles)
		watch();
	bool good = opt.cycles ? reports_cycle(&graph) : future_graph_run(&graph) == 0;
	(void)alarm(0);
	if (!good)
		fprintf(stderr, "wrong result; %s", running);
	return !good;
}

static unsigned long run_all_workers(unsigned long number, const char *policy)
{
	static const unsigned counts[] = {1, 2, 3, 4, 8};
	unsigned long bad = 0;

	if (opt.workers != 0)
		return (unsigned long)run_graph(number, policy, opt.workers);
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		bad += (unsigned long)run_graph(number, policy, counts[i]);
	return bad;
}

/* Exits with 2 unless the policy exists. */
static const char *known_policy(const char *name)
{
	if (doze_policy_find(name) != NULL)
		return name;
	fprintf(stderr, "future_graphs: there is no policy '%s'; use one of:", name);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++)
		fprintf(stderr, " %s", (*p)->name);
	fputc('\n', stderr);
	exit(2);
}

static void read_options(int argc, char **argv)
{
	static const struct option options[] = {
	    {"graphs", 1, 0, 'g'}, {"seed", 1, 0, 's'},    {"from", 1, 0, 'f'},
	    {"policy", 1, 0, 'p'}, {"workers", 1, 0, 'w'}, {"cycles", 0, 0, 'c'},
	    {0, 0, 0, 0}};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'g')
			opt.graphs = strtoul(optarg, NULL, 10);
		else if (c == 's')
			opt.seed = strtoull(optarg, NULL, 10);
		else if (c == 'f')
			opt.from = strtoul(optarg, NULL, 10);
		else if (c == 'p')
			opt.policy = known_policy(optarg);
		else if (c == 'w')
			opt.workers = (unsigned)strtoul(optarg, NULL, 10);
		else if (c == 'c')
			opt.cycles = true;
		else
			exit(2);
	}
}

int main(int argc, char **argv)
{
	unsigned long bad = 0, runs = 0;
	time_t began = time(NULL);

	read_options(argc, argv);
	(void)setenv("DOZE_TRACE", "0", 0);
	(void)signal(SIGALRM, on_alarm);
	for (unsigned long n = opt.from; n < opt.from + opt.graphs; n++) {
		for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p; p++) {
			if (opt.policy != NULL && strcmp(opt.policy, (*p)->name) != 0)
				continue;
			bad += run_all_workers(n, (*p)->name);
			runs++;
		}
	}
	printf("%lu graphs, %lu runs of all worker counts, %lu failed, %ld s\n", opt.graphs, runs,
	       bad, (long)(time(NULL) - began));
	return bad != 0 || runs == 0;
}
