/*
 * SPDX-License-Identifier: MIT
 *
 * injector.pml - an outside thread injects jobs while a worker falls asleep. Models the proof sketch of
 * lib/sleep/README.md, with the sketch's names of the steps.
 *
 *   -DMEM=SC|TSO|WEAK      memory.pml
 *   -DPUSH_FENCE=0|1       the fence between PushJob and ReadSleepers
 *   -DRMW_PUSH=0|1         1: PushJob is a read-modify-write, as in doze's injector; 0: a plain
 *                          store, as in another queue
 *   -DSLEEP_FENCE=0|1      the fence between IncSleepers and ReadJob
 *   -DLAST_LOOK=0|1        whether the worker performs ReadJob at all
 *   -DJEC=0|1              0: no jobs event counter (like the sketch, as if it had wrapped around);
 *                          1: with a counter of two bits
 *
 * A lost wakeup is an invalid end state: the worker waits, a job is queued, and the poster has ended.
 */
#define ADDRS 2
#define PROCS 2
#define J     0 /* jobs injected so far; only the poster stores */
#define C     1 /* the counters: bit 0 sleeping, bits 1.. JEC */
#include "../../../labs/05-fences/memory.pml"

#define JOBS	 2
#define POSTER	 0
#define WORKER	 1
#define SLEEPERS(c) ((c) & 1)
#define JEC_OF(c)   ((c) >> 1)
#define JEC_NEXT(c) ((c) & 1 | ((((c) >> 1) + 1) & 3) << 1)

bool sleep_lock;   /* the mutex of the worker */
bool is_blocked;   /* guarded by sleep_lock */

active proctype poster()
{
	byte c;
	byte k;

	for (k : 1 .. JOBS) {
push_job:
#if RMW_PUSH
		atomic {
			RMW_READY(POSTER, J);
			RMW_READ(POSTER, J, c);
			RMW_WRITE(POSTER, J, k)
		}
#else
		STORE(POSTER, J, k);
#endif
#if PUSH_FENCE
push_fence:	FENCE(POSTER);
#endif
#if JEC
		/* Makes an even JEC odd. Sets c to the resulting counters. */
		LOAD(POSTER, C, c);
		do
		:: JEC_OF(c) & 1 -> break
		:: else ->
			atomic {
				RMW_READY(POSTER, C);
				RMW_READ(POSTER, C, c);
				c = JEC_NEXT(c); /* still even: only this process makes it odd */
				RMW_WRITE(POSTER, C, c)
			}
		od;
#else
read_sleepers:	LOAD(POSTER, C, c);
#endif
		if
		:: SLEEPERS(c) ->
			LOCK(POSTER, sleep_lock);
			if
			:: is_blocked ->
				atomic {
					RMW_READY(POSTER, C);
					RMW_READ(POSTER, C, c);
					RMW_WRITE(POSTER, C, c - 1)
				}
				is_blocked = false
			:: else
			fi;
			UNLOCK(POSTER, sleep_lock)
		:: else
		fi
	}
}

active proctype worker()
{
	byte c, j, taken;
#if JEC
	byte remembered;
#endif

search:
	LOAD(WORKER, J, j);
	if
	:: j > taken ->
		taken++;
		if
		:: taken == JOBS -> goto served
		:: else -> goto search
		fi
	:: else
	fi;
#if JEC
	/* Gets sleepy: makes an odd JEC even and remembers it, then searches once more. */
	atomic {
		RMW_READY(WORKER, C);
		RMW_READ(WORKER, C, c);
		if
		:: JEC_OF(c) & 1 ->
			c = JEC_NEXT(c);
			RMW_WRITE(WORKER, C, c)
		:: else
		fi;
		remembered = JEC_OF(c)
	}
	LOAD(WORKER, J, j);
	if
	:: j > taken -> goto search
	:: else
	fi;
#endif
	LOCK(WORKER, sleep_lock);
inc_sleepers:
	atomic {
		RMW_READY(WORKER, C);
		RMW_READ(WORKER, C, c);
#if JEC
		if
		:: JEC_OF(c) != remembered -> goto averted
		:: else
		fi;
#endif
		RMW_WRITE(WORKER, C, c | 1)
	}
#if SLEEP_FENCE
sleep_fence:
	FENCE(WORKER);
#endif
#if LAST_LOOK
read_job:
	LOAD(WORKER, J, j);
	if
	:: j > taken ->
		atomic {
			RMW_READY(WORKER, C);
			RMW_READ(WORKER, C, c);
			RMW_WRITE(WORKER, C, c - 1)
		}
		UNLOCK(WORKER, sleep_lock);
		goto search
	:: else
	fi;
#endif
	/* Waits: releases the lock, and locks it again when the flag has been cleared. */
	is_blocked = true;
	UNLOCK(WORKER, sleep_lock);
	atomic {
		!is_blocked && DRAINED(WORKER) && !sleep_lock;
		sleep_lock = true
	}
	UNLOCK(WORKER, sleep_lock);
	goto search;
#if JEC
averted:
	UNLOCK(WORKER, sleep_lock);
	goto search;
#endif
served:
	assert(taken == JOBS)
}

FLUSHER(0)
FLUSHER(1)
