/*
 * SPDX-License-Identifier: MIT
 *
 * rule_text.c - the table of the checker's rules, with a sentence that describes each. rules_test
 * checks that the table lists the same rules as viz/model.
 */
#include "rule_text.h"

#include <string.h>

#include "../model/saved.h"
#include "wrap.h"

static const struct {
	const char *rule, *text;
} rules[] = {
    {"transition", "A worker makes only transitions of its policy's state machine, starting from "
		   "its current state."},
    {"wake-pair", "Each woken event names a wake that a thread made."},
    {"wake-number", "The wakes of a pool are numbered without a gap."},
    {"chain", "Each step on the counters word is reported by one event."},
    {"counters",
     "While the pool is quiet, the counters equal the numbers of workers in each state."},
    {"step", "Each event changes the word as the policy requires: workers count themselves as "
	     "inactive and as sleeping, and the waker or the sleeper undoes the latter."},
    {"bounds", "In every word, sleeping <= inactive <= workers."},
    {"jec-parity", "A post makes an even jobs event counter odd, and a worker that gets sleepy "
		   "makes an odd one even."},
    {"jec-sleep",
     "A worker sleeps only if the jobs event counter still has the value that it remembered."},
    {"one-sleepy", "tickle: at most one worker is sleepy."},
    {"post-wakes", "A post chooses to wake as many workers as the policy requires for the counts "
		   "and the queue that it read."},
    {"wake-count", "A post that chose to wake n workers makes n wakes, or fewer if no more workers "
		   "sleep. A worker that found work wakes no more than the policy allows."},
    {"wake-all", "A thread that wakes all workers leaves out no sleeper."},
    {"wake-cause", "A policy sends wakes only for its own causes."},
    {"wake-twice", "Only one wake ends a sleep."},
    {"wake-awake", "Only sleeping workers are woken."},
    {"latch", "Only the owner of a core latch makes it unset, sleepy or sleeping, in the "
	      "protocol's order; any thread may set it."},
    {"latch-target",
     "A set latch wakes only its owner, or all workers if the policy cannot name the "
     "owner (tickle, condvar, forkjoin)."},
    {"latch-wake", "A thread that sets a latch on which the latch's owner sleeps wakes the owner, "
		   "alone or with all workers."},
    {"terminate", "Termination wakes all workers, and all of them stop before the pool does."},
    {"stranded", "No injected job waits while all workers sleep and none is being woken. No "
		 "broadcast job waits for a worker that stays asleep."},
    {"job-once", "Each job is run once."},
    {"job-lost", "Every posted job has run when the pool stops."},
    {"job-end", "A job finishes once, after it has started."},
    {"job-asleep", "A sleeping worker runs no job."},
    {"self-steal", "A worker steals only from others."},
    {"index", "Events name only workers that the pool has."},
    {"state", "Workers enter and leave only states that exist."},
    {"totals", "A worker's totals of jobs run and published never fall."},
    {"width", "The fields of the counters word fit into 64 bits and can count all workers."},
    {"after-stop", "No event but a mark follows the stop of its pool."},
};

const char *doze_rule_name(size_t i)
{
	return i < sizeof rules / sizeof rules[0] ? rules[i].rule : 0;
}

void doze_rule_saved(struct doze_saved *s, const char **rule)
{
	size_t i = 0;

	while (!s->loads && doze_rule_name(i) && strcmp(doze_rule_name(i), *rule) != 0)
		i++;
	(void)doze_saved_value(s, i);
	*rule = doze_rule_name(i);
	if (!*rule) {
		*rule = "?";
		(void)doze_saved_fail(s);
	}
}

const char *doze_rule_text(const char *rule)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		if (!strcmp(rules[i].rule, rule))
			return rules[i].text;
	return "";
}

void doze_rules_print(FILE *out)
{
	char line[320];

	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		snprintf(line, sizeof line, "%-13s %s\n", rules[i].rule, rules[i].text);
		doze_wrap(out, line, 14);
	}
}
