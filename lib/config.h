/*
 * SPDX-License-Identifier: MIT
 *
 * config.h - all tunables of the library, and the conversion of a doze_config and the environment
 * into settings.
 */
#ifndef DOZE_CONFIG_H
#define DOZE_CONFIG_H

#include "doze.h"

#ifndef DOZE_VERSION /* normally defined by the Makefile */
#define DOZE_VERSION "0.0.0-unknown"
#endif

/* number of fruitless searches after which a worker gets sleepy */
#define DOZE_ROUNDS_UNTIL_SLEEPY_DEFAULT 32
/* number of fruitless searches after which a sleepy worker sleeps */
#define DOZE_ROUNDS_UNTIL_SLEEPING_DEFAULT 33
#define DOZE_ROUNDS_MAX                    1000000
/* Unit: jobs. Go's scheduler also uses 61, a prime, so that user loops rarely run in step with
 * it. */
#define DOZE_FAIR_EVERY_DEFAULT 61
#define DOZE_FAIR_EVERY_MAX     1000000
#ifndef DOZE_DEQUE_CAPACITY_DEFAULT     /* labs/explorer defines a smaller value */
#define DOZE_DEQUE_CAPACITY_DEFAULT 256 /* number of entries; doubles when the deque is full */
#endif
#define DOZE_WORKERS_MAX       4096 /* a larger number is almost certainly a typo */
#define DOZE_STACK_SIZE_MIN    65536
#define DOZE_SUSPENDED_DEFAULT 4096 /* each suspended wait holds a thread */
#define DOZE_SUSPENDED_MAX     1000000
#define DOZE_NAME_MAX          10 /* bytes of the prefix; Linux limits a thread's name to 15 bytes */

struct doze_sleep_policy;

/** A checked configuration with all defaults filled in. */
struct doze_settings {
	/* the user's config, from which the pool reads the handlers and their arguments */
	doze_config user;
	const struct doze_sleep_policy *policy;
	uint32_t num_threads;
	uint32_t rounds_until_sleepy, rounds_until_sleeping;
	uint32_t fair_every; /* 0: no limit */
	size_t stack_size;   /* 0: the system's default */
	uint32_t max_suspended;
	char name[DOZE_NAME_MAX + 1];
};

/** Any thread. Fills *out from a config of the given size, which may come from an older or newer
 * header; a null config gives all zeros. Returns 0, or EINVAL if the config sets a field that this
 * library does not have. */
int doze_config_import(doze_config *out, const doze_config *config, size_t size);

/** Any thread. A null config means all defaults. Returns 0, or EINVAL; doze_last_error() then names
 * the field or variable and its valid values. */
int doze_settings_read(struct doze_settings *out, const doze_config *config);

/** Sets the calling thread's doze_last_error(), formatted as by printf, and returns `code`. */
int doze_error_set(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
