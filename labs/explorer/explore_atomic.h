/*
 * SPDX-License-Identifier: MIT
 *
 * explore_atomic.h - the operations of lib/atomic.h as calls into the explorer.
 *
 * Included by lib/atomic.h under -DDOZE_EXPLORE. An atomic object is a plain object of the same
 * type: only one coroutine runs at a time, and the explorer decides which value a thread reads
 * (memory.c). Each call passes the text of its argument and the name of the calling function, for
 * listings of schedules.
 */
#ifndef DOZE_EXPLORE_ATOMIC_H
#define DOZE_EXPLORE_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A step's place in the source: the object as the source writes it, the function, and the line.
 * `line` fills a word, so that a site has no padding: states, which contain sites, are compared as
 * bytes. */
struct ex_site {
	const char *what, *func, *file;
	uint64_t line;
};
#define EX_HERE(what) ((struct ex_site){(what), __func__, __FILE__, __LINE__})

enum ex_order { RLX = 0, ACQ, REL, AR, SC };
typedef enum ex_order da_order;

#define DOZE_ATOMIC(T) __typeof__(T)

/** A step's position in the source, with its argument as written. */
#define EX_SITE(p) EX_HERE(#p)

uint64_t ex_load(const volatile void *p, size_t size, enum ex_order mo, struct ex_site at);
void ex_store(volatile void *p, size_t size, uint64_t v, enum ex_order mo, struct ex_site at);
enum ex_rmw { EX_SWAP, EX_ADD, EX_SUB };
uint64_t ex_rmw(volatile void *p, size_t size, enum ex_rmw what, uint64_t v, enum ex_order mo,
		struct ex_site at);
/** Compares and swaps; stores the value read in *expected. */
bool ex_cas(volatile void *p, size_t size, uint64_t *expected, uint64_t desired, enum ex_order ok,
	    enum ex_order fail, struct ex_site at);
void ex_fence(enum ex_order mo, struct ex_site at);
/** Executes a seq_cst fence on every thread, wherever each thread is in its program. */
void ex_fence_all(struct ex_site at);
/** Returns whether heavy fences work: false after ex_refuse_heavy_fences. */
bool ex_kernel_fences(void);
/** Discards the memory model's history of the address. Not a step, because the object is not
 * published yet. */
void ex_init(volatile void *p, size_t size);

#define EX_TYPE(p)    __typeof__(*(p))
#define EX_BITS(p, v) ((uint64_t)(EX_TYPE(p))(v))

#define da_init(p, v)                                                                              \
	do {                                                                                       \
		*(p) = (v);                                                                        \
		ex_init((p), sizeof(*(p)));                                                        \
	} while (0)
#define da_load(p, mo)     ((EX_TYPE(p))ex_load((p), sizeof(*(p)), (mo), EX_SITE(p)))
#define da_store(p, v, mo) ex_store((p), sizeof(*(p)), EX_BITS(p, v), (mo), EX_SITE(p))
#define EX_RMW(p, op, v, mo)                                                                       \
	((EX_TYPE(p))ex_rmw((p), sizeof(*(p)), (op), EX_BITS(p, v), (mo), EX_SITE(p)))
#define da_swap(p, v, mo) EX_RMW(p, EX_SWAP, v, mo)
#define da_add(p, v, mo)  EX_RMW(p, EX_ADD, v, mo)
#define da_sub(p, v, mo)  EX_RMW(p, EX_SUB, v, mo)
#define da_cas(p, exp, des, mo_ok, mo_fail)                                                        \
	__extension__({                                                                            \
		uint64_t ex_expected = EX_BITS(p, *(exp));                                         \
		bool ex_done = ex_cas((p), sizeof(*(p)), &ex_expected, EX_BITS(p, des), (mo_ok),   \
				      (mo_fail), EX_SITE(p));                                      \
		if (!ex_done)                                                                      \
			*(exp) = (EX_TYPE(p))ex_expected;                                          \
		ex_done;                                                                           \
	})
#define da_fence(mo) ex_fence((mo), EX_SITE(fence))
/* The light fence stops only the compiler, so it is not a step. */
#define da_fence_light()       ((void)0)
#define da_fence_heavy()       (ex_kernel_fences() && (ex_fence_all(EX_SITE(fence)), true))
#define da_fence_heavy_ready() ex_kernel_fences()

#endif
