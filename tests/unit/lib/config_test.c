/*
 * SPDX-License-Identifier: MIT
 *
 * Configuration: fields, environment variables, and the errors for bad values.
 */
#include "lib/config.h"
#include "lib/sleep/sleep.h"
#include "tests/fixtures/suite.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"DOZE_NUM_THREADS",         "DOZE_POLICY",
					"DOZE_ROUNDS_UNTIL_SLEEPY", "DOZE_ROUNDS_UNTIL_SLEEPING",
					"DOZE_STACK_SIZE",          "DOZE_FAIR_EVERY"};

static void clean_environment(void)
{
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		unsetenv(variables[i]);
}

/* Reads the settings while one environment variable is set, then unsets it. */
static int read_with(struct doze_settings *s, const char *variable, const char *value)
{
	clean_environment();
	setenv(variable, value, 1);
	int error = doze_settings_read(s, NULL);
	clean_environment();
	return error;
}

static void defaults(void)
{
	struct doze_settings s;
	clean_environment();
	CU_ASSERT_EQUAL(doze_settings_read(&s, NULL), 0);
	CU_ASSERT_TRUE(s.num_threads >= 1);
	CU_ASSERT_STRING_EQUAL(s.policy->name, "jec");
	CU_ASSERT_EQUAL(s.rounds_until_sleepy, 32);
	CU_ASSERT_EQUAL(s.rounds_until_sleeping, 33);
	CU_ASSERT_EQUAL(s.stack_size, 0);
	CU_ASSERT_EQUAL(s.fair_every, 61);
	CU_ASSERT_STRING_EQUAL(s.name, "doze");
}

static void environment_counts(void)
{
	struct doze_settings s;
	CU_ASSERT_EQUAL(read_with(&s, "DOZE_NUM_THREADS", "3"), 0);
	CU_ASSERT_EQUAL(s.num_threads, 3);
	CU_ASSERT_EQUAL(read_with(&s, "DOZE_NUM_THREADS", "1023"), 0);
	CU_ASSERT_EQUAL(s.num_threads, 1023);
	CU_ASSERT_EQUAL(read_with(&s, "DOZE_STACK_SIZE", "1048576"), 0);
	CU_ASSERT_EQUAL(s.stack_size, 1048576);
	CU_ASSERT_EQUAL(read_with(&s, "DOZE_FAIR_EVERY", "7"), 0);
	CU_ASSERT_EQUAL(s.fair_every, 7);
	CU_ASSERT_EQUAL(read_with(&s, "DOZE_FAIR_EVERY", "never"), 0);
	CU_ASSERT_EQUAL(s.fair_every, 0);
	/* An empty variable counts as unset. */
	CU_ASSERT_EQUAL(read_with(&s, "DOZE_NUM_THREADS", ""), 0);
}

static void fields_come_first(void)
{
	struct doze_settings s;
	doze_config config = {
	    .num_threads = 5, .rounds_until_sleepy = 7, .fair_every = DOZE_FAIR_NEVER};
	setenv("DOZE_NUM_THREADS", "3", 1);
	setenv("DOZE_FAIR_EVERY", "3", 1);
	setenv("DOZE_ROUNDS_UNTIL_SLEEPY", "9", 1);
	CU_ASSERT_EQUAL(doze_settings_read(&s, &config), 0);
	CU_ASSERT_EQUAL(s.num_threads, 5);
	CU_ASSERT_EQUAL(s.rounds_until_sleepy, 7);
	CU_ASSERT_EQUAL(s.fair_every, 0);
	config.fair_every = 5;
	CU_ASSERT_EQUAL(doze_settings_read(&s, &config), 0);
	CU_ASSERT_EQUAL(s.fair_every, 5);
	clean_environment();
}

static void sleeping_moves_with_sleepy(void)
{
	struct doze_settings s;
	CU_ASSERT_EQUAL(read_with(&s, "DOZE_ROUNDS_UNTIL_SLEEPY", "100"), 0);
	CU_ASSERT_EQUAL(s.rounds_until_sleepy, 100);
	CU_ASSERT_EQUAL(s.rounds_until_sleeping, 101);
	CU_ASSERT_EQUAL(read_with(&s, "DOZE_ROUNDS_UNTIL_SLEEPING", "10"), 0);
	CU_ASSERT_EQUAL(s.rounds_until_sleepy, 9);
	CU_ASSERT_EQUAL(s.rounds_until_sleeping, 10);
}

/* Returns whether the value is rejected with an error that names the variable and the value. */
static bool refused(const char *variable, const char *value, const char *word)
{
	struct doze_settings s;
	return read_with(&s, variable, value) == EINVAL &&
	       strstr(doze_last_error(), variable) != NULL &&
	       strstr(doze_last_error(), value) != NULL && strstr(doze_last_error(), word) != NULL;
}

