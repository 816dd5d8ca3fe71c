/*
 * SPDX-License-Identifier: MIT
 *
 * doze_inline.h - optional: makes each doze_join of the file that includes it part of its caller.
 *
 *	#include <doze_inline.h>
 *
 * The compiler then sees both functions of a join, calls them directly or inlines them, and a join
 * whose second half is not stolen costs little more than the steps of the deque. The results, the
 * trace and the rules of doze.h are the same, and files with and without this header may be mixed.
 * `(doze_join)(…)` still calls the library's function.
 *
 * The inlined part knows the first fields of a worker. If the library that the program runs with
 * has another DOZE_INLINE_LAYOUT, each join calls the library's function instead, so a program need
 * not be rebuilt for another version of the library. In files that are compiled for ThreadSanitizer
 * this header changes nothing, because the sanitizer could not see the library's half of each step.
 *
 * An exception must not leave a job (doze.h). In C++ a job that lets one escape ends in
 * std::terminate. In C it ends in the library's message; so does any other exception that passes
 * through a C function with an inlined join, unless the file is compiled with -fexceptions.
 *
 * Programs use only the macro doze_join, at the end; everything else here is private to the
 *library. This file is also the source of the library's own join: join.h compiles the same
 *functions, on the library's own types, so the explorer and the tests check these lines.
 */
#ifndef DOZE_INLINE_H
#define DOZE_INLINE_H

#include "doze.h"

/** Number of the layout below. Changed with each change of a field that is used here. */
#define DOZE_INLINE_LAYOUT 3

#if defined __SANITIZE_THREAD__
#define DOZE_INLINE_TSAN 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define DOZE_INLINE_TSAN 1
#endif
#endif

#ifndef __cplusplus
#define DOZE_INLINE_ALIGNED(n) __attribute__((aligned(n)))
#else
#define DOZE_INLINE_ALIGNED(n) alignas(n)
#endif

/* The library's structs as far as they are used here: of `struct doze_worker` the beginning, of the
 * others everything. join.c compares each offset. */
struct doze_inline_buffer {
	void *older;
	int64_t capacity;
	void *slot[1];
};

struct doze_inline_worker {
	uint32_t layout; /* first in every layout */
	int32_t index;
	uint64_t job_ids;
	void *root;
	uint64_t *word;
	uint64_t quiet_mask, quiet_value;
	uint64_t jobs_run, jobs_published;
	const int *starts_on;
	struct {
		DOZE_INLINE_ALIGNED(128) int64_t top;
		DOZE_INLINE_ALIGNED(128) uint64_t asked;
		int64_t split;
		DOZE_INLINE_ALIGNED(128) int64_t bottom;
		struct doze_inline_buffer *buffer;
		int64_t room;
		bool all_public;
	} deque;
};

/* The second half of a join, stored in the joiner's frame. */
struct doze_inline_half {
	struct {
		void (*run)(void);
		uint64_t id;
		const void *caller;
		void *root, *next;
	} job;
	doze_fn fn;
	void *arg;
	int64_t at;
	struct {
		uint32_t state;
		uint8_t kind;
		bool cross, elsewhere, unused;
		struct doze_inline_worker *owner;
		uint64_t id;
		void *suspended;
	} done;
};

/* The kind of a join's latch. */
#define DOZE_INLINE_SPIN 1
/* The bits of deque.asked that are 0 if no thief asks for a job. */
#define DOZE_INLINE_ASKED 3

/* How far a join came without the library. */
enum doze_inline_step {
	DOZE_INLINE_OFFERED,  /* thieves may take the second half */
	DOZE_INLINE_HEED,     /* the same, and the library must act: see doze_inline_heed */
	DOZE_INLINE_DECLINED, /* nothing has happened: call the library's doze_join */
};
/* Why the library must finish a join. */
enum doze_inline_why {
	DOZE_INLINE_SHARED, /* the second half is not the newest entry of the deque, or is public */
	DOZE_INLINE_REQUEST, /* a thief asks; the newest entry is half taken */
	DOZE_INLINE_RECORD   /* the second half has been taken back, and may have to be recorded */
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)
/* Joiner only, after it has offered the half, if a thief asks for a job or the sleep policy wants
 * to know of each job. The return address is the user's call, for the trace. */
