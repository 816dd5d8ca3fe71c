/*
 * SPDX-License-Identifier: MIT
 *
 * one_sleep.h - an event script (fixtures/event_script.h) that the tests of several views use.
 */
#ifndef DOZE_TESTS_ONE_SLEEP_H
#define DOZE_TESTS_ONE_SLEEP_H

/* w0 is active for 52 us, then sleeps until it is woken at 102 us. The times avoid the edges of
 * columns, which are exact only to an eighth. */
#define ONE_SLEEP                                                                                  \
	"0 x pool jec 1\n0 w0 none>active start\n"                                                 \
	"52 w0 active>idle no_work 0.0.0>0.1.0\n"                                                  \
	"52 w0 idle>sleepy rounds 0.1.0>0.1.0\n"                                                   \
	"52 w0 sleepy>sleeping rounds 0.1.0>1.1.0\n"                                               \
	"102 x post injector 1 empty wakes 1 d1 1.1.0>1.1.1\n"                                     \
	"102 x wake w0 id1 d1 inject 1.1.1>0.1.1\n102 w0 woken 1\n"                                \
	"102 w0 sleeping>idle woken 0.1.1>0.1.1\n"                                                 \
	"102 w0 idle>active found_injected 0.1.1>0.0.1\n"
#define ONE_SLEEP_END "200 w0 active>stopped terminate\n200 x pool stop\n"

#endif
