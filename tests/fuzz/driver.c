/*
 * SPDX-License-Identifier: MIT
 *
 * driver.c - see fuzz.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define HANG_SECONDS 20   /* of CPU time; one input takes about a millisecond */
#define BATCH        1000 /* inputs per child; limits the accumulation of leaks */
#define MAX_FINDINGS 20

struct run {
	const char *name;
	fuzz_one one;
	uint64_t seed, next, end;
	time_t stop_at;       /* end of the run; 0: no limit */
	_Atomic uint64_t *at; /* the child's current input; in memory shared with the child */
	unsigned findings;
};

/* Sets the CPU time limit for the next input. The kernel counts from the start of the child. */
static void limit_time(void)
{
	rlim_t now = (rlim_t)(clock() / CLOCKS_PER_SEC) + 1;
	struct rlimit l;

	getrlimit(RLIMIT_CPU, &l);
	l.rlim_cur = now + HANG_SECONDS;
	setrlimit(RLIMIT_CPU, &l);
}

static void child(struct run *r, uint64_t end)
{
	for (uint64_t i = r->next; i < end; i++) {
		atomic_store(r->at, i);
		limit_time();
		alarm(HANG_SECONDS * 6); /* wall time, because a busy machine may be slow */
		r->one(r->seed, i);
	}
	exit(0);
}

static void report(struct run *r, uint64_t input, int status)
{
	r->findings++;
	if (WIFSIGNALED(status))
		printf("%s: FINDING: input %" PRIu64 " of seed %" PRIu64 ": %s%s\n", r->name, input,
		       r->seed, strsignal(WTERMSIG(status)),
		       WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM ? " (it hangs)"
										  : "");
	else
		printf("%s: FINDING: input %" PRIu64 " of seed %" PRIu64 ": exit %d\n", r->name,
		       input, r->seed, WEXITSTATUS(status));
	printf("  to repeat: --seed=%" PRIu64 " --first=%" PRIu64 " --inputs=1\n", r->seed, input);
	fflush(stdout);
}

/* Runs one child, and advances r->next past the inputs that the child has run. */
static void batch(struct run *r)
{
	uint64_t end = r->next + BATCH < r->end ? r->next + BATCH : r->end;
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (pid == 0)
		child(r, end);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0) {
		r->next = end;
		return;
	}
	report(r, atomic_load(r->at), status);
	r->next = atomic_load(r->at) + 1;
}

static uint64_t option(int argc, char **argv, const char *name, uint64_t otherwise)
{
	size_t n = strlen(name);

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], name, n) == 0)
			return strtoull(argv[i] + n, NULL, 10);
	return otherwise;
}

int fuzz_main(const char *name, int argc, char **argv, uint64_t inputs, fuzz_one one)
{
	uint64_t first = option(argc, argv, "--first=", 0);
	uint64_t seconds = option(argc, argv, "--seconds=", 0);
	struct run r = {
	    .name = name,
	    .one = one,
	    .seed = option(argc, argv, "--seed=", 1),
	    .next = first,
	    .end = first + option(argc, argv, "--inputs=", inputs),
	    .stop_at = seconds ? time(NULL) + (time_t)seconds : 0,
	};

	r.at = mmap(NULL, sizeof(*r.at), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r.at == MAP_FAILED)
		return 1;
	while (r.next < r.end && r.findings < MAX_FINDINGS &&
	       !(r.stop_at && time(NULL) >= r.stop_at))
		batch(&r);
	printf("%s: %" PRIu64 " inputs, %u findings\n", name, r.next - first, r.findings);
	return r.findings ? 1 : 0;
}
