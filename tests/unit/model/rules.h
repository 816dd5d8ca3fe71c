/*
 * SPDX-License-Identifier: MIT
 *
 * rules.h - shared by the two files of the suite rules_test: rules_test.c has the rules on words,
 * posts, wakes and latches, and rules_recording.c the rules on jobs, values and whole recordings.
 */
#ifndef DOZE_TESTS_CHECK_RULES_H
#define DOZE_TESTS_CHECK_RULES_H

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

/* The start of a pool with two workers under the given policy, and the end of that pool. */
#define START(policy) "0 x pool " policy " 2\n1 w0 none>active start\n1 w1 none>active start\n"
#define STOP          "80 w0 active>stopped terminate\n80 w1 active>stopped terminate\n90 x pool stop\n"
/* Policy rfc with two workers, of which w1 sleeps. */
#define RFC_ASLEEP                                                                                 \
	START("rfc")                                                                               \
	"20 w1 active>idle no_work 0.0.0>0.1.0\n40 w1 idle>sleeping rounds 0.1.0>1.1.0\n"
#define RFC_FOUND_3                                                                                \
	"55 w1 woken 3\n56 w1 sleeping>idle woken 1.1.0>0.1.0\n"                                   \
	"60 w1 idle>active found_stolen 0.1.0>0.0.0\n"

/** Fails the test if the trace has a finding. */
void rules_healthy(const char *text);
/** Fails the test unless the trace breaks the given rule and no other. */
void rules_break(const char *rule, const char *text);
/** Records that a test has broken the rule. The suite's last test checks that every rule has been
 * recorded. */
void rules_note_broken(const char *rule);

/* Tests of rules_recording.c. */
void rules_jobs(void);
void rules_ranges(void);
void rules_unknown_policies(void);
void rules_one_finding_per_cause(void);
void rules_complete_recordings(void);
void rules_missing_wake_number(void);
void rules_late_wake_numbers(void);

#endif