static void bad_values_are_errors(void)
{
	CU_ASSERT_TRUE(refused("DOZE_NUM_THREADS", "0", "must be from 1 to"));
	CU_ASSERT_TRUE(refused("DOZE_NUM_THREADS", "100000", "must be from 1 to"));
	CU_ASSERT_TRUE(refused("DOZE_NUM_THREADS", "-1", "workers"));
	CU_ASSERT_TRUE(refused("DOZE_NUM_THREADS", "four", "workers"));
	CU_ASSERT_TRUE(refused("DOZE_NUM_THREADS", "4x", "workers"));
	CU_ASSERT_TRUE(refused("DOZE_NUM_THREADS", "99999999999999999999999", "workers"));
	CU_ASSERT_TRUE(refused("DOZE_ROUNDS_UNTIL_SLEEPY", "0", "rounds"));
	CU_ASSERT_TRUE(refused("DOZE_ROUNDS_UNTIL_SLEEPING", "1", "rounds"));
	CU_ASSERT_TRUE(refused("DOZE_STACK_SIZE", "1", "bytes"));
	CU_ASSERT_TRUE(refused("DOZE_FAIR_EVERY", "1", "2 to 1000000 jobs, or never"));
	CU_ASSERT_TRUE(refused("DOZE_FAIR_EVERY", "Never", "never"));
	CU_ASSERT_TRUE(refused("DOZE_POLICY", "snooze", "jec"));
}

static void bad_fields_are_errors(void)
{
	struct doze_settings s;
	doze_config config = {.num_threads = 100000};
	clean_environment();
	CU_ASSERT_EQUAL(doze_settings_read(&s, &config), EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "num_threads is 100000"));
	config = (doze_config){.policy = "snooze"};
	CU_ASSERT_EQUAL(doze_settings_read(&s, &config), EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "doze_config.policy"));
	config = (doze_config){.rounds_until_sleepy = 50, .rounds_until_sleeping = 50};
	CU_ASSERT_EQUAL(doze_settings_read(&s, &config), EINVAL);
}

static void every_policy_is_found(void)
{
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		CU_ASSERT_PTR_EQUAL(doze_policy_find((*p)->name), *p);
		CU_ASSERT_TRUE((*p)->rounds_until_sleepy < (*p)->rounds_until_sleeping);
		CU_ASSERT_PTR_NOT_NULL((*p)->summary);
	}
	CU_ASSERT_PTR_NULL(doze_policy_find(""));
}

/* ---- headers older or newer than the library ---- */

static void older_header(void)
{
	char page[sizeof(doze_config) + 64];
	doze_config *config = (doze_config *)(void *)page;
	doze_pool *pool;
	/* Fills everything beyond the old struct with garbage. */
	memset(page, 0xff, sizeof page);
	memset(page, 0, offsetof(doze_config, rounds_until_sleepy));
	config->num_threads = 2;
	clean_environment();
	CU_ASSERT_EQUAL_FATAL(
	    doze_pool_create_sized(&pool, config, offsetof(doze_config, rounds_until_sleepy)), 0);
	CU_ASSERT_EQUAL(doze_num_threads(pool), 2);

	doze_stats stats;
	memset(&stats, 0xff, sizeof stats);
	doze_pool_stats_sized(pool, &stats, offsetof(doze_stats, jobs_run));
	CU_ASSERT_EQUAL(stats.workers, 2);
	CU_ASSERT_EQUAL(stats.jobs_run, UINT64_MAX); /* beyond the old struct, so not written */
	doze_pool_free(pool);
}

static void newer_header(void)
{
	struct {
		doze_config known;
		long unknown;
	} config = {.known = {.num_threads = 1}};
	doze_pool *pool;
	clean_environment();
	CU_ASSERT_EQUAL_FATAL(doze_pool_create_sized(&pool, &config.known, sizeof config), 0);
	doze_pool_free(pool);
	config.unknown = 1;
	CU_ASSERT_EQUAL(doze_pool_create_sized(&pool, &config.known, sizeof config), EINVAL);
	CU_ASSERT_PTR_NULL(pool);
	CU_ASSERT_PTR_NOT_NULL(strstr(doze_last_error(), "does not have"));
	CU_ASSERT_EQUAL(doze_default_pool_init_sized(&config.known, sizeof config), EINVAL);

	struct {
		doze_stats known;
		long unknown;
	} stats;
	memset(&stats, 0xff, sizeof stats);
	CU_ASSERT_EQUAL_FATAL(doze_pool_create(&pool, &config.known), 0);
	doze_pool_stats_sized(pool, &stats.known, sizeof stats);
	CU_ASSERT_EQUAL(stats.unknown, 0);
	doze_pool_free(pool);
}

static const struct suite_test tests[] = {
    {"the defaults match the documentation", defaults},
    {"environment variables set the fields that the caller leaves unset", environment_counts},
    {"the caller's fields override the environment", fields_come_first},
    {"an unset threshold is derived from the one that is set", sleeping_moves_with_sleepy},
    {"the error for a bad variable names it and its allowed values", bad_values_are_errors},
    {"the error for a bad field names the field", bad_fields_are_errors},
    {"each policy is found by its name", every_policy_is_found},
    {"a program built with an older doze.h gets the defaults of newer fields", older_header},
    {"setting a field that only a newer doze.h has is rejected", newer_header},
};
SUITE_MAIN("config", tests)
