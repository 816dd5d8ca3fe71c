/*
 * SPDX-License-Identifier: MIT
 *
 * config.c - turns a doze_config and the environment into checked settings, and keeps the text of
 * each thread's last error.
 *
 * A nonzero field takes precedence over its DOZE_* variable, and the variable over the default. A
 * variable that is set and not empty must be valid: a bad value is an error and is never replaced
 * by the default.
 */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"
#include "sleep/sleep.h"

/* Parses a decimal number, digits only. Returns false if the text is not a number or the number is
 * too large. */
static bool parse_number(const char *text, uint64_t *out)
{
	uint64_t n = 0;
	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9' || n > UINT64_MAX / 10 - 10)
			return false;
		n = n * 10 + (uint64_t)(*text - '0');
	}
	*out = n;
	return true;
}

struct number_rule {
	const char *field, *variable, *unit;
	uint64_t least, most;
};

/* Sets *out to `given` or, if that is 0, to the value of the rule's environment variable, or to 0
 * if that is unset or empty. */
static int read_number(const struct number_rule *rule, uint64_t given, uint64_t *out)
{
	const char *text = getenv(rule->variable);
	bool from_field = given != 0;

	*out = given;
	if (!from_field) {
		if (text == NULL || *text == '\0')
			return 0;
		if (!parse_number(text, out))
			/* 0 fails the range check below, because every minimum is above 0 */
			*out = 0;
	}
	if (*out >= rule->least && *out <= rule->most)
		return 0;
	if (from_field)
		return doze_error_set(EINVAL, "doze_config.%s is %llu: must be from %llu to %llu%s",
				      rule->field, (unsigned long long)given,
				      (unsigned long long)rule->least,
				      (unsigned long long)rule->most, rule->unit);
	return doze_error_set(EINVAL, "%s is \"%.40s\": must be from %llu to %llu%s",
			      rule->variable, text, (unsigned long long)rule->least,
			      (unsigned long long)rule->most, rule->unit);
}

static uint64_t most_workers(void)
{
	return DOZE_MAX_WORKERS < DOZE_WORKERS_MAX ? DOZE_MAX_WORKERS : DOZE_WORKERS_MAX;
}

static int read_threads(struct doze_settings *out, const doze_config *config)
{
	const struct number_rule rule = {"num_threads", "DOZE_NUM_THREADS", " workers", 1,
					 most_workers()};
	uint64_t n;
	int error = read_number(&rule, config->num_threads, &n);
	if (error != 0)
		return error;
	if (n == 0) {
		n = doze_os_cpu_count();
		if (n > rule.most)
			n = rule.most;
	}
	out->num_threads = (uint32_t)n;
	return 0;
}

/* Writes the names of all policies, "jec, rfc, …", to text. */
static void list_policies(char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (const struct doze_sleep_policy *const *p = doze_policy_all(); *p != NULL; p++) {
		int n =
		    snprintf(text + used, size - used, "%s%s", used != 0 ? ", " : "", (*p)->name);
		if (n < 0 || (size_t)n >= size - used)
			return;
		used += (size_t)n;
	}
}

static int read_policy(struct doze_settings *out, const doze_config *config)
{
	const char *name = config->policy;
	const char *where = "doze_config.policy";
	if (name == NULL) {
		name = getenv("DOZE_POLICY");
		where = "DOZE_POLICY";
	}
	if (name == NULL || *name == '\0')
		name = "jec";
	out->policy = doze_policy_find(name);
	if (out->policy != NULL)
		return 0;
	char list[160];
	list_policies(list, sizeof list);
	return doze_error_set(EINVAL, "%s is \"%.30s\": must be one of %s", where, name, list);
}

/* Sets the numbers of fruitless searches until a worker gets sleepy and until it sleeps. If only
 * the sleepy threshold is given, the sleeping threshold is moved by the same amount, as far from it
 * as in the policy's defaults. */
