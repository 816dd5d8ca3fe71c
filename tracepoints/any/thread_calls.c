/*
 * SPDX-License-Identifier: MIT
 *
 * thread_calls.c - the functions that begin and name threads, interposed.
 *
 * A new thread must know its start routine before it runs it, and no memory may be allocated for
 * that: under ThreadSanitizer, the new thread would free it before the sanitizer knows the thread.
 * So the routine and its argument are passed in a slot of a fixed table. If all are in use, the
 * thread begins without one: it is then seen when it first waits, in a crew without a start
 * routine.
 */
#include <stdarg.h>
#include <sys/prctl.h>

#include "any.h"
#include "real.h"

#define EXPORT __attribute__((visibility("default")))
#define SLOTS  256

static struct slot {
	_Atomic bool used;
	bool ignored;
	void *(*start)(void *);
	int (*start_c11)(void *); /* instead of start */
	void *arg;
} slots[SLOTS];

static struct slot *take_slot(void)
{
	for (unsigned i = 0; i < SLOTS; i++)
		/* Acquire: the last user has read the slot before this one writes it. */
		if (!atomic_load_explicit(&slots[i].used, memory_order_relaxed) &&
		    !atomic_exchange_explicit(&slots[i].used, true, memory_order_acquire))
			return &slots[i];
	return NULL;
}

static void drop_slot(struct slot *s)
{
	/* Release: see take_slot. */
	atomic_store_explicit(&s->used, false, memory_order_release);
}

/* Fills a slot in the thread that creates another one. The tracer creates its threads while it is
 * being loaded, by a thread of this object, or in a call that this object makes. */
static struct slot *slot_for(const void *caller, void *arg)
{
	struct slot *s = take_slot();

	if (s) {
		s->ignored = any_me.ignored || any_me.busy || any_is_ours(caller);
		s->start = NULL;
		s->start_c11 = NULL;
		s->arg = arg;
	}
	return s;
}

/* pthread_create orders what the creating thread wrote before what the new one reads. */
static void *begin(void *slot)
{
	struct slot *s = slot;
	void *(*start)(void *) = s->start;
	void *arg = s->arg;
	bool ignored = s->ignored;

	drop_slot(s);
	any_thread_begins(*(void **)(void *)&start, ignored);
	return start(arg);
}

static int begin_c11(void *slot)
{
	struct slot *s = slot;
	int (*start)(void *) = s->start_c11;
	void *arg = s->arg;
	bool ignored = s->ignored;

	drop_slot(s);
	any_thread_begins(*(void **)(void *)&start, ignored);
	return start(arg);
}

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
			  void *(*start)(void *), void *restrict arg)
{
	struct slot *s;
	int error;

	if (!any_real.create)
		any_real_find();
	s = slot_for(__builtin_return_address(0), arg);
	if (!s)
		return any_real.create(thread, attr, start, arg);
	s->start = start;
	error = any_real.create(thread, attr, begin, s);
	if (error)
		drop_slot(s);
	return error;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	struct slot *s;
	int result;

	if (!any_real.thrd_create)
		any_real_find();
	s = slot_for(__builtin_return_address(0), arg);
	if (!s)
		return any_real.thrd_create(thread, start, arg);
	s->start_c11 = start;
	result = any_real.thrd_create(thread, begin_c11, s);
	if (result != thrd_success)
		drop_slot(s);
	return result;
}

/* The thread gets its crew at once if it names itself, so that it is shown under that name. */
static void named_itself(const void *caller)
{
	atomic_store_explicit(&any_me.renamed, true, memory_order_relaxed);
	if (!any_sees(caller) || any_me.wait.object)
		return;
	int error = any_enter();
	(void)any_in_crew();
	any_leave(error);
}

EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
	int error;

	if (!any_real.setname)
		any_real_find();
	error = any_real.setname(thread, name);
	if (!error && thread == pthread_self())
		named_itself(__builtin_return_address(0));
	else if (!error)
		any_name_changed();
	return error;
}

EXPORT int prctl(int option, ...)
{
	unsigned long a[4];
	va_list more;
	int result;

	/* Reads as many arguments as the C library's function passes to the kernel. */
	va_start(more, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(more, unsigned long);
	va_end(more);
	if (!any_real.prctl)
		any_real_find();
	result = any_real.prctl(option, a[0], a[1], a[2], a[3]);
	if (!result && option == PR_SET_NAME)
		named_itself(__builtin_return_address(0));
	return result;
}
