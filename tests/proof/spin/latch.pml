/*
 * SPDX-License-Identifier: MIT
 *
 * latch.pml - the core latch of RFC 5, Appendix A: an owner that sleeps on it, and a setter.
 *
 *   -DMEM=SC|TSO|WEAK   memory.pml
 *   -DSWAP=0|1          0: the setter reads the state, then stores SET
 *   -DUNDER_LOCK=0|1    0: the owner steps to SLEEPING before it holds its lock
 *   -DTAKE_LOCK=0|1     0: the setter notifies without the owner's lock
 *   -DWAKE_UP_CAS=0|1   0: the owner stores UNSET when it wakes up
 *   -DDATA_FIRST=0|1    0: the setter writes the latch's data after it has set the latch
 *
 * Spin checks that there is no invalid end state (an owner that sleeps on a set latch), and that an
 * owner that has seen SET reads what the setter wrote before.
 */
#define ADDRS 2
#define PROCS 2
#define L     0 /* the latch */
#define D     1 /* the latch's data: written before the latch is set */
#include "../../../labs/05-fences/memory.pml"

#define UNSET	 0
#define SLEEPY	 1
#define SLEEPING 2
#define SET	 3

#define SETTER 0
#define OWNER  1

bool sleep_lock;
bool is_blocked; /* guarded by sleep_lock */

/* Changes the latch from `from` to `to`; ok: whether it was `from`. */
#define CAS(p, from, to, ok)                                                                       \
	atomic {                                                                                   \
		RMW_READY(p, L);                                                                   \
		RMW_READ(p, L, now);                                                               \
		if                                                                                 \
		:: now == from ->                                                                  \
			ok = true;                                                                 \
			RMW_WRITE(p, L, to)                                                        \
		:: else -> ok = false                                                              \
		fi                                                                                 \
	}

active proctype setter()
{
	byte old;

#if DATA_FIRST
	STORE(SETTER, D, 1);
#endif
#if SWAP
	atomic {
		RMW_READY(SETTER, L);
		RMW_READ(SETTER, L, old);
		RMW_WRITE(SETTER, L, SET)
	}
#else
	LOAD(SETTER, L, old);
	STORE(SETTER, L, SET);
#endif
#if !DATA_FIRST
	STORE(SETTER, D, 1);
#endif
	/* The owner may have returned: the latch must not be touched after this point. */
	if
	:: old == SLEEPING ->
#if TAKE_LOCK
		LOCK(SETTER, sleep_lock);
		is_blocked = false;
		UNLOCK(SETTER, sleep_lock)
#else
		is_blocked = false
#endif
	:: else
	fi
}

/* A post wakes the owner although its latch is not set. */
active proctype passer_by()
{
	if
	:: atomic { is_blocked && !sleep_lock; sleep_lock = true }
		is_blocked = false;
		sleep_lock = false
	:: true
	fi
}

active proctype owner_of_latch()
{
	byte now, d;
	bool ok;

probe:
	LOAD(OWNER, L, now);
	if
	:: now == SET -> goto seen
	:: else
	fi;
	CAS(OWNER, UNSET, SLEEPY, ok);
	if
	:: !ok -> goto probe
	:: else
	fi;
#if UNDER_LOCK
	LOCK(OWNER, sleep_lock);
	CAS(OWNER, SLEEPY, SLEEPING, ok);
#else
	CAS(OWNER, SLEEPY, SLEEPING, ok);
	LOCK(OWNER, sleep_lock);
#endif
	if
	:: ok ->
		is_blocked = true;
		UNLOCK(OWNER, sleep_lock);
		atomic {
			!is_blocked && DRAINED(OWNER) && !sleep_lock;
			sleep_lock = true
		}
#if WAKE_UP_CAS
		CAS(OWNER, SLEEPING, UNSET, ok)
#else
		STORE(OWNER, L, UNSET)
#endif
	:: else
	fi;
	UNLOCK(OWNER, sleep_lock);
	goto probe;
seen:
	LOAD(OWNER, D, d);
	assert(d == 1)
}

FLUSHER(0)
FLUSHER(1)
