/*
 * SPDX-License-Identifier: MIT
 *
 * word_lock.h - a lock in one word, for a program that is not ours, and the system calls that it
 * needs.
 *
 * The preload cannot use pthread mutexes: it interposes their functions, and sanitizers do, too. A
 * spinning lock would hang a program whose real-time threads share a CPU. So a waiter sleeps in the
 * kernel. It gives up after two seconds: then the holder has left the critical section by a jump
 * out of a signal handler, and the program must not hang because of that.
 */
#ifndef DOZE_ANY_WORD_LOCK_H
#define DOZE_ANY_WORD_LOCK_H

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>

/* 0: free; 1: taken; 2: taken, and threads may sleep. */
typedef _Atomic int any_lock;

static inline int any_errno(void)
{
	return errno;
}
static inline void any_set_errno(int error)
{
	errno = error;
}

/* Makes a system call directly, because the preload interposes syscall(). Returns the kernel's
 * result, -errno on failure. */
static inline long any_kernel(long number, long a, long b, long c, long d)
{
#if defined __x86_64__
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = 0;
	register long r9 __asm__("r9") = 0;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#elif defined __aarch64__
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = 0;
	register long x5 __asm__("x5") = 0;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
#error "the preload knows x86-64 and aarch64"
#endif
}

/** Takes the lock. Returns false after two seconds without it. */
static inline bool any_lock_take(any_lock *l)
{
	int free_value = 0;
	struct timespec nap = {0, 100 * 1000 * 1000};

	/* Acquire: what the previous holder wrote is visible. */
	if (atomic_compare_exchange_strong_explicit(l, &free_value, 1, memory_order_acquire,
						    memory_order_relaxed))
		return true;
	for (int naps = 0; naps < 20;) {
		if (atomic_exchange_explicit(l, 2, memory_order_acquire) == 0)
			return true;
		if (any_kernel(SYS_futex, (long)l, FUTEX_WAIT_PRIVATE, 2, (long)&nap) == -ETIMEDOUT)
			naps++;
	}
	return false;
}

static inline void any_lock_drop(any_lock *l)
{
	/* Release: the next holder sees what this one wrote. */
	if (atomic_exchange_explicit(l, 0, memory_order_release) == 2)
		(void)any_kernel(SYS_futex, (long)l, FUTEX_WAKE_PRIVATE, 1, 0);
}

#endif
