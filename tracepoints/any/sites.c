/*
 * SPDX-License-Identifier: MIT
 *
 * sites.c - counts the calls that wake, by the place in the program that makes them.
 *
 * Most wake calls of many programs find nobody, and an event for each of them would cost more than
 * the call itself. So they are counted, exactly, and the snapshot thread emits the counts. A table
 * with open addressing, into which any thread may insert: entries are never removed.
 */
#include "any.h"

#define SITES 1024 /* a power of two */
#define TRIES 32

struct site {
	_Atomic(const void *) caller; /* null: free; never changes afterwards */
	_Atomic int kind;             /* written before `caller`, by each thread that inserts it */
	_Atomic uint64_t calls, nobody;
	uint64_t emitted; /* value of `calls` in the last event */
};

/* The last one, without a caller, takes the calls from all places that found no room. */
static struct site sites[SITES + 1];

static struct site *site_of(enum doze_wait_kind kind, const void *caller)
{
	uint64_t hash = (uint64_t)(uintptr_t)caller * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	for (unsigned i = 0; i < TRIES; i++) {
		struct site *s = &sites[(hash + i) % SITES];
		/* Nothing is ordered: the counts are independent of each other and of the rest. */
		const void *found = atomic_load_explicit(&s->caller, memory_order_relaxed);

		if (!found && atomic_compare_exchange_strong_explicit(&s->caller, &found, caller,
								      memory_order_relaxed,
								      memory_order_relaxed))
			found = caller;
		if (found == caller) {
			atomic_store_explicit(&s->kind, (int)kind, memory_order_relaxed);
			return s;
		}
	}
	return &sites[SITES];
}

void any_site_count(enum doze_wait_kind kind, const void *caller, bool nobody)
{
	struct site *s = site_of(kind, caller);

	atomic_fetch_add_explicit(&s->nobody, nobody, memory_order_relaxed);
	atomic_fetch_add_explicit(&s->calls, 1, memory_order_relaxed);
}

void any_sites_emit(void)
{
	for (unsigned i = 0; i <= SITES; i++) {
		struct site *s = &sites[i];
		struct doze_trace_wake_site_info info = {
		    .calls = atomic_load_explicit(&s->calls, memory_order_relaxed)};

		if (info.calls == s->emitted)
			continue;
		s->emitted = info.calls;
		info.kind =
		    (enum doze_wait_kind)atomic_load_explicit(&s->kind, memory_order_relaxed);
		info.caller = atomic_load_explicit(&s->caller, memory_order_relaxed);
		info.nobody = atomic_load_explicit(&s->nobody, memory_order_relaxed);
		/* A call that is being counted right now may be in one of the two numbers only. */
		if (info.nobody > info.calls)
			info.nobody = info.calls;
		doze_trace_wake_site(0, &info);
	}
}

void any_sites_reset(void)
{
	for (unsigned i = 0; i <= SITES; i++) {
		atomic_store_explicit(&sites[i].calls, 0, memory_order_relaxed);
		atomic_store_explicit(&sites[i].nobody, 0, memory_order_relaxed);
		sites[i].emitted = 0;
	}
}
