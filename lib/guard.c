/*
 * SPDX-License-Identifier: MIT
 *
 * The explorer leaves this file out: keep the steps of protocols out of it.
 *
 * guard.c - see guard.h. The personality routine follows the Itanium C++ ABI ("Exception Handling",
 * level I), which all supported platforms use.
 */
#include "guard.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#include "pool.h"

/* Provided by the C++ runtime, if the program is linked to one. */
extern void terminate_linked(void) __asm__("_ZSt9terminatev") __attribute__((weak));
extern void *begin_catch_linked(void *) __asm__("__cxa_begin_catch") __attribute__((weak));

_Unwind_Reason_Code doze_guard_personality(int version, _Unwind_Action actions,
					   _Unwind_Exception_Class kind,
					   struct _Unwind_Exception *exception,
					   struct _Unwind_Context *context);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* its value is non-null in threads that run jobs */
static bool has_key;

static void say(const char *what)
{
	const struct doze_worker *worker = doze_self;
	if (worker != NULL)
		fprintf(stderr, "doze: %s on worker %d of pool %u: a job must return normally\n",
			what, worker->index, worker->pool->id);
	else
		fprintf(stderr,
			"doze: %s on a thread that is not a worker: a job or handler must return "
			"normally\n",
			what);
}

/* Terminates as if the exception had left a noexcept function, so that the terminate handler can
 * print the exception. */
static void terminate_program(struct _Unwind_Exception *exception)
{
	void (*terminate)(void) = terminate_linked;
	void *(*begin_catch)(void *) = begin_catch_linked;

	/* A runtime that was loaded after this library can only be found by name. */
	if (terminate == NULL)
		*(void **)(void *)&terminate = dlsym(RTLD_DEFAULT, "_ZSt9terminatev");
	if (begin_catch == NULL)
		*(void **)(void *)&begin_catch = dlsym(RTLD_DEFAULT, "__cxa_begin_catch");
	if (begin_catch != NULL)
		(void)begin_catch(exception);
	if (terminate != NULL)
		terminate();
	abort();
}

__attribute__((used)) _Unwind_Reason_Code
doze_guard_personality(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
		       struct _Unwind_Exception *exception, struct _Unwind_Context *context)
{
	(void)version;
	(void)kind;
	(void)context;
	if ((actions & _UA_FORCE_UNWIND) != 0) {
		say("pthread_exit or thread cancellation in a job");
		abort();
	}
	say("an exception escaped from a job");
	terminate_program(exception);
	return _URC_CONTINUE_UNWIND;
}

/* The same for doze_inline.h. */
extern __typeof__(doze_guard_personality) doze_inline_personality
    __attribute__((alias("doze_guard_personality"), visibility("default")));

/* The key's destructor, which runs if a thread ends in the middle of a job. */
static void ended(void *value)
{
	(void)value;
	say("pthread_exit or thread cancellation in a job");
	abort();
}

static void make_key(void)
{
	has_key = pthread_key_create(&key, ended) == 0;
}

/* Deletes the key when a plug-in that contains this code is unloaded, because `ended` then no
 * longer exists. */
__attribute__((destructor)) static void delete_key(void)
{
	if (has_key)
		(void)pthread_key_delete(key);
	has_key = false;
}

void doze_guard_thread(int runs_jobs)
{
	(void)pthread_once(&once, make_key);
	if (has_key) /* without a key, pthread_exit in a job is not detected */
		(void)pthread_setspecific(key, runs_jobs ? &key : NULL);
}
