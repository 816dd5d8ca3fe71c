/*
 * SPDX-License-Identifier: MIT
 *
 * guard.h - what must not leave a job: a C++ exception, pthread_exit, cancellation of the thread.
 *
 * The library's frames cannot be unwound: the offered half of a join would stay in a deque while
 * its frame is gone. So each call of a user's function goes through DOZE_GUARDED, which names a
 * personality routine for the calling function. The unwinder asks it before it destroys any frame;
 * it prints a message and calls std::terminate, or abort where no exception is under way. The job's
 * stack is then still there for a debugger.
 *
 * In a build without unwind tables the C++ runtime finds no frame to go on to, and calls
 * std::terminate itself. pthread_exit is then noticed when the thread ends.
 */
#ifndef DOZE_GUARD_H
#define DOZE_GUARD_H

/* The compiler defines the macro when it writes call frame information itself, and only then may
 * a function add to its own. 0x1b: relative to the program counter, 4 bytes, signed. The second asm
 * keeps the call from becoming a tail call, whose frame would be gone. */
#if defined(__GCC_HAVE_DWARF2_CFI_ASM) && !defined(DOZE_EXPLORE)
#define DOZE_GUARDED(call)                                                                         \
	do {                                                                                       \
		__asm__ volatile(".cfi_personality 0x1b, doze_guard_personality");                 \
		call;                                                                              \
		__asm__ volatile("" ::: "memory");                                                 \
	} while (0)
#else
#define DOZE_GUARDED(call)                                                                         \
	do {                                                                                       \
		call;                                                                              \
	} while (0)
#endif

#ifdef DOZE_EXPLORE
static inline void doze_guard_thread(int runs_jobs)
{
	(void)runs_jobs;
}
#else
/** Thread that is about to run jobs (1), or has run the last one (0): if it ends in between, the
 * program is aborted with a message. */
void doze_guard_thread(int runs_jobs);
#endif

#endif
