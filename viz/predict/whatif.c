/*
 * SPDX-License-Identifier: MIT
 *
 * whatif.c - the view `whatif`: simulates the recorded work with other settings, or models the
 * posts of a trace under other wake rules.
 */
#include "whatif.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../show/load_trace.h"
#include "../show/view.h"
#include "../trace/manifest.h"
#include "../words/complain.h"
#include "../words/pool_words.h"
#include "../words/temp.h"

static void on_verdict(void *ctx, const struct doze_wake *wake)
{
	doze_recorder_verdict(((struct doze_whatif *)ctx)->recorder, wake);
}

static void on_interval(void *ctx, const struct doze_interval *iv)
{
	doze_recorder_interval(((struct doze_whatif *)ctx)->recorder, iv);
}

/* Creates the model that feeds this state, or returns null if out of memory. limits: null means
 * defaults. recorded_cpus: number of CPUs of the recorded machine; 0: unknown. */
static struct doze_model *open_state(struct doze_whatif *w, const struct doze_model_options *limits,
				     unsigned recorded_cpus)
{
	static const struct doze_model_listener listener = {.on_verdict = on_verdict,
							    .on_interval = on_interval};

	w->model = doze_model_new_with(limits, w->by_posts ? NULL : &listener, w);
	w->recorded_cpus = recorded_cpus;
	if (w->model && !w->by_posts)
		w->recorder = doze_recorder_new(w->model, recorded_cpus);
	if (w->model && !w->by_posts && !w->recorder) {
		doze_model_free(w->model);
		w->model = NULL;
	}
	return w->model;
}

static void whatif_feed(void *state, struct doze_model *m, const struct doze_event *e)
{
	struct doze_whatif *w = state;

	if (w->by_posts)
		doze_whatif_event(w, e);
	else
		doze_recorder_event(w->recorder, e);
	doze_model_feed(m, e);
}

/* Frees what the state owns, but not its model. */
static void whatif_close(void *state)
{
	struct doze_whatif *w = state;

	doze_recorder_free(w->recorder);
	w->recorder = NULL;
}

/*
 * ---- --verify ----
 *
 * Records the command of a recording again, once with the recorded setting and once with the
 * proposed one, and measures both runs in the same way as the original.
 */

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

	if (w && open_state(w, NULL, doze_manifest_cpus(dir)))
		rc = doze_load(dir, w->model, whatif_feed, w);
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

		whatif_close(w);
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

/* Records the recorded command again, first unchanged (`again`) and then with the best proposal's
 * setting (`truth`). Returns 0, or the exit code after printing an error. */
static int verify(struct doze_forecast *f, const char *dir)
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

/* ---- The view ---- */

static const char *check_rule(const char *value, void *target)
{
	static char allowed[32 + DOZE_POLICY_COUNT * 24];
	const struct doze_policy_descriptor **rule = target, *d = doze_policy_descriptor(value);
	size_t used;

	if (d != &doze_policy_unknown || !strcmp(value, "all")) {
		*rule = d == &doze_policy_unknown ? NULL : d;
		return NULL;
	}
	used = (size_t)snprintf(allowed, sizeof allowed, "one of: all");
	for (size_t i = 0; i < DOZE_POLICY_COUNT; i++)
		used += (size_t)snprintf(allowed + used, sizeof allowed - used, " %s",
					 doze_policy_at(i)->name);
	return allowed;
}

static const struct doze_whatif defaults = {.max_shown = 10};

static const struct doze_view_option options[] = {
    {.option = {"policy", 0, "NAME", "the policy to try, or 'all' (default)", check_rule, NULL},
     .offset = offsetof(struct doze_whatif, only)},
    {.option = {"workers", 0, "N", "the number of workers to try", doze_check_workers, NULL},
     .offset = offsetof(struct doze_whatif, workers)},
    {.option = {"cpus", 0, "N", "simulate a machine with N CPUs (default: as recorded)",
		doze_check_count, NULL},
     .offset = offsetof(struct doze_whatif, cpus)},
    {.option = {"verify", 0, NULL, "record the best proposal and compare it with the prediction",
		doze_check_flag, NULL},
     .offset = offsetof(struct doze_whatif, verify)},
    {.option = {"posts", 0, NULL, "apply the wake rules to the recorded posts; no simulation",
		doze_check_flag, NULL},
     .offset = offsetof(struct doze_whatif, by_posts)},
    {.option = {"max", 0, "N",
		"with --posts and one policy, list the first N posts that differ (default 10, at "
		"most 1000)",
		doze_check_number, NULL},
     .offset = offsetof(struct doze_whatif, max_shown)},
    {.option = {0}},
};

