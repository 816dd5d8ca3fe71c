/*
 * SPDX-License-Identifier: MIT
 *
 * atomic.h - the only access to atomic memory in doze.
 *
 * Every atomic step of the library goes through one of these macros, and the memory order is an
 * argument, so that it is visible at each call. Nothing here is implicitly seq_cst. Three builds
 * exist:
 *
 *   product    plain C11 atomics.
 *   explorer   (-DDOZE_EXPLORE) every step is a call into labs/explorer, which owns the scheduler
 *              and the store buffers; the same library files run under every interleaving.
 *   helgrind   (-DDOZE_HELGRIND) C11 atomics, annotated with happens-before edges for Valgrind's
 *              Helgrind (tests/sanitizers/valgrind).
 *
 * Interface (p points to a DOZE_ATOMIC(T); mo is one of RLX ACQ REL AR SC):
 *   da_load(p, mo)   da_store(p, v, mo)   da_swap(p, v, mo)
 *   da_add(p, v, mo) da_sub(p, v, mo)   return the old value
 *   da_cas(p, &expected, desired, mo_success, mo_failure)               strong; true on success
 *   da_fence(mo)     da_init(p, v)                                       before publication only
 *   da_fence_light() da_fence_heavy()   a pair with the effect of two seq_cst fences; see below
 *   da_order         the type of a memory-order parameter
 *
 * ThreadSanitizer does not model fences. In a TSan build da_fence is instead a seq_cst
 * read-modify-write of one dummy word, which gives TSan the edge that two ordered fences create. It
 * orders more than a fence does (all fences synchronise with each other), so TSan cannot prove a
 * fence superfluous; the explorer does that.
 *
 * The asymmetric pair is for two sides, one of which runs often and the other rarely. The frequent
 * side calls da_fence_light, which costs nothing at run time (it is only a compiler barrier). The
 * rare side calls da_fence_heavy, which makes the kernel execute a fence on every running thread of
 * the process (atomic.c), wherever each thread is in its code. If two threads each write one word,
 * fence, and read the other's word, at least one of them sees the other's write. Under
 * ThreadSanitizer both are real fences.
 */
#ifndef DOZE_ATOMIC_H
#define DOZE_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#ifdef DOZE_EXPLORE
/* the macros of this file in labs/explorer, which call the explorer's scheduler */
#include "explore_atomic.h"
#else

#include <stdatomic.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define AR  memory_order_acq_rel
#define SC  memory_order_seq_cst
typedef memory_order da_order;

#define DOZE_ATOMIC(T) _Atomic(T)

#ifdef DOZE_HELGRIND
/* the macros of this file in tests/sanitizers/valgrind, annotated for Helgrind */
#include "helgrind_atomic.h"
#else

#define da_init(p, v)      atomic_init((p), (v))
#define da_load(p, mo)     atomic_load_explicit((p), (mo))
#define da_store(p, v, mo) atomic_store_explicit((p), (v), (mo))
#define da_swap(p, v, mo)  atomic_exchange_explicit((p), (v), (mo))
#define da_add(p, v, mo)   atomic_fetch_add_explicit((p), (v), (mo))
#define da_sub(p, v, mo)   atomic_fetch_sub_explicit((p), (v), (mo))
#define da_cas(p, exp, des, mo_ok, mo_fail)                                                        \
	atomic_compare_exchange_strong_explicit((p), (exp), (des), (mo_ok), (mo_fail))

#if defined(__SANITIZE_THREAD__)
#define DOZE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DOZE_TSAN 1
#endif
#endif

#ifdef DOZE_TSAN
extern _Atomic(unsigned) doze_tsan_fence_word; /* defined in atomic.c */
#define da_fence(mo)                                                                               \
	((void)atomic_fetch_add_explicit(&doze_tsan_fence_word, 0u, memory_order_seq_cst))
#define da_fence_heavy_is_local /* atomic.c then has no heavy fence */
#define da_fence_light()        da_fence(SC)
#define da_fence_heavy()        (da_fence(SC), true)
#define da_fence_heavy_ready()  true
#else
#define da_fence(mo) atomic_thread_fence(mo)
#endif

#endif /* DOZE_HELGRIND */

#ifndef da_fence_light
#define da_fence_light()       atomic_signal_fence(memory_order_seq_cst)
#define da_fence_heavy()       doze_fence_heavy()
#define da_fence_heavy_ready() doze_fence_heavy_ready()
/** Any thread. Executes the heavy fence. Returns false if the kernel refuses; in that case no
 * thread has executed a fence. */
bool doze_fence_heavy(void);
/** Any thread, before the first heavy fence of a pool. Returns whether the kernel supports heavy
 * fences. */
bool doze_fence_heavy_ready(void);
#endif
#endif /* DOZE_EXPLORE */

/* A program built with ThreadSanitizer may be linked to a library that was built without it. TSan
 * then sees none of the steps above and would report each job as racing with the thread that queued
 * it. So if TSan is present, the library declares to TSan the happens-before edges that users rely
 * on (a job is queued before it runs, and ends before a wait for it returns): what a thread did
 * before da_edge_out(p) is ordered before what another thread does after da_edge_in(p). Without
 * TSan each macro costs a load and a predicted branch. */
#if defined(DOZE_EXPLORE) || defined(DOZE_HELGRIND) || defined(DOZE_TSAN)
#define da_edges_wanted() false
#define da_edge_out(p)    ((void)(p))
#define da_edge_in(p)     ((void)(p))
#else
extern void doze_tsan_release(void *address) __asm__("__tsan_release") __attribute__((weak));
extern void doze_tsan_acquire(void *address) __asm__("__tsan_acquire") __attribute__((weak));
#define da_edges_wanted() (doze_tsan_release != 0)
#define da_edge_out(p)                                                                             \
	(__builtin_expect(doze_tsan_release != 0, 0) ? doze_tsan_release((void *)(uintptr_t)(p))   \
						     : (void)0)
#define da_edge_in(p)                                                                              \
	(__builtin_expect(doze_tsan_acquire != 0, 0) ? doze_tsan_acquire((void *)(uintptr_t)(p))   \
						     : (void)0)
#endif

/** Alignment that keeps two hot words from sharing cache lines: two 64-byte lines, because the
 * adjacent-line prefetcher of current x86 cores loads lines in pairs. */
#define DOZE_CACHE_LINE    128
#define DOZE_CACHE_ALIGNED __attribute__((aligned(DOZE_CACHE_LINE)))

#define doze_likely(x)   __builtin_expect(!!(x), 1)
#define doze_unlikely(x) __builtin_expect(!!(x), 0)

/** Tells the CPU that this thread waits for another one to write. */
static inline void da_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

#endif
