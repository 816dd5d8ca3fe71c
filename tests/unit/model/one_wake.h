/*
 * SPDX-License-Identifier: MIT
 *
 * one_wake.h - for the suites of the ledger: a script in which one worker sleeps and is woken, and
 * checks of the wake's verdict.
 */
#ifndef DOZE_TESTS_ONE_WAKE_H
#define DOZE_TESTS_ONE_WAKE_H

#include "tests/fixtures/event_script.h"
#include "tests/fixtures/suite.h"

/* The beginning of a script with two workers: w0 works, and w1 is asleep by 40 us. */
#define ASLEEP(policy)                                                                             \
	"0 x pool " policy " 2\n"                                                                  \
	"1 w0 none>active start\n"                                                                 \
	"1 w1 none>active start\n"                                                                 \
	"20 w1 active>idle no_work 0.0.0>0.1.0\n"                                                  \
	"30 w1 idle>sleepy rounds 0.1.0>0.1.0\n"                                                   \
	"40 w1 sleepy>sleeping rounds 0.1.0>1.1.0\n"
#define WOKEN                                                                                      \
	"50 w0 post local 1 empty wakes 1 d1 1.1.0>1.1.1\n"                                        \
	"52 w0 wake w1 id1 d1 push 1.1.1>0.1.1\n"                                                  \
	"55 w1 woken 1\n"                                                                          \
	"56 w1 sleeping>idle woken 0.1.1>0.1.1\n"

static inline uint64_t verdicts(const struct script_result *d, enum doze_verdict v)
{
	return doze_model_totals(d->model)->verdicts[v];
}

/* Expects exactly one wake, with the given verdict, and no finding. */
static inline void only(struct script_result *d, enum doze_verdict v)
{
	CU_ASSERT_EQUAL(d->verdicts, 1);
	CU_ASSERT_EQUAL(d->verdict[0].verdict, v);
	CU_ASSERT_EQUAL(verdicts(d, v), 1);
	CU_ASSERT_EQUAL(d->findings, 0);
}

#endif
