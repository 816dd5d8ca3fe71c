/*
 * SPDX-License-Identifier: MIT
 *
 * rules.c - the wake rule of each preset as a function of what its poster can know.
 *
 * Those that `doze check` judges are the checker's own functions (viz/check/rules.c). Those here it
 * cannot judge, because such posts do not record what they saw, or saw only a hint.
 */
#include <string.h>

#include "../check/rules.h"
#include "whatif.h"

/* tickle: "each event wakes every sleeper". */
static uint32_t post_all(const struct post_facts *f)
{
	return f->sleeping;
}

/* condvar, forkjoin: one signal for each job. */
static uint32_t post_signal(const struct post_facts *f)
{
	return f->jobs;
}

/* jec: where there is a job there may be more, up to two. */
static uint32_t found_two(const struct doze_whatif_facts *f)
{
	(void)f;
	return 2;
}

/* chain: one, if jobs are left in the queues; here: if anybody sleeps, as the record does not say.
 */
static uint32_t found_one(const struct doze_whatif_facts *f)
{
	(void)f;
	return 1;
}

/* go: the last spinner that finds work wakes the next. */
static uint32_t found_last(const struct doze_whatif_facts *f)
{
	return f->idle <= 1;
}

static const struct whatif_rule {
	const char *name;
	wake_rule *post; /* null: the checker's */
	uint32_t (*found)(const struct doze_whatif_facts *);
} rules[] = {
    {"jec", 0, found_two},
    {"rfc", 0, 0},
    {"local", 0, 0},
    {"block", 0, 0},
    {"spare", 0, 0},
    {"chain", 0, found_one},
    {"go", 0, found_last},
    {"tickle", post_all, 0},
    {"forkjoin", post_signal, 0},
    {"condvar", post_signal, 0},
    {"spin", 0, 0},
};

_Static_assert(sizeof rules / sizeof rules[0] <= DOZE_WHATIF_RULES_MAX, "room for the sums");

size_t doze_whatif_rules(void)
{
	return sizeof rules / sizeof rules[0];
}

const char *doze_whatif_rule_name(size_t i)
{
	return i < doze_whatif_rules() ? rules[i].name : 0;
}

static uint32_t at_most(uint32_t wanted, uint32_t sleeping)
{
	return wanted < sleeping ? wanted : sleeping;
}

uint32_t doze_whatif_post(size_t i, const struct doze_whatif_facts *f)
{
	wake_rule *rule = rules[i].post ? rules[i].post : policy_rules_of(rules[i].name)->wakes;
	const struct post_facts facts = {.jobs = f->jobs,
					 .idle = f->idle,
					 .sleeping = f->sleeping,
					 .workers = f->workers,
					 .was_empty = f->was_empty,
					 .local = f->local};

	/* Every rule begins with it: nobody sleeps, nobody is woken. */
	return f->sleeping && rule ? at_most(rule(&facts), f->sleeping) : 0;
}

uint32_t doze_whatif_found(size_t i, const struct doze_whatif_facts *f)
{
	return rules[i].found ? at_most(rules[i].found(f), f->sleeping) : 0;
}
