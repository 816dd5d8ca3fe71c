/*
 * SPDX-License-Identifier: MIT
 *
 * guard.h - stops C++ exceptions, pthread_exit and thread cancellation from leaving a job.
 *
 * The library's frames cannot be unwound: the offered half of a join would stay in a deque after
 * its frame is gone. So each call of a user's function goes through DOZE_GUARDED, which sets a
 * personality routine for the calling function. The unwinder calls this routine before it destroys
 * any frame. The routine prints a message and calls std::terminate, or abort if there is no
 * exception, while the job's stack is still intact for a debugger.
 *
 * In a build without unwind tables the C++ runtime finds no next frame and calls std::terminate
 * itself; pthread_exit is then detected when the thread ends.
 */
#ifndef DOZE_GUARD_H
#define DOZE_GUARD_H

/* The compiler defines __GCC_HAVE_DWARF2_CFI_ASM if it emits call frame information as assembler
 * directives; only then can a function add a directive. 0x1b encodes a signed, PC-relative, 4-byte
 * pointer. The second asm prevents a tail call, which would remove the frame with the personality
 * routine. */
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
/** Called by a thread before its first job (with 1) and after its last one (with 0). If the thread
 * ends in between, the program aborts with a message. */
void doze_guard_thread(int runs_jobs);
#endif

#endif