void doze_inline_heed(struct doze_inline_half *half);
/* Joiner only. Finishes the join. */
void doze_inline_finish(struct doze_inline_half *half, enum doze_inline_why why);
#ifndef DOZE_INLINE_LIBRARY
/* The calling thread's worker, or null. */
extern __thread struct doze_inline_worker *doze_inline_self
    __attribute__((tls_model("initial-exec")));
/* Runs a stolen half. Called only by the library, with arguments. */
void doze_inline_run(void);
#endif
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifndef DOZE_INLINE_LIBRARY
#define DOZE_INLINE_WORKER          struct doze_inline_worker
#define DOZE_INLINE_HALF            struct doze_inline_half
#define DOZE_INLINE_BUFFER          struct doze_inline_buffer
#define DOZE_INLINE_FINISH          doze_inline_finish
#define DOZE_INLINE_RUN             doze_inline_run
#define DOZE_INLINE_LOAD(p, mo)     __atomic_load_n((p), __ATOMIC_##mo)
#define DOZE_INLINE_STORE(p, v, mo) __atomic_store_n((p), (v), __ATOMIC_##mo)
#define DOZE_INLINE_INIT(p, v)      (*(p) = (v))
#define DOZE_INLINE_LIGHT_FENCE()   __atomic_signal_fence(__ATOMIC_SEQ_CST)
/* A plain read, as in LTTng's own test whether an event is enabled. */
#define DOZE_INLINE_STARTS_ON(worker)                                                              \
	DOZE_INLINE_UNLIKELY(*DOZE_INLINE_LOAD(&(worker)->starts_on, RELAXED) != 0)
#endif

#define DOZE_INLINE_FN          __attribute__((always_inline, unused)) static inline
#define DOZE_INLINE_LIKELY(x)   __builtin_expect(!!(x), 1)
#define DOZE_INLINE_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Reads a variable from memory, although the compiler may know its value. Values that the second
 * part of a join needs are read again from the half, because a register that is kept across the
 * call of the first function must be saved and restored, even by calls that do not join: that costs
 * more than the read. */
#define DOZE_INLINE_AGAIN(x) (*(__typeof__(x) volatile *)&(x))

/* Calls fn(arg) so that no exception can leave it; see guard.h. */
#ifdef DOZE_INLINE_LIBRARY
#define DOZE_INLINE_CALL(fn, arg) DOZE_GUARDED((fn)(arg))
#elif defined __cplusplus && defined __EXCEPTIONS
DOZE_INLINE_FN void doze_inline_call(doze_fn fn, void *arg) noexcept
{
	fn(arg);
	__asm__ volatile("" ::: "memory");
}
#define DOZE_INLINE_CALL(fn, arg) doze_inline_call((fn), (arg))
#elif !defined __GCC_HAVE_DWARF2_CFI_ASM
#define DOZE_INLINE_CALL(fn, arg) ((fn)(arg))
#else
/* The linker needs a pointer to the routine in each object, as compilers make them. With link-time
 * optimization the text of several files may become one. */
__asm__(".ifndef DW.ref.doze_inline_personality\n"
	".pushsection .data.rel.local.DW.ref.doze_inline_personality,\"awG\",%progbits,"
	"DW.ref.doze_inline_personality,comdat\n"
	".hidden DW.ref.doze_inline_personality\n"
	".weak DW.ref.doze_inline_personality\n"
	".balign 8\n"
	".type DW.ref.doze_inline_personality, %object\n"
	".size DW.ref.doze_inline_personality, 8\n"
	"DW.ref.doze_inline_personality: .quad doze_inline_personality\n"
	".popsection\n"
	".endif");
#define DOZE_INLINE_GUARDED(fn, arg)                                                               \
	do {                                                                                       \
		__asm__ volatile(".cfi_personality 0x9b, DW.ref.doze_inline_personality");         \
		(fn)(arg);                                                                         \
		__asm__ volatile("" ::: "memory");                                                 \
	} while (0)