static int read_rounds(struct doze_settings *out, const doze_config *config)
{
	static const struct number_rule sleepy_rule = {
	    "rounds_until_sleepy", "DOZE_ROUNDS_UNTIL_SLEEPY", " rounds", 1, DOZE_ROUNDS_MAX};
	static const struct number_rule sleeping_rule = {"rounds_until_sleeping",
							 "DOZE_ROUNDS_UNTIL_SLEEPING", " rounds", 2,
							 DOZE_ROUNDS_MAX + 1};
	const struct doze_sleep_policy *policy = out->policy;
	uint64_t sleepy, sleeping;
	int error = read_number(&sleepy_rule, config->rounds_until_sleepy, &sleepy);
	if (error == 0)
		error = read_number(&sleeping_rule, config->rounds_until_sleeping, &sleeping);
	if (error != 0)
		return error;
	if (sleepy == 0)
		sleepy = sleeping != 0 && sleeping <= policy->rounds_until_sleepy
			     ? sleeping - 1
			     : policy->rounds_until_sleepy;
	if (sleeping == 0)
		sleeping = sleepy + (policy->rounds_until_sleeping - policy->rounds_until_sleepy);
	if (sleeping <= sleepy)
		return doze_error_set(EINVAL,
				      "rounds until sleeping are %llu: must be more than the "
				      "rounds until sleepy (%llu)",
				      (unsigned long long)sleeping, (unsigned long long)sleepy);
	out->rounds_until_sleepy = (uint32_t)sleepy;
	out->rounds_until_sleeping = (uint32_t)sleeping;
	return 0;
}

/* "never" in the environment variable has the same effect as DOZE_FAIR_NEVER in the field
 * fair_every. */
static int read_fairness(struct doze_settings *out, const doze_config *config)
{
	static const struct number_rule rule = {"fair_every", "DOZE_FAIR_EVERY", " jobs, or never",
						2, DOZE_FAIR_EVERY_MAX};
	const char *text = getenv(rule.variable);
	uint64_t n;

	out->fair_every = 0;
	if (config->fair_every == DOZE_FAIR_NEVER ||
	    (config->fair_every == 0 && text != NULL && strcmp(text, "never") == 0))
		return 0;
	int error = read_number(&rule, config->fair_every, &n);
	out->fair_every = n != 0 ? (uint32_t)n : DOZE_FAIR_EVERY_DEFAULT;
	return error;
}

static int read_stack(struct doze_settings *out, const doze_config *config)
{
	static const struct number_rule rule = {"stack_size", "DOZE_STACK_SIZE", " bytes",
						DOZE_STACK_SIZE_MIN, UINT64_C(1) << 40};
	uint64_t n;
	int error = read_number(&rule, config->stack_size, &n);
	out->stack_size = (size_t)n;
	return error;
}

static int read_suspended(struct doze_settings *out, const doze_config *config)
{
	static const struct number_rule rule = {"max_suspended", "DOZE_MAX_SUSPENDED", " waits", 1,
						DOZE_SUSPENDED_MAX};
	uint64_t n;
	int error = read_number(&rule, config->max_suspended, &n);
	out->max_suspended = n != 0 ? (uint32_t)n : DOZE_SUSPENDED_DEFAULT;
	return error;
}

int doze_config_import(doze_config *out, const doze_config *config, size_t size)
{
	const char *bytes = (const char *)config;

	memset(out, 0, sizeof *out);
	if (config == NULL)
		return 0;
	memcpy(out, config, size < sizeof *out ? size : sizeof *out);
	for (size_t i = sizeof *out; i < size; i++)
		if (bytes[i] != 0)
			return doze_error_set(EINVAL,
					      "doze_config sets a field, %zu bytes from its start, "
					      "that this libdoze (" DOZE_VERSION
					      ") does not have: update libdoze",
					      i);
	return 0;
}

int doze_settings_read(struct doze_settings *out, const doze_config *config)
{
	static const doze_config defaults = DOZE_CONFIG_DEFAULT;
	if (config == NULL)
		config = &defaults;
	memset(out, 0, sizeof *out);
	out->user = *config;
	(void)snprintf(out->name, sizeof out->name, "%s",
		       config->name != NULL ? config->name : "doze");

	int error = read_policy(out, config);
	if (error == 0)
		error = read_threads(out, config);
	if (error == 0)
		error = read_rounds(out, config);
	if (error == 0)
		error = read_fairness(out, config);
	if (error == 0)
		error = read_stack(out, config);
	if (error == 0)
		error = read_suspended(out, config);
	return error;
}
