/*
 * SPDX-License-Identifier: MIT
 *
 * verify.c - records the command of a recording again, once with the recorded setting and once with
 * the proposed one, and measures both runs in the same way as the original.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../show/load.h"
#include "../trace/manifest.h"
#include "../words/complain.h"
#include "../words/temp.h"
#include "forecast.h"
#include "whatif.h"

enum { FIXED_ARGS = 11 };

/* One run of the command, to be recorded and measured. */
struct trial {
	const char *policy;
	uint32_t workers;
	struct doze_sim_run run;
};

static int record(char *const *command, size_t n, const struct trial *t, char *dir)
{
	char workers[16], **argv = calloc(FIXED_ARGS + n + 1, sizeof *argv);
	const char *const fixed[FIXED_ARGS] = {"doze", "record", "-p", t->policy, "-w", workers,
					       "-d",   "all",    "-o", dir,       "--"};
	posix_spawn_file_actions_t quiet;
	int status = -1, error;
	pid_t pid;

	if (!argv)
		return DOZE_EXIT_INPUT;
	snprintf(workers, sizeof workers, "%u", t->workers);
	memcpy(argv, fixed, sizeof fixed);
	memcpy(argv + FIXED_ARGS, command, (n + 1) * sizeof *argv);
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	error = posix_spawn(&pid, "/proc/self/exe", &quiet, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&quiet);
	free(argv);
	while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (error)
		doze_complain("whatif: --verify: cannot start doze record: %s", strerror(error));
	return error || !WIFEXITED(status) ? DOZE_EXIT_INPUT : WEXITSTATUS(status);
}

static int measure(const char *dir, struct trial *t)
{
	struct doze_whatif *w = calloc(1, sizeof *w);
	const struct doze_work *work = NULL;
	int rc = DOZE_EXIT_INPUT;

	if (w && doze_whatif_open(w, NULL, doze_manifest_cpus(dir)))
		rc = doze_load(dir, w->model, doze_whatif_feed, w);
	if (!rc)
		work = doze_recorder_finish(w->recorder);
	if (!rc && (!work || work->workers != t->workers || strcmp(work->policy, t->policy) != 0)) {
		doze_complain("whatif: --verify: the program ignores DOZE_POLICY and "
			      "DOZE_NUM_THREADS: it sets its own policy or number of workers");
		rc = DOZE_EXIT_INPUT;
	}
	if (!rc)
		t->run = work->recorded;
	if (w) {
		struct doze_model *m = w->model;

		doze_whatif_close(w);
		doze_model_free(m);
	}
	free(w);
	return rc;
}

static int try(char *const *command, size_t n, struct trial *t)
{
	char top[PATH_MAX], trace[sizeof top + 8];
	int rc;

	if (doze_temp_make(top, sizeof top) != 0) {
		doze_complain("whatif: --verify: cannot create a folder in %s: %s",
			      doze_temp_base(), strerror(errno));
		return DOZE_EXIT_INPUT;
	}
	snprintf(trace, sizeof trace, "%s/trace", top);
	rc = record(command, n, t, trace);
	if (rc)
		doze_complain("whatif: --verify: the recording failed: run doze whatif in the "
			      "folder in which %s was recorded",
			      command[0]);
	rc = rc ? DOZE_EXIT_INPUT : measure(trace, t);
	doze_temp_remove(top);
	return rc;
}

static int try_both(struct doze_forecast *f, const struct doze_proposal *p, char *const *command,
		    size_t n)
{
	struct trial again = {f->work->policy, f->work->workers, {.wakes = 0}};
	struct trial proposed = {p->policy->name, p->workers, {.wakes = 0}};
	int rc = try(command, n, &again);

	rc = rc ? rc : try(command, n, &proposed);
	f->verified = !rc;
	f->again = again.run;
	f->truth = proposed.run;
	return rc;
}

int doze_forecast_verify(struct doze_forecast *f, const char *dir)
{
	const struct doze_proposal *p = doze_forecast_best(f);
	size_t n = 0;
	char **command = doze_manifest_argv(dir, &n);
	int rc = DOZE_EXIT_INPUT;

	if (!command || !n)
		doze_complain("whatif: --verify: %s: the recording does not contain its command "
			      "line: record the program with doze record",
			      dir);
	else if (!p)
		doze_complain(
		    "whatif: --verify: nothing to record: the prediction proposes no change");
	else
		rc = try_both(f, p, command, n);
	for (size_t i = 0; command && i < n; i++)
		free(command[i]);
	free(command);
	return rc;
}