#ifdef __EXCEPTIONS /* C with -fexceptions: the caller may have a personality of its own */
__attribute__((noinline, unused)) static void doze_inline_call(doze_fn fn, void *arg)
{
	DOZE_INLINE_GUARDED(fn, arg);
}
#define DOZE_INLINE_CALL(fn, arg) doze_inline_call((fn), (arg))
#else
#define DOZE_INLINE_CALL(fn, arg) DOZE_INLINE_GUARDED(fn, arg)
#endif
#endif

/* Worker only. Fills in the half of a join that will be offered as the deque's entry number `at`.
 */
DOZE_INLINE_FN void doze_inline_prepare(DOZE_INLINE_WORKER *worker, DOZE_INLINE_HALF *half,
					doze_fn fn, void *arg, int64_t at)
{
	uint64_t id = worker->job_ids + 1;

	worker->job_ids = id;
	half->job.run = DOZE_INLINE_RUN;
	half->job.id = id;
	half->job.root = worker->root;
	half->fn = fn;
	half->arg = arg;
	half->at = at;
	DOZE_INLINE_INIT(&half->done.state, 0);
	half->done.kind = DOZE_INLINE_SPIN;
	half->done.cross = false;
	half->done.elsewhere = false;
	half->done.unused = false;
	half->done.owner = worker;
	half->done.id = id;
}

/* Worker only. Adds to a counter that only this thread writes. */
#define DOZE_INLINE_BUMP(counter)                                                                  \
	DOZE_INLINE_STORE((counter), DOZE_INLINE_LOAD((counter), RELAXED) + 1, RELAXED)

/* Worker only. Returns 0 if the sleep policy need not know of a job that this worker has pushed to
 * its deque, because it would neither write the word nor wake a worker (sleep/sleep.h). */
DOZE_INLINE_FN uint64_t doze_inline_unquiet(DOZE_INLINE_WORKER *worker)
{
	/* seq_cst, like the policies' own first load of the word, which this load replaces. */
	uint64_t word = DOZE_INLINE_LOAD(worker->word, SEQ_CST);

	return (word & worker->quiet_mask) ^ worker->quiet_value;
}

/* Worker only; its deque must have room. Offers the half to thieves as entry number `at`, which is
 * the deque's bottom, in the steps of doze_deque_push_in_room (deque.h), which explains the orders.
 */
DOZE_INLINE_FN enum doze_inline_step doze_inline_push(DOZE_INLINE_WORKER *worker,
						      DOZE_INLINE_HALF *half, int64_t at)
{
	DOZE_INLINE_BUFFER *buffer = DOZE_INLINE_LOAD(&worker->deque.buffer, RELAXED);

	DOZE_INLINE_STORE(&buffer->slot[at & (buffer->capacity - 1)], &half->job, RELAXED);
	/* Release: orders the job's fields and the slot before the new bottom. */
	DOZE_INLINE_STORE(&worker->deque.bottom, at + 1, RELEASE);
	uint64_t asked = DOZE_INLINE_LOAD(&worker->deque.asked, RELAXED);
	DOZE_INLINE_BUMP(&worker->jobs_published);
	bool heed = ((asked & DOZE_INLINE_ASKED) | doze_inline_unquiet(worker)) != 0;
	return DOZE_INLINE_UNLIKELY(heed) ? DOZE_INLINE_HEED : DOZE_INLINE_OFFERED;
}

/* Joiner only, after the first function has returned. Runs the half, whose function is `fn`, or
 * waits until a thief has run it.
 *
 * If the half is the newest entry of the deque and private, takes it in the steps of
 * doze_deque_pop_private (deque.h), which explains the orders. It checks beforehand that the entry
 * is this half: no entry below may be taken, and while this frame waited in a call, another thread
 * may have held the worker, taken the half and pushed another job in its place (suspend/). An entry
 * that is private after the light fence, with no thief asking, has not been stolen (I5, I6). */
