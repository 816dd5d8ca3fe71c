/*
 * SPDX-License-Identifier: MIT
 *
 * uv_work.c - gives libuv's thread pool jobs to do, for tests/emit/libuv.
 *
 *   uv_work ROUNDS COMPUTE WAIT NOTHING LOOKUPS [cancel | fork]
 *
 * In each round, posts that many jobs of each kind, and waits for them. Then prints how many jobs
 * it posted and how many ran. cancel: cancels every second job. fork: a child does the same again.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

enum { COMPUTES = 1, WAITS, NOTHING, LOOKUP, MOST = 64, LOOPS = 300000, WAIT_US = 10000 };

static uv_work_t jobs[MOST];
static uv_getaddrinfo_t lookups[MOST];
static int used, ran;

/* Replaces glibc's function, as a name server that answers slowly. */
int getaddrinfo(const char *n, const char *s, const struct addrinfo *h, struct addrinfo **found)
{
	__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
	usleep(WAIT_US);
	return n || s || h || found ? EAI_AGAIN : EAI_FAIL;
}

static void work(uv_work_t *job)
{
	__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
	for (volatile int i = 0; job->data == (void *)COMPUTES && i < LOOPS; i++)
		continue;
	if (job->data == (void *)WAITS)
		usleep(WAIT_US);
}

static void looked_up(uv_getaddrinfo_t *lookup, int error, struct addrinfo *found)
{
	lookup->data = error ? NULL : found;
}

static void post(uv_loop_t *loop, long kind)
{
	jobs[used].data = (void *)kind;
	if (kind == LOOKUP)
		(void)uv_getaddrinfo(loop, &lookups[used++], looked_up, "x", NULL, NULL);
	else
		(void)uv_queue_work(loop, &jobs[used++], work, NULL);
}

static void run(uv_loop_t *loop, int argc, char **argv)
{
	int posted = 0, cancels = !strcmp(argv[argc - 1], "cancel");

	for (int round = atoi(argv[1]); round > 0; round--, posted += used) {
		used = 0;
		for (long kind = COMPUTES; kind <= LOOKUP; kind++)
			for (int i = atoi(argv[1 + kind]); i > 0 && used < MOST; i--)
				post(loop, kind);
		for (int i = 1; cancels && i < used; i += 2)
			(void)uv_cancel((uv_req_t *)&jobs[i]);
		(void)uv_run(loop, UV_RUN_DEFAULT);
	}
	(void)dprintf(1, "%d posted, %d ran\n", posted, ran);
	ran = 0;
}

int main(int argc, char **argv)
{
	if (argc < 6)
		return 2;
	run(uv_default_loop(), argc, argv);
	if (!strcmp(argv[argc - 1], "fork") && !fork() && !uv_loop_fork(uv_default_loop()))
		run(uv_default_loop(), argc, argv);
	return wait(NULL) == 0; /* it fails in the child, which has no children */
}