static struct doze_model *whatif_open(void *state, const struct doze_view_request *r)
{
	struct doze_model_options limits = DOZE_MODEL_DEFAULTS;

	limits.selection = r->selection;
	return open_state(state, &limits, r->trace ? doze_manifest_cpus(r->trace) : 0);
}

/* A simulation needs the whole run, because its jobs depend on each other. A post depends only on
 * its own facts. */
static const char *whatif_refuse(const void *state, const struct doze_view_request *r)
{
	static char text[120];
	const struct doze_whatif *w = state;
	const char *option = doze_view_part_option(r);

	if (w->by_posts || !option)
		return NULL;
	snprintf(text, sizeof text,
		 "--%s: a simulation replays the whole run: omit the option, or add --posts",
		 option);
	return text;
}

/* Returns why the work cannot be replayed, or null if it can. */
static const char *refusal(const struct doze_work *work)
{
	if (!work)
		return "the trace has no jobs to replay: record with --detail=all";
	if (work->failed)
		return "not enough memory or temporary disk space to replay the trace: record a "
		       "shorter run";
	if (!work->every_job)
		return "the trace does not have level all: a simulation needs every job: record "
		       "with --detail=all, or see --posts";
	/* At the end of a recording, a few jobs always lack their end, so tolerate some broken
	 * jobs. */
	if (work->broken > work->workers && work->broken > work->jobs / 50)
		return "too many jobs are incomplete in the trace: record again, without losses "
		       "and until the pool stops";
	return NULL;
}

/* Makes the forecast. If the trace is not sufficient, stores the reason and returns false. */
static bool forecast(struct doze_whatif *w, const struct doze_view_request *r)
{
	const struct doze_work *work = doze_recorder_finish(w->recorder);
	struct doze_forecast *f = &w->forecast;

	w->refused = refusal(work);
	if (w->refused)
		return false;
	doze_forecast_begin(f, work, w->recorded_cpus, w->cpus);
	snprintf(f->pool, sizeof f->pool, "%s", doze_pool_words(w->model, work->pool_row));
	if (w->only || w->workers || w->cpus)
		doze_forecast_add(f, w->only ? w->only : doze_policy_descriptor(work->policy),
				  w->workers ? w->workers : work->workers);
	else
		doze_forecast_add_all(f);
	doze_forecast_run(f);
	if (w->verify)
		w->rc = verify(f, r->trace);
	return true;
}

/* Returns whether the trace is of a program without libdoze, of whose work nothing is known. No
 * other recording of it would help. */
static bool is_foreign(struct doze_whatif *w, const struct doze_model *m)
{
	if (!doze_model_is_foreign(m))
		return false;
	w->refused = "the recorded program does not use libdoze, so its work is not in the trace "
		     "and cannot be replayed: give a recording of a program that uses libdoze";
	w->rc = DOZE_EXIT_USAGE;
	return true;
}

static void whatif_print(void *state, const struct doze_model *m, const struct doze_view_request *r)
{
	struct doze_whatif *w = state;

	if (is_foreign(w, m) || (!w->by_posts && !forecast(w, r)))
		return;
	if (w->by_posts && r->json)
		doze_whatif_json(w, r->trace, r->out);
	else if (w->by_posts)
		doze_whatif_print(w, r->out);
	else if (r->json)
		doze_forecast_json(&w->forecast, r->trace, r->out);
	else
		doze_forecast_print(&w->forecast, r->out);
}

static int whatif_judge(const void *state, const struct doze_model *m)
{
	const struct doze_whatif *w = state;

	(void)m;
	if (!w->refused)
		return w->rc;
	doze_complain("whatif: %s", w->refused);
	return w->rc ? w->rc : DOZE_EXIT_INCONCLUSIVE;
}

const struct doze_view doze_whatif_view = {
    .name = "whatif",
    .options = options,
    .size = sizeof(struct doze_whatif),
    .defaults = &defaults,
    .refuse = whatif_refuse,
    .open = whatif_open,
    .feed = whatif_feed,
    .print = whatif_print,
    .json = whatif_print,
    .judge = whatif_judge,
    .close = whatif_close,
};