DOZE_INLINE_FN void doze_inline_take_back(DOZE_INLINE_HALF *half, doze_fn fn)
{
	DOZE_INLINE_WORKER *worker = DOZE_INLINE_AGAIN(half->done.owner);
	int64_t at = DOZE_INLINE_AGAIN(half->at);

	int64_t bottom = DOZE_INLINE_LOAD(&worker->deque.bottom, RELAXED);
	int64_t split = DOZE_INLINE_LOAD(&worker->deque.split, RELAXED);
	DOZE_INLINE_BUFFER *buffer = DOZE_INLINE_LOAD(&worker->deque.buffer, RELAXED);
	if (DOZE_INLINE_UNLIKELY(bottom != at + 1 || at < split ||
				 DOZE_INLINE_LOAD(&buffer->slot[at & (buffer->capacity - 1)],
						  RELAXED) != &half->job)) {
		DOZE_INLINE_FINISH(half, DOZE_INLINE_SHARED);
		return;
	}
	DOZE_INLINE_STORE(&worker->deque.bottom, at, RELEASE);
	/* Orders the store of bottom before the load of asked. */
	DOZE_INLINE_LIGHT_FENCE();
	uint64_t asked = DOZE_INLINE_LOAD(&worker->deque.asked, RELAXED);
	if (DOZE_INLINE_UNLIKELY((asked & DOZE_INLINE_ASKED) != 0)) {
		DOZE_INLINE_FINISH(half, DOZE_INLINE_REQUEST);
		return;
	}
	/* Usually the start of a job that is taken back is only counted (job_records.h). */
	if (DOZE_INLINE_STARTS_ON(worker)) {
		DOZE_INLINE_FINISH(half, DOZE_INLINE_RECORD);
		return;
	}
	DOZE_INLINE_BUMP(&worker->jobs_run);
	DOZE_INLINE_CALL(fn, DOZE_INLINE_AGAIN(half->arg));
}

#if !defined DOZE_INLINE_LIBRARY && !defined DOZE_INLINE_TSAN

/* Any thread. Offers fn(arg), if the thread is a worker, its layout is the one above, and its deque
 * has room. A deque that is not used (policy forkjoin) never has room. */
DOZE_INLINE_FN enum doze_inline_step doze_inline_offer(struct doze_inline_half *half, doze_fn fn,
						       void *arg)
{
	struct doze_inline_worker *worker = doze_inline_self;

	if (DOZE_INLINE_UNLIKELY(worker == NULL || worker->layout != DOZE_INLINE_LAYOUT))
		return DOZE_INLINE_DECLINED;
	int64_t bottom = DOZE_INLINE_LOAD(&worker->deque.bottom, RELAXED);
	if (DOZE_INLINE_UNLIKELY(bottom >= worker->deque.room))
		return DOZE_INLINE_DECLINED;
	doze_inline_prepare(worker, half, fn, arg, bottom);
	return doze_inline_push(worker, half, bottom);
}

/** Works like the function of doze.h, inlined. A macro, so that in debuggers and in the trace the
 * calls have the line of the join and not one of this file. */
#define doze_join(a, arg_a, b, arg_b)                                                              \
	__extension__({                                                                            \
		doze_fn doze_a_ = (a), doze_b_ = (b);                                              \
		void *doze_arg_a_ = (arg_a), *doze_arg_b_ = (arg_b);                               \
		struct doze_inline_half doze_half_;                                                \
		enum doze_inline_step doze_step_ =                                                 \
		    doze_inline_offer(&doze_half_, doze_b_, doze_arg_b_);                          \
		if (DOZE_INLINE_UNLIKELY(doze_step_ == DOZE_INLINE_DECLINED)) {                    \
			(doze_join)(doze_a_, doze_arg_a_, doze_b_, doze_arg_b_);                   \
		} else {                                                                           \
			if (DOZE_INLINE_UNLIKELY(doze_step_ == DOZE_INLINE_HEED))                  \
				doze_inline_heed(&doze_half_);                                     \
			DOZE_INLINE_CALL(doze_a_, doze_arg_a_);                                    \
			doze_inline_take_back(&doze_half_, doze_b_);                               \
		}                                                                                  \
	})
#endif

#endif
