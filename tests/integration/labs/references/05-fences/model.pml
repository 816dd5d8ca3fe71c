/*
 * SPDX-License-Identifier: MIT
 *
 * model.pml - a solution of lab 5.
 */
#define ADDRS	 2
#define PROCS	 2
#define JOB	 0
#define SLEEPERS 1
#include "memory.pml"

#define POSTER	0
#define SLEEPER 1

bool woken;

active proctype poster()
{
	byte n;

#if RMW_PUSH
	atomic {
		RMW_READY(POSTER, JOB);
		RMW_READ(POSTER, JOB, n);
		RMW_WRITE(POSTER, JOB, 1)
	}
#else
	STORE(POSTER, JOB, 1);
#endif
#if PUSH_FENCE
	FENCE(POSTER);
#endif
	LOAD(POSTER, SLEEPERS, n);
	if
	:: n > 0 -> woken = true
	:: else
	fi
}

active proctype sleeper()
{
	byte n;

	atomic {
		RMW_READY(SLEEPER, SLEEPERS);
		RMW_READ(SLEEPER, SLEEPERS, n);
		RMW_WRITE(SLEEPER, SLEEPERS, n + 1)
	}
#if SLEEP_FENCE
	FENCE(SLEEPER);
#endif
	LOAD(SLEEPER, JOB, n);
	if
	:: n == 0 -> woken
	:: else
	fi
}

FLUSHER(0)
FLUSHER(1)
