/*
 * SPDX-License-Identifier: MIT
 *
 * A few random graphs of futures under every policy; tests/soak/future_graphs.c runs many. Set
 * FUTURE_GRAPHS to the number of graphs per policy under tools so slow that the default of ten
 * would take an hour.
 */
#include "help.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/future_graph.h"
#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const unsigned workers[] = {1, 2, 3, 4, 8};
enum { COUNTS = sizeof workers / sizeof workers[0] };

static int graphs(int otherwise)
{
	const char *text = getenv("FUTURE_GRAPHS");
	int n = text != NULL ? atoi(text) : 0;
	return n > 0 && n < otherwise ? n : otherwise;
}

/* Seeds are consecutive, so that the graphs use every way to submit the nodes (future_graph.c). */
static void acyclic(void)
{
	uint64_t seed = 1;

	suite_allow_seconds(120);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		for (int i = graphs(2 * COUNTS); i > 0; i--, seed++) {
			struct future_graph graph = {.seed = seed,
						     .policy = (*p)->name,
						     .workers = workers[seed % COUNTS],
						     .nodes = 50 + 4 * (unsigned)seed};
			CU_ASSERT_EQUAL(future_graph_run(&graph), 0);
		}
	}
}

/* Uses two pools of 64 workers, or of 8 under slow tools (FUTURE_GRAPHS). */
static void acyclic_with_64_workers(void)
{
	uint64_t seed = 64;

	suite_allow_seconds(120);
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		struct future_graph graph = {.seed = seed,
					     .policy = (*p)->name,
					     .workers = graphs(64) < 64 ? 8 : 64,
					     .nodes = 200};
		CU_ASSERT_EQUAL(future_graph_run(&graph), 0);
		seed++;
	}
}

static struct future_graph cyclic_graph;

static void run_cyclic(void)
{
	(void)future_graph_run(&cyclic_graph);
}

static unsigned lines_of(const char *text, const char *wanted)
{
	unsigned n = 0;
	for (; (text = strstr(text, wanted)) != NULL; text++)
		n++;
	return n;
}

static void cyclic(void)
{
	char text[4096];

	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		for (int i = COUNTS - graphs(COUNTS); i < COUNTS; i++) {
			cyclic_graph = (struct future_graph){.seed = (uint64_t)i,
							     .policy = (*p)->name,
							     .workers = workers[i],
							     .nodes = 60,
							     .cycle = 1 + (unsigned)i};
			int status = help_in_child(run_cyclic, text, sizeof text);
			CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
			/* The message lists the members of a cycle, which may be shorter or longer
			 * than the planted one, because it may pass through other nodes. */
			CU_ASSERT_PTR_NOT_NULL(strstr(text, "wait for each other"));
			CU_ASSERT_TRUE(lines_of(text, " waits for ") >= 1);
			CU_ASSERT_EQUAL(lines_of(text, "which closes the cycle"), 1);
		}
	}
}

static const struct suite_test tests[] = {
    {"every acyclic graph completes", acyclic},
    {"acyclic graphs complete with 64 workers", acyclic_with_64_workers},
    {"every cyclic graph is reported", cyclic},
};
SUITE_MAIN("future_graph", tests)
