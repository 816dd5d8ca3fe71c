/*
 * SPDX-License-Identifier: MIT
 *
 * memory.pml - shared memory with a store buffer for each process.
 *
 *   MEM == SC    a store takes effect at once
 *   MEM == TSO   a store enters a first-in, first-out buffer; read-modify-writes and fences wait until
 *                it is empty (x86: lock prefix, mfence)
 *   MEM == WEAK  only fences wait. A read-modify-write reads the newest value and owns the object until
 *                its own write, which goes through the buffer like a store, has reached memory. It is
 *                atomic, but a later load may overtake it (as with the load/store-exclusive pairs of
 *                other machines)
 *
 * The including model defines ADDRS and PROCS, and runs FLUSHER(p) for each process that stores.
 *
 * A read-modify-write is one atomic step, which waits until the machine permits it. Process 0 doubles
 * the value at address 3:
 *
 *   byte old;
 *   atomic { RMW_READY(0, 3); RMW_READ(0, 3, old); RMW_WRITE(0, 3, old * 2) }
 */
#define SC   0
#define TSO  1
#define WEAK 2

#define DEPTH 3

/* For graders: LOADED records what a read returns; OTHERS is what other threads have added to an object before. */
#ifndef LOADED
#define LOADED(p, a, r) skip
#define OTHERS(a)	0
#endif

byte mem[ADDRS];
byte owner[ADDRS];	  /* WEAK: 1 + the process whose buffer holds a read-modify-write; 0: none */
byte buf_addr[PROCS * DEPTH];
byte buf_val[PROCS * DEPTH];
byte buf_n[PROCS];

/* Sets r to the value that process p reads at a: its own newest store, or else memory. */
inline LOAD(p, a, r)
{
	d_step {
		r = mem[a];
		if
		:: buf_n[p] > 0 && buf_addr[(p) * DEPTH] == a -> r = buf_val[(p) * DEPTH]
		:: else
		fi;
		if
		:: buf_n[p] > 1 && buf_addr[(p) * DEPTH + 1] == a -> r = buf_val[(p) * DEPTH + 1]
		:: else
		fi;
		if
		:: buf_n[p] > 2 && buf_addr[(p) * DEPTH + 2] == a -> r = buf_val[(p) * DEPTH + 2]
		:: else
		fi;
		LOADED(p, a, r)
	}
}

inline PUT(p, a, v)
{
	buf_addr[(p) * DEPTH + buf_n[p]] = a;
	buf_val[(p) * DEPTH + buf_n[p]] = v;
	buf_n[p]++
}

#if MEM == SC

#define STORE(p, a, v)	    mem[a] = v
#define FENCE(p)	    skip
#define DRAINED(p)	    true
#define RMW_READY(p, a)	    true
#define RMW_WRITE(p, a, v)  mem[a] = v
#define RMW_READ(p, a, r)   r = mem[a] + OTHERS(a)
#define FLUSHER(p)

#else

#define STORE(p, a, v)                                                                             \
	atomic {                                                                                   \
		buf_n[p] < DEPTH && owner[a] == 0;                                                 \
		PUT(p, a, v)                                                                       \
	}
#define FENCE(p) (buf_n[p] == 0)

#if MEM == TSO
#define DRAINED(p)	    (buf_n[p] == 0)
#define RMW_READY(p, a)	    (buf_n[p] == 0)
#define RMW_WRITE(p, a, v)  mem[a] = v
#define RMW_READ(p, a, r)   r = mem[a] + OTHERS(a)
#else
#define DRAINED(p)	   true
#define RMW_READY(p, a)	   (buf_n[p] < DEPTH && owner[a] == 0)
#define RMW_WRITE(p, a, v) owner[a] = (p) + 1; PUT(p, a, v)
#define RMW_READ(p, a, r)  r = mem[a] + OTHERS(a)
#endif

/* The oldest store of process p reaches memory. */
#define FLUSHER(p)                                                                                 \
	active proctype flusher_##p()                                                              \
	{                                                                                          \
	end:	do                                                                                 \
		:: d_step {                                                                        \
			buf_n[p] > 0;                                                              \
			mem[buf_addr[(p) * DEPTH]] = buf_val[(p) * DEPTH];                         \
			if                                                                         \
			:: owner[buf_addr[(p) * DEPTH]] == (p) + 1 ->                              \
				owner[buf_addr[(p) * DEPTH]] = 0                                   \
			:: else                                                                    \
			fi;                                                                        \
			buf_addr[(p) * DEPTH] = buf_addr[(p) * DEPTH + 1];                         \
			buf_val[(p) * DEPTH] = buf_val[(p) * DEPTH + 1];                           \
			buf_addr[(p) * DEPTH + 1] = buf_addr[(p) * DEPTH + 2];                     \
			buf_val[(p) * DEPTH + 1] = buf_val[(p) * DEPTH + 2];                       \
			buf_n[p]--;                                                                \
			buf_addr[(p) * DEPTH + buf_n[p]] = 0;                                      \
			buf_val[(p) * DEPTH + buf_n[p]] = 0                                        \
		   }                                                                               \
		od                                                                                 \
	}
#endif

/* For graders: a machine on which the write of each read-modify-write is lost. A model that loses
 * nothing here proves nothing. */
#ifdef RMW_IS_LOST
#undef RMW_WRITE
#define RMW_WRITE(p, a, v) skip
#endif

/* A mutex; on x86 locking and unlocking drain the buffer. */
#define LOCK(p, m)                                                                                 \
	atomic {                                                                                   \
		DRAINED(p) && !m;                                                                  \
		m = true                                                                           \
	}
#define UNLOCK(p, m)                                                                               \
	atomic {                                                                                   \
		DRAINED(p);                                                                        \
		m = false                                                                          \
	}
