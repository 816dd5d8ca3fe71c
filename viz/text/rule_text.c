/*
 * SPDX-License-Identifier: MIT
 *
 * rule_text.c - what each rule of the checker demands. tests hold it against viz/model.
 */
#include "rule_text.h"

#include <string.h>

#include "wrap.h"

static const struct {
	const char *rule, *text;
} rules[] = {
    {"transition", "A worker goes only the ways that its policy's state machine has, from the "
		   "state that it is in."},
    {"wake-pair", "Whoever is woken was woken by a wake that somebody made."},
    {"chain", "Each step on the counters word is reported by one event."},
    {"counters", "When nothing moves, the counters equal the number of workers in each state."},
    {"step", "Each event changes the word as the policy says: who searches counts itself, who "
	     "sleeps counts itself, and either the waker or the sleeper takes it back."},
    {"bounds", "sleeping <= inactive <= workers, in every word that is seen."},
    {"jec-parity", "A post makes the jobs event counter odd, a worker that gets sleepy makes "
		   "it even; nobody moves it twice."},
    {"jec-sleep", "Nobody sleeps on another jobs event counter than the one it remembered."},
    {"one-sleepy", "tickle: at most one worker is sleepy."},
    {"post-wakes", "A post wakes as many as the policy's rule says for what it saw."},
    {"wake-count", "A post that chose to wake n is followed by n wakes of its thread, by fewer "
		   "only when no more sleep, by more never; who found work wakes no more than the "
		   "policy allows."},
    {"wake-all", "Whoever wakes all leaves no sleeper out."},
    {"wake-cause", "A policy wakes for no other causes than its own."},
    {"wake-twice", "One sleep is ended by one wake."},
    {"wake-awake", "Only sleepers are woken, and where nobody sleeps, nobody."},
    {"latch", "A core latch goes unset, sleepy, sleeping by its owner, and set by anybody."},
    {"latch-target", "A set latch wakes its owner and nobody else; all, where the owner cannot be "
		     "named (tickle, condvar, forkjoin)."},
    {"latch-wake", "Whoever sets a latch on which its owner sleeps wakes the owner; where all "
		   "are woken, the owner is among them."},
    {"terminate", "Termination wakes everyone, and everyone has stopped when the pool has."},
    {"stranded", "No injected job waits while everybody sleeps and nobody has been woken; no job "
		 "of a broadcast waits for a worker that sleeps on."},
};

const char *doze_rule_name(size_t i)
{
	return i < sizeof rules / sizeof rules[0] ? rules[i].rule : 0;
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
