/*
 * SPDX-License-Identifier: MIT
 *
 * helgrind_atomic.h - the macros of lib/atomic.h for `make helgrind` (-DDOZE_HELGRIND).
 *
 * Helgrind knows pthread calls, but not C11 atomics. Here each atomic step runs as in the product
 * and declares two things to helgrind: a release is an edge to every later acquire of the same
 * object, and the object itself must not be checked. README.md, "Helgrind", states what that
 * assumes and hides.
 *
 * A step declares its release before and its acquire after it runs, so that a reader of its value
 * has the edge, wherever valgrind switches threads. Fences declare nothing, so helgrind reports
 * plain data that only a fence protects.
 */
#ifndef DOZE_HELGRIND_ATOMIC_H
#define DOZE_HELGRIND_ATOMIC_H

#include <stdatomic.h>
#include <stddef.h>
#include <valgrind/helgrind.h>

/* Called at each step, because the object may be on a stack or in reused memory. */
static inline void doze_hg_before(const volatile void *object, size_t bytes, memory_order mo)
{
	VALGRIND_HG_DISABLE_CHECKING(object, bytes);
	if (mo == REL || mo == AR || mo == SC)
		ANNOTATE_HAPPENS_BEFORE(object);
}

static inline void doze_hg_after(const volatile void *object, memory_order mo)
{
	if (mo == ACQ || mo == AR || mo == SC)
		ANNOTATE_HAPPENS_AFTER(object);
}

#define da_init(p, v)                                                                              \
	__extension__({                                                                            \
		__auto_type hg_p = (p);                                                            \
		VALGRIND_HG_DISABLE_CHECKING(hg_p, sizeof *hg_p);                                  \
		ANNOTATE_HAPPENS_BEFORE_FORGET_ALL(hg_p); /* edges of the memory's previous use */ \
		atomic_init(hg_p, (v));                                                            \
	})
#define da_load(p, mo)                                                                             \
	__extension__({                                                                            \
		__auto_type hg_p = (p);                                                            \
		doze_hg_before(hg_p, sizeof *hg_p, RLX);                                           \
		__auto_type hg_value = atomic_load_explicit(hg_p, (mo));                           \
		doze_hg_after(hg_p, (mo));                                                         \
		hg_value;                                                                          \
	})
#define da_store(p, v, mo)                                                                         \
	__extension__({                                                                            \
		__auto_type hg_p = (p);                                                            \
		doze_hg_before(hg_p, sizeof *hg_p, (mo));                                          \
		atomic_store_explicit(hg_p, (v), (mo));                                            \
	})
#define DOZE_HG_RMW(operation, p, v, mo)                                                           \
	__extension__({                                                                            \
		__auto_type hg_p = (p);                                                            \
		doze_hg_before(hg_p, sizeof *hg_p, (mo));                                          \
		__auto_type hg_old = operation(hg_p, (v), (mo));                                   \
		doze_hg_after(hg_p, (mo));                                                         \
		hg_old;                                                                            \
	})
#define da_swap(p, v, mo) DOZE_HG_RMW(atomic_exchange_explicit, p, v, mo)
#define da_add(p, v, mo)  DOZE_HG_RMW(atomic_fetch_add_explicit, p, v, mo)
#define da_sub(p, v, mo)  DOZE_HG_RMW(atomic_fetch_sub_explicit, p, v, mo)
#define da_cas(p, exp, des, mo_ok, mo_fail)                                                        \
	__extension__({                                                                            \
		__auto_type hg_p = (p);                                                            \
		doze_hg_before(hg_p, sizeof *hg_p, (mo_ok));                                       \
		bool hg_done = atomic_compare_exchange_strong_explicit(hg_p, (exp), (des),         \
								       (mo_ok), (mo_fail));        \
		doze_hg_after(hg_p, hg_done ? (mo_ok) : (mo_fail));                                \
		hg_done;                                                                           \
	})

#define da_fence(mo) atomic_thread_fence(mo)

#endif
